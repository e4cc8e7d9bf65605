/* SPDX-License-Identifier: GPL-2.0-only */
/* A topic's report as ASCII of at most 100 columns. */
#include <string.h>

#include "base/buf.h"
#include "recording/recording.h"
#include "report/page.h"
#include "report/published.h"
#include "report/sentences.h"
#include "report/sentences_steps.h"
#include "report/steps_renderers.h"
#include "report/words.h"

#define HEAD_LABEL	13
#define LABEL		25	/* of a row's name */
#define COLUMN		25	/* each number, and the change below it, stands right in so many */
#define AT_A_TIME	3	/* columns beside each other */

static void put_heading(struct pgt_page *page, const char *text)
{
	fprintf(page->out, "\n%s\n", text);
}

/* "LABEL: sentence", on a line of its own below an empty one. */
static void put_sentence(struct pgt_page *page, const char *label, const struct pgt_steps *steps,
			 int (*say)(struct pgt_buf *out, const struct pgt_steps *steps))
{
	struct pgt_buf text = PGT_BUF_INIT;

	pgt_page_check(page, pgt_buf_addf(&text, "%s: ", label));
	pgt_page_check(page, say(&text, steps));
	fputc('\n', page->out);
	pgt_page_wrap_buf(page, 0, 2, &text);
}

/* ---- tables ---- */

/* One line of cells, which are released; nothing where all of them are empty. */
static void put_cells(struct pgt_page *page, const char *label, struct pgt_buf *cells, size_t n)
{
	struct pgt_buf line = PGT_BUF_INIT;
	bool any = false;

	if (strlen(label) >= LABEL) {
		pgt_page_line(page, "%s", label);
		label = "";
	}
	pgt_page_check(page, pgt_buf_addf(&line, "%-*s", LABEL, label));
	for (size_t i = 0; i < n; i++) {
		any |= cells[i].len > 0;
		pgt_page_check(page, pgt_buf_addf(&line, "%*s", COLUMN,
						  cells[i].at ? cells[i].at : ""));
		pgt_buf_release(&cells[i]);
	}
	if (any && !page->err)
		pgt_page_line(page, "%s", line.at);
	pgt_buf_release(&line);
}

static size_t count_columns(size_t n, size_t first)
{
	return n - first < AT_A_TIME ? n - first : AT_A_TIME;
}

/* Ranges and p of what is not exact. */
static void put_spread(struct pgt_page *page, struct pgt_buf *text, int err)
{
	pgt_page_check(page, err);
	if (text->len)
		pgt_page_wrap_buf(page, 6, 8, text);
	pgt_buf_release(text);
}

/* ---- the sides ---- */

static void put_side(struct pgt_page *page, const struct pgt_steps_side *side)
{
	struct pgt_buf boots = PGT_BUF_INIT, release = PGT_BUF_INIT;

	pgt_page_check(page, pgt_format_count(&boots, (int64_t)side->side.n_boots));
	pgt_page_check(page, pgt_format_ascii(&release, side->side.host->kernel_release));
	if (!page->err)
		pgt_page_line(page, "%-7s%-23s %-62s %6s", side->is_beside ? "beside" : "step",
			      side->name, release.at, boots.at);
	pgt_buf_release(&boots);
	pgt_buf_release(&release);
}

static void put_attribute(struct pgt_page *page, const struct pgt_steps *steps,
			  const struct pgt_steps_attribute *attribute)
{
	struct pgt_buf text = PGT_BUF_INIT;

	if (!attribute->differs) {
		pgt_page_check(page, pgt_sentence_attribute(&text, steps, attribute));
		if (!page->err)
			pgt_page_line(page, "%-*s%s", HEAD_LABEL, attribute->name, text.at);
		pgt_buf_release(&text);
		return;
	}
	for (size_t i = 0; i < steps->n_sides; i++)
		pgt_page_line(page, "%-*s%s: %s", HEAD_LABEL, i ? "" : attribute->name,
			      steps->sides[i].name, attribute->texts[i]);
}

static void put_head(struct pgt_page *page, const struct pgt_steps *steps)
{
	pgt_page_line(page, "pgtrace: barriers and TLB invalidations of %zu %s kernels at the same "
		      "work, step by step", steps->n_sides, steps->sides[0].side.host->arch);
	fputc('\n', page->out);
	pgt_page_line(page, "%-7s%-23s %-62s %6s", "", "name", "kernel", "boots");
	for (size_t i = 0; i < steps->n_sides; i++)
		put_side(page, &steps->sides[i]);
	fputc('\n', page->out);
	for (size_t i = 0; i < steps->n_attributes; i++)
		put_attribute(page, steps, &steps->attributes[i]);
	pgt_page_line(page, "%-*s%g", HEAD_LABEL, "alpha", steps->alpha);
	pgt_page_wrap(page, 0, 0, "Every change is against the first step.");
}

