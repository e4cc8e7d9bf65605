/* SPDX-License-Identifier: GPL-2.0-only */
/* The report as Markdown with tables, for a pull request. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "recording/recording.h"
#include "report/renderers.h"
#include "report/sentences.h"
#include "report/words.h"

struct sheet {
	const struct pgt_report *report;
	FILE *out;
	uint32_t notes;		/* of all rows shown so far, for the legend */
	uint32_t verdicts;	/* 1 << enum pgt_verdict, likewise */
	uint32_t views;		/* 1 << enum pgt_view, likewise */
	int err;		/* the first failure: -ENOMEM */
};

static void check(struct sheet *sheet, int err)
{
	if (err && !sheet->err)
		sheet->err = err;
}

/* Text of a recording: nothing in it is markup. */
static void put_plain(struct sheet *sheet, const char *text)
{
	struct pgt_buf ascii = PGT_BUF_INIT;

	check(sheet, pgt_format_ascii(&ascii, text));
	for (const char *c = ascii.at; c && *c; c++) {
		if (strchr("\\`*_{}[]<>#|&~!", *c))
			fputc('\\', sheet->out);
		fputc(*c, sheet->out);
	}
	pgt_buf_release(&ascii);
}

/* A name in code style, in which only the backtick ends it and the bar ends a cell. */
static void put_code(struct sheet *sheet, const char *text)
{
	struct pgt_buf ascii = PGT_BUF_INIT;

	check(sheet, pgt_format_ascii(&ascii, text));
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
static void put_built(struct sheet *sheet, struct pgt_buf *text, int err)
{
	check(sheet, err);
	for (const char *c = text->at; c && *c; c++) {
		if (strchr("\\`*_<>|[]", *c))
			fputc('\\', sheet->out);
		fputc(*c, sheet->out);
	}
	pgt_buf_release(text);
}

/* ---- what is compared ---- */

static void put_texts(struct sheet *sheet, const char *label, const char *base,
		      const char *test)
{
	fprintf(sheet->out, "| %s | ", label);
	put_plain(sheet, base ? base : "not known");
	fputs(" | ", sheet->out);
	put_plain(sheet, test ? test : "not known");
	fputs(" |\n", sheet->out);
}

static void put_numbers(struct sheet *sheet, const char *label, int64_t base, int64_t test,
			int (*format)(struct pgt_buf *out, int64_t number))
{
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	fprintf(sheet->out, "| %s | ", label);
	put_built(sheet, &left, format(&left, base));
	fputs(" | ", sheet->out);
	put_built(sheet, &right, format(&right, test));
	fputs(" |\n", sheet->out);
}

static void put_head(struct sheet *sheet)
{
	const struct pgt_report_side *base = &sheet->report->base, *test = &sheet->report->test;
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	fputs("## Barriers and TLB invalidations: ", sheet->out);
	put_plain(sheet, base->host->kernel_release);
	fputs(" (base) and ", sheet->out);
	put_plain(sheet, test->host->kernel_release);
	fputs(" (test), ", sheet->out);
	put_plain(sheet, base->host->arch);
	fputs("\n\n| | base | test |\n| --- | --- | --- |\n", sheet->out);
	put_texts(sheet, "kernel", base->host->kernel_release, test->host->kernel_release);
	put_texts(sheet, "build id", base->host->build_id, test->host->build_id);
	put_texts(sheet, "cpu", base->host->cpu, test->host->cpu);
	put_numbers(sheet, "cpus", base->host->n_cpus, test->host->n_cpus, pgt_format_count);
	put_numbers(sheet, "page size", base->host->page_size, test->host->page_size,
		    pgt_format_count);
	put_numbers(sheet, "memory", base->host->memory_bytes, test->host->memory_bytes,
		    pgt_format_memory);
	put_texts(sheet, "accelerator", base->host->accelerator, test->host->accelerator);
	put_numbers(sheet, "boots", (int64_t)base->n_boots, (int64_t)test->n_boots,
		    pgt_format_count);
	fputs("| recorded | ", sheet->out);
	put_built(sheet, &left, pgt_sentence_recorded(&left, base));
	fputs(" | ", sheet->out);
	put_built(sheet, &right, pgt_sentence_recorded(&right, test));
	fputs(" |\n", sheet->out);
	put_texts(sheet, "recorded by", base->tool, test->tool);
	fprintf(sheet->out, "\nalpha %g\n", sheet->report->comparison->alpha);
}

static void put_warning(struct sheet *sheet, const char *about, const char *warning)
{
	fprintf(sheet->out, "\n> **warning**: %s", about);
	put_plain(sheet, warning);
	fputc('\n', sheet->out);
}

static void put_warnings(struct sheet *sheet)
{
	const struct pgt_comparison *comparison = sheet->report->comparison;
	const struct pgt_report_control *control = sheet->report->control;

	if (comparison->same_kernel)
		put_warning(sheet, "", pgt_sentence_same_kernel);
	for (size_t i = 0; i < comparison->n_warnings; i++)
		put_warning(sheet, "", comparison->warnings[i]);
	for (size_t i = 0; control && i < control->comparison->n_warnings; i++)
		put_warning(sheet, "A/A, where test is base again: ",
			    control->comparison->warnings[i]);
}

/* ---- rows ---- */

static bool is_counted(const struct pgt_report_row *row)
{
	return !(row->row->notes & PGT_NOTE_NOT_COUNTED);
}

static void put_row_head(struct sheet *sheet)
{
	fputs("\n| metric | base | test | change | verdict | notes |\n"
	      "| --- | ---: | ---: | ---: | --- | --- |\n", sheet->out);
}

static void put_row(struct sheet *sheet, const struct pgt_report_row *row, bool lone)
{
	struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT, change = PGT_BUF_INIT;
	struct pgt_buf marks = PGT_BUF_INIT;
	const char *unit = row->row->properties.unit;
	bool below = row->row->properties.of_kind && !lone;

	fputs(below ? "| &nbsp;&nbsp;" : "| ", sheet->out);
	if (lone) {
		put_plain(sheet, row->row->workload);
		fputs(": ", sheet->out);
	}
	put_code(sheet, below ? strrchr(row->row->metric, '.') : row->row->metric);
	fputs(" | ", sheet->out);
	put_built(sheet, &base, pgt_cell_value(&base, &row->row->base, unit, row->base_reason));
	fputs(" | ", sheet->out);
	put_built(sheet, &test, pgt_cell_value(&test, &row->row->test, unit, row->test_reason));
	fputs(" | ", sheet->out);
	put_built(sheet, &change, pgt_cell_change(&change, row->row));
	fprintf(sheet->out, " | %s | ", pgt_verdict_words[row->row->verdict].word);
	put_built(sheet, &marks, pgt_format_marks(&marks, row->row->notes));
	fputs(" |\n", sheet->out);
	sheet->notes |= row->row->notes;
	sheet->verdicts |= 1U << row->row->verdict;
	sheet->views |= 1U << row->row->properties.view;
}

static void put_spread(struct sheet *sheet, const struct pgt_report_row *row)
{
	struct pgt_buf spread = PGT_BUF_INIT;
	int err = pgt_sentence_spread(&spread, row->row);

	if (!spread.len) {
		check(sheet, err);
		pgt_buf_release(&spread);
		return;
	}
	fputs("- ", sheet->out);
	put_code(sheet, row->row->metric);
	fputs(": ", sheet->out);
	put_built(sheet, &spread, err);
	fputc('\n', sheet->out);
}

static void put_histogram(struct sheet *sheet, const struct pgt_report_row *rows, size_t n)
{
	struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT;
	const struct pgt_row *row = rows->row;

	if (pgt_histogram_is_empty(rows, n))
		return;
	fprintf(sheet->out, "- calls of `%.*s` by pages a call: base ",
		(int)row->properties.scope_len, row->metric);
	put_built(sheet, &base, pgt_sentence_histogram(&base, rows, n, true));
	fputs("; test ", sheet->out);
	put_built(sheet, &test, pgt_sentence_histogram(&test, rows, n, false));
	fputc('\n', sheet->out);
}

static bool is_histogram(const struct pgt_report_row *row)
{
	return row->row->properties.view == PGT_VIEW_PAGES_PER_CALL;
}

static void put_histograms(struct sheet *sheet, const struct pgt_report_row *rows, size_t n)
{
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n && is_histogram(&rows[i]); same++)
			if (!is_histogram(&rows[i + same]) ||
			    !pgt_report_same_scope(&rows[i], &rows[i + same]))
				break;
		if (is_histogram(&rows[i]))
			put_histogram(sheet, &rows[i], same);
	}
}

