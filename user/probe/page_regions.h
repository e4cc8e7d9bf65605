/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page_regions.h - page-table entries, gathered into regions as ptdump does, and summed up.
 */
#ifndef PGT_PROBE_PAGE_REGIONS_H
#define PGT_PROBE_PAGE_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_buf;
struct pgt_diag;
struct pgt_entry;
struct pgt_geometry;

/* Entries next to each other of one level and with the same attributes. */
struct pgt_page_region {
	uint64_t start, end;		/* virtual; the end is not in it */
	uint64_t attributes;		/* bits of descriptor.h, without the address; 0: a hole */
	int level;
};

enum pgt_page_kind {			/* of entries that map something */
	PGT_KIND_PTE,
	PGT_KIND_CONT_PTE,
	PGT_KIND_PMD,
	PGT_KIND_CONT_PMD,
	PGT_KIND_PUD,
	PGT_N_KINDS,
};

struct pgt_page_sum {			/* of one kind */
	uint64_t bytes;			/* that are mapped */
	uint64_t entries;
	uint64_t translations;		/* TLB entries it takes: one a contiguous group */
};

struct pgt_page_regions {
	struct pgt_page_region *at;	/* in order of address, without gaps */
	size_t n, size;
	struct pgt_page_sum sum[PGT_N_KINDS];
	uint64_t group[PGT_N_KINDS];	/* address of the last contiguous group counted */
};

/* "pte", "cont_pte", ...: as in the names of metrics. */
const char *pgt_page_kind_name(enum pgt_page_kind kind);

/* "PTE", "CONT PTE", ...: as kernel developers say it. */
const char *pgt_page_kind_words(enum pgt_page_kind kind);

/*
 * Add the next entry of a walk.  Start from a zeroed struct.  -EPROTO for an entry of none of
 * the kinds, which no kernel makes.
 */
int pgt_page_regions_add(struct pgt_page_regions *regions, const struct pgt_geometry *geometry,
			 const struct pgt_entry *entry, struct pgt_diag *diag);
void pgt_page_regions_release(struct pgt_page_regions *regions);

/* The sum over all kinds. */
struct pgt_page_sum pgt_page_regions_total(const struct pgt_page_regions *regions);

/*
 * The attributes in ptdump's words and columns: "RW NX SHD AF ... MEM/NORMAL", each column
 * after a space, blank where a bit has no word; nothing for a hole.  With columns off only the
 * words, a space between two.  Appends to out; 0 or -ENOMEM.
 */
int pgt_page_region_words(const struct pgt_page_region *region, bool columns,
			  struct pgt_buf *out);

#endif /* PGT_PROBE_PAGE_REGIONS_H */
