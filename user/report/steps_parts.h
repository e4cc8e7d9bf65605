/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_parts.h - the parts of a topic's report that have a file of their own.  For steps.c.
 *
 * All return 0 or -ENOMEM, unless they say more.  The sides, comparisons, reports and, but for
 * attributes and warnings, the rows of the steps are there already.
 */
#ifndef PGT_REPORT_STEPS_PARTS_H
#define PGT_REPORT_STEPS_PARTS_H

#include "report/steps.h"

int pgt_steps_add_attributes(struct pgt_steps *steps, struct pgt_diag *diag);
int pgt_steps_add_warnings(struct pgt_steps *steps, struct pgt_diag *diag);

/* Rows that its tables show are no longer shown elsewhere. */
int pgt_steps_add_map(struct pgt_steps *steps, struct pgt_diag *diag);

/* -EINVAL for an oracle of a side that is not there. */
int pgt_steps_add_oracles(struct pgt_steps *steps, const struct pgt_oracle *oracle,
			  struct pgt_diag *diag);

/* -EINVAL and -EXDEV as pgt_compare(). */
int pgt_steps_add_beside(struct pgt_steps *steps, struct pgt_diag *diag);

/* NULL where no recording has such a metric. */
struct pgt_steps_row *pgt_steps_find_row(const struct pgt_steps *steps, const char *workload,
					 const char *metric);

#endif /* PGT_REPORT_STEPS_PARTS_H */
