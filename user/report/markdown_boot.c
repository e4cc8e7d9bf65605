/* SPDX-License-Identifier: GPL-2.0-only */
/* The boot-time table as Markdown. */
#include <math.h>

#include "report/boot_table.h"
#include "report/sentences.h"
#include "report/sheet.h"
#include "report/words.h"

static void put_heads(struct pgt_sheet *sheet, const struct pgt_boot_table *table)
{
	fputs("\n| |", sheet->out);
	for (size_t i = 0; i < table->n_columns; i++) {
		struct pgt_buf size = PGT_BUF_INIT;

		pgt_sheet_check(sheet, pgt_format_size(&size, table->columns[i].memory));
		fprintf(sheet->out, " %s: base | test | change |", size.at ? size.at : "");
		pgt_buf_release(&size);
	}
	fputs("\n| --- |", sheet->out);
	for (size_t i = 0; i < table->n_columns; i++)
		fputs(" ---: | ---: | ---: |", sheet->out);
	fputc('\n', sheet->out);
}

static void put_name(struct pgt_sheet *sheet, const struct pgt_boot_line *line)
{
	static const char *const per[] = {
		[PGT_BOOT_TOTAL] = "", [PGT_BOOT_KIND] = "", [PGT_BOOT_PER_PAGE] = " a page",
		[PGT_BOOT_PER_TABLE] = " a table",
	};

	fputs(line->part == PGT_BOOT_KIND ? "| &nbsp;&nbsp;" : "| ", sheet->out);
	if (line->part == PGT_BOOT_KIND)
		pgt_sheet_code(sheet, line->name);
	else
		fputs(line->name, sheet->out);
	fprintf(sheet->out, "%s |", per[line->part]);
}

static void put_line(struct pgt_sheet *sheet, const struct pgt_boot_table *table,
		     const struct pgt_boot_line *line)
{
	put_name(sheet, line);
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct pgt_boot_cell *cell = &line->cells[i];
		struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT, change = PGT_BUF_INIT;

		fputc(' ', sheet->out);
		pgt_sheet_built(sheet, &base, pgt_cell_boot(&base, cell, false));
		fputs(" | ", sheet->out);
		pgt_sheet_built(sheet, &test, pgt_cell_boot(&test, cell, true));
		fputs(" | ", sheet->out);
		pgt_sheet_built(sheet, &change, isnan(cell->ratio) ? 0 :
				pgt_format_change(&change, cell->ratio));
		fputs(" |", sheet->out);
	}
	fputc('\n', sheet->out);
}

/* What the numbers alone do not say. */
static void put_words(struct pgt_sheet *sheet, const struct pgt_boot_table *table)
{
	bool any = false;

	for (size_t i = 0; i < table->n_lines; i++)
		for (size_t j = 0; j < table->n_columns; j++) {
			const struct pgt_boot_cell *cell = &table->lines[i].cells[j];

			if (!pgt_boot_cell_needs_words(cell))
				continue;
			if (!any)
				pgt_sheet_row_head(sheet);
			any = true;
			pgt_sheet_row(sheet, cell->row, true);
		}
}

void pgt_sheet_boot(struct pgt_sheet *sheet)
{
	const struct pgt_boot_table *table = sheet->report->boot;
	struct pgt_buf text = PGT_BUF_INIT, per = PGT_BUF_INIT;

	if (!table)
		return;
	fputs("\n### Booting: the linear map is made\n\n", sheet->out);
	pgt_sheet_built(sheet, &text, pgt_sentence_boot(&text, table->exact));
	fputc('\n', sheet->out);
	put_heads(sheet, table);
	for (size_t i = 0; i < table->n_lines; i++)
		put_line(sheet, table, &table->lines[i]);
	fputs("\nA table: ", sheet->out);
	pgt_sheet_built(sheet, &per, pgt_sentence_boot_part(&per, table, PGT_BOOT_PER_TABLE));
	fputc('\n', sheet->out);
	put_words(sheet, table);
}
