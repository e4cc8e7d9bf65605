/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metric.h - what the name of a metric says about its values.
 *
 * A metric is named area.object.detail, lower case:
 *
 *   create_pgd_mapping.calls                 calls of the probe, outermost only
 *   create_pgd_mapping.pages                 base pages named by those calls' arguments
 *   create_pgd_mapping.pages_per_call.N      calls that named N..2N-1 pages (N = 0, 1, 2, 4, ...)
 *   create_pgd_mapping.insn.dsb              DSBs executed within the probe (inclusive)
 *   create_pgd_mapping.insn.dsb.ishst        of these, those of one kind
 *   create_pgd_mapping.self.dsb[.ishst]      executed by sites in the probe's own functions
 *   create_pgd_mapping.innermost.dsb[.KIND]  executed while this probe was the innermost
 *   outside.insn.dsb[.KIND]                  executed in a task with no probe active
 *   interrupt.insn.dsb[.KIND]                executed in interrupt context
 *   window.ns                                how long the window was open, in ns
 *
 * The unit, the better direction and exactness follow from the name by one table, so that a
 * reader of an old recording and the writer of a new one cannot disagree.
 */
#ifndef PGT_RECORDING_METRIC_H
#define PGT_RECORDING_METRIC_H

#include <stdbool.h>

enum pgt_better { PGT_BETTER_LOWER, PGT_BETTER_HIGHER };

struct pgt_metric {
	const char *unit;	/* base unit: "calls", "pages", "instructions", "ns" */
	enum pgt_better better;
	bool exact;		/* a deterministic workload gives the same value every time */
};

/* Look a metric's properties up by its name.  Returns 0, or -ENOENT for an unknown name. */
int pgt_metric_lookup(const char *name, struct pgt_metric *out);

#endif /* PGT_RECORDING_METRIC_H */
