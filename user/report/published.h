/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * published.h - figures that others have published for the steps of a topic, on other machines.
 *
 *	unit ms
 *	source authors, subject, where
 *	columns VM 16G|VM 64G
 *	step unbatched 168 2198
 *	step batched 11 -
 *
 * unit, source and columns come first, once each.  Values are decimal numbers with up to two
 * places, "-" where nothing was published.
 */
#ifndef PGT_REPORT_PUBLISHED_H
#define PGT_REPORT_PUBLISHED_H

#include <stddef.h>

#define PGT_PUBLISHED_MAX_COLUMNS	8
#define PGT_PUBLISHED_NAME_MAX		24	/* characters of a column's name */

struct pgt_diag;

struct pgt_published_row {
	char *step;
	double value[PGT_PUBLISHED_MAX_COLUMNS];	/* NAN: none */
	double ratio[PGT_PUBLISHED_MAX_COLUMNS];	/* to the first row; NAN: none */
};

struct pgt_published {
	char *unit, *source;
	char *columns[PGT_PUBLISHED_MAX_COLUMNS];
	size_t n_columns;
	struct pgt_published_row *rows;	/* at least one */
	size_t n_rows;
};

/* Returns 0, or -EINVAL with the line at fault, or -ENOMEM.  path is for messages. */
int pgt_published_parse(struct pgt_published *out, const char *text, const char *path,
			struct pgt_diag *diag);
void pgt_published_release(struct pgt_published *published);	/* accepts a zeroed one */

#endif /* PGT_REPORT_PUBLISHED_H */
