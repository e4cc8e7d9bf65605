/* SPDX-License-Identifier: GPL-2.0-only */
/* The report as ASCII of at most 100 columns, for a terminal or a mail to a kernel list. */
#include <string.h>

#include "recording/recording.h"
#include "report/page.h"
#include "report/renderers.h"
#include "report/sentences.h"
#include "report/words.h"

#define HEAD_LABEL	13
#define HEAD_VALUE	42

static void put_heading(struct pgt_page *page, const char *text)
{
	fprintf(page->out, "\n%s\n", text);
}

/* ---- what is compared ---- */

/* Side by side where both fit, else one below the other.  Releases both. */
static void put_pair(struct pgt_page *page, const char *label, struct pgt_buf *base,
		     struct pgt_buf *test)
{
	if (!base->at || !test->at) {
		pgt_page_check(page, pgt_buf_add(base, "", 0));
		pgt_page_check(page, pgt_buf_add(test, "", 0));
	}
	if (!page->err && base->len <= HEAD_VALUE && test->len <= HEAD_VALUE) {
		pgt_page_line(page, "%-*s%-*s %s", HEAD_LABEL, label, HEAD_VALUE, base->at,
			      test->at);
	} else if (!page->err) {
		pgt_page_line(page, "%-*sbase: %s", HEAD_LABEL, label, base->at);
		pgt_page_line(page, "%-*stest: %s", HEAD_LABEL, "", test->at);
	}
	pgt_buf_release(base);
	pgt_buf_release(test);
}

static void put_texts(struct pgt_page *page, const char *label, const char *base,
		      const char *test)
{
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	pgt_page_check(page, pgt_format_ascii(&left, base ? base : "not known"));
	pgt_page_check(page, pgt_format_ascii(&right, test ? test : "not known"));
	put_pair(page, label, &left, &right);
}

static void put_numbers(struct pgt_page *page, const char *label, int64_t base, int64_t test,
			int (*format)(struct pgt_buf *out, int64_t number))
{
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	pgt_page_check(page, format(&left, base));
	pgt_page_check(page, format(&right, test));
	put_pair(page, label, &left, &right);
}

static void put_sentences(struct pgt_page *page, const char *label,
			  int (*say)(struct pgt_buf *out, const struct pgt_report_side *side))
{
	struct pgt_buf left = PGT_BUF_INIT, right = PGT_BUF_INIT;

	pgt_page_check(page, say(&left, &page->report->base));
	pgt_page_check(page, say(&right, &page->report->test));
	put_pair(page, label, &left, &right);
}

static void put_head(struct pgt_page *page)
{
	const struct pgt_report *report = page->report;
	const struct pgt_host *base = report->base.host, *test = report->test.host;

	pgt_page_line(page, "pgtrace: barriers and TLB invalidations of two %s kernels at the same "
		      "work", base->arch);
	fputc('\n', page->out);
	put_texts(page, "", "base", "test");
	put_texts(page, "kernel", base->kernel_release, test->kernel_release);
	put_texts(page, "build id", base->build_id, test->build_id);
	put_texts(page, "cpu", base->cpu, test->cpu);
	put_numbers(page, "cpus", base->n_cpus, test->n_cpus, pgt_format_count);
	put_numbers(page, "page size", base->page_size, test->page_size, pgt_format_count);
	put_sentences(page, "memory", pgt_sentence_memory);
	put_texts(page, "accelerator", base->accelerator, test->accelerator);
	put_numbers(page, "boots", (int64_t)report->base.n_boots, (int64_t)report->test.n_boots,
		    pgt_format_count);
	put_sentences(page, "recorded", pgt_sentence_recorded);
	put_texts(page, "recorded by", report->base.tool, report->test.tool);
	pgt_page_line(page, "%-*s%g", HEAD_LABEL, "alpha", report->comparison->alpha);
}

static void put_warning(struct pgt_page *page, const char *about, const char *warning)
{
	struct pgt_buf text = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&text, "warning: %s", about));
	pgt_page_check(page, pgt_format_ascii(&text, warning));
	pgt_page_wrap_buf(page, 0, 9, &text);
}

static void put_warnings(struct pgt_page *page)
{
	const struct pgt_comparison *comparison = page->report->comparison;
	const struct pgt_comparison *control = page->report->control ?
					       page->report->control->comparison : NULL;

	if (comparison->same_kernel || comparison->n_warnings || (control && control->n_warnings))
		fputc('\n', page->out);
	if (comparison->same_kernel)
		put_warning(page, "", pgt_sentence_same_kernel);
	for (size_t i = 0; i < comparison->n_warnings; i++)
		put_warning(page, "", comparison->warnings[i]);
	for (size_t i = 0; control && i < control->n_warnings; i++)
		put_warning(page, "A/A, where test is base again: ", control->warnings[i]);
}

/* ---- how it was seen, and what was not ---- */

static void put_function(struct pgt_page *page, const struct pgt_report_function *function)
{
	struct pgt_buf name = PGT_BUF_INIT, base = PGT_BUF_INIT, test = PGT_BUF_INIT;

	pgt_page_check(page, pgt_format_ascii(&name, function->function));
	pgt_page_check(page, pgt_cell_mechanism(&base, function->base_mechanism,
						function->base_reason));
	pgt_page_check(page, pgt_cell_mechanism(&test, function->test_mechanism,
						function->test_reason));
	if (!page->err && name.len > 56)
		pgt_page_line(page, "    %s", name.at);
	if (!page->err)
		pgt_page_line(page, "    %-56s %-18s %s", name.len > 56 ? "" : name.at, base.at,
			      test.at);
	pgt_buf_release(&name);
	pgt_buf_release(&base);
	pgt_buf_release(&test);
}

