/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - know which of the sites that need breakpoints were executed at all.
 *
 * There are six breakpoints and hundreds of sites that need one, nearly all in functions that
 * a given workload never enters.  So every such function is watched: by a kprobe on its
 * first instruction, or where tracing may not touch it by kprobes on every direct call of it,
 * and for calls in functions that are untouchable too by watching those.  A function whose
 * watch saw nothing was not entered, and its sites count 0 without a breakpoint.
 *
 * A function whose address is taken, or that nothing calls directly, can be entered unseen:
 * its sites always need their breakpoints, unless it is one of those that are known to be
 * entered only by the hardware or on a task of their own.
 */
#ifndef PGT_TRACE_WATCH_H
#define PGT_TRACE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_event;
struct pgt_ksym;
struct pgt_plan;
struct pgt_progress;
struct pgt_sites;
struct pgt_site_cell;
struct pgt_text;

struct pgt_watch_func {
	const struct pgt_ksym *symbol;
	bool entry;		/* its first instruction is watched: the calls need not be */
	size_t n_calls;		/* direct ones, watched or not */
	bool unseen;		/* it can be entered by other ways than direct calls */
	bool asynchronous;	/* and these lead never from a probe to it */
	size_t *caller;		/* functions (numbers here) with calls that cannot be watched */
	size_t n_callers;
};

struct pgt_watch_point {
	uint64_t address;
	size_t func;
};

struct pgt_watch {
	struct pgt_watch_func *func;
	size_t n_funcs;
	struct pgt_watch_point *point;
	size_t n_points;
};

/*
 * Plant the kprobes for all sites that are PGT_REACH_BREAKPOINT, and for the functions in which
 * a call of the plan's functions is not seen.
 */
int pgt_watch_plant(struct pgt_watch *out, const struct pgt_sites *sites,
		    const struct pgt_plan *plan,
		    const struct pgt_text *text, struct pgt_event *event,
		    struct pgt_progress *progress, struct pgt_diag *diag);
void pgt_watch_release(struct pgt_watch *watch);

/* Whether it will be known if a probe's task entered the function. */
bool pgt_watch_can_see(const struct pgt_watch *watch, const struct pgt_ksym *function);

/*
 * What the points tell of the sites that need a breakpoint and of the calls that are not seen:
 * sets known[i] (enum pgt_known) for every site i of PGT_REACH_BREAKPOINT, and missed[i] for
 * every function i of the plan.  cell has one element a point.
 */
int pgt_watch_judge(const struct pgt_watch *watch, const struct pgt_sites *sites,
		    const struct pgt_plan *plan, const struct pgt_site_cell *cell,
		    uint16_t *known, unsigned char *missed, struct pgt_diag *diag);

#endif /* PGT_TRACE_WATCH_H */
