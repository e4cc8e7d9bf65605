/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pgtrace_abi.h - everything the BPF side and the user side must agree on.
 *
 * It includes nothing but <linux/types.h>, so it compiles on both sides.  Fixed-width
 * types only.
 */
#ifndef PGTRACE_ABI_H
#define PGTRACE_ABI_H

#include <linux/types.h>

#define PGT_PROBE_MAX		8	/* logical probes; bits of a mask */
#define PGT_FUNC_MAX		96	/* functions behind them, each copy counted */
#define PGT_FENTRY_MAX		16	/* of these, attached by fentry and fexit */
#define PGT_SITE_MAX		2048	/* instruction sites of one kernel */
#define PGT_POINT_MAX		8192	/* these and the points that watch functions */
#define PGT_DEPTH_MAX		12	/* probes active on one task at a time */
#define PGT_CPU_MAX		1024	/* CPUs with a window of their own; a power of two */
#define PGT_BUCKETS		40	/* of the pages-per-call histogram: 0, 1, 2-3, 4-7, ... */

/* How a call's arguments name the pages it covers. */
enum pgt_pages {
	PGT_PAGES_NONE,		/* they do not */
	PGT_PAGES_SPAN,		/* not a call of the probe itself, only part of its work */
	PGT_PAGES_ONE,		/* always one base page */
	PGT_PAGES_PMD,		/* always what one PMD entry maps */
	PGT_PAGES_FULL,		/* a whole address space */
	PGT_PAGES_BYTES,	/* arg is a length in bytes */
	PGT_PAGES_RANGE,	/* arg is the first address, the next one the address behind the last */
	PGT_PAGES_FOLIO,	/* arg is a struct folio * */
	PGT_PAGES_GATHER,	/* arg is a struct mmu_gather * */
};

/* One function, as set before the programs are loaded. */
struct pgt_func {
	__u8 probe;
	__u8 pages;		/* enum pgt_pages */
	__u8 arg;
	__u8 unused;
};

/* What an instruction that is probed for the sake of calls stands for. */
enum pgt_event_kind {
	PGT_EVENT_CALL,		/* a function's first instruction, or a call of it */
	PGT_EVENT_RETURN,	/* a function's return instruction */
	PGT_EVENT_BEHIND_CALL,	/* the instruction behind a call of it */
	PGT_EVENT_JUMP,		/* a tail call: the return is not seen, so only the call counts */
};
struct pgt_entry {
	__u32 func;
	__u32 kind;		/* enum pgt_event_kind */
};

/* What one probe has counted on one CPU. */
struct pgt_probe_cell {
	__u64 calls;		/* in task context, not from within the same probe */
	__u64 interrupt_calls;	/* the same in interrupt context */
	__u64 full;		/* of calls, those that named a whole address space */
	__u64 unsized;		/* of calls, those whose arguments name no pages */
	__u64 pages;		/* base pages named by the other calls */
	__u64 bucket[PGT_BUCKETS];	/* [0]: no page; [n]: 2^(n-1) .. 2^n - 1 pages */
};

/*
 * What one instruction site has counted on one CPU.  innermost[] adds up to all hits;
 * inclusive[] counts a hit once for each probe active at that time.
 */
#define PGT_IN_OUTSIDE		PGT_PROBE_MAX		/* a task with no probe active */
#define PGT_IN_INTERRUPT	(PGT_PROBE_MAX + 1)	/* hard or soft interrupt, NMI */
struct pgt_site_cell {
	__u64 innermost[PGT_PROBE_MAX + 2];
	__u64 inclusive[PGT_PROBE_MAX];
};

/* Events that could not be counted or attributed; all must be 0 for exact counts. */
struct pgt_loss_cell {
	__u64 overflow;		/* more probes active than PGT_DEPTH_MAX, or no task storage */
	__u64 unbalanced;	/* a return without its call */
	__u64 unknown;		/* a hit at an address that was never planted */
};

#endif /* PGTRACE_ABI_H */