static void put_not_counted(struct sheet *sheet, const struct pgt_report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct pgt_buf text = PGT_BUF_INIT;
		size_t same = 0, before = 0;

		if (!rows[i].shown || is_counted(&rows[i]))
			continue;
		for (size_t j = 0; j < n; j++) {
			bool alike = rows[j].shown && !is_counted(&rows[j]) &&
				     pgt_report_same_scope(&rows[i], &rows[j]) &&
				     rows[j].base_reason == rows[i].base_reason &&
				     rows[j].test_reason == rows[i].test_reason;

			same += alike;
			before += alike && j < i;
		}
		if (before)
			continue;
		fputs("- ", sheet->out);
		put_built(sheet, &text, pgt_sentence_not_counted(&text, &rows[i], same));
		fputc('\n', sheet->out);
	}
}

static void put_workload(struct sheet *sheet, const struct pgt_report_workload *workload)
{
	struct pgt_buf work = PGT_BUF_INIT, zero = PGT_BUF_INIT;

	fputs("\n### ", sheet->out);
	put_plain(sheet, workload->work->workload);
	fputs("\n\n", sheet->out);
	put_built(sheet, &work, pgt_sentence_work(&work, workload->work));
	fputc('\n', sheet->out);
	put_row_head(sheet);
	for (size_t i = 0; i < workload->n_rows; i++)
		if (workload->rows[i].shown && is_counted(&workload->rows[i]))
			put_row(sheet, &workload->rows[i], false);
	fputc('\n', sheet->out);
	for (size_t i = 0; i < workload->n_rows; i++)
		if (workload->rows[i].shown)
			put_spread(sheet, &workload->rows[i]);
	put_histograms(sheet, workload->rows, workload->n_rows);
	put_not_counted(sheet, workload->rows, workload->n_rows);
	if (workload->n_zero || workload->n_zero_bound) {
		fputs("- ", sheet->out);
		put_built(sheet, &zero, pgt_sentence_zero(&zero, workload));
		fputc('\n', sheet->out);
	}
}

