/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure_lines.h - the lines of a recording that describe a measurement, but its metrics.
 * Their members are in recording/recording.h.
 */
#ifndef PGT_LAB_MEASURE_LINES_H
#define PGT_LAB_MEASURE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/sites.h"

struct pgt_diag;
struct pgt_plan;
struct pgt_site_cell;
struct pgt_snapshot;
struct pgt_work;
struct pgt_writer;

/* recording and host: with these a recording starts. */
int pgt_lines_start(struct pgt_writer *writer, struct pgt_diag *diag);

/* function, notrace and unreached lines. */
int pgt_lines_head(struct pgt_writer *writer, const struct pgt_plan *plan,
		   const struct pgt_sites *sites, struct pgt_diag *diag);

struct pgt_run_line {		/* one window */
	const char *workload;
	int64_t run;
	enum pgt_reach mechanism;
	size_t n_sites;
	int64_t first_site;	/* -1 where the sites are not consecutive in their list */
	int64_t window, window_ns;
};

int pgt_lines_run(struct pgt_writer *writer, const struct pgt_run_line *run,
		  struct pgt_diag *diag);

struct pgt_site_lines {
	const char *workload;
	int64_t repeat;
	const struct pgt_sites *sites;
	const struct pgt_site_cell *cell;	/* these three: one a site */
	const uint16_t *known;			/* enum pgt_known, or-ed */
	const int64_t *window;			/* that told its hits, or that there were none */
	bool every;				/* or only those that were hit */
};

int pgt_lines_sites(struct pgt_writer *writer, const struct pgt_site_lines *lines,
		    struct pgt_diag *diag);

int pgt_lines_loss(struct pgt_writer *writer, const char *workload, int64_t repeat,
		   const struct pgt_snapshot *sum, struct pgt_diag *diag);

int pgt_lines_work(struct pgt_writer *writer, const char *workload, int64_t repeat,
		   const struct pgt_work *work, struct pgt_diag *diag);

#endif /* PGT_LAB_MEASURE_LINES_H */
