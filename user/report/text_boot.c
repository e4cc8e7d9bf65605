/* SPDX-License-Identifier: GPL-2.0-only */
/* The boot-time table as text. */
#include <math.h>

#include "report/boot_table.h"
#include "report/page.h"
#include "report/sentences.h"
#include "report/words.h"

#define LABEL		21
#define VALUE		13	/* columns of a number; two of them for each size of memory */
#define AT_A_TIME	3	/* sizes of memory beside each other */

/* One cell after the other into one line. */
static void put_numbers(struct pgt_page *page, const struct pgt_boot_line *line, size_t first,
			size_t n)
{
	struct pgt_buf text = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&text, "%s%s", line->part == PGT_BOOT_KIND ? "    " :
					  "  ", line->name));
	while (text.len < LABEL && !page->err)
		pgt_page_check(page, pgt_buf_add(&text, " ", 1));
	for (size_t i = first; i < first + n; i++)
		for (int is_test = 0; is_test < 2; is_test++) {
			struct pgt_buf cell = PGT_BUF_INIT;

			pgt_page_check(page, pgt_cell_boot(&cell, &line->cells[i], is_test));
			if (!page->err)
				pgt_page_check(page, pgt_buf_addf(&text, "%*s", VALUE, cell.at));
			pgt_buf_release(&cell);
		}
	if (!page->err)
		pgt_page_line(page, "%s", text.at);
	pgt_buf_release(&text);
}

static void put_changes(struct pgt_page *page, const struct pgt_boot_line *line, size_t first,
			size_t n)
{
	struct pgt_buf text = PGT_BUF_INIT;
	bool any = false;

	pgt_page_check(page, pgt_buf_addf(&text, "%*s", LABEL, ""));
	for (size_t i = first; i < first + n; i++) {
		struct pgt_buf change = PGT_BUF_INIT;

		if (!isnan(line->cells[i].ratio))
			pgt_page_check(page, pgt_format_change(&change, line->cells[i].ratio));
		any |= change.len;
		pgt_page_check(page, pgt_buf_addf(&text, "%*s", 2 * VALUE,
						  change.at ? change.at : ""));
		pgt_buf_release(&change);
	}
	if (!page->err && any)
		pgt_page_line(page, "%s", text.at);
	pgt_buf_release(&text);
}

static void put_heads(struct pgt_page *page, const struct pgt_boot_table *table, size_t first,
		      size_t n)
{
	struct pgt_buf sizes = PGT_BUF_INIT, sides = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&sizes, "%*s", LABEL, ""));
	pgt_page_check(page, pgt_buf_addf(&sides, "%*s", LABEL, ""));
	for (size_t i = first; i < first + n; i++) {
		struct pgt_buf size = PGT_BUF_INIT;

		pgt_page_check(page, pgt_format_size(&size, table->columns[i].memory));
		pgt_page_check(page, pgt_buf_addf(&sizes, "%*s", 2 * VALUE,
						  size.at ? size.at : ""));
		pgt_page_check(page, pgt_buf_addf(&sides, "%*s%*s", VALUE, "base", VALUE, "test"));
		pgt_buf_release(&size);
	}
	if (!page->err) {
		pgt_page_line(page, "%s", sizes.at);
		pgt_page_line(page, "%s", sides.at);
	}
	pgt_buf_release(&sizes);
	pgt_buf_release(&sides);
}

/* A heading where the lines go over to quotients. */
static void put_part(struct pgt_page *page, const struct pgt_boot_table *table, size_t i)
{
	enum pgt_boot_part part = table->lines[i].part;
	struct pgt_buf text = PGT_BUF_INIT;

	if (part < PGT_BOOT_PER_PAGE || (i && table->lines[i - 1].part == part))
		return;
	pgt_page_check(page, pgt_sentence_boot_part(&text, table, part));
	pgt_page_wrap_buf(page, 2, 4, &text);
}

static void put_block(struct pgt_page *page, const struct pgt_boot_table *table, size_t first)
{
	size_t n = table->n_columns - first < AT_A_TIME ? table->n_columns - first : AT_A_TIME;

	put_heads(page, table, first, n);
	for (size_t i = 0; i < table->n_lines; i++) {
		put_part(page, table, i);
		put_numbers(page, &table->lines[i], first, n);
		if (table->lines[i].part == PGT_BOOT_TOTAL)
			put_changes(page, &table->lines[i], first, n);
	}
}

void pgt_page_boot(struct pgt_page *page)
{
	const struct pgt_boot_table *table = page->report->boot;
	struct pgt_buf text = PGT_BUF_INIT;

	if (!table)
		return;
	pgt_page_line(page, "\nBooting: the linear map is made");
	pgt_page_check(page, pgt_sentence_boot(&text, table->exact));
	pgt_page_wrap_buf(page, 2, 2, &text);
	for (size_t first = 0; first < table->n_columns; first += AT_A_TIME)
		put_block(page, table, first);
	for (size_t i = 0; i < table->n_lines; i++)
		for (size_t j = 0; j < table->n_columns; j++)
			if (pgt_boot_cell_needs_words(&table->lines[i].cells[j]))
				pgt_page_lone_row(page, table->lines[i].cells[j].row);
}
