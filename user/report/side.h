/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * side.h - what a report says about one recording as a whole.  For report.c.
 */
#ifndef PGT_REPORT_SIDE_H
#define PGT_REPORT_SIDE_H

#include "report/report.h"

/* Sum a recording up.  Returns 0 or -ENOMEM. */
int pgt_report_side_make(struct pgt_report_side *out, const struct pgt_recording *recording,
			 struct pgt_diag *diag);

#endif /* PGT_REPORT_SIDE_H */
