/* SPDX-License-Identifier: GPL-2.0-only */
#include "compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "compare/judge.h"
#include "compare/reduce.h"
#include "compare/warn.h"
#include "recording/recording.h"

/* ---- may these be compared at all ---- */

static int check_one_kernel(const struct pgt_recording *recording, struct pgt_diag *diag)
{
	const char *first = recording->boots[0].host.kernel_release;

	for (size_t i = 1; i < recording->n_boots; i++)
		if (strcmp(recording->boots[i].host.kernel_release, first))
			return pgt_fail(diag, -EINVAL, "%s: boot 1 is of kernel %s, boot %zu of %s: "
					"one side of a comparison is one kernel", recording->path,
					first, i + 1, recording->boots[i].host.kernel_release);
	return 0;
}

static int check_pair(const struct pgt_recording *base, const struct pgt_recording *test,
		      double alpha, struct pgt_diag *diag)
{
	int err;

	if (!(alpha > 0 && alpha < 1))
		return pgt_fail(diag, -EINVAL, "alpha is %g: it must be between 0 and 1", alpha);
	if (strcmp(base->boots[0].host.arch, test->boots[0].host.arch))
		return pgt_fail(diag, -EXDEV, "%s is of architecture %s, %s of %s: their counts "
				"cannot be compared", base->path, base->boots[0].host.arch,
				test->path, test->boots[0].host.arch);
	err = check_one_kernel(base, diag);
	return err ? err : check_one_kernel(test, diag);
}

/* ---- rows ---- */

static bool has_workload(const struct pgt_reduction *reduction, const char *workload)
{
	for (size_t i = 0; i < reduction->n; i++)
		if (!strcmp(reduction->series[i].workload, workload))
			return true;
	return false;
}

/* The reason of a workload that no boot could do: that of its time.  NULL where one did it. */
static const char *why_not_done(const struct pgt_reduction *reduction, const char *workload)
{
	const struct pgt_series *window = pgt_reduction_find(reduction, workload, "window.ns");
	const char *reason = NULL;

	for (size_t i = 0; window && i < window->n_boots; i++) {
		if (window->boots[i].n_repeats && !window->boots[i].reason)
			return NULL;
		if (!reason)
			reason = window->boots[i].reason;
	}
	return reason;
}

static const char *why_absent(const struct pgt_reduction *reduction, const char *workload)
{
	const char *reason = why_not_done(reduction, workload);

	if (reason)
		return reason;
	return has_workload(reduction, workload) ? "the recording does not have this metric" :
						   "the recording does not have this workload";
}

static void note_emulation(struct pgt_row *row, const struct pgt_comparison *comparison)
{
	const char *base = comparison->base->boots[0].host.accelerator;
	const char *test = comparison->test->boots[0].host.accelerator;

	if (row->properties.view == PGT_VIEW_TIME &&
	    ((base && !strcmp(base, "tcg")) || (test && !strcmp(test, "tcg"))))
		row->notes |= PGT_NOTE_EMULATED;
}

static int sum_up(struct pgt_row *row, const struct pgt_series *base,
		  const struct pgt_series *test, const struct pgt_reduction *bases,
		  const struct pgt_reduction *tests, double alpha, struct pgt_diag *diag)
{
	int err;

	err = pgt_side_sum_up(&row->base, base, why_absent(bases, row->workload), alpha, diag);
	if (!err)
		err = pgt_side_sum_up(&row->test, test, why_absent(tests, row->workload), alpha,
				      diag);
	return err ? err : pgt_row_judge(row, base, test, alpha, diag);
}

/* Where a recording does not mention a metric, use what it implies; or *series stays NULL. */
static int imply(const struct pgt_series **series, struct pgt_series *implied,
		 const struct pgt_reduction *reduction, const struct pgt_series *named,
		 struct pgt_diag *diag)
{
	int err;

	if (*series)
		return 0;
	err = pgt_series_imply(implied, reduction, named->workload, named->metric, diag);
	if (!err)
		*series = implied;
	return err == -ENOENT ? 0 : err;
}

/* What only test mentions comes after all that base mentions, and what neither does, last. */
static size_t place_of(const struct pgt_series *base, const struct pgt_series *test,
		       const struct pgt_series *named)
{
	if (base)
		return base->place;
	return test ? SIZE_MAX / 2 + test->place : SIZE_MAX / 4 * 3 + named->place;
}

