/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fields.h - the small text files beside the recordings of a topic, read line by line.
 *
 * A line is a keyword and what belongs to it, with blanks between them.  Empty lines, and those
 * that begin with '#', are passed over.  Whoever reads must understand all others: a line that
 * nobody understands is an error with its number.
 */
#ifndef PGT_REPORT_FIELDS_H
#define PGT_REPORT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_fields {
	const char *path;	/* for messages */
	size_t line;		/* of the line that was read last, from 1 */
	char *keyword;		/* its first word */
	char *rest;		/* what follows that, without blanks around it; "" for nothing */
	char *copy, *next;
};

/* Text and path must outlive the fields.  Returns 0 or -ENOMEM. */
int pgt_fields_open(struct pgt_fields *fields, const char *text, const char *path,
		    struct pgt_diag *diag);

/* Go to the next line that says something; false at the end. */
bool pgt_fields_next(struct pgt_fields *fields);

/*
 * Cut the rest at its blanks into exactly n words.  Returns false where it has fewer or more;
 * the rest is then no longer to be used.
 */
bool pgt_fields_split(struct pgt_fields *fields, char **words, size_t n);

/* Describe what is wrong with the line, and return -EINVAL. */
int pgt_fields_fail(const struct pgt_fields *fields, struct pgt_diag *diag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void pgt_fields_release(struct pgt_fields *fields);

/* A whole number from 0 to max, and nothing else; true where word is one. */
bool pgt_field_count(const char *word, int64_t max, int64_t *out);

#endif /* PGT_REPORT_FIELDS_H */
