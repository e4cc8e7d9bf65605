/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scopes.h - what was executed between the entry of a function and its return.
 *
 * Every task has a stack of the scopes that it is in.  Of a scope that is entered again while
 * it is active only the outermost entry counts.  A frame closes when its return address is
 * executed with the stack pointer that its entry had, so recursion and tail calls need no
 * bookkeeping.  The frames move with the task: what other tasks execute meanwhile is left out;
 * what interrupts execute is not.
 *
 * A frame that ends otherwise (its task died, its function never returned) is dropped when the
 * stack is seen to be above it, and counts as unfinished.
 */
#ifndef PGT_TCG_SCOPES_H
#define PGT_TCG_SCOPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tcg/kinds.h"
#include "tcg/plan.h"

struct pgt_diag;

/* One CPU's counters at one moment; they only ever grow. */
struct pgt_tcg_now {
	uint64_t instructions;		/* 0 where they are not counted */
	const uint64_t *kinds;		/* by number of a kind, PGT_TCG_KINDS_MAX of them */
};

struct pgt_tcg_total {			/* of one scope in one window, or in the whole boot */
	uint64_t entered, calls;
	uint64_t spans;			/* returned frames that are no calls: PGT_PAGES_SPAN */
	uint64_t full, unsized, pages;	/* of the calls */
	uint64_t instructions;
	uint64_t bucket[PGT_BUCKETS];	/* calls by pages: 0, 1, 2-3, 4-7, ... */
	uint64_t kinds[PGT_TCG_KINDS_MAX];
};

struct pgt_tcg_stack;
struct pgt_tcg_scopes {
	size_t n_scopes;
	size_t pages_of[PGT_TCG_SCOPES_MAX];	/* as in the plan */
	unsigned int n_vcpus;
	struct pgt_tcg_stack *running;	/* of the task on each CPU */
	void *parked;			/* stacks of tasks that are switched out */
	struct pgt_tcg_total *totals;	/* [window][scope]; window 0 is the boot */
	size_t n_windows;		/* 0 counted in */
	bool out_of_memory;		/* what was counted is not whole */
};

int pgt_tcg_scopes_init(struct pgt_tcg_scopes *out, const struct pgt_tcg_plan *plan,
			struct pgt_diag *diag);
void pgt_tcg_scopes_release(struct pgt_tcg_scopes *scopes);

/* How a call's arguments name pages; all as in bpf/pgtrace.bpf.c, for pages of 4 KiB. */
struct pgt_tcg_call {
	enum { PGT_TCG_SIZED, PGT_TCG_FULL, PGT_TCG_UNSIZED, PGT_TCG_SPAN } size;
	uint64_t pages;			/* for PGT_TCG_SIZED */
};

/* argument, next: the argument that the plan names, and the one behind it. */
struct pgt_tcg_call pgt_tcg_call_of(enum pgt_pages pages, uint64_t argument, uint64_t next);

/*
 * A function of a scope is entered on a CPU.  window: the CPU's open window, or 0.
 * ret, sp: the return address and the stack pointer at the entry.
 */
void pgt_tcg_scopes_enter(struct pgt_tcg_scopes *scopes, unsigned int vcpu, size_t scope,
			  uint64_t ret, uint64_t sp, struct pgt_tcg_call call, size_t window,
			  struct pgt_tcg_now now);

/* The address that a CPU waits for is executed: close what returns to it. */
void pgt_tcg_scopes_return(struct pgt_tcg_scopes *scopes, unsigned int vcpu, uint64_t address,
			   uint64_t sp, size_t window, struct pgt_tcg_now now);

/* A CPU switches from one task to another, both named by their addresses. */
void pgt_tcg_scopes_switch(struct pgt_tcg_scopes *scopes, unsigned int vcpu, uint64_t previous,
			   uint64_t next, struct pgt_tcg_now now);

/* The return address of the innermost frame on a CPU; 0 where there is none. */
uint64_t pgt_tcg_scopes_watch(const struct pgt_tcg_scopes *scopes, unsigned int vcpu);

/* What was counted; all 0 for a window that no scope was entered in. */
struct pgt_tcg_total pgt_tcg_scopes_total(const struct pgt_tcg_scopes *scopes, size_t window,
					  size_t scope);

#endif /* PGT_TCG_SCOPES_H */
