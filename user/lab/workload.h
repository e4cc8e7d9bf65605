/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload.h - work with a known amount, done on the running kernel while probes count.
 *
 * The order of calls is parse, prepare, then for each run: before_run, run, after_run;
 * then release.  Only run() happens inside the measured window, so everything that is not
 * the work itself (opening devices, loading modules, mapping, faulting in) belongs into
 * prepare() or before_run(), and checking and cleaning up into after_run().
 *
 * The messages of parse() start with the workload's name, because whoever calls it may know
 * no more than the text that was typed; those of the other functions do not, because who
 * runs a workload puts its name in front.
 *
 * A state stands among the workloads: nothing that is done, but something that is so, such as
 * how memory is mapped.  It is observed once, before any probe is planted, and written in its
 * turn; it opens no window, and the functions from prepare() to after_run() are NULL.
 */
#ifndef PGT_LAB_WORKLOAD_H
#define PGT_LAB_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_writer;

struct pgt_work {		/* the check that the work happened */
	const char *unit;	/* e.g. "pages" */
	int64_t asked, done;	/* done == asked, or the run has failed */
};

struct pgt_workload {
	const char *name;
	const char *help;	/* one line for --help and list */
	bool repeatable;	/* may be run again in one boot and does the same work */

	/*
	 * Take parameters ("size=10M", after "name:"; NULL for none) and allocate *state.
	 * -EINVAL with the offending parameter in diag.
	 */
	int (*parse)(void **state, const char *parameters, struct pgt_diag *diag);
	/*
	 * Once: check that the machine has what is needed.  -ENODEV, and nothing else, where it
	 * lacks that for good: a module, a driver, a device, a file; diag says which.
	 */
	int (*prepare)(void *state, struct pgt_diag *diag);
	int (*before_run)(void *state, struct pgt_diag *diag);	/* may be NULL */
	int (*run)(void *state, struct pgt_diag *diag);
	/* Undo the run and report the work done; -EIO where it did not happen in full. */
	int (*after_run)(void *state, struct pgt_work *work, struct pgt_diag *diag);
	void (*release)(void *state);	/* accepts NULL; undoes prepare */

	/* A state's own two; NULL for work. */
	int (*observe)(void *state, struct pgt_diag *diag);
	/* The metric lines of the workload that is called label, and its loss line. */
	int (*write)(void *state, const char *label, struct pgt_writer *writer,
		     struct pgt_diag *diag);
};

extern const struct pgt_workload *const pgt_workloads[];	/* NULL-terminated */

/* By name; NULL where there is none. */
const struct pgt_workload *pgt_workload_find(const char *name);

#endif /* PGT_LAB_WORKLOAD_H */
