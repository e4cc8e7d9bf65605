/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diag.h - say once, in words, what went wrong.
 *
 * Every pgt_ function that can fail returns 0 or a negative errno value and
 * takes a struct pgt_diag.  The function that *detects* the failure fills it with
 * pgt_fail(); callers only return the code, or add context with pgt_wrap().
 * Nothing below user/cmd/ prints.
 */
#ifndef PGT_BASE_DIAG_H
#define PGT_BASE_DIAG_H

struct pgt_diag {
	char text[1024];	/* one line without newline; "" until something fails */
};

/*
 * Describe a failure and return err, so that one statement does both.  The text says
 * what failed, why, and what to do about it; strerror(-err) is not added by anyone, so
 * put it in with %s where it helps.  err must be negative.
 */
int pgt_fail(struct pgt_diag *diag, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "context: " before the description and return err. */
int pgt_wrap(struct pgt_diag *diag, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* PGT_BASE_DIAG_H */
