/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracer.h - the running kernel, counted.
 *
 * The life cycle: open attaches every function and plants every site that a kprobe
 * reaches; from then on nothing is attached any more but breakpoints.  A window opens and
 * closes with arm and disarm; counts only grow while a window is open, and are read while
 * none is.
 */
#ifndef PGT_TRACE_TRACER_H
#define PGT_TRACE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/snapshot.h"

struct pgt_diag;
struct pgt_plan;
struct pgt_progress;
struct pgt_sites;
struct pgt_text;
struct pgt_tracer;
struct pgt_watch;

/* Execution breakpoints that can be set at once. */
#define PGT_BREAKPOINTS_MAX	16

/*
 * Load, attach the functions of the plan and plant the sites that are PGT_REACH_UNTRIED.
 * Fills in what was found out: mechanism and reason of each function; each site becomes
 * PGT_REACH_KPROBE, or PGT_REACH_BREAKPOINT where the kernel refuses a kprobe.  All of
 * plan, sites and text must outlive the tracer.
 */
int pgt_tracer_open(struct pgt_tracer **out, struct pgt_plan *plan, struct pgt_sites *sites,
		    const struct pgt_text *text, struct pgt_progress *progress,
		    struct pgt_diag *diag);

/*
 * Detach and remove everything.  Returns the first failure to remove something; what is
 * left is then removed at the next start.  Accepts NULL.
 */
int pgt_tracer_close(struct pgt_tracer *tracer, struct pgt_diag *diag);

/* Let the planted kprobe sites count, or not.  Off after open. */
int pgt_tracer_enable_sites(struct pgt_tracer *tracer, bool on, struct pgt_diag *diag);

/*
 * Set execution breakpoints on n sites (numbers in the site list), on every CPU, instead of
 * those set before; n = 0 removes them.  -ENOSPC where the CPU has fewer: *n_set sites, the
 * first ones, are then set, and that is success unless it is none.
 */
int pgt_tracer_set_breakpoints(struct pgt_tracer *tracer, const uint32_t *site, size_t n,
			       size_t *n_set, struct pgt_diag *diag);

/*
 * The points that watch functions, which count while the sites do.  A snapshot has the
 * sites first and then these, pgt_tracer_n_points() in all.
 */
const struct pgt_watch *pgt_tracer_watch(const struct pgt_tracer *tracer);
size_t pgt_tracer_n_points(const struct pgt_tracer *tracer);

/* Open and close the window.  *window is its number: 1 for the first of a tracer, and so on. */
int pgt_tracer_arm(struct pgt_tracer *tracer, int64_t *window, struct pgt_diag *diag);
int pgt_tracer_disarm(struct pgt_tracer *tracer, struct pgt_diag *diag);

/* Read all counts; only while disarmed.  The snapshot is the caller's, initialised. */
int pgt_tracer_read(struct pgt_tracer *tracer, struct pgt_snapshot *out, struct pgt_diag *diag);

#endif /* PGT_TRACE_TRACER_H */
