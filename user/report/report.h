/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - a finished comparison, ready to be shown.
 *
 * A report is built once from comparisons and is then read-only.  Renderers format it; none
 * computes, reads a clock, or touches the system.  Rendering the same report twice gives the
 * same bytes, which the tests check for everything in reports/.
 *
 * A new format is one file with a renderer and one row in renderers.c.
 */
#ifndef PGT_REPORT_REPORT_H
#define PGT_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "compare/compare.h"

#define PGT_REPORT_SCHEMA	1	/* of the JSON document */
#define PGT_UNREACHED_SHOWN	10	/* functions with the most sites */

struct pgt_diag;
struct pgt_host;
struct pgt_unreached;

struct pgt_loss_sum {		/* over all boots, workloads and repeats of a recording */
	int64_t missed, recursion, overflow, unbalanced;	/* events; INT64_MAX: or more */
	size_t n_repeats;	/* that recorded their loss */
	bool any;		/* something was lost */
};

struct pgt_truth_sum {		/* counts held against an emulator's, of a whole recording */
	int64_t sites, hits, differ;	/* INT64_MAX: or more; differ: sites whose counts do */
	size_t n_repeats;	/* that were; 0: none */
};

struct pgt_unreached_sum {	/* sites that no mechanism reached, in the side's first boot with probes */
	int64_t n_functions, dsb, isb, tlbi;	/* sums: sites; INT64_MAX: or more */
	const struct pgt_unreached *top[PGT_UNREACHED_SHOWN];	/* most sites first */
	size_t top_reason[PGT_UNREACHED_SHOWN];	/* numbers of their reasons */
	size_t n_top;
	bool no_probes;		/* nothing was counted by probes, and so no site was looked for */
	bool boots_differ;	/* another boot of the recording has other sums */
};

struct pgt_report_side {
	const struct pgt_recording *recording;
	const struct pgt_host *host;	/* of the first boot with probes, or else of the first */
	const char *tool;		/* that recorded this boot */
	int64_t least_memory, most_memory;	/* bytes, of all boots */
	const char *first, *last;	/* when its boots were recorded; ISO 8601 UTC */
	size_t n_boots;
	struct pgt_loss_sum loss;
	struct pgt_truth_sum truth;
	struct pgt_unreached_sum unreached;
};

/*
 * Reasons are numbered, so that a table can refer to them: [1] is reasons[0] of the report.
 * A number of 0 means that there is no reason to give.
 */
struct pgt_report_row {
	const struct pgt_row *row;
	size_t base_reason, test_reason;
	bool shown;		/* in text and markdown; the JSON has every row */
};

struct pgt_report_workload {
	const struct pgt_work_pair *work;
	const struct pgt_report_row *rows;
	size_t n_rows;
	size_t n_zero;		/* rows not shown because they are 0 on both sides */
	size_t n_zero_bound;	/* likewise, but some 0 is a lower bound */
};

struct pgt_report_function {	/* a function of a probe; in each kernel: how it was probed */
	const char *probe, *function;
	const char *base_mechanism, *test_mechanism;	/* NULL: not probed there */
	/* Why not, or why not all calls are seen; 0 and NULL: not in that recording. */
	size_t base_reason, test_reason;
};

struct pgt_report_control {
	const struct pgt_comparison *comparison;	/* base against a second recording of it */
	struct pgt_report_side side;
	size_t n_exact;		/* rows compared exactly */
	size_t n_tested;	/* rows decided by the Mann-Whitney test */
	size_t n_undecided;	/* rows that could not be decided */
	size_t n_varies;	/* exact metrics that were not the same every time */
	double by_chance;	/* of n_tested, at most so many are expected to differ: alpha each */
	struct pgt_report_row *differ;	/* what the control found, and should not have */
	size_t n_differ;
};

struct pgt_boot_table;

struct pgt_report {
	const struct pgt_comparison *comparison;
	struct pgt_report_side base, test;
	struct pgt_report_row *rows;	/* all, in the order of the comparison */
	size_t n_rows;
	struct pgt_report_workload *workloads;
	size_t n_workloads;
	struct pgt_report_function *functions;	/* those of a probe together */
	size_t n_functions;
	struct pgt_boot_table *boot;	/* boot_table.h; NULL where no boot was measured */
	struct pgt_report_control *control;	/* NULL where there is none */
	const char **reasons;
	size_t n_reasons;
};

/* Was any count of any recording held against an emulator's? */
bool pgt_report_has_truth(const struct pgt_report *report);

/* Do two rows of one workload belong to the same probe? */
bool pgt_report_same_scope(const struct pgt_report_row *a, const struct pgt_report_row *b);

/* Is a metric of interest to a reader of text? */
bool pgt_report_is_for_text(const struct pgt_metric *metric);

/* Nothing was counted on either side.  A zero that some boots do not confirm is no zero. */
bool pgt_report_is_zero(const struct pgt_row *row);

/* Do the sides differ, also where that is not decided but for their ranges? */
bool pgt_report_is_found(const struct pgt_row *row);

/* Has any side a value? */
bool pgt_report_is_counted(const struct pgt_report_row *row);

/*
 * Rows without any value are said in one sentence for each probe and reason.  How many of n rows
 * of one workload are like row i, where it is the first of them and shown; else 0.
 */
size_t pgt_report_not_counted(const struct pgt_report_row *rows, size_t n, size_t i);

/*
 * Build a report.  control may be NULL; else its base is the comparison's base and its test
 * another recording of the same kernel.  The comparisons and their recordings must outlive
 * the report.  Returns 0, or -EINVAL for a control of another kernel, or -ENOMEM.
 */
int pgt_report_make(struct pgt_report *out, const struct pgt_comparison *comparison,
		    const struct pgt_comparison *control, struct pgt_diag *diag);
void pgt_report_release(struct pgt_report *report);

struct pgt_renderer {
	const char *name;	/* as in --format */
	const char *suffix;	/* of the file in reports/, e.g. ".md" */
	/* Returns 0 or -ENOMEM; whether writing failed is for the owner of out to check. */
	int (*render)(const struct pgt_report *report, FILE *out);
};

extern const struct pgt_renderer *const pgt_renderers[];	/* NULL-terminated */

/* By name; NULL where there is none. */
const struct pgt_renderer *pgt_renderer_find(const char *name);

#endif /* PGT_REPORT_REPORT_H */
