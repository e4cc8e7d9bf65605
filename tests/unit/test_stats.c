/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats.c against published values: the critical values of U at 0.05 two-sided of D. Auble,
 * "Extended tables for the Mann-Whitney statistic", 1953 (reprinted in S. Siegel,
 * "Nonparametric Statistics", 1956, table K), and ranks worked out by hand.
 */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "compare/stats.h"

#define SAMPLE(...) (struct pgt_sample){					\
	.value = (const double[]){ __VA_ARGS__ },				\
	.n = sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double) }

static double p_of(struct pgt_sample base, struct pgt_sample test)
{
	struct pgt_diag diag = { "" };
	double p = -1;
	int err = pgt_mann_whitney(&base, &test, &p, &diag);

	cr_assert(zero(int, err), "%s", diag.text);
	return p;
}

Test(stats, small_samples_worked_out_by_hand)
{
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(1), SAMPLE(2)), 1, 1e-12));
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(1, 2, 3), SAMPLE(7, 8, 9)), 0.1, 1e-12));
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(1, 2, 3, 4), SAMPLE(6, 7, 8, 9)), 2.0 / 70, 1e-12));
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(6, 7, 8, 9), SAMPLE(1, 2, 3, 4)), 2.0 / 70, 1e-12));
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(1, 3, 5, 7), SAMPLE(2, 4, 6, 8)), 48.0 / 70, 1e-12));
}

/* Of the 6 ways to choose 2 of the mid-ranks 1, 2.5, 2.5, 4, the sums 3.5 3.5 5 5 6.5 6.5. */
Test(stats, ties_share_their_mean_rank)
{
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(1, 2), SAMPLE(2, 3)), 4.0 / 6, 1e-12));
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(1, 3), SAMPLE(2, 2)), 1, 1e-12));
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(5, 5, 5), SAMPLE(5, 5, 5)), 1, 1e-12));
	/* Two values each: all 6 arrangements, 2 of them as far apart. */
	cr_expect(epsilon_eq(dbl, p_of(SAMPLE(0, 0), SAMPLE(1, 1)), 2.0 / 6, 1e-12));
}

/* Two samples of n with Mann-Whitney's U, without ties: base takes the low ranks, and its
 * largest values move up until U pairs are out of order. */
static double p_of_u(size_t n_base, size_t n_test, size_t u)
{
	double base[64], test[64];
	size_t place[64], n = n_base + n_test, at_base = 0, at_test = 0;

	for (size_t i = 0; i < n_base; i++)
		place[i] = i;
	for (size_t i = n_base; i-- > 0 && u; ) {
		size_t up = u < n_test ? u : n_test;

		place[i] += up;
		u -= up;
	}
	for (size_t i = 0; i < n; i++) {
		if (at_base < n_base && place[at_base] == i)
			base[at_base++] = (double)i;
		else
			test[at_test++] = (double)i;
	}
	return p_of((struct pgt_sample){ base, n_base }, (struct pgt_sample){ test, n_test });
}

Test(stats, published_critical_values_of_u)
{
	const struct {
		size_t n_base, n_test, u;	/* the largest U with p <= 0.05 */
	} table[] = {
		{ 4, 4, 0 }, { 5, 5, 2 }, { 6, 6, 5 }, { 7, 7, 8 }, { 8, 8, 13 }, { 9, 9, 17 },
		{ 10, 10, 23 }, { 12, 12, 37 }, { 15, 15, 64 }, { 20, 20, 127 }, { 5, 10, 8 },
		{ 8, 20, 41 }, { 3, 9, 2 }, { 3, 5, 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t a = table[i].n_base, b = table[i].n_test, u = table[i].u;

		cr_expect(le(dbl, p_of_u(a, b, u), 0.05), "%zu %zu U %zu", a, b, u);
		cr_expect(gt(dbl, p_of_u(a, b, u + 1), 0.05), "%zu %zu U %zu", a, b, u + 1);
		cr_expect(epsilon_eq(dbl, p_of_u(a, b, u), p_of_u(b, a, u), 1e-12));
	}
}

/* The approximation takes over from the exact distribution without a step. */
Test(stats, large_samples_by_the_normal_law)
{
	cr_expect(epsilon_eq(dbl, p_of_u(20, 20, 127), p_of_u(21, 20, 134), 0.002));
	/* z = (|U - n1 n2 / 2| - 1/2) / sqrt(n1 n2 (N + 1) / 12) = 1.96 by construction. */
	cr_expect(epsilon_eq(dbl, p_of_u(30, 30, 317), 0.0501, 0.0005));
}

Test(stats, large_samples_that_are_all_tied)
{
	double same[25] = { 0 };
	struct pgt_sample sample = { same, 25 };

	cr_expect(eq(dbl, p_of(sample, sample), 1));
}

Test(stats, what_is_wrong_is_named)
{
	struct pgt_sample good = SAMPLE(1, 2), bad = SAMPLE(1, INFINITY), none = { NULL, 0 };
	struct pgt_diag diag = { "" };
	double p = -1;

	cr_expect(eq(int, pgt_mann_whitney(&good, &bad, &p, &diag), -EINVAL));
	cr_expect(eq(str, diag.text, "test: boot 2: value is inf"));
	cr_expect(eq(int, pgt_mann_whitney(&none, &good, &p, &diag), -ENODATA));
	cr_expect(eq(str, diag.text, "base: no values"));
	cr_expect(eq(dbl, p, -1), "*p must be untouched on failure");
}

Test(stats, smallest_p)
{
	cr_expect(eq(dbl, pgt_smallest_p(0, 5), 1));
	cr_expect(eq(dbl, pgt_smallest_p(1, 1), 1));
	cr_expect(epsilon_eq(dbl, pgt_smallest_p(3, 3), 0.1, 1e-12));
	cr_expect(epsilon_eq(dbl, pgt_smallest_p(4, 4), 2.0 / 70, 1e-12));
	cr_expect(epsilon_eq(dbl, pgt_smallest_p(2, 7), pgt_smallest_p(7, 2), 1e-12));
	cr_expect(gt(dbl, pgt_smallest_p(500, 500), 0));
}

Test(stats, median)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };

	pgt_sort(odd, 3);
	pgt_sort(even, 4);
	cr_expect(eq(dbl, pgt_median(odd, 3), 2));
	cr_expect(eq(dbl, pgt_median(even, 4), 2.5));
	cr_expect(eq(dbl, pgt_median(even, 1), 1));
}

/* David and Nagaraja, sec. 7.1: from 6 values on, the whole range holds with 1 - 2/2^6. */
Test(stats, interval_of_the_median)
{
	const double sorted[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	struct pgt_interval got = { -1, -1, -1 };

	cr_expect(eq(int, pgt_median_interval(sorted, 5, 0.95, &got), -ERANGE));
	cr_expect(eq(dbl, got.lo, -1), "*out must be untouched on failure");
	cr_assert(zero(int, pgt_median_interval(sorted, 6, 0.95, &got)));
	cr_expect(eq(dbl, got.lo, 1));
	cr_expect(eq(dbl, got.hi, 6));
	cr_expect(epsilon_eq(dbl, got.confidence, 0.96875, 1e-12));
	cr_assert(zero(int, pgt_median_interval(sorted, 10, 0.95, &got)));
	cr_expect(eq(dbl, got.lo, 2));
	cr_expect(eq(dbl, got.hi, 9));
	cr_expect(epsilon_eq(dbl, got.confidence, 1 - 22.0 / 1024, 1e-12));
	cr_expect(eq(int, pgt_median_interval(sorted, 0, 0.5, &got), -ERANGE));
}
