/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metric.h - what the name of a metric says about its values.
 *
 * A metric is named area.object.detail, lower case:
 *
 *   create_pgd_mapping.calls                 calls of the probe, outermost only
 *   create_pgd_mapping.full                  of these, calls that named a whole address space
 *   create_pgd_mapping.unsized               of these, calls whose arguments name no pages
 *   create_pgd_mapping.interrupt_calls       calls in interrupt context, not among the others
 *   create_pgd_mapping.pages                 base pages named by the other calls' arguments
 *   create_pgd_mapping.pages_per_call.N      calls that named N..2N-1 pages (N = 0, 1, 2, 4, ...)
 *   create_pgd_mapping.insn.dsb              DSBs executed within the probe (inclusive)
 *   create_pgd_mapping.insn.dsb.ishst        of these, those of one kind
 *   create_pgd_mapping.self.dsb[.ishst]      executed by sites in the probe's own functions
 *   create_pgd_mapping.innermost.dsb[.KIND]  executed while this probe was the innermost
 *   outside.insn.dsb[.KIND]                  executed in a task with no probe active
 *   interrupt.insn.dsb[.KIND]                executed in interrupt context
 *   unseen.insn.dsb[.KIND]                   executed where no probe of a live kernel reaches
 *   window.ns                                how long the window was open, in ns
 *
 * Counted from outside, by an emulator's plugin:
 *
 *   linear_map.insn.dsb[.KIND]               within the function that makes the linear map
 *   linear_map.instructions                  all instructions executed within it
 *   model.dtlb.l1.access[.WHERE]             translations that a model of a TLB looked up
 *   model.dtlb.l1.miss[.WHERE]               of these, those that it did not hold; WHERE is the
 *                                            part of the address space: linear_map, vmalloc, ...
 *   model.left_out.unmapped                  accesses whose page was gone before it was walked;
 *                 .overflow, .unfinished     user accesses beyond what is kept until a walk, and
 *                                            those not walked before the end
 *   model.left_out.vector                    executed SVE loads and stores by elements, which the
 *                                            emulator does not show
 *
 * Read off the page tables of the linear map:
 *
 *   linear_map.bytes.pte                     bytes mapped by one kind of leaf entry: pte, cont_pte,
 *                                            pmd, cont_pmd, pud
 *   linear_map.entries.pte                   leaf entries of that kind
 *   linear_map.tables                        pages that hold the tables
 *   linear_map.translations                  TLB entries that it takes to map all of it: a block of
 *                                            contiguous entries takes one
 *                                            (none is exact: which blocks a kernel has split
 *                                            differs between boots; fewer bytes and entries are
 *                                            better for pte, and neither for other kinds)
 *
 * A kind without a line, where its total has a value, was not executed: it is 0.  So is a bin
 * of pages_per_call, where .calls has a value.
 *
 * The unit, the better direction and exactness follow from the name by one table, so that a
 * reader of an old recording and the writer of a new one cannot disagree.
 *
 * A probe, an instruction and a kind are each one or more of a-z, 0-9 and '_'; "outside",
 * "interrupt", "unseen", "model" and "window" are no probes.
 */
#ifndef PGT_RECORDING_METRIC_H
#define PGT_RECORDING_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_buf;

enum pgt_better {		/* what a smaller and a larger value mean */
	PGT_BETTER_LOWER,
	PGT_BETTER_NEITHER,	/* by itself, nothing */
};

enum pgt_view {			/* what is counted, and where */
	PGT_VIEW_CALLS,		/* .calls, .full, .unsized, .interrupt_calls */
	PGT_VIEW_PAGES,
	PGT_VIEW_PAGES_PER_CALL,
	PGT_VIEW_SELF,
	PGT_VIEW_INSN,
	PGT_VIEW_INNERMOST,
	PGT_VIEW_INSTRUCTIONS,	/* all instructions, of whatever kind */
	PGT_VIEW_OUTSIDE,
	PGT_VIEW_INTERRUPT,
	PGT_VIEW_UNSEEN,
	PGT_VIEW_TABLES,	/* what page tables look like */
	PGT_VIEW_MODEL,
	PGT_VIEW_TIME,
};

struct pgt_metric {
	const char *unit;	/* base unit: "calls", "pages", "instructions", "bytes", "ns", ... */
	enum pgt_better better;
	bool exact;		/* a deterministic workload gives the same value every time */
	enum pgt_view view;
	bool of_kind;		/* one kind of an instruction, part of the total above it */
	size_t scope_len;	/* bytes of the name before its first '.': the probe's name */
	int64_t pages;		/* PAGES_PER_CALL: N, the fewest pages of the bin; else 0 */
};

/* Look a metric's properties up by its name.  Returns 0, or -ENOENT for an unknown name. */
int pgt_metric_lookup(const char *name, struct pgt_metric *out);

/*
 * The metric that decides what it means when a metric has no line: the total of a kind, .calls
 * for all others of a probe.  Appends nothing and returns -ENOENT where there is none; else 0,
 * or -ENOMEM.
 */
int pgt_metric_parent(const char *name, const struct pgt_metric *metric, struct pgt_buf *out);

/*
 * The one source whose values are never exact: what a boot as a whole does depends on its timing.
 */
#define PGT_SOURCE_WHOLE_BOOT	"tcg:boot"

/* Is a metric without a line 0 where its parent has a value? */
bool pgt_metric_is_implied(const struct pgt_metric *metric);

#endif /* PGT_RECORDING_METRIC_H */
