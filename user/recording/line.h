/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.h - one line of a recording: its members, checked and stored.  For recording_read.c.
 */
#ifndef PGT_RECORDING_LINE_H
#define PGT_RECORDING_LINE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_boot;
struct pgt_diag;

struct pgt_place {		/* where a line stands, for messages */
	const char *path;
	size_t line;		/* from 1 */
};

/* Describe what is wrong with a line, with its place in front, and return -EPROTO. */
int pgt_place_refuse(const struct pgt_place *at, struct pgt_diag *diag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A member that must be an integer of at least min.  Returns 0, or -EPROTO. */
int pgt_line_integer(json_t *line, const char *name, int64_t min, int64_t *out,
		     const struct pgt_place *at, struct pgt_diag *diag);

/*
 * Check a line of the given type and store what a comparison needs of it in boot; a type
 * that is not known is skipped.  What was stored before a failure stays, to be released
 * with the boot.  Returns 0, -EPROTO, or -ENOMEM.
 */
int pgt_line_store(struct pgt_boot *boot, const char *type, json_t *line,
		   const struct pgt_place *at, struct pgt_diag *diag);

/* Free all that lines have stored in boot. */
void pgt_line_release(struct pgt_boot *boot);

#endif /* PGT_RECORDING_LINE_H */