static void put_warnings(struct pgt_page *page, const struct pgt_steps *steps)
{
	const struct pgt_report_control *control = pgt_steps_first_report(steps)->control;
	size_t n = control ? control->comparison->n_warnings : 0;

	if (steps->n_warnings + n)
		fputc('\n', page->out);
	for (size_t i = 0; i < steps->n_warnings; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_buf_addf(&text, "warning: "));
		pgt_page_check(page, pgt_sentence_warning(&text, steps, &steps->warnings[i]));
		pgt_page_wrap_buf(page, 0, 9, &text);
	}
	for (size_t i = 0; i < n; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_buf_addf(&text, "warning: A/A, where test is base "
						  "again: "));
		pgt_page_check(page, pgt_format_ascii(&text, control->comparison->warnings[i]));
		pgt_page_wrap_buf(page, 0, 9, &text);
	}
}

static int say_control(struct pgt_buf *out, const struct pgt_steps *steps)
{
	return pgt_sentence_control(out, pgt_steps_first_report(steps));
}

static void put_control(struct pgt_page *page, const struct pgt_steps *steps)
{
	const struct pgt_report_control *control = pgt_steps_first_report(steps)->control;

	put_sentence(page, "A/A", steps, say_control);
	for (size_t i = 0; control && i < control->n_differ; i++) {
		const struct pgt_row *row = control->differ[i].row;
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_format_ascii(&text, row->workload));
		pgt_page_check(page, pgt_buf_addf(&text, ": %s: ", row->metric));
		pgt_page_check(page, pgt_sentence_again(&text, row));
		pgt_page_wrap_buf(page, 2, 4, &text);
		pgt_step_shown(&page->shown, &(struct pgt_steps_cell){ &row->test, row, 0 });
	}
}

/* ---- the linear map ---- */

static void put_sizes(struct pgt_page *page, const struct pgt_steps *steps,
		      const struct pgt_steps_map_line *line, size_t first, size_t n)
{
	struct pgt_buf sizes[AT_A_TIME] = { PGT_BUF_INIT }, part = PGT_BUF_INIT;

	if (line->part == PGT_BOOT_TOTAL) {
		for (size_t i = 0; i < n; i++)
			pgt_page_check(page, pgt_format_size(&sizes[i],
							     steps->map.sizes[first + i].memory));
		fputc('\n', page->out);
		put_cells(page, line->name, sizes, n);
		return;
	}
	pgt_page_check(page, pgt_sentence_map_part(&part, steps, line->part));
	pgt_page_wrap_buf(page, 2, 4, &part);
}

static void put_map_line(struct pgt_page *page, const struct pgt_steps *steps,
			 const struct pgt_steps_map_line *line, size_t first, size_t n)
{
	struct pgt_buf values[AT_A_TIME] = { PGT_BUF_INIT }, changes[AT_A_TIME] = { PGT_BUF_INIT };
	char label[LABEL + PGT_PAGE_COLUMNS];

	for (size_t i = 0; i < n; i++) {
		const struct pgt_steps_map_cell *cell = &line->cells[first + i];

		pgt_page_check(page, pgt_cell_map(&values[i], cell));
		if (!cell->counted)
			continue;
		pgt_page_check(page, pgt_cell_map_change(&changes[i], cell));
		pgt_step_shown(&page->shown, cell->counted);
	}
	snprintf(label, sizeof(label), "  %s", steps->sides[line->side].name);
	put_cells(page, label, values, n);
	put_cells(page, "", changes, n);
}

static void put_map_block(struct pgt_page *page, const struct pgt_steps *steps, size_t first)
{
	size_t n = count_columns(steps->map.n_sizes, first);

	for (size_t i = 0; i < steps->map.n_lines; i++) {
		const struct pgt_steps_map_line *line = &steps->map.lines[i];

		if (!line->side)
			put_sizes(page, steps, line, first, n);
		put_map_line(page, steps, line, first, n);
	}
}

static void put_map_spread(struct pgt_page *page, const struct pgt_steps *steps)
{
	for (size_t i = 0; i < steps->map.n_lines; i++)
		for (size_t j = 0; j < steps->map.n_sizes; j++) {
			struct pgt_buf text = PGT_BUF_INIT;

			put_spread(page, &text, pgt_sentence_map_spread(&text, steps,
									&steps->map.lines[i], j));
		}
}

