/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/recording.h"
#include "report/side.h"
#include "report/steps_list.h"
#include "report/steps_parts.h"

static int out_of_memory(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ENOMEM, "out of memory");
}

/* ---- sides, each compared with the first ---- */

static int add_sides(struct pgt_steps *steps, const struct pgt_steps_input *input,
		     struct pgt_diag *diag)
{
	size_t n = input->list->n;
	int err = 0;

	steps->sides = calloc(n, sizeof(*steps->sides));
	steps->comparisons = calloc(n, sizeof(*steps->comparisons));
	steps->reports = calloc(n, sizeof(*steps->reports));
	if (!steps->sides || !steps->comparisons || !steps->reports)
		return out_of_memory(diag);
	steps->n_steps = input->list->n_steps;
	for (; !err && steps->n_sides < n; steps->n_sides++) {
		struct pgt_steps_side *side = &steps->sides[steps->n_sides];

		side->name = input->list->entries[steps->n_sides].name;
		side->is_beside = input->list->entries[steps->n_sides].is_beside;
		err = pgt_report_side_make(&side->side, &input->recordings[steps->n_sides], diag);
	}
	return err;
}

/*
 * The first side has no comparison with itself but with the control, if there is one; that goes
 * with the report of the first pair, whose base it is of.
 */
static int compare_sides(struct pgt_steps *steps, const struct pgt_steps_input *input,
			 struct pgt_diag *diag)
{
	const struct pgt_recording *first = &input->recordings[0];
	int err = 0;

	if (input->control)
		err = pgt_compare(&steps->comparisons[0], first, input->control, input->alpha,
				  diag);
	for (size_t i = 1; !err && i < steps->n_sides; i++) {
		bool has_control = input->control && i == 1;

		err = pgt_compare_among(&steps->comparisons[i], first, &input->recordings[i],
					input->recordings, steps->n_sides, input->alpha, diag);
		if (!err)
			err = pgt_report_make(&steps->reports[i], &steps->comparisons[i],
					      has_control ? &steps->comparisons[0] : NULL, diag);
	}
	return err;
}

const struct pgt_report *pgt_steps_first_report(const struct pgt_steps *steps)
{
	return &steps->reports[1];
}

/* ---- rows ---- */

static int by_name(const void *a, const void *b)
{
	const struct pgt_row *const *left = a, *const *right = b;
	int order = strcmp((*left)->workload, (*right)->workload);

	return order ? order : strcmp((*left)->metric, (*right)->metric);
}

static const struct pgt_row **sort_rows(const struct pgt_comparison *comparison)
{
	const struct pgt_row **sorted = malloc((comparison->n_rows + 1) * sizeof(*sorted));

	if (!sorted)
		return NULL;
	for (size_t i = 0; i < comparison->n_rows; i++)
		sorted[i] = &comparison->rows[i];
	qsort(sorted, comparison->n_rows, sizeof(*sorted), by_name);
	return sorted;
}

/*
 * All comparisons have rows of the same metrics, so that they match where they are in the order
 * of names; the first one's own order is the report's.
 */
static int fill_side(struct pgt_steps *steps, size_t side, const struct pgt_row **first)
{
	const struct pgt_row **sorted = sort_rows(&steps->comparisons[side]);

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < steps->n_rows; i++) {
		const struct pgt_row *key = &steps->comparisons[1].rows[i];
		const struct pgt_row **at = bsearch(&key, first, steps->n_rows, sizeof(*first),
						    by_name);
		const struct pgt_row *row = sorted[at - first];
		struct pgt_steps_cell *cells = steps->rows[i].cells;

		cells[side] = (struct pgt_steps_cell){ &row->test, row, 0 };
		if (side == 1)
			cells[0] = (struct pgt_steps_cell){ &row->base, NULL, 0 };
	}
	free(sorted);
	return 0;
}

