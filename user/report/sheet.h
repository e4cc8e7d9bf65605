/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.h - Markdown: text in which nothing is markup, and rows of tables.
 */
#ifndef PGT_REPORT_SHEET_H
#define PGT_REPORT_SHEET_H

#include "base/buf.h"
#include "report/report.h"
#include "report/words.h"

struct pgt_sheet {
	const struct pgt_report *report;
	FILE *out;
	struct pgt_shown shown;	/* by all rows so far */
	int err;		/* the first failure: -ENOMEM */
};

/* Keep the first failure. */
void pgt_sheet_check(struct pgt_sheet *sheet, int err);

/* Text of a recording: nothing in it is markup. */
void pgt_sheet_plain(struct pgt_sheet *sheet, const char *text);

/* A name in code style. */
void pgt_sheet_code(struct pgt_sheet *sheet, const char *text);

/* A cell or a sentence of sentences.h, which is released, and what building it returned. */
void pgt_sheet_built(struct pgt_sheet *sheet, struct pgt_buf *text, int err);

/* The head of a table of rows, a row of it, and the line about a row that stands below it. */
void pgt_sheet_row_head(struct pgt_sheet *sheet);
void pgt_sheet_row(struct pgt_sheet *sheet, const struct pgt_report_row *row, bool lone);
void pgt_sheet_spread(struct pgt_sheet *sheet, const struct pgt_report_row *row);

/* The boot-time table; nothing where there is none. */
void pgt_sheet_boot(struct pgt_sheet *sheet);

#endif /* PGT_REPORT_SHEET_H */