static void put_map(struct pgt_page *page, const struct pgt_steps *steps)
{
	struct pgt_buf text = PGT_BUF_INIT;

	put_heading(page, "Making the linear map");
	if (!steps->map.n_sizes) {
		pgt_page_line(page, "  not measured: no recording has a boot's");
		return;
	}
	pgt_page_check(page, pgt_sentence_boot(&text, steps->map.exact));
	pgt_page_wrap_buf(page, 2, 2, &text);
	for (size_t first = 0; first < steps->map.n_sizes; first += AT_A_TIME)
		put_map_block(page, steps, first);
	put_map_spread(page, steps);
}

/* ---- published figures ---- */

static void put_published_row(struct pgt_page *page, const struct pgt_published *published,
			      size_t row, size_t first, size_t n)
{
	struct pgt_buf values[AT_A_TIME] = { PGT_BUF_INIT }, changes[AT_A_TIME] = { PGT_BUF_INIT };
	struct pgt_buf label = PGT_BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		pgt_page_check(page, pgt_cell_published(&values[i], published, row, first + i));
		pgt_page_check(page, pgt_cell_published_change(&changes[i], published, row,
							       first + i));
	}
	pgt_page_check(page, pgt_buf_addf(&label, "  "));
	pgt_page_check(page, pgt_format_ascii(&label, published->rows[row].step));
	put_cells(page, label.at ? label.at : "", values, n);
	put_cells(page, "", changes, n);
	pgt_buf_release(&label);
}

static void put_published(struct pgt_page *page, const struct pgt_published *published)
{
	struct pgt_buf text = PGT_BUF_INIT;

	if (!published)
		return;
	put_heading(page, "Published for these steps");
	pgt_page_check(page, pgt_sentence_published(&text, published));
	pgt_page_wrap_buf(page, 2, 2, &text);
	for (size_t first = 0; first < published->n_columns; first += AT_A_TIME) {
		size_t n = count_columns(published->n_columns, first);
		struct pgt_buf heads[AT_A_TIME] = { PGT_BUF_INIT }, unit = PGT_BUF_INIT;

		for (size_t i = 0; i < n; i++)
			pgt_page_check(page, pgt_format_ascii(&heads[i],
							      published->columns[first + i]));
		pgt_page_check(page, pgt_format_ascii(&unit, published->unit));
		fputc('\n', page->out);
		put_cells(page, unit.at ? unit.at : "", heads, n);
		pgt_buf_release(&unit);
		for (size_t i = 0; i < published->n_rows; i++)
			put_published_row(page, published, i, first, n);
	}
}

/* ---- oracles ---- */

static void put_oracles(struct pgt_page *page, const struct pgt_steps *steps)
{
	put_heading(page, "Oracles: counts that were known beforehand");
	if (!steps->n_oracles)
		pgt_page_line(page, "  none were given");
	for (size_t i = 0; i < steps->n_oracles; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_sentence_oracle(&text, &steps->oracles[i]));
		pgt_page_wrap_buf(page, 2, 4, &text);
	}
}

/* ---- workloads ---- */

static void put_row(struct pgt_page *page, const struct pgt_steps *steps,
		    const struct pgt_steps_row *row, size_t first, size_t n)
{
	struct pgt_buf values[AT_A_TIME] = { PGT_BUF_INIT }, changes[AT_A_TIME] = { PGT_BUF_INIT };
	struct pgt_buf label = PGT_BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		const struct pgt_steps_cell *cell = &row->cells[first + i];

		pgt_page_check(page, pgt_cell_step(&values[i], cell, row->properties.unit));
		pgt_page_check(page, pgt_cell_step_change(&changes[i], cell));
		pgt_step_shown(&page->shown, cell);
	}
	page->shown.views |= 1U << row->properties.view;
	pgt_page_check(page, pgt_buf_addf(&label, "    %s",
					  row->metric + row->properties.scope_len + 1));
	put_cells(page, label.at ? label.at : "", values, n);
	put_cells(page, "", changes, n);
	pgt_buf_release(&label);
	for (size_t i = first; i < first + n; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		put_spread(page, &text, pgt_sentence_step_spread(&text, steps->sides[i].name,
								 &row->cells[i]));
	}
}

static bool same_scope(const struct pgt_steps_row *a, const struct pgt_steps_row *b)
{
	size_t n = a->properties.scope_len;

	return b->properties.scope_len == n && !strncmp(a->metric, b->metric, n);
}

/* The rows to be shown, for some of the sides. */
static void put_block(struct pgt_page *page, const struct pgt_steps *steps,
		      const struct pgt_steps_workload *workload, size_t first)
{
	size_t n = count_columns(steps->n_sides, first);
	struct pgt_buf heads[AT_A_TIME] = { PGT_BUF_INIT };
	const struct pgt_steps_row *last = NULL;

	for (size_t i = 0; i < n; i++)
		pgt_page_check(page, pgt_buf_addf(&heads[i], "%s", steps->sides[first + i].name));
	put_cells(page, "", heads, n);
	for (size_t i = 0; i < workload->n_rows; i++) {
		const struct pgt_steps_row *row = &workload->rows[i];

		if (!row->shown)
			continue;
		if (!last || !same_scope(last, row))
			pgt_page_line(page, "  %.*s", (int)row->properties.scope_len, row->metric);
		put_row(page, steps, row, first, n);
		last = row;
	}
}