static enum pgt_steps_class class_of(const struct pgt_steps *steps,
				     const struct pgt_steps_row *row)
{
	bool zero = true, bound = false, counted = false, found = false, one_sided = false;
	bool undecided = false;

	for (size_t i = 1; i < steps->n_sides; i++) {
		const struct pgt_row *pair = row->cells[i].row;

		zero &= pgt_report_is_zero(pair);
		bound |= (pair->notes & PGT_NOTE_LOWER_BOUND) != 0;
		counted |= !(pair->notes & PGT_NOTE_NOT_COUNTED);
		one_sided |= pair->verdict == PGT_ONE_SIDE_ONLY;
		found |= pair->verdict != PGT_ONE_SIDE_ONLY && pgt_report_is_found(pair);
		undecided |= pair->verdict == PGT_UNDECIDED;
	}
	if (zero)
		return bound ? PGT_STEPS_ZERO_BOUND : PGT_STEPS_ZERO;
	if (!counted)
		return PGT_STEPS_NOT_COUNTED;
	if (found)
		return PGT_STEPS_DIFFERS;
	if (one_sided)
		return PGT_STEPS_ONE_SIDED;
	return undecided ? PGT_STEPS_UNDECIDED : PGT_STEPS_SAME;
}

static int add_rows(struct pgt_steps *steps, struct pgt_diag *diag)
{
	const struct pgt_comparison *comparison = &steps->comparisons[1];
	const struct pgt_row **first = sort_rows(comparison);
	int err = 0;

	steps->n_rows = comparison->n_rows;
	steps->rows = calloc(steps->n_rows + 1, sizeof(*steps->rows));
	steps->cells = calloc((steps->n_rows + 1) * steps->n_sides, sizeof(*steps->cells));
	if (!first || !steps->rows || !steps->cells)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < steps->n_rows; i++) {
		const struct pgt_row *row = &comparison->rows[i];

		steps->rows[i] = (struct pgt_steps_row){
			.workload = row->workload, .metric = row->metric,
			.properties = row->properties,
			.cells = &steps->cells[i * steps->n_sides],
			.for_text = pgt_report_is_for_text(&row->properties) };
	}
	for (size_t i = 1; !err && i < steps->n_sides; i++)
		err = fill_side(steps, i, first);
	for (size_t i = 0; !err && i < steps->n_rows; i++) {
		struct pgt_steps_row *row = &steps->rows[i];

		row->class = class_of(steps, row);
		row->shown = row->for_text && row->class == PGT_STEPS_DIFFERS;
	}
	free(first);
	return err ? out_of_memory(diag) : 0;
}

struct pgt_steps_row *pgt_steps_find_row(const struct pgt_steps *steps, const char *workload,
					 const char *metric)
{
	for (size_t i = 0; i < steps->n_rows; i++)
		if (!strcmp(steps->rows[i].workload, workload) &&
		    !strcmp(steps->rows[i].metric, metric))
			return &steps->rows[i];
	return NULL;
}

/* ---- workloads ---- */

static const struct pgt_work_done *find_work(const struct pgt_steps *steps, const char *workload)
{
	for (size_t i = 1; i < steps->n_sides; i++)
		for (size_t j = 0; j < steps->comparisons[i].n_works; j++) {
			const struct pgt_work_pair *pair = &steps->comparisons[i].works[j];

			if (!strcmp(pair->workload, workload) && (pair->base || pair->test))
				return pair->base ? pair->base : pair->test;
		}
	return NULL;
}

static int add_workloads(struct pgt_steps *steps, struct pgt_diag *diag)
{
	struct pgt_steps_workload *workload = NULL;

	steps->workloads = calloc(steps->n_rows + 1, sizeof(*steps->workloads));
	if (!steps->workloads)
		return out_of_memory(diag);
	for (size_t i = 0; i < steps->n_rows; i++) {
		const struct pgt_steps_row *row = &steps->rows[i];

		if (!workload || strcmp(workload->name, row->workload)) {
			workload = &steps->workloads[steps->n_workloads++];
			*workload = (struct pgt_steps_workload){
				.name = row->workload, .work = find_work(steps, row->workload),
				.rows = row };
		}
		workload->n_rows++;
		workload->n_of[row->class] += row->for_text;
	}
	return 0;
}

/* ---- reasons ---- */

static int number_reason(struct pgt_steps *steps, struct pgt_steps_cell *cell,
			 struct pgt_diag *diag)
{
	const char **grown;