/* base and test may be NULL where their recordings do not mention the metric of `named`. */
static int add_row(struct pgt_comparison *comparison, const struct pgt_series *named,
		   const struct pgt_series *base, const struct pgt_series *test,
		   const struct pgt_reduction *bases, const struct pgt_reduction *tests,
		   struct pgt_diag *diag)
{
	struct pgt_row *row = &comparison->rows[comparison->n_rows];
	struct pgt_series implied[2] = { { .boots = NULL }, { .boots = NULL } };
	int err;

	*row = (struct pgt_row){ .workload = named->workload, .metric = named->metric,
				 .properties = named->properties };
	row->scope_place = place_of(base, test, named);
	err = imply(&base, &implied[0], bases, named, diag);
	if (!err)
		err = imply(&test, &implied[1], tests, named, diag);
	if (!err)
		err = sum_up(row, base, test, bases, tests, comparison->alpha, diag);
	pgt_series_release(&implied[0]);
	pgt_series_release(&implied[1]);
	if (err)
		return pgt_wrap(diag, err, "%s of %s", named->metric, named->workload);
	note_emulation(row, comparison);
	comparison->n_rows++;
	return 0;
}

static int order_of(const struct pgt_series *base, const struct pgt_series *test)
{
	int order;

	if (!base || !test)
		return base ? -1 : 1;
	order = strcmp(base->workload, test->workload);
	return order ? order : strcmp(base->metric, test->metric);
}

/* Both reductions are in the same order, so that one walk pairs them. */
static int join(struct pgt_comparison *comparison, const struct pgt_reduction *bases,
		const struct pgt_reduction *tests, struct pgt_diag *diag)
{
	size_t i = 0, j = 0;

	comparison->rows = calloc(bases->n + tests->n + 1, sizeof(*comparison->rows));
	if (!comparison->rows)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	while (i < bases->n || j < tests->n) {
		const struct pgt_series *base = i < bases->n ? &bases->series[i] : NULL;
		const struct pgt_series *test = j < tests->n ? &tests->series[j] : NULL;
		int order = order_of(base, test);
		int err = add_row(comparison, order <= 0 ? base : test, order <= 0 ? base : NULL,
				  order >= 0 ? test : NULL, bases, tests, diag);

		if (err)
			return err;
		i += order <= 0;
		j += order >= 0;
	}
	return 0;
}

/* ---- rows of what only others mention ---- */

static bool is_there(const struct pgt_comparison *comparison, const struct pgt_series *series)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (!strcmp(comparison->rows[i].metric, series->metric) &&
		    !strcmp(comparison->rows[i].workload, series->workload))
			return true;
	return false;
}

static int join_other(struct pgt_comparison *comparison, const struct pgt_reduction *other,
		      const struct pgt_reduction *bases, const struct pgt_reduction *tests,
		      struct pgt_diag *diag)
{
	struct pgt_row *grown = reallocarray(comparison->rows, comparison->n_rows + other->n + 1,
					     sizeof(*grown));
	int err = 0;

	if (!grown)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	comparison->rows = grown;
	for (size_t i = 0; !err && i < other->n; i++) {
		const struct pgt_series *series = &other->series[i];

		if (pgt_reduction_find(bases, series->workload, series->metric) ||
		    pgt_reduction_find(tests, series->workload, series->metric) ||
		    is_there(comparison, series))
			continue;
		err = add_row(comparison, series, NULL, NULL, bases, tests, diag);
	}
	return err;
}

static int by_name(const void *a, const void *b)
{
	const struct pgt_row *left = a, *right = b;
	int order = strcmp(left->workload, right->workload);

	return order ? order : strcmp(left->metric, right->metric);
}

static int join_others(struct pgt_comparison *comparison, const struct pgt_reduction *bases,
		       const struct pgt_reduction *tests, const struct pgt_recording *others,
		       size_t n, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		struct pgt_reduction other = { NULL, 0 };

		if (&others[i] == comparison->base || &others[i] == comparison->test)
			continue;
		err = pgt_reduce(&other, &others[i], diag);
		if (!err)
			err = join_other(comparison, &other, bases, tests, diag);
		pgt_reduction_release(&other);
	}
	if (!err && n)
		qsort(comparison->rows, comparison->n_rows, sizeof(*comparison->rows), by_name);
	return err;
}

/* ---- their order ---- */

static bool same_scope(const struct pgt_row *a, const struct pgt_row *b)
{
	return a->properties.scope_len == b->properties.scope_len &&
	       !strncmp(a->metric, b->metric, a->properties.scope_len);
}

