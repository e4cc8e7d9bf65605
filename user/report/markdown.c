/* SPDX-License-Identifier: GPL-2.0-only */
/* The report as Markdown with tables, for a pull request. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "recording/recording.h"
#include "report/renderers.h"
#include "report/sentences.h"
#include "report/sheet.h"
#include "report/words.h"

/* ---- what is compared ---- */

static void put_texts(struct pgt_sheet *sheet, const char *label, const char *base,
		      const char *test)
{
	fprintf(sheet->out, "| %s | ", label);
	pgt_sheet_plain(sheet, base ? base : "not known");
	fputs(" | ", sheet->out);
	pgt_sheet_plain(sheet, test ? test : "not known");
	fputs(" |\n", sheet->out);
}

static void put_numbers(struct pgt_sheet *sheet, const char *label, int64_t base, int64_t test,
			int (*format)(struct pgt_buf *out, int64_t number))
{
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	fprintf(sheet->out, "| %s | ", label);
	pgt_sheet_built(sheet, &left, format(&left, base));
	fputs(" | ", sheet->out);
	pgt_sheet_built(sheet, &right, format(&right, test));
	fputs(" |\n", sheet->out);
}

static void put_sentences(struct pgt_sheet *sheet, const char *label,
			  int (*say)(struct pgt_buf *out, const struct pgt_report_side *side))
{
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	fprintf(sheet->out, "| %s | ", label);
	pgt_sheet_built(sheet, &left, say(&left, &sheet->report->base));
	fputs(" | ", sheet->out);
	pgt_sheet_built(sheet, &right, say(&right, &sheet->report->test));
	fputs(" |\n", sheet->out);
}

static void put_head(struct pgt_sheet *sheet)
{
	const struct pgt_report_side *base = &sheet->report->base, *test = &sheet->report->test;

	fputs("## Barriers and TLB invalidations: ", sheet->out);
	pgt_sheet_plain(sheet, base->host->kernel_release);
	fputs(" (base) and ", sheet->out);
	pgt_sheet_plain(sheet, test->host->kernel_release);
	fputs(" (test), ", sheet->out);
	pgt_sheet_plain(sheet, base->host->arch);
	fputs("\n\n| | base | test |\n| --- | --- | --- |\n", sheet->out);
	put_texts(sheet, "kernel", base->host->kernel_release, test->host->kernel_release);
	put_texts(sheet, "build id", base->host->build_id, test->host->build_id);
	put_texts(sheet, "cpu", base->host->cpu, test->host->cpu);
	put_numbers(sheet, "cpus", base->host->n_cpus, test->host->n_cpus, pgt_format_count);
	put_numbers(sheet, "page size", base->host->page_size, test->host->page_size,
		    pgt_format_count);
	put_sentences(sheet, "memory", pgt_sentence_memory);
	put_texts(sheet, "accelerator", base->host->accelerator, test->host->accelerator);
	put_numbers(sheet, "boots", (int64_t)base->n_boots, (int64_t)test->n_boots,
		    pgt_format_count);
	put_sentences(sheet, "recorded", pgt_sentence_recorded);
	put_texts(sheet, "recorded by", base->tool, test->tool);
	fprintf(sheet->out, "\nalpha %g\n", sheet->report->comparison->alpha);
}

static void put_warning(struct pgt_sheet *sheet, const char *about, const char *warning)
{
	fprintf(sheet->out, "\n> **warning**: %s", about);
	pgt_sheet_plain(sheet, warning);
	fputc('\n', sheet->out);
}

static void put_warnings(struct pgt_sheet *sheet)
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

static void put_histogram(struct pgt_sheet *sheet, const struct pgt_report_row *rows, size_t n)
{
	struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT;
	const struct pgt_row *row = rows->row;

	if (pgt_histogram_is_empty(rows, n))
		return;
	fprintf(sheet->out, "- calls of `%.*s` by pages a call: base ",
		(int)row->properties.scope_len, row->metric);
	pgt_sheet_built(sheet, &base, pgt_sentence_histogram(&base, rows, n, true));
	fputs("; test ", sheet->out);
	pgt_sheet_built(sheet, &test, pgt_sentence_histogram(&test, rows, n, false));
	fputc('\n', sheet->out);
}

static bool is_histogram(const struct pgt_report_row *row)
{
	return row->row->properties.view == PGT_VIEW_PAGES_PER_CALL;
}

static void put_histograms(struct pgt_sheet *sheet, const struct pgt_report_row *rows, size_t n)
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

static void put_not_counted(struct pgt_sheet *sheet, const struct pgt_report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t alike = pgt_report_not_counted(rows, n, i);
		struct pgt_buf text = PGT_BUF_INIT;

		if (!alike)
			continue;
		fputs("- ", sheet->out);
		pgt_sheet_built(sheet, &text, pgt_sentence_not_counted(&text, &rows[i], alike));
		fputc('\n', sheet->out);
	}
}

static void put_workload(struct pgt_sheet *sheet, const struct pgt_report_workload *workload)
{
	struct pgt_buf work = PGT_BUF_INIT, zero = PGT_BUF_INIT;

	fputs("\n### ", sheet->out);
	pgt_sheet_plain(sheet, workload->work->workload);
	fputs("\n\n", sheet->out);
	pgt_sheet_built(sheet, &work, pgt_sentence_work(&work, workload->work));
	fputc('\n', sheet->out);
	pgt_sheet_row_head(sheet);
	for (size_t i = 0; i < workload->n_rows; i++)
		if (workload->rows[i].shown && pgt_report_is_counted(&workload->rows[i]))
			pgt_sheet_row(sheet, &workload->rows[i], false);
	fputc('\n', sheet->out);
	for (size_t i = 0; i < workload->n_rows; i++)
		if (workload->rows[i].shown)
			pgt_sheet_spread(sheet, &workload->rows[i]);
	put_histograms(sheet, workload->rows, workload->n_rows);
	put_not_counted(sheet, workload->rows, workload->n_rows);
	if (workload->n_zero || workload->n_zero_bound) {
		fputs("- ", sheet->out);
		pgt_sheet_built(sheet, &zero, pgt_sentence_zero(&zero, workload));
		fputc('\n', sheet->out);
	}
}

