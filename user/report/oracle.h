/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oracle.h - counts that are known before anything is measured, to the last instruction.
 *
 *	page 4096
 *	# STEP INSN, and how many for each PTE, contiguous block of PTEs, PTE table, contiguous
 *	# group of PMDs, and PMD table
 *	linear_map unbatched dsb 1 3 4 3 4
 *	linear_map lazy-fixmap isb 0 0 49/16 0 3
 *	# STEP WORKLOAD METRIC, and its value
 *	count batched vmalloc vmap_pte_range.insn.dsb 12850
 *
 * What making the linear map takes in one boot nobody can say beforehand: memory has holes, and the
 * kernel's image is mapped otherwise.  But every further GiB is so many PTEs, blocks and tables, so
 * the difference between two sizes of memory is known.
 */
#ifndef PGT_REPORT_ORACLE_H
#define PGT_REPORT_ORACLE_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

/* The parts of one GiB that is mapped by pages of 4 KiB. */
enum pgt_oracle_part {
	PGT_PER_PTE,
	PGT_PER_CONT_PTE,	/* 16 of them */
	PGT_PER_PTE_TABLE,	/* 512 */
	PGT_PER_CONT_PMD,	/* 16 entries of a PMD table */
	PGT_PER_PMD_TABLE,
	PGT_N_ORACLE_PARTS,
};

struct pgt_oracle_ratio {
	int64_t n, of;		/* n for each `of` of a part; of > 0 */
};

struct pgt_oracle_entry {
	size_t line;		/* in the file, from 1 */
	char *step;
	char *workload;		/* NULL: of the linear map, whose workloads are boot-SIZE */
	char *metric;
	struct pgt_oracle_ratio per[PGT_N_ORACLE_PARTS];	/* of the linear map */
	int64_t expected;	/* for each GiB of the linear map; else the value */
};

struct pgt_oracle {
	const char *path;	/* as given, for messages */
	int64_t page_size;	/* 0: not said, there being no linear_map lines */
	struct pgt_oracle_entry *entries;	/* at least one */
	size_t n;
};

/*
 * Returns 0, or -EINVAL with the line at fault, or -ENOMEM.  path is for messages and must outlive
 * the oracle.
 */
int pgt_oracle_parse(struct pgt_oracle *out, const char *text, const char *path,
		     struct pgt_diag *diag);
void pgt_oracle_release(struct pgt_oracle *oracle);	/* accepts a zeroed one */

#endif /* PGT_REPORT_ORACLE_H */
