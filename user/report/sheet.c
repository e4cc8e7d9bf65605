/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/sheet.h"

#include <string.h>

#include "report/sentences.h"
#include "report/words.h"

void pgt_sheet_check(struct pgt_sheet *sheet, int err)
{
	if (err && !sheet->err)
		sheet->err = err;
}

/* Text of a recording: nothing in it is markup. */
void pgt_sheet_plain(struct pgt_sheet *sheet, const char *text)
{
	struct pgt_buf ascii = PGT_BUF_INIT;

	pgt_sheet_check(sheet, pgt_format_ascii(&ascii, text));
	for (const char *c = ascii.at; c && *c; c++) {
		if (strchr("\\`*_{}[]<>#|&~!", *c))
			fputc('\\', sheet->out);
		fputc(*c, sheet->out);
	}
	pgt_buf_release(&ascii);
}

/* A name in code style, in which only the backtick ends it and the bar ends a cell. */
void pgt_sheet_code(struct pgt_sheet *sheet, const char *text)
{
	struct pgt_buf ascii = PGT_BUF_INIT;

	pgt_sheet_check(sheet, pgt_format_ascii(&ascii, text));
	fputc('`', sheet->out);
	for (const char *c = ascii.at; c && *c; c++) {
		if (*c == '|')
			fputc('\\', sheet->out);
		fputc(*c == '`' ? '\'' : *c, sheet->out);
	}
	fputc('`', sheet->out);
	pgt_buf_release(&ascii);
}

/* A cell or a sentence of sentences.h, which is released: "[1]" is the only markup in it. */
void pgt_sheet_built(struct pgt_sheet *sheet, struct pgt_buf *text, int err)
{
	pgt_sheet_check(sheet, err);
	for (const char *c = text->at; c && *c; c++) {
		if (strchr("\\`*_<>|[]", *c))
			fputc('\\', sheet->out);
		fputc(*c, sheet->out);
	}
	pgt_buf_release(text);
}

void pgt_sheet_row_head(struct pgt_sheet *sheet)
{
	fputs("\n| metric | base | test | change | verdict | notes |\n"
	      "| --- | ---: | ---: | ---: | --- | --- |\n", sheet->out);
}

void pgt_sheet_row(struct pgt_sheet *sheet, const struct pgt_report_row *row, bool lone)
{
	struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT, change = PGT_BUF_INIT;
	struct pgt_buf marks = PGT_BUF_INIT;
	const char *unit = row->row->properties.unit;
	bool below = row->row->properties.of_kind && !lone;

	fputs(below ? "| &nbsp;&nbsp;" : "| ", sheet->out);
	if (lone) {
		pgt_sheet_plain(sheet, row->row->workload);
		fputs(": ", sheet->out);
	}
	pgt_sheet_code(sheet, below ? strrchr(row->row->metric, '.') : row->row->metric);
	fputs(" | ", sheet->out);
	pgt_sheet_built(sheet, &base, pgt_cell_value(&base, &row->row->base, unit, row->base_reason));
	fputs(" | ", sheet->out);
	pgt_sheet_built(sheet, &test, pgt_cell_value(&test, &row->row->test, unit, row->test_reason));
	fputs(" | ", sheet->out);
	pgt_sheet_built(sheet, &change, pgt_cell_change(&change, row->row));
	fprintf(sheet->out, " | %s | ", pgt_verdict_words[row->row->verdict].word);
	pgt_sheet_built(sheet, &marks, pgt_format_marks(&marks, row->row->notes));
	fputs(" |\n", sheet->out);
	sheet->shown.notes |= row->row->notes;
	sheet->shown.verdicts |= 1U << row->row->verdict;
	sheet->shown.views |= 1U << row->row->properties.view;
}

void pgt_sheet_spread(struct pgt_sheet *sheet, const struct pgt_report_row *row)
{
	struct pgt_buf spread = PGT_BUF_INIT;
	int err = pgt_sentence_spread(&spread, row->row);

	if (!spread.len) {
		pgt_sheet_check(sheet, err);
		pgt_buf_release(&spread);
		return;
	}
	fputs("- ", sheet->out);
	pgt_sheet_code(sheet, row->row->metric);
	fputs(": ", sheet->out);
	pgt_sheet_built(sheet, &spread, err);
	fputc('\n', sheet->out);
}
