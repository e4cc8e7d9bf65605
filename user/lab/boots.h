/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boots.h - a list of guests, booted in order, some at a time, each leaving a recording.
 */
#ifndef PGT_LAB_BOOTS_H
#define PGT_LAB_BOOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/guest.h"

struct pgt_diag;
struct pgt_lab;

struct pgt_boot_job {
	const struct pgt_guest_plan *plan;
	char *recording;	/* out: a file in the scratch directory, checked */
	char *counts;		/* out: what the plugin wrote, likewise; NULL without one */
	bool retried;		/* out: hung once, and was booted again */
	bool started;		/* own bookkeeping from here on */
	bool running;
	struct pgt_guest guest;
};

/*
 * Run them all, at most at_a_time together.  A guest that hangs is booted once more, and
 * the reader is told.  Returns 0 with every recording in place, or the first
 * failure: the other guests are then ended.
 */
int pgt_boots_run(struct pgt_boot_job *jobs, size_t n, size_t at_a_time,
		  const struct pgt_lab *lab, struct pgt_diag *diag);

void pgt_boots_release(struct pgt_boot_job *jobs, size_t n);

#endif /* PGT_LAB_BOOTS_H */