static void put_functions(struct pgt_page *page)
{
	const struct pgt_report *report = page->report;

	put_heading(page, "Probes, their functions, and how each was attached");
	if (!report->n_functions)
		pgt_page_line(page, "  none recorded");
	else
		pgt_page_line(page, "%-61s%-19s%s", "", "base", "test");
	for (size_t i = 0; i < report->n_functions; i++) {
		const struct pgt_report_function *function = &report->functions[i];
		struct pgt_buf probe = PGT_BUF_INIT;

		if (!i || strcmp(report->functions[i - 1].probe, function->probe)) {
			pgt_page_check(page, pgt_format_ascii(&probe, function->probe));
			pgt_page_wrap_buf(page, 2, 4, &probe);
		}
		put_function(page, function);
	}
}

static void put_unreached(struct pgt_page *page, const char *name,
			  const struct pgt_unreached_sum *sum)
{
	struct pgt_buf text = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&text, "%s: ", name));
	pgt_page_check(page, pgt_sentence_unreached(&text, sum));
	if (sum->n_top)
		pgt_page_check(page, pgt_buf_addf(&text, "; most in"));
	pgt_page_wrap_buf(page, 2, 4, &text);
	for (size_t i = 0; i < sum->n_top; i++) {
		struct pgt_buf function = PGT_BUF_INIT, dsb = PGT_BUF_INIT, isb = PGT_BUF_INIT;
		struct pgt_buf tlbi = PGT_BUF_INIT;

		pgt_page_check(page, pgt_format_ascii(&function, sum->top[i]->function));
		pgt_page_check(page, pgt_format_count(&dsb, sum->top[i]->dsb));
		pgt_page_check(page, pgt_format_count(&isb, sum->top[i]->isb));
		pgt_page_check(page, pgt_format_count(&tlbi, sum->top[i]->tlbi));
		if (!page->err)
			pgt_page_line(page, "    %-48s %6s DSB %6s ISB %6s TLBI  [%zu]",
				      function.at, dsb.at, isb.at, tlbi.at, sum->top_reason[i]);
		pgt_buf_release(&function);
		pgt_buf_release(&dsb);
		pgt_buf_release(&isb);
		pgt_buf_release(&tlbi);
	}
}

static void put_loss(struct pgt_page *page)
{
	struct pgt_buf text = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&text, "Loss: "));
	pgt_page_check(page, pgt_sentence_loss(&text, page->report));
	fputc('\n', page->out);
	pgt_page_wrap_buf(page, 0, 2, &text);
}

static void put_truth(struct pgt_page *page)
{
	struct pgt_buf text = PGT_BUF_INIT;

	if (!pgt_report_has_truth(page->report))
		return;
	pgt_page_check(page, pgt_buf_addf(&text, "Ground truth: "));
	pgt_page_check(page, pgt_sentence_truth(&text, page->report));
	fputc('\n', page->out);
	pgt_page_wrap_buf(page, 0, 2, &text);
}

static void put_control(struct pgt_page *page)
{
	const struct pgt_report_control *control = page->report->control;
	struct pgt_buf text = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&text, "A/A: "));
	pgt_page_check(page, pgt_sentence_control(&text, page->report));
	fputc('\n', page->out);
	pgt_page_wrap_buf(page, 0, 2, &text);
	for (size_t i = 0; control && i < control->n_differ; i++)
		pgt_page_lone_row(page, &control->differ[i]);
}

/* ---- legend ---- */

static void put_reasons(struct pgt_page *page)
{
	for (size_t i = 0; i < page->report->n_reasons; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_buf_addf(&text, "[%zu] ", i + 1));
		pgt_page_check(page, pgt_format_ascii(&text, page->report->reasons[i]));
		pgt_page_wrap_buf(page, 2, 6, &text);
	}
}

static void put_legend(struct pgt_page *page)
{
	put_heading(page, "Legend");
	pgt_page_wrap(page, 2, 4, pgt_legend_calls);
	pgt_page_wrap(page, 2, 4, pgt_legend_insn);
	pgt_page_wrap(page, 2, 4, "base, test: one value a boot (the median of its runs), and of these "
		      "the median; a..b is the whole range");
	for (size_t i = 0; i < pgt_n_view_sentences; i++)
		if (pgt_sentence_of_view(i, page->shown.views))
			pgt_page_wrap(page, 2, 4, pgt_sentence_of_view(i, page->shown.views));
	for (size_t i = 0; i <= PGT_ONE_SIDE_ONLY; i++)
		if (page->shown.verdicts & 1U << i)
			pgt_page_line(page, "  %s: %s", pgt_verdict_words[i].word,
				      pgt_verdict_words[i].meaning);
	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (page->shown.notes & pgt_note_words[i].note)
			pgt_page_line(page, "  %c  %s", pgt_note_words[i].mark,
				      pgt_note_words[i].meaning);
	put_reasons(page);
}

static int render(const struct pgt_report *report, FILE *out)
{
	struct pgt_page page = { .report = report, .out = out };

	put_head(&page);
	put_warnings(&page);
	pgt_page_boot(&page);
	for (size_t i = 0; i < report->n_workloads; i++)
		pgt_page_workload(&page, &report->workloads[i]);
	put_functions(&page);
	put_heading(&page, "What no count here can see: sites that no mechanism reaches");
	put_unreached(&page, "base", &report->base.unreached);
	put_unreached(&page, "test", &report->test.unreached);
	put_loss(&page);
	put_truth(&page);
	put_control(&page);
	put_legend(&page);
	return page.err;
}

const struct pgt_renderer pgt_renderer_text = { "text", ".txt", render };