	if (cell->value->n || !cell->value->reason)
		return 0;
	for (size_t i = 0; i < steps->n_reasons; i++)
		if (!strcmp(steps->reasons[i], cell->value->reason)) {
			cell->reason = i + 1;
			return 0;
		}
	grown = reallocarray(steps->reasons, steps->n_reasons + 1, sizeof(*grown));
	if (!grown)
		return out_of_memory(diag);
	steps->reasons = grown;
	grown[steps->n_reasons++] = cell->value->reason;
	cell->reason = steps->n_reasons;
	return 0;
}

static bool is_in_map(const struct pgt_steps *steps, const struct pgt_steps_row *row)
{
	for (size_t i = 0; i < steps->map.n_lines; i++)
		for (size_t j = 0; j < steps->map.n_sizes; j++)
			if (steps->map.lines[i].cells[j].counted == &row->cells[0])
				return true;
	return false;
}

/* Text gives the reasons of rows that it shows, and of those that it only sums up. */
static bool has_reasons(const struct pgt_steps *steps, const struct pgt_steps_row *row)
{
	return row->shown || is_in_map(steps, row) ||
	       (row->for_text && (row->class == PGT_STEPS_NOT_COUNTED ||
				  row->class == PGT_STEPS_ONE_SIDED));
}

static int number_reasons(struct pgt_steps *steps, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; i < steps->n_rows; i++) {
		struct pgt_steps_row *row = &steps->rows[i];

		if (!has_reasons(steps, row))
			continue;
		for (size_t j = 0; !err && j < steps->n_sides; j++)
			err = number_reason(steps, &row->cells[j], diag);
	}
	return err;
}

/* ---- the whole ---- */

int pgt_steps_make(struct pgt_steps *out, const struct pgt_steps_input *input,
		   struct pgt_diag *diag)
{
	struct pgt_steps steps = { .alpha = input->alpha, .published = input->published };
	int err;

	err = add_sides(&steps, input, diag);
	if (!err)
		err = compare_sides(&steps, input, diag);
	if (!err)
		err = pgt_steps_add_attributes(&steps, diag);
	if (!err)
		err = pgt_steps_add_warnings(&steps, diag);
	if (!err)
		err = add_rows(&steps, diag);
	if (!err)
		err = pgt_steps_add_map(&steps, diag);
	if (!err)
		err = add_workloads(&steps, diag);
	if (!err && input->oracle)
		err = pgt_steps_add_oracles(&steps, input->oracle, diag);
	if (!err)
		err = pgt_steps_add_beside(&steps, diag);
	if (!err)
		err = number_reasons(&steps, diag);
	if (err)
		pgt_steps_release(&steps);
	else
		*out = steps;
	return err;
}

static void release_attributes(struct pgt_steps *steps)
{
	for (size_t i = 0; i < steps->n_attributes; i++) {
		for (size_t j = 0; steps->attributes[i].texts && j < steps->n_sides; j++)
			free(steps->attributes[i].texts[j]);
		free(steps->attributes[i].texts);
	}
	free(steps->attributes);
	for (size_t i = 0; i < steps->n_warnings; i++)
		free(steps->warnings[i].is_about);
	free(steps->warnings);
}

void pgt_steps_release(struct pgt_steps *steps)
{
	for (size_t i = 0; i < steps->n_beside; i++) {
		free(steps->beside[i].excesses);
		pgt_comparison_release(&steps->beside[i].comparison);
	}
	free(steps->beside);
	for (size_t i = 0; i < steps->n_oracles; i++) {
		free(steps->oracles[i].reason);
		free(steps->oracles[i].gaps);
	}
	free(steps->oracles);
	for (size_t i = 0; i < steps->map.n_lines; i++)
		free(steps->map.lines[i].cells);
	free(steps->map.lines);
	release_attributes(steps);
	for (size_t i = 0; steps->reports && i < steps->n_sides; i++) {
		pgt_report_release(&steps->reports[i]);
		pgt_comparison_release(&steps->comparisons[i]);
	}
	free(steps->workloads);
	free(steps->rows);
	free(steps->cells);
	free(steps->reasons);
	free(steps->reports);
	free(steps->comparisons);
	free(steps->sides);
	*steps = (struct pgt_steps){ .n_sides = 0 };
}
