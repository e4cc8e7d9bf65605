/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compare.h - two recordings side by side: for each workload and metric, do they differ?
 *
 * An exact metric whose values are identical within each side is compared exactly: one boot
 * a side suffices.  All others, exact metrics that vary included, and those of which the total
 * or another kind varies, are judged by medians and the Mann-Whitney test of stats.h over one
 * value a boot.  A verdict that lost events could overturn is not given.
 */
#ifndef PGT_COMPARE_COMPARE_H
#define PGT_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/stats.h"
#include "recording/metric.h"

struct pgt_diag;
struct pgt_recording;
struct pgt_work_done;

enum pgt_verdict {
	PGT_UNDECIDED,		/* too few boots, lost events that matter, or no values at all */
	PGT_NO_DIFFERENCE,	/* none *detected*; for an exact comparison: the same number */
	PGT_BETTER,
	PGT_WORSE,
	PGT_DIFFERENT,		/* of a metric of which neither less nor more is better */
	PGT_ONE_SIDE_ONLY,
};

enum pgt_note {			/* why a row needs a second look; or-ed */
	PGT_NOTE_EXACT = 1 << 0,	/* compared exactly, without a test */
	PGT_NOTE_VARIES = 1 << 1,	/* exact by nature, yet not the same every time */
	PGT_NOTE_DISJOINT = 1 << 2,	/* varies, but the ranges do not overlap */
	PGT_NOTE_LOST = 1 << 3,		/* the kernel refused or dropped events of the workload */
	PGT_NOTE_LOWER_BOUND = 1 << 4,	/* at least one side is a lower bound */
	PGT_NOTE_MECHANISM_DIFFERS = 1 << 5,
	PGT_NOTE_EMULATED = 1 << 6,	/* a time taken under TCG */
	PGT_NOTE_ONE_SIDED = 1 << 7,	/* one side has no value */
	PGT_NOTE_NOT_COUNTED = 1 << 8,	/* neither side has a value */
	PGT_NOTE_PARTIAL = 1 << 9,	/* some boots of a side have a value, others not */
	PGT_NOTE_TOO_FEW_BOOTS = 1 << 10,	/* smallest possible p >= alpha */
	PGT_NOTE_KIN_VARIES = 1 << 11,	/* the same every time, but its total or another kind is not */
};

struct pgt_side {
	const char *reason;	/* why there is no value; NULL where there is one */
	const char *source;	/* what counted; NULL where there is no value */
	size_t n;		/* boots with a value */
	double median;		/* of the boots, in the metric's unit; this and all below: n > 0 */
	double lo, hi;		/* the least and the greatest of all repeats of all boots */
	struct pgt_interval interval;	/* of the median */
	bool has_interval;	/* false: too few boots for confidence 1 - alpha */
	bool lower_bound;	/* by its own mark, or because the workload lost events */
	bool unbalanced;	/* entries and exits did not pair: can be too high as well */
};

struct pgt_row {
	const char *workload, *metric;
	struct pgt_metric properties;
	struct pgt_side base, test;
	double ratio;		/* test / base; NAN where base is 0 or a side has no value */
	double p;		/* two-sided, 0..1; NAN where no test was made */
	enum pgt_verdict verdict;
	uint32_t notes;		/* enum pgt_note */
	size_t workload_place, scope_place;	/* order of first mention */
};

struct pgt_work_pair {		/* the work that both sides did */
	const char *workload;
	const struct pgt_work_done *base, *test;	/* NULL where not in that recording */
};

struct pgt_comparison {
	const struct pgt_recording *base, *test;	/* not owned */
	double alpha;
	struct pgt_row *rows;	/* by workload, probe, view, instruction, kind */
	size_t n_rows;
	struct pgt_work_pair *works;	/* one a workload, in the order of the rows */
	size_t n_works;
	char **warnings;	/* one sentence each: what may make the sides incomparable */
	size_t n_warnings;
	bool same_kernel;	/* release and build id are the same: an A/A comparison */
};

/*
 * Compare base with test at significance level alpha.  Both recordings must outlive the
 * comparison, which points into them.  Returns 0 and fills *out, or
 *   -EINVAL  alpha is not between 0 and 1, or one file holds boots of different kernels;
 *   -EXDEV   the recordings are of different architectures;
 *   -ENOMEM.
 */
int pgt_compare(struct pgt_comparison *out, const struct pgt_recording *base,
		const struct pgt_recording *test, double alpha, struct pgt_diag *diag);

/*
 * The same with a row also for what neither of them mentions, but one of n_others recordings
 * (which may be base or test): comparisons among the same recordings have the same rows, each
 * in an order of its own.  The others must outlive the comparison as well.
 */
int pgt_compare_among(struct pgt_comparison *out, const struct pgt_recording *base,
		      const struct pgt_recording *test, const struct pgt_recording *others,
		      size_t n_others, double alpha, struct pgt_diag *diag);
void pgt_comparison_release(struct pgt_comparison *comparison);

#endif /* PGT_COMPARE_COMPARE_H */