/*
 * Rows come in the order of names, in which those of a workload, and within it those of a
 * probe, stand together.  Give each the earliest place of its group.
 */
static void place_groups(struct pgt_row *rows, size_t n)
{
	for (size_t i = 0, same; i < n; i += same) {
		size_t earliest = rows[i].scope_place;

		for (same = 1; i + same < n; same++) {
			if (strcmp(rows[i + same].workload, rows[i].workload))
				break;
			if (rows[i + same].scope_place < earliest)
				earliest = rows[i + same].scope_place;
		}
		for (size_t j = i; j < i + same; j++)
			rows[j].workload_place = earliest;
	}
	for (size_t i = 0, same; i < n; i += same) {
		size_t earliest = rows[i].scope_place;

		for (same = 1; i + same < n; same++) {
			if (rows[i + same].workload_place != rows[i].workload_place ||
			    !same_scope(&rows[i + same], &rows[i]))
				break;
			if (rows[i + same].scope_place < earliest)
				earliest = rows[i + same].scope_place;
		}
		for (size_t j = i; j < i + same; j++)
			rows[j].scope_place = earliest;
	}
}

static int by_size(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b)
{
	const struct pgt_row *left = a, *right = b;
	bool left_last = left->properties.view >= PGT_VIEW_OUTSIDE;
	bool right_last = right->properties.view >= PGT_VIEW_OUTSIDE;
	int order = by_size(left->workload_place, right->workload_place);

	if (!order)
		order = left_last - right_last;
	if (!order && !left_last)
		order = by_size(left->scope_place, right->scope_place);
	if (!order)
		order = by_size(left->properties.view, right->properties.view);
	if (!order)
		order = by_size((size_t)left->properties.pages, (size_t)right->properties.pages);
	return order ? order : strcmp(left->metric, right->metric);
}

/* ---- work ---- */

static const struct pgt_work_done *find_work(const struct pgt_recording *recording,
					     const char *workload)
{
	for (size_t i = 0; i < recording->n_boots; i++)
		for (size_t j = 0; j < recording->boots[i].n_works; j++)
			if (!strcmp(recording->boots[i].works[j].workload, workload))
				return &recording->boots[i].works[j];
	return NULL;
}

static int pair_works(struct pgt_comparison *comparison, struct pgt_diag *diag)
{
	comparison->works = calloc(comparison->n_rows + 1, sizeof(*comparison->works));
	if (!comparison->works)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const char *workload = comparison->rows[i].workload;

		if (i && !strcmp(comparison->rows[i - 1].workload, workload))
			continue;
		comparison->works[comparison->n_works++] = (struct pgt_work_pair){
			workload, find_work(comparison->base, workload),
			find_work(comparison->test, workload) };
	}
	return 0;
}

int pgt_compare_among(struct pgt_comparison *out, const struct pgt_recording *base,
		      const struct pgt_recording *test, const struct pgt_recording *others,
		      size_t n_others, double alpha, struct pgt_diag *diag)
{
	struct pgt_comparison comparison = { .base = base, .test = test, .alpha = alpha };
	struct pgt_reduction bases = { NULL, 0 }, tests = { NULL, 0 };
	int err;

	err = check_pair(base, test, alpha, diag);
	if (!err)
		err = pgt_reduce(&bases, base, diag);
	if (!err)
		err = pgt_reduce(&tests, test, diag);
	if (!err)
		err = join(&comparison, &bases, &tests, diag);
	if (!err)
		err = join_others(&comparison, &bases, &tests, others, n_others, diag);
	if (err)
		goto out;
	place_groups(comparison.rows, comparison.n_rows);
	qsort(comparison.rows, comparison.n_rows, sizeof(*comparison.rows), compare_rows);
	err = pair_works(&comparison, diag);
	if (!err)
		err = pgt_comparison_warn(&comparison, diag);
out:
	pgt_reduction_release(&bases);
	pgt_reduction_release(&tests);
	if (err)
		pgt_comparison_release(&comparison);
	else
		*out = comparison;
	return err;
}

int pgt_compare(struct pgt_comparison *out, const struct pgt_recording *base,
		const struct pgt_recording *test, double alpha, struct pgt_diag *diag)
{
	return pgt_compare_among(out, base, test, NULL, 0, alpha, diag);
}

void pgt_comparison_release(struct pgt_comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_warnings; i++)
		free(comparison->warnings[i]);
	free(comparison->warnings);
	free(comparison->works);
	free(comparison->rows);
	*comparison = (struct pgt_comparison){ .base = NULL };
}
