/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "recording/recording.h"
#include "report/page.h"
#include "report/sentences.h"
#include "report/words.h"

#define LABEL	22		/* columns of a row; values and change are aligned right */
#define VALUE	14
#define CHANGE	20

/* What a row is called below its probe; a kind stands below its instruction. */
static const char *label_of(const struct pgt_report_row *row, int *indent)
{
	const char *detail = row->row->metric + row->row->properties.scope_len + 1;

	*indent = row->row->properties.of_kind ? 6 : 4;
	return row->row->properties.of_kind ? strrchr(detail, '.') : detail;
}

static void put_cells(struct pgt_page *page, const struct pgt_report_row *row,
		      const char *label, int indent)
{
	struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT, change = PGT_BUF_INIT;
	struct pgt_buf marks = PGT_BUF_INIT;
	const char *unit = row->row->properties.unit;
	int width = LABEL - indent;

	pgt_page_check(page, pgt_cell_value(&base, &row->row->base, unit, row->base_reason));
	pgt_page_check(page, pgt_cell_value(&test, &row->row->test, unit, row->test_reason));
	pgt_page_check(page, pgt_cell_change(&change, row->row));
	pgt_page_check(page, pgt_buf_add(&marks, "", 0));
	pgt_page_check(page, pgt_format_marks(&marks, row->row->notes));
	if ((int)strlen(label) > width) {
		pgt_page_line(page, "%*s%s", indent, "", label);
		label = "";
	}
	if (!page->err)
		pgt_page_line(page, "%*s%-*s %*s %*s %*s  %-22s %s", indent, "", width, label,
			      VALUE - 1, base.at, VALUE - 1, test.at, CHANGE - 1, change.at,
			      pgt_verdict_words[row->row->verdict].word, marks.at);
	page->shown.notes |= row->row->notes;
	page->shown.verdicts |= 1U << row->row->verdict;
	page->shown.views |= 1U << row->row->properties.view;
	pgt_buf_release(&base);
	pgt_buf_release(&test);
	pgt_buf_release(&change);
	pgt_buf_release(&marks);
}

static void put_spread(struct pgt_page *page, const struct pgt_report_row *row, size_t indent)
{
	struct pgt_buf spread = PGT_BUF_INIT;

	pgt_page_check(page, pgt_sentence_spread(&spread, row->row));
	if (spread.len)
		pgt_page_wrap(page, indent, indent + 2, spread.at);
	pgt_buf_release(&spread);
}

static void put_row(struct pgt_page *page, const struct pgt_report_row *row)
{
	int indent;
	const char *label = label_of(row, &indent);

	put_cells(page, row, label, indent);
	put_spread(page, row, (size_t)indent + 2);
}

void pgt_page_lone_row(struct pgt_page *page, const struct pgt_report_row *row)
{
	struct pgt_buf name = PGT_BUF_INIT;

	pgt_page_check(page, pgt_format_ascii(&name, row->row->workload));
	pgt_page_check(page, pgt_buf_addf(&name, ": %s", row->row->metric));
	pgt_page_wrap_buf(page, 2, 4, &name);
	put_cells(page, row, "", 4);
	put_spread(page, row, 6);
}

/* Rows without any value: how many, and why, rather than each. */
static void put_not_counted(struct pgt_page *page, const struct pgt_report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t alike = pgt_report_not_counted(rows, n, i);
		struct pgt_buf text = PGT_BUF_INIT;

		if (!alike)
			continue;
		pgt_page_check(page, pgt_sentence_not_counted(&text, &rows[i], alike));
		pgt_page_wrap_buf(page, 4, 6, &text);
	}
}

static void put_bins(struct pgt_page *page, const struct pgt_report_row *rows, size_t n,
		     bool is_base)
{
	struct pgt_buf bins = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&bins, is_base ? "base  " : "test  "));
	pgt_page_check(page, pgt_sentence_histogram(&bins, rows, n, is_base));
	pgt_page_wrap_buf(page, 6, 12, &bins);
}

static void put_histogram(struct pgt_page *page, const struct pgt_report_row *rows, size_t n)
{
	size_t first = 0, n_bins = 0;

	while (first < n && rows[first].row->properties.view != PGT_VIEW_PAGES_PER_CALL)
		first++;
	while (first + n_bins < n &&
	       rows[first + n_bins].row->properties.view == PGT_VIEW_PAGES_PER_CALL)
		n_bins++;
	if (!n_bins || pgt_histogram_is_empty(rows + first, n_bins))
		return;
	pgt_page_line(page, "    calls by pages a call");
	put_bins(page, rows + first, n_bins, true);
	put_bins(page, rows + first, n_bins, false);
}

/* The rows of one probe, under its name; nothing where none is to be shown. */
static void put_scope(struct pgt_page *page, const struct pgt_report_row *rows, size_t n)
{
	size_t n_shown = 0;

	for (size_t i = 0; i < n; i++)
		n_shown += rows[i].shown;
	if (!n_shown)
		return;
	pgt_page_line(page, "  %.*s", (int)rows->row->properties.scope_len, rows->row->metric);
	for (size_t i = 0; i < n; i++)
		if (rows[i].shown && pgt_report_is_counted(&rows[i]))
			put_row(page, &rows[i]);
	put_histogram(page, rows, n);
	put_not_counted(page, rows, n);
}

static void put_heading(struct pgt_page *page, const struct pgt_report_workload *workload)
{
	struct pgt_buf name = PGT_BUF_INIT, work = PGT_BUF_INIT;

	pgt_page_check(page, pgt_format_ascii(&name, workload->work->workload));
	pgt_page_check(page, pgt_sentence_work(&work, workload->work));
	fputc('\n', page->out);
	if (work.len)
		pgt_page_check(page, pgt_buf_addf(&name, ": %s", work.at));
	pgt_page_wrap_buf(page, 0, 2, &name);
	pgt_buf_release(&work);
	pgt_page_line(page, "%*s%*s%*s%*s  verdict", LABEL, "", VALUE, "base", VALUE, "test",
		      CHANGE, "change");
}

void pgt_page_workload(struct pgt_page *page, const struct pgt_report_workload *workload)
{
	struct pgt_buf zero = PGT_BUF_INIT;

	put_heading(page, workload);
	for (size_t i = 0, same; i < workload->n_rows; i += same) {
		for (same = 1; i + same < workload->n_rows; same++)
			if (!pgt_report_same_scope(&workload->rows[i], &workload->rows[i + same]))
				break;
		put_scope(page, &workload->rows[i], same);
	}
	pgt_page_check(page, pgt_sentence_zero(&zero, workload));
	if (zero.len)
		pgt_page_wrap(page, 2, 4, zero.at);
	pgt_buf_release(&zero);
}
