/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps.h - the report of a whole topic: many recordings side by side, each against the first.
 *
 * It is built once from comparisons of the first side with each other one, and is then
 * read-only; renderers format it and compute nothing, as with report.h.
 *
 * A new format is one file with a renderer and one row in steps_renderers.c.
 */
#ifndef PGT_REPORT_STEPS_H
#define PGT_REPORT_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "compare/compare.h"
#include "report/boot_table.h"
#include "report/report.h"

#define PGT_STEPS_SCHEMA	1	/* of the JSON document */

struct pgt_diag;
struct pgt_oracle;
struct pgt_oracle_entry;
struct pgt_published;
struct pgt_recording;
struct pgt_steps_list;

struct pgt_steps_side {
	const char *name;
	bool is_beside;		/* no step of the topic, but a kernel that merged it */
	struct pgt_report_side side;
};

struct pgt_steps_attribute {	/* of the kernels' machines: "cpu", "parameters" */
	const char *name;
	char **texts;		/* one a side */
	bool differs;		/* by more than what two boots of one kernel may differ */
};

struct pgt_steps_warning {
	const char *text;	/* its base is the first side, its test one that it is about */
	bool *is_about;		/* one a side */
};

/*
 * Reasons are numbered as in report.h, but only those of cells that text and markdown show.
 */
struct pgt_steps_cell {		/* one metric of one side */
	const struct pgt_side *value;
	const struct pgt_row *row;	/* base: the first side, test: this; NULL for the first */
	size_t reason;
};

enum pgt_steps_class {		/* what became of a metric, over all sides; the first that fits */
	PGT_STEPS_ZERO,		/* 0 everywhere */
	PGT_STEPS_ZERO_BOUND,	/* likewise, but some 0 is a lower bound */
	PGT_STEPS_NOT_COUNTED,	/* without a value everywhere */
	PGT_STEPS_DIFFERS,	/* some side differs from the first */
	PGT_STEPS_ONE_SIDED,	/* of some pair only one has a value, and no other differs */
	PGT_STEPS_UNDECIDED,	/* of some side it could not be decided */
	PGT_STEPS_SAME,		/* no difference detected */
	PGT_N_STEPS_CLASSES,
};

struct pgt_steps_row {
	const char *workload, *metric;
	struct pgt_metric properties;
	struct pgt_steps_cell *cells;	/* one a side */
	enum pgt_steps_class class;
	bool for_text;		/* text and markdown know of it ... */
	bool shown;		/* ... and show it in the table of its workload */
};

struct pgt_steps_workload {
	const char *name;
	const struct pgt_work_done *work;	/* of the first side that says; NULL: none does */
	const struct pgt_steps_row *rows;
	size_t n_rows;
	size_t n_of[PGT_N_STEPS_CLASSES];	/* rows for_text */
};

struct pgt_steps_map_cell {
	const struct pgt_steps_cell *counted;	/* NULL: a quotient, or nothing is there */
	double value;		/* NAN: none */
	double ratio;		/* to the first side's; NAN likewise */
};

struct pgt_steps_map_line {	/* one instruction of one side */
	const char *name;	/* "DSB", "instructions" */
	enum pgt_boot_part part;	/* total, per page or per table */
	size_t side;
	struct pgt_steps_map_cell *cells;	/* one a size of memory */
};

struct pgt_steps_map {		/* making the linear map */
	const struct pgt_boot_column *sizes;	/* least memory first */
	size_t n_sizes;		/* 0: no boot was measured */
	struct pgt_steps_map_line *lines;	/* by instruction, part and side */
	size_t n_lines;
	bool exact;		/* all were compared exactly */
};

enum pgt_oracle_verdict { PGT_ORACLE_NOT_CHECKED, PGT_ORACLE_HOLDS, PGT_ORACLE_VIOLATED };

struct pgt_steps_gap {		/* between two sizes of memory, in bytes */
	int64_t from, to;
	int64_t expected, measured;	/* by how many instructions they differ */
};

struct pgt_steps_oracle {
	const struct pgt_oracle_entry *entry;
	size_t side;
	enum pgt_oracle_verdict verdict;
	char *reason;		/* why not checked, or why it cannot hold; or NULL */
	struct pgt_steps_gap *gaps;	/* of the linear map */
	size_t n_gaps;
	struct pgt_side measured;	/* else; n is 0 where there is no value */
};

struct pgt_steps_excess {	/* what the last step executes more than a kernel beside it */
	const struct pgt_row *row;	/* that kernel as base, the last step as test */
	bool is_new_kind;	/* which that kernel never executes */
};

struct pgt_steps_beside {
	size_t side;
	struct pgt_comparison comparison;
	struct pgt_steps_excess *excesses;
	size_t n_excesses;
	size_t n_totals;	/* that were compared */
	size_t n_undecided;	/* of these */
	size_t n_one_sided;	/* totals that one of the two does not have */
};

struct pgt_steps {
	double alpha;
	struct pgt_steps_side *sides;	/* the steps, and then what stands beside them */
	size_t n_sides, n_steps;
	struct pgt_steps_attribute *attributes;
	size_t n_attributes;
	struct pgt_steps_warning *warnings;
	size_t n_warnings;
	struct pgt_steps_row *rows;	/* workload by workload */
	size_t n_rows;
	struct pgt_steps_workload *workloads;
	size_t n_workloads;
	struct pgt_steps_map map;
	const struct pgt_published *published;	/* NULL: none */
	struct pgt_steps_oracle *oracles;
	size_t n_oracles, n_violated;
	struct pgt_steps_beside *beside;
	size_t n_beside;
	const char **reasons;
	size_t n_reasons;
	/* What all of that points into: the first side against each other one, at its number. */
	struct pgt_comparison *comparisons;	/* at 0: against its control, if there is one */
	struct pgt_report *reports;	/* none at 0; the one at 1 has the control */
	struct pgt_steps_cell *cells;
};

struct pgt_steps_input {
	const struct pgt_steps_list *list;
	const struct pgt_recording *recordings;	/* one a side */
	const struct pgt_recording *control;	/* the first side again; NULL: none */
	const struct pgt_oracle *oracle;	/* NULL: none */
	const struct pgt_published *published;	/* NULL: none */
	double alpha;
};

/*
 * Build a report.  Everything in input must outlive it.  Returns 0, whether oracles hold or not,
 * or -EINVAL for a control of another kernel, a side that holds several kernels, or an oracle of
 * a side that is not there, or -EXDEV for several architectures, or -ENOMEM.
 */
int pgt_steps_make(struct pgt_steps *out, const struct pgt_steps_input *input,
		   struct pgt_diag *diag);
void pgt_steps_release(struct pgt_steps *steps);

/* The report of the first pair: what it says of its base and control is said of this one. */
const struct pgt_report *pgt_steps_first_report(const struct pgt_steps *steps);

struct pgt_steps_renderer {
	const char *name;	/* as in --format */
	const char *suffix;	/* of the file beside the recordings, e.g. ".md" */
	/* Returns 0 or -ENOMEM; whether writing failed is for the owner of out to check. */
	int (*render)(const struct pgt_steps *steps, FILE *out);
};

extern const struct pgt_steps_renderer *const pgt_steps_renderers[];	/* NULL-terminated */

/* By name; NULL where there is none. */
const struct pgt_steps_renderer *pgt_steps_renderer_find(const char *name);

#endif /* PGT_REPORT_STEPS_H */
