/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.h - turn what was counted in one repeat of a workload into metrics.
 *
 * Three kinds of answer come out of one hit, and are never added up: *insn* (inclusive)
 * counts it for every probe active on the task, *innermost* for the one on top, *self* for
 * the probe whose own code the instruction is in.  A flush that the compiler inlined into
 * a function of no probe is flush_tlb's, inclusive and self, by its place.
 */
#ifndef PGT_RECORDING_COUNTS_H
#define PGT_RECORDING_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_plan;
struct pgt_probe_cell;
struct pgt_site;
struct pgt_site_cell;
struct pgt_writer;

struct pgt_counts {
	const char *workload;
	int64_t repeat;			/* from 1 */
	int64_t window_ns;		/* of the window that counted calls */
	const struct pgt_plan *plan;
	const unsigned char *missed;	/* one a function of the plan: calls may have been missed */
	const struct pgt_probe_cell *probe;	/* PGT_PROBE_MAX of them */
	const struct pgt_site *site;
	const struct pgt_site_cell *cell;	/* one a site */
	const uint16_t *known;		/* one a site: enum pgt_known, or-ed */
	size_t n_sites;
	uint64_t lost;			/* events not counted or not attributed */
};

/* Write the metric lines. */
int pgt_counts_write(struct pgt_writer *writer, const struct pgt_counts *counts,
		     struct pgt_diag *diag);

/*
 * The same for a workload that the machine cannot do, and for which `lack` says what it has not:
 * no value, but the reason, for each metric of the plan's probes that no other one stands for.
 */
int pgt_counts_write_unsupported(struct pgt_writer *writer, const struct pgt_plan *plan,
				 const char *workload, const char *lack, struct pgt_diag *diag);

#endif /* PGT_RECORDING_COUNTS_H */