/* ---- how it was seen, and what was not ---- */

static void put_functions(struct pgt_sheet *sheet)
{
	const struct pgt_report *report = sheet->report;

	fputs("\n### Probes, their functions, and how each was attached\n\n"
	      "| probe | function | base | test |\n| --- | --- | --- | --- |\n", sheet->out);
	for (size_t i = 0; i < report->n_functions; i++) {
		const struct pgt_report_function *function = &report->functions[i];
		struct pgt_buf base = PGT_BUF_INIT, test = PGT_BUF_INIT;

		fputs("| ", sheet->out);
		pgt_sheet_code(sheet, function->probe);
		fputs(" | ", sheet->out);
		pgt_sheet_code(sheet, function->function);
		fputs(" | ", sheet->out);
		pgt_sheet_built(sheet, &base, pgt_cell_mechanism(&base, function->base_mechanism,
							   function->base_reason));
		fputs(" | ", sheet->out);
		pgt_sheet_built(sheet, &test, pgt_cell_mechanism(&test, function->test_mechanism,
							   function->test_reason));
		fputs(" |\n", sheet->out);
	}
}

static void put_unreached(struct pgt_sheet *sheet, const char *name,
			  const struct pgt_unreached_sum *sum)
{
	struct pgt_buf text = PGT_BUF_INIT;

	fprintf(sheet->out, "\n%s: ", name);
	pgt_sheet_built(sheet, &text, pgt_sentence_unreached(&text, sum));
	fputc('\n', sheet->out);
	if (sum->n_top)
		fputs("\n| function | DSB | ISB | TLBI | why |\n| --- | ---: | ---: | ---: | --- |\n",
		      sheet->out);
	for (size_t i = 0; i < sum->n_top; i++) {
		const int64_t counts[] = { sum->top[i]->dsb, sum->top[i]->isb, sum->top[i]->tlbi };

		fputs("| ", sheet->out);
		pgt_sheet_code(sheet, sum->top[i]->function);
		for (size_t j = 0; j < sizeof(counts) / sizeof(counts[0]); j++) {
			struct pgt_buf count = PGT_BUF_INIT;

			fputs(" | ", sheet->out);
			pgt_sheet_built(sheet, &count, pgt_format_count(&count, counts[j]));
		}
		fprintf(sheet->out, " | \\[%zu\\] |\n", sum->top_reason[i]);
	}
}

static void put_truth(struct pgt_sheet *sheet)
{
	struct pgt_buf truth = PGT_BUF_INIT;

	if (!pgt_report_has_truth(sheet->report))
		return;
	fputs("\n\n**Ground truth**: ", sheet->out);
	pgt_sheet_built(sheet, &truth, pgt_sentence_truth(&truth, sheet->report));
}

static void put_loss_and_control(struct pgt_sheet *sheet)
{
	const struct pgt_report_control *control = sheet->report->control;
	struct pgt_buf loss = PGT_BUF_INIT, found = PGT_BUF_INIT;

	fputs("\n**Loss**: ", sheet->out);
	pgt_sheet_built(sheet, &loss, pgt_sentence_loss(&loss, sheet->report));
	put_truth(sheet);
	fputs("\n\n**A/A**: ", sheet->out);
	pgt_sheet_built(sheet, &found, pgt_sentence_control(&found, sheet->report));
	fputc('\n', sheet->out);
	if (!control || !control->n_differ)
		return;
	pgt_sheet_row_head(sheet);
	for (size_t i = 0; i < control->n_differ; i++)
		pgt_sheet_row(sheet, &control->differ[i], true);
	fputc('\n', sheet->out);
	for (size_t i = 0; i < control->n_differ; i++)
		pgt_sheet_spread(sheet, &control->differ[i]);
}

static void put_legend(struct pgt_sheet *sheet)
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
	for (size_t i = 0; i < pgt_n_view_sentences; i++)
		if (pgt_sentence_of_view(i, sheet->shown.views))
			fprintf(sheet->out, "- %s\n", pgt_sentence_of_view(i, sheet->shown.views));
	for (size_t i = 0; i <= PGT_ONE_SIDE_ONLY; i++)
		if (sheet->shown.verdicts & 1U << i)
			fprintf(sheet->out, "- %s: %s\n", pgt_verdict_words[i].word,
				pgt_verdict_words[i].meaning);
	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (sheet->shown.notes & pgt_note_words[i].note)
			fprintf(sheet->out, "- `%c` %s\n", pgt_note_words[i].mark,
				pgt_note_words[i].meaning);
	for (size_t i = 0; i < sheet->report->n_reasons; i++) {
		fprintf(sheet->out, "- \\[%zu\\] ", i + 1);
		pgt_sheet_plain(sheet, sheet->report->reasons[i]);
		fputc('\n', sheet->out);
	}
	fputs("\n</details>\n", sheet->out);
}

static int render(const struct pgt_report *report, FILE *out)
{
	struct pgt_sheet sheet = { .report = report, .out = out };

	put_head(&sheet);
	put_warnings(&sheet);
	pgt_sheet_boot(&sheet);
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
