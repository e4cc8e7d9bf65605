/* SPDX-License-Identifier: GPL-2.0-only */
#include "compare/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "compare/reduce.h"

/* The values of the boots that have one; returns how many. */
static size_t collect(double *values, const struct pgt_series *series)
{
	size_t n = 0;

	for (size_t i = 0; i < series->n_boots; i++)
		if (series->boots[i].n_repeats && !series->boots[i].reason)
			values[n++] = series->boots[i].value;
	return n;
}

static double *make_values(const struct pgt_series *series, struct pgt_diag *diag)
{
	double *values = malloc((series->n_boots + 1) * sizeof(*values));

	if (!values)
		pgt_fail(diag, -ENOMEM, "out of memory");
	return values;
}

/* The first boot's reason, range and source. */
static void look_through_boots(struct pgt_side *side, const struct pgt_series *series)
{
	const char *reason = NULL;

	side->lo = INFINITY;
	side->hi = -INFINITY;
	for (size_t i = 0; i < series->n_boots; i++) {
		const struct pgt_reduced *boot = &series->boots[i];

		if (boot->reason && !reason)
			reason = boot->reason;
		if (boot->reason || !boot->n_repeats)
			continue;
		side->lo = fmin(side->lo, boot->lo);
		side->hi = fmax(side->hi, boot->hi);
		if (!side->source)
			side->source = boot->source;
	}
	if (!side->n && reason)
		side->reason = reason;
}

int pgt_side_sum_up(struct pgt_side *out, const struct pgt_series *series, const char *reason,
		    double alpha, struct pgt_diag *diag)
{
	struct pgt_side side = { .reason = reason };
	double *values;

	if (series) {
		values = make_values(series, diag);
		if (!values)
			return -ENOMEM;
		side.n = collect(values, series);
		look_through_boots(&side, series);
		side.lower_bound = series->lower_bound;
		if (series->properties.view != PGT_VIEW_TIME) {
			side.lower_bound |= series->lost;
			side.unbalanced = series->unbalanced;
		}
		if (side.n) {
			side.reason = NULL;
			pgt_sort(values, side.n);
			side.median = pgt_median(values, side.n);
			side.has_interval = !pgt_median_interval(values, side.n, 1 - alpha,
								 &side.interval);
		}
		free(values);
	}
	*out = side;
	return 0;
}

static bool one_value(const struct pgt_side *side)
{
	return side->lo == side->hi;
}

/* > 0 where test tends to be larger, by pairs, as the test itself sees it. */
static int direction(const struct pgt_sample *base, const struct pgt_sample *test)
{
	long balance = 0;

	for (size_t i = 0; i < base->n; i++)
		for (size_t j = 0; j < test->n; j++)
			balance += (test->value[j] > base->value[i]) -
				   (test->value[j] < base->value[i]);
	return (balance > 0) - (balance < 0);
}

/*
 * What a direction means, unless the loss could overturn it: a larger test value says so only
 * if base is complete, a smaller one only if test is, and "no difference" only if both are.
 */
static enum pgt_verdict verdict_of(const struct pgt_row *row, int larger)
{
	if (row->base.unbalanced || row->test.unbalanced)
		return PGT_UNDECIDED;
	if (larger >= 0 && row->base.lower_bound)
		return PGT_UNDECIDED;
	if (larger <= 0 && row->test.lower_bound)
		return PGT_UNDECIDED;
	if (!larger)
		return PGT_NO_DIFFERENCE;
	if (row->properties.better == PGT_BETTER_NEITHER)
		return PGT_DIFFERENT;
	return larger > 0 ? PGT_WORSE : PGT_BETTER;
}

static void judge_exactly(struct pgt_row *row)
{
	row->notes |= PGT_NOTE_EXACT;
	row->verdict = verdict_of(row, (row->test.median > row->base.median) -
				       (row->test.median < row->base.median));
}

