/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure.h - run workloads on the running kernel and record what it executed.
 *
 * A workload's repeat is one window with the kprobe sites, and for the sites that only a
 * breakpoint reaches the same work again, a window for each handful of them.
 */
#ifndef PGT_LAB_MEASURE_H
#define PGT_LAB_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_progress;
struct pgt_workload;
struct pgt_writer;

struct pgt_job {
	const char *label;		/* as given: "vmalloc" or "vmalloc:maps=10" */
	const struct pgt_workload *workload;
	void *state;			/* from workload->parse() */
};

struct pgt_measure_settings {
	unsigned int probes;		/* bit n: probe n */
	bool all_sites;			/* or only those that belong to the probes */
	bool every_site;		/* a line for each, or only for those with hits */
	bool skip_unsupported;		/* record what a workload lacks, and go on without it */
	int64_t repeats;
};

/*
 * Observe states, attach, run every job, write all lines, finish the recording, detach.  States
 * alone need no probes, and plant none.  -ENODEV for a workload that the machine cannot do;
 * where those are skipped, for the first of them if nothing is left.  -EINTR where SIGINT,
 * SIGTERM or SIGHUP, which the caller has blocked, is pending between two windows.
 */
int pgt_measure(struct pgt_writer *writer, const struct pgt_measure_settings *settings,
		const struct pgt_job *job, size_t n_jobs, struct pgt_progress *progress,
		struct pgt_diag *diag);

#endif /* PGT_LAB_MEASURE_H */