/* ---- how it was seen, and what was not ---- */

static void put_functions(struct sheet *sheet)
{
	const struct pgt_report *report = sheet->report;

	fputs("\n### Probes, their functions, and how each was attached\n\n"
	      "| probe | function | base | test |\n| --- | --- | --- | --- |\n", sheet->out);
	for (size_t i = 0; i < report->n_functions; i++) {
		const struct pgt_report_function *function = &report->functions[i];
		struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT;

		fputs("| ", sheet->out);
		put_code(sheet, function->probe);
		fputs(" | ", sheet->out);
		put_code(sheet, function->function);
		fputs(" | ", sheet->out);
		put_built(sheet, &base, pgt_cell_mechanism(&base, function->base_mechanism,
							   function->base_reason));
		fputs(" | ", sheet->out);
		put_built(sheet, &test, pgt_cell_mechanism(&test, function->test_mechanism,
							   function->test_reason));
		fputs(" |\n", sheet->out);
	}
}

static void put_unreached(struct sheet *sheet, const char *name,
			  const struct pgt_unreached_sum *sum)
{
	struct pgt_buf text = PGT_BUF_INIT;

	fprintf(sheet->out, "\n%s: ", name);
	put_built(sheet, &text, pgt_sentence_unreached(&text, sum));
	fputc('\n', sheet->out);
	if (sum->n_top)
		fputs("\n| function | DSB | ISB | TLBI | why |\n| --- | ---: | ---: | ---: | --- |\n",
		      sheet->out);
	for (size_t i = 0; i < sum->n_top; i++) {
		const int64_t counts[] = { sum->top[i]->dsb, sum->top[i]->isb, sum->top[i]->tlbi };

		fputs("| ", sheet->out);
		put_code(sheet, sum->top[i]->function);
		for (size_t j = 0; j < sizeof(counts) / sizeof(counts[0]); j++) {
			struct pgt_buf count = PGT_BUF_INIT;

			fputs(" | ", sheet->out);
			put_built(sheet, &count, pgt_format_count(&count, counts[j]));
		}
		fprintf(sheet->out, " | \\[%zu\\] |\n", sum->top_reason[i]);
	}
}

