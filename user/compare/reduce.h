/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reduce.h - from a recording to one value per boot, workload and metric.
 *
 * The repeats within a boot share its memory layout and are no independent samples, so a
 * boot counts once, with the median of its repeats.  A boot with a repeat that was not
 * counted has no value, and keeps the reason.  What metric.h says to be 0 although it has no
 * line is 0 here.
 */
#ifndef PGT_COMPARE_REDUCE_H
#define PGT_COMPARE_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#include "recording/metric.h"

struct pgt_diag;
struct pgt_recording;

struct pgt_reduced {		/* one boot's value of one metric */
	const char *reason;	/* why there is none; NULL where there is one */
	const char *source;	/* what counted; NULL where not counted */
	double value;		/* the median of the repeats, in the metric's unit */
	double lo, hi;		/* the least and the greatest repeat */
	size_t n_repeats;	/* with a value or a reason; 0: the boot has no such metric */
};

struct pgt_series {		/* one workload and metric, over all boots of a recording */
	const char *workload, *metric;	/* the recording's */
	struct pgt_metric properties;
	size_t place;		/* of its first mention in the recording, from 0 */
	struct pgt_reduced *boots;
	size_t n_boots;		/* of the recording */
	size_t n_with_workload;	/* of these, those that did the workload at all */
	bool lower_bound;	/* some repeat of some boot is a lower bound, or its parent is */
	bool lost;		/* some repeat of the workload lost events */
	bool unbalanced;	/* ... by which counts can also have grown */
	bool by_chance;		/* the total of its kind, or another part of it, varies */
};

struct pgt_reduction {
	struct pgt_series *series;	/* ordered by workload and metric, as strcmp() does */
	size_t n;
};

/*
 * The recording must outlive the reduction, which points into it.
 * Returns 0, or -ENOMEM, or -EINVAL for a metric that pgt_metric_lookup() does not know.
 */
int pgt_reduce(struct pgt_reduction *out, const struct pgt_recording *recording,
	       struct pgt_diag *diag);
void pgt_reduction_release(struct pgt_reduction *reduction);

/*
 * What a recording that does not mention a metric says about it all the same: 0 or a reason for
 * each boot.  out is then to be released; its names are those given.  Returns 0, -ENOENT where
 * it says nothing, or -ENOMEM.
 */
int pgt_series_imply(struct pgt_series *out, const struct pgt_reduction *reduction,
		     const char *workload, const char *metric, struct pgt_diag *diag);
void pgt_series_release(struct pgt_series *series);

/* NULL where the recording does not mention it. */
const struct pgt_series *pgt_reduction_find(const struct pgt_reduction *reduction,
					    const char *workload, const char *metric);

#endif /* PGT_COMPARE_REDUCE_H */
