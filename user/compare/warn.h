/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * warn.h - what may make two recordings incomparable, short of refusing them.  For compare.c.
 */
#ifndef PGT_COMPARE_WARN_H
#define PGT_COMPARE_WARN_H

#include "compare/compare.h"

/*
 * Set the comparison's warnings and same_kernel; its recordings and works are set already.
 * Returns 0 or -ENOMEM.
 */
int pgt_comparison_warn(struct pgt_comparison *comparison, struct pgt_diag *diag);

#endif /* PGT_COMPARE_WARN_H */
