/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_lines.h - JSON Lines, one after the other, and what is common to the lines of all files.
 */
#ifndef PGT_RECORDING_JSON_LINES_H
#define PGT_RECORDING_JSON_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_buf;
struct pgt_diag;

struct pgt_place {		/* where a line stands, for messages */
	const char *path;
	size_t line;		/* from 1 */
};

/* Describe what is wrong with a line, with its place in front, and return -EPROTO. */
int pgt_place_refuse(const struct pgt_place *at, struct pgt_diag *diag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Call take() for every line of text, which is parsed and released again, with its place in *at.
 * Returns 0, what take() returned, -EPROTO for a line that is not JSON or has a member twice, or
 * -ENODATA where the last line has no newline.
 */
int pgt_json_lines_read(const struct pgt_buf *text, struct pgt_place *at,
			int (*take)(void *reader, json_t *line), void *reader,
			struct pgt_diag *diag);

/* A member that must be an integer of at least min.  Returns 0, or -EPROTO. */
int pgt_line_integer(json_t *line, const char *name, int64_t min, int64_t *out,
		     const struct pgt_place *at, struct pgt_diag *diag);

/* A member that must be true or false.  Returns 0, or -EPROTO. */
int pgt_line_flag(json_t *line, const char *name, bool *out, const struct pgt_place *at,
		  struct pgt_diag *diag);

/* The line "end", which must count n lines.  Returns 0, or -EPROTO. */
int pgt_line_end(json_t *line, size_t n, const struct pgt_place *at, struct pgt_diag *diag);

#endif /* PGT_RECORDING_JSON_LINES_H */
