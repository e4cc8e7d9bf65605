/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parameter.h - the parameters of a workload: "key=value,key=value".
 */
#ifndef PGT_LAB_PARAMETER_H
#define PGT_LAB_PARAMETER_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

enum pgt_parameter_kind {
	PGT_PARAMETER_COUNT,	/* a whole number */
	PGT_PARAMETER_SIZE,	/* bytes, with a binary K, M or G */
	PGT_PARAMETER_TEXT,	/* anything without a comma */
};

struct pgt_parameter {
	const char *name;
	enum pgt_parameter_kind kind;
	uint64_t min, max;	/* inclusive; not for text */
	uint64_t *number;	/* where a count or a size goes; holds the default */
	char **text;		/* where a text goes, malloc()ed; the old one is freed */
};

/*
 * Read text (NULL or "" changes nothing) into the values that the table points to.
 * Values read before the one at fault stay changed.  Returns 0, -ENOMEM, or -EINVAL with
 * the workload, the parameter and what would be accepted in diag.
 */
int pgt_parameters_parse(const char *workload, const char *text,
			 const struct pgt_parameter *table, size_t n, struct pgt_diag *diag);

/* One size or count with nothing behind it.  Returns 0, -EINVAL or -ERANGE. */
int pgt_parameter_number(const char *text, enum pgt_parameter_kind kind, uint64_t *out);

#endif /* PGT_LAB_PARAMETER_H */