static int judge_by_test(struct pgt_row *row, const struct pgt_sample *base,
			 const struct pgt_sample *test, double alpha, struct pgt_diag *diag)
{
	int err = pgt_mann_whitney(base, test, &row->p, diag);

	if (err)
		return err;
	if (row->properties.exact && one_value(&row->base) && one_value(&row->test)) {
		row->notes |= PGT_NOTE_KIN_VARIES;
	} else if (row->properties.exact) {
		row->notes |= PGT_NOTE_VARIES;
		if (row->base.hi < row->test.lo || row->test.hi < row->base.lo)
			row->notes |= PGT_NOTE_DISJOINT;
	}
	if (pgt_smallest_p(base->n, test->n) >= alpha) {
		row->notes |= PGT_NOTE_TOO_FEW_BOOTS;
		row->verdict = PGT_UNDECIDED;
		return 0;
	}
	row->verdict = verdict_of(row, row->p < alpha ? direction(base, test) : 0);
	return 0;
}

static int judge_samples(struct pgt_row *row, const struct pgt_series *base,
			 const struct pgt_series *test, double alpha, struct pgt_diag *diag)
{
	double *base_values = make_values(base, diag), *test_values = make_values(test, diag);
	struct pgt_sample base_sample, test_sample;
	int err = -ENOMEM;

	if (base_values && test_values) {
		base_sample = (struct pgt_sample){ base_values, collect(base_values, base) };
		test_sample = (struct pgt_sample){ test_values, collect(test_values, test) };
		err = judge_by_test(row, &base_sample, &test_sample, alpha, diag);
	}
	free(base_values);
	free(test_values);
	return err;
}

/* Do any two boots, of one side or of both, owe their values to different mechanisms? */
static bool sources_differ(const struct pgt_series *series, const char *source)
{
	for (size_t i = 0; i < series->n_boots; i++)
		if (series->boots[i].source && strcmp(series->boots[i].source, source))
			return true;
	return false;
}

static void note_sides(struct pgt_row *row, const struct pgt_series *base,
		       const struct pgt_series *test)
{
	if ((base && base->lost) || (test && test->lost))
		row->notes |= PGT_NOTE_LOST;
	if (row->base.lower_bound || row->test.lower_bound)
		row->notes |= PGT_NOTE_LOWER_BOUND;
	if ((base && row->base.n && row->base.n < base->n_with_workload) ||
	    (test && row->test.n && row->test.n < test->n_with_workload))
		row->notes |= PGT_NOTE_PARTIAL;
	if (row->base.n && row->test.n && (sources_differ(base, row->base.source) ||
					   sources_differ(test, row->base.source)))
		row->notes |= PGT_NOTE_MECHANISM_DIFFERS;
}

/* The same number is the same number; another one may be chance where there is any. */
static bool is_compared_exactly(const struct pgt_row *row, const struct pgt_series *base,
				const struct pgt_series *test)
{
	if (!row->properties.exact || !one_value(&row->base) || !one_value(&row->test))
		return false;
	return (!base->by_chance && !test->by_chance) || row->base.median == row->test.median;
}

int pgt_row_judge(struct pgt_row *row, const struct pgt_series *base,
		  const struct pgt_series *test, double alpha, struct pgt_diag *diag)
{
	row->ratio = NAN;
	row->p = NAN;
	row->verdict = PGT_UNDECIDED;
	note_sides(row, base, test);
	if (!row->base.n && !row->test.n) {
		row->notes |= PGT_NOTE_NOT_COUNTED;
		return 0;
	}
	if (!row->base.n || !row->test.n) {
		row->notes |= PGT_NOTE_ONE_SIDED;
		row->verdict = PGT_ONE_SIDE_ONLY;
		return 0;
	}
	if (row->base.median > 0)
		row->ratio = row->test.median / row->base.median;
	if (is_compared_exactly(row, base, test)) {
		judge_exactly(row);
		return 0;
	}
	return judge_samples(row, base, test, alpha, diag);
}
