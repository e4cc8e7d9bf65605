/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats.h - medians and the test of two small samples.
 *
 * No outlier is dropped and no distribution is assumed.  A sample holds one value per boot.
 *
 * Sources:
 *  - test: H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is
 *    Stochastically Larger than the Other", Ann. Math. Statist. 18(1), 1947, pp. 50-60;
 *    with ties, the permutation distribution of the mid-ranks: E. L. Lehmann,
 *    "Nonparametrics", 1975, sec. 1.4;
 *  - interval of the median from order statistics: H. A. David, H. N. Nagaraja,
 *    "Order Statistics", 3rd ed., 2003, sec. 7.1.
 */
#ifndef PGT_COMPARE_STATS_H
#define PGT_COMPARE_STATS_H

#include <stddef.h>

struct pgt_diag;

/* Samples of up to this many values each are tested exactly, larger ones by the normal law. */
#define PGT_EXACT_MAX	20

struct pgt_sample {
	const double *value;	/* finite, any order */
	size_t n;
};

struct pgt_interval {
	double lo, hi;		/* values of the sample */
	double confidence;	/* reached, at least what was asked; 0..1 */
};

/* Sort in place, ascending.  Values are finite. */
void pgt_sort(double *value, size_t n);

/* The median of n >= 1 values in ascending order; of an even number, the mean of the middle two. */
double pgt_median(const double *sorted, size_t n);

/*
 * The two-sided p of the Mann-Whitney test: the probability, if both samples are of one
 * population, of a rank sum at least as far from its mean as this one.  Tied values share
 * their mean rank.  Exact where both samples have up to PGT_EXACT_MAX values; beyond that
 * a normal approximation with corrections for continuity and ties.
 *
 * Returns 0 and sets *p, or
 *   -ENODATA a sample is empty;
 *   -EINVAL  a value is not finite;
 *   -ENOMEM.
 */
int pgt_mann_whitney(const struct pgt_sample *base, const struct pgt_sample *test, double *p,
		     struct pgt_diag *diag);

/*
 * The smallest p that n_base and n_test boots can give: 2 / C(n_base + n_test, n_base).
 * A plan asks this before it boots anything.  Returns 1 where either is 0.
 */
double pgt_smallest_p(size_t n_base, size_t n_test);

/*
 * The narrowest symmetric interval between two values of the sample that holds the median of
 * its population with at least the given confidence (0 < confidence < 1).  Returns 0, or
 * -ERANGE where even the whole range of so few values does not; *out is then untouched.
 */
int pgt_median_interval(const double *sorted, size_t n, double confidence,
			struct pgt_interval *out);

#endif /* PGT_COMPARE_STATS_H */