static void put_truth(struct sheet *sheet)
{
	struct pgt_buf truth = PGT_BUF_INIT;

	if (!pgt_report_has_truth(sheet->report))
		return;
	fputs("\n\n**Ground truth**: ", sheet->out);
	put_built(sheet, &truth, pgt_sentence_truth(&truth, sheet->report));
}

static void put_loss_and_control(struct sheet *sheet)
{
	const struct pgt_report_control *control = sheet->report->control;
	struct pgt_buf loss = PGT_BUF_INIT, found = PGT_BUF_INIT;

	fputs("\n**Loss**: ", sheet->out);
	put_built(sheet, &loss, pgt_sentence_loss(&loss, sheet->report));
	put_truth(sheet);
	fputs("\n\n**A/A**: ", sheet->out);
	put_built(sheet, &found, pgt_sentence_control(&found, sheet->report));
	fputc('\n', sheet->out);
	if (!control || !control->n_differ)
		return;
	put_row_head(sheet);
	for (size_t i = 0; i < control->n_differ; i++)
		put_row(sheet, &control->differ[i], true);
	fputc('\n', sheet->out);
	for (size_t i = 0; i < control->n_differ; i++)
		put_spread(sheet, &control->differ[i]);
}

static void put_legend(struct sheet *sheet)
{
	fputs("\n<details><summary>Legend</summary>\n\n"
	      "- `calls`, `pages`: outermost calls of the probe, and the base pages that their "
	      "arguments name; `full`: calls for the whole address space; `unsized`: calls that "
	      "name no range\n"
	      "- `insn`: executed within the probe, callees included; `self`: by the probe's own "
	      "functions; `outside`: in a task with no probe active; `interrupt`: in interrupt "
	      "context\n"
	      "- base, test: one value a boot (the median of its runs), and of these the median; "
	      "a..b is the whole range\n", sheet->out);
	if (sheet->views & 1U << PGT_VIEW_TABLES)
		fprintf(sheet->out, "- %s\n", pgt_sentence_tables);
	for (size_t i = 0; i <= PGT_ONE_SIDE_ONLY; i++)
		if (sheet->verdicts & 1U << i)
			fprintf(sheet->out, "- %s: %s\n", pgt_verdict_words[i].word,
				pgt_verdict_words[i].meaning);
	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (sheet->notes & pgt_note_words[i].note)
			fprintf(sheet->out, "- `%c` %s\n", pgt_note_words[i].mark,
				pgt_note_words[i].meaning);
	for (size_t i = 0; i < sheet->report->n_reasons; i++) {
		fprintf(sheet->out, "- \\[%zu\\] ", i + 1);
		put_plain(sheet, sheet->report->reasons[i]);
		fputc('\n', sheet->out);
	}
	fputs("\n</details>\n", sheet->out);
}

static int render(const struct pgt_report *report, FILE *out)
{
	struct sheet sheet = { .report = report, .out = out };

	put_head(&sheet);
	put_warnings(&sheet);
	for (size_t i = 0; i < report->n_workloads; i++)
		put_workload(&sheet, &report->workloads[i]);
	put_functions(&sheet);
	fputs("\n### What no count here can see: sites that no mechanism reaches\n", out);
	put_unreached(&sheet, "base", &report->base.unreached);
	put_unreached(&sheet, "test", &report->test.unreached);
	put_loss_and_control(&sheet);
	put_legend(&sheet);
	return sheet.err;
}

const struct pgt_renderer pgt_renderer_markdown = { "markdown", ".md", render };
