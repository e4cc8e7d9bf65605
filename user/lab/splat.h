/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * splat.h - whether a kernel complained about itself.  Pure.
 */
#ifndef PGT_LAB_SPLAT_H
#define PGT_LAB_SPLAT_H

#include <stddef.h>

/* Kernel parameter by which a guest is asked to fail where its kernel complained. */
#define PGT_SPLAT_PARAMETER	"pgtrace.splat=fail"

/*
 * Find the first line of a kernel's log that starts a warning, a report of one of its checks
 * (lockdep, sleeping while atomic, W+X, page tables, bad pages, stalls) or an oops.
 * A header that says nothing, such as "cut here", is passed over for the line behind it.
 *
 * Returns the line and its length, or NULL where there is none.
 */
const char *pgt_splat_find(const char *log, size_t *len);

#endif /* PGT_LAB_SPLAT_H */
