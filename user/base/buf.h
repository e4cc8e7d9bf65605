/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buf.h - a growing byte buffer.
 *
 * Start from PGT_BUF_INIT; ->at is NUL-terminated once anything was added, and ->len
 * does not count that NUL.  Adding never fails half-way: on -ENOMEM the buffer keeps
 * what it had.
 */
#ifndef PGT_BASE_BUF_H
#define PGT_BASE_BUF_H

#include <stddef.h>

struct pgt_buf {
	char *at;	/* NULL until something is added */
	size_t len;	/* bytes used */
	size_t size;	/* bytes allocated */
};

#define PGT_BUF_INIT	{ NULL, 0, 0 }

/* Append n bytes.  Returns 0 or -ENOMEM. */
int pgt_buf_add(struct pgt_buf *buf, const void *bytes, size_t n);

/* Append formatted text.  Returns 0 or -ENOMEM. */
int pgt_buf_addf(struct pgt_buf *buf, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Free what the buffer owns and make it PGT_BUF_INIT again. */
void pgt_buf_release(struct pgt_buf *buf);

#endif /* PGT_BASE_BUF_H */
