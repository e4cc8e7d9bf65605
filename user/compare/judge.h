/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * judge.h - the verdict over one row.  For compare.c.
 */
#ifndef PGT_COMPARE_JUDGE_H
#define PGT_COMPARE_JUDGE_H

#include "compare/compare.h"

struct pgt_series;

/* Sum one side up; series is NULL where the recording does not mention the metric, and
 * reason says so.  Returns 0 or -ENOMEM. */
int pgt_side_sum_up(struct pgt_side *out, const struct pgt_series *series, const char *reason,
		    double alpha, struct pgt_diag *diag);

/* Fill ratio, p, verdict and notes of a row whose sides are summed up.  A series may be NULL
 * where its side has no value.  Returns 0 or -ENOMEM. */
int pgt_row_judge(struct pgt_row *row, const struct pgt_series *base,
		  const struct pgt_series *test, double alpha, struct pgt_diag *diag);

#endif /* PGT_COMPARE_JUDGE_H */
