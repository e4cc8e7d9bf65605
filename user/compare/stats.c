/* SPDX-License-Identifier: GPL-2.0-only */
#include "compare/stats.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/diag.h"

struct ranked {
	double value;
	uint64_t rank2;		/* twice the mid-rank, so that it is an integer */
	bool in_base;
};

static int compare_doubles(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	return compare_doubles(&left->value, &right->value);
}

void pgt_sort(double *value, size_t n)
{
	if (n)
		qsort(value, n, sizeof(*value), compare_doubles);
}

double pgt_median(const double *sorted, size_t n)
{
	if (n % 2)
		return sorted[n / 2];
	return sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

static int check_sample(const struct pgt_sample *sample, const char *name,
			struct pgt_diag *diag)
{
	if (!sample->n)
		return pgt_fail(diag, -ENODATA, "%s: no values", name);
	for (size_t i = 0; i < sample->n; i++)
		if (!isfinite(sample->value[i]))
			return pgt_fail(diag, -EINVAL, "%s: boot %zu: value is %g", name, i + 1,
					sample->value[i]);
	return 0;
}

/* Both samples in one ascending list with their ranks.  Returns NULL when out of memory. */
static struct ranked *rank(const struct pgt_sample *base, const struct pgt_sample *test)
{
	size_t n = base->n + test->n;
	struct ranked *all = malloc(n * sizeof(*all));

	if (!all)
		return NULL;
	for (size_t i = 0; i < n; i++)
		all[i] = i < base->n ? (struct ranked){ base->value[i], 0, true } :
			 (struct ranked){ test->value[i - base->n], 0, false };
	qsort(all, n, sizeof(*all), compare_ranked);
	for (size_t i = 0, tied; i < n; i += tied) {
		for (tied = 1; i + tied < n && all[i + tied].value == all[i].value; tied++)
			;
		for (size_t j = i; j < i + tied; j++)
			all[j].rank2 = 2 * i + tied + 1;
	}
	return all;
}

static uint64_t base_rank_sum(const struct ranked *all, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].in_base)
			sum += all[i].rank2;
	return sum;
}

/*
 * Count, for each size and each rank sum, the ways to choose that many of the ranks:
 * ways[size * width + sum].  At most C(40, 20), which a double holds exactly.
 */
static void count_choices(double *ways, size_t width, const struct ranked *all, size_t n,
			  size_t n_base)
{
	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t rank2 = all[i].rank2;

		for (size_t size = n_base; size-- > 0; )
			for (size_t sum = 0; sum + rank2 < width; sum++)
				ways[(size + 1) * width + sum + rank2] += ways[size * width + sum];
	}
}

static int exact_p(const struct ranked *all, size_t n, size_t n_base, double *p,
		   struct pgt_diag *diag)
{
	size_t width = n * (n + 1) + 1;
	uint64_t mean2 = n_base * (n + 1), observed = base_rank_sum(all, n);
	uint64_t distance = observed > mean2 ? observed - mean2 : mean2 - observed;
	double *ways = calloc((n_base + 1) * width, sizeof(*ways)), far = 0, total = 0;

	if (!ways)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	count_choices(ways, width, all, n, n_base);
	for (size_t sum = 0; sum < width; sum++) {
		double here = ways[n_base * width + sum];

		total += here;
		if ((sum > mean2 ? sum - mean2 : mean2 - sum) >= distance)
			far += here;
	}
	free(ways);
	*p = far / total;
	return 0;
}

static double normal_p(const struct ranked *all, size_t n, size_t n_base)
{
	double n1 = (double)n_base, n2 = (double)(n - n_base), all_n = (double)n;
	double distance = fabs((double)base_rank_sum(all, n) / 2 - n1 * (all_n + 1) / 2);
	double ties = 0, variance;

	for (size_t i = 0, tied; i < n; i += tied) {
		for (tied = 1; i + tied < n && all[i + tied].rank2 == all[i].rank2; tied++)
			;
		ties += pow((double)tied, 3) - (double)tied;
	}
	variance = n1 * n2 / 12 * (all_n + 1 - ties / (all_n * (all_n - 1)));
	if (distance <= 0.5 || variance <= 0)
		return 1;
	return 2 * gsl_cdf_ugaussian_Q((distance - 0.5) / sqrt(variance));
}

int pgt_mann_whitney(const struct pgt_sample *base, const struct pgt_sample *test, double *p,
		     struct pgt_diag *diag)
{
	struct ranked *all;
	int err;

	err = check_sample(base, "base", diag);
	if (!err)
		err = check_sample(test, "test", diag);
	if (err)
		return err;
	all = rank(base, test);
	if (!all)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	if (base->n <= PGT_EXACT_MAX && test->n <= PGT_EXACT_MAX)
		err = exact_p(all, base->n + test->n, base->n, p, diag);
	else
		*p = normal_p(all, base->n + test->n, base->n);
	free(all);
	return err;
}

double pgt_smallest_p(size_t n_base, size_t n_test)
{
	double p = 2;

	if (!n_base || !n_test)
		return 1;
	for (size_t i = 1; i <= n_base; i++)
		p *= (double)i / (double)(n_test + i);
	return p < 1 ? p : 1;
}

int pgt_median_interval(const double *sorted, size_t n, double confidence,
			struct pgt_interval *out)
{
	size_t depth = 0;
	double reached = 0;

	/* The interval from the k-th value to the k-th last fails with 2 P(X < k), X ~ B(n, 1/2). */
	for (size_t k = 1; 2 * k <= n; k++) {
		double holds = 1 - 2 * gsl_cdf_binomial_P((unsigned int)(k - 1), 0.5,
							  (unsigned int)n);

		if (holds < confidence)
			break;
		depth = k;
		reached = holds;
	}
	if (!depth)
		return -ERANGE;
	*out = (struct pgt_interval){ sorted[depth - 1], sorted[n - depth], reached };
	return 0;
}