static void put_workload(struct pgt_page *page, const struct pgt_steps *steps,
			 const struct pgt_steps_workload *workload)
{
	struct pgt_buf name = PGT_BUF_INIT, work = PGT_BUF_INIT;

	pgt_page_check(page, pgt_format_ascii(&name, workload->name));
	pgt_page_check(page, pgt_sentence_steps_work(&work, workload));
	if (work.len)
		pgt_page_check(page, pgt_buf_addf(&name, ": %s", work.at));
	pgt_buf_release(&work);
	fputc('\n', page->out);
	pgt_page_wrap_buf(page, 0, 2, &name);
	for (size_t first = 0; workload->n_of[PGT_STEPS_DIFFERS] && first < steps->n_sides;
	     first += AT_A_TIME)
		put_block(page, steps, workload, first);
	for (int class = 0; class < PGT_N_STEPS_CLASSES; class++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_sentence_class(&text, steps, workload,
							(enum pgt_steps_class)class));
		if (text.len)
			pgt_page_wrap(page, 2, 4, text.at);
		pgt_buf_release(&text);
	}
}

/* ---- beside ---- */

static void put_beside(struct pgt_page *page, const struct pgt_steps *steps)
{
	if (steps->n_beside)
		put_heading(page, pgt_heading_beside);
	for (size_t i = 0; i < steps->n_beside; i++) {
		const struct pgt_steps_beside *beside = &steps->beside[i];
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_sentence_beside(&text, steps, beside));
		pgt_page_wrap_buf(page, 2, 4, &text);
		for (size_t j = 0; j < beside->n_excesses; j++) {
			const struct pgt_row *row = beside->excesses[j].row;
			struct pgt_buf line = PGT_BUF_INIT;

			pgt_page_check(page, pgt_format_ascii(&line, row->workload));
			pgt_page_check(page, pgt_buf_addf(&line, ": %s: ", row->metric));
			pgt_page_check(page, pgt_sentence_excess(&line, &beside->excesses[j]));
			pgt_page_wrap_buf(page, 4, 6, &line);
			pgt_step_shown(&page->shown, &(struct pgt_steps_cell){ &row->test, row, 0 });
		}
	}
}

/* ---- legend ---- */

static void put_legend(struct pgt_page *page, const struct pgt_steps *steps)
{
	put_heading(page, "Legend");
	pgt_page_wrap(page, 2, 4, pgt_steps_legend);
	pgt_page_wrap(page, 2, 4, pgt_legend_calls);
	pgt_page_wrap(page, 2, 4, pgt_legend_insn);
	for (size_t i = 0; i < pgt_n_view_sentences; i++)
		if (pgt_sentence_of_view(i, page->shown.views))
			pgt_page_wrap(page, 2, 4, pgt_sentence_of_view(i, page->shown.views));
	for (int i = 0; i <= PGT_ONE_SIDE_ONLY; i++)
		if (pgt_sign_is_used((enum pgt_verdict)i, page->shown.verdicts))
			pgt_page_line(page, "  %c  %s", pgt_sign_of((enum pgt_verdict)i),
				      pgt_sentence_of_sign((enum pgt_verdict)i));
	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (page->shown.notes & pgt_note_words[i].note)
			pgt_page_line(page, "  %c  %s", pgt_note_words[i].mark,
				      pgt_note_words[i].meaning);
	for (size_t i = 0; i < steps->n_reasons; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_page_check(page, pgt_buf_addf(&text, "[%zu] ", i + 1));
		pgt_page_check(page, pgt_format_ascii(&text, steps->reasons[i]));
		pgt_page_wrap_buf(page, 2, 6, &text);
	}
}

static int render(const struct pgt_steps *steps, FILE *out)
{
	struct pgt_page page = { .out = out };

	put_head(&page, steps);
	put_warnings(&page, steps);
	put_control(&page, steps);
	put_sentence(&page, "Ground truth", steps, pgt_sentence_steps_truth);
	put_sentence(&page, "Loss", steps, pgt_sentence_steps_loss);
	put_map(&page, steps);
	put_published(&page, steps->published);
	put_oracles(&page, steps);
	for (size_t i = 0; i < steps->n_workloads; i++)
		put_workload(&page, steps, &steps->workloads[i]);
	put_beside(&page, steps);
	put_legend(&page, steps);
	return page.err;
}

const struct pgt_steps_renderer pgt_steps_renderer_text = { "text", ".txt", render };
