/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page.h - lines of at most 100 columns, for text.c and text_rows.c.
 */
#ifndef PGT_REPORT_PAGE_H
#define PGT_REPORT_PAGE_H

#include "base/buf.h"
#include "report/report.h"
#include "report/words.h"

#define PGT_PAGE_COLUMNS	100

struct pgt_page {
	const struct pgt_report *report;
	FILE *out;
	struct pgt_shown shown;	/* by all rows so far */
	int err;		/* the first failure: -ENOMEM */
};

/* Keep the first failure. */
void pgt_page_check(struct pgt_page *page, int err);

/*
 * Write words from text, the first line after `indent` spaces and the next ones after `hang`.
 * A word that does not fit into a line is cut.
 */
void pgt_page_wrap(struct pgt_page *page, size_t indent, size_t hang, const char *text);

/* The same from a buffer, which is released; "" where it is empty. */
void pgt_page_wrap_buf(struct pgt_page *page, size_t indent, size_t hang, struct pgt_buf *text);

/* One line without its trailing spaces; wrapped where it is too long. */
void pgt_page_line(struct pgt_page *page, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The boot-time table; nothing where there is none. */
void pgt_page_boot(struct pgt_page *page);

/* The table of one workload. */
void pgt_page_workload(struct pgt_page *page, const struct pgt_report_workload *workload);

/* A row that stands alone, with its workload and whole name above it. */
void pgt_page_lone_row(struct pgt_page *page, const struct pgt_report_row *row);

#endif /* PGT_REPORT_PAGE_H */
