/* SPDX-License-Identifier: GPL-2.0-only */
/* A topic's report as Markdown with tables. */
#include <string.h>

#include "base/buf.h"
#include "recording/recording.h"
#include "report/published.h"
#include "report/sentences.h"
#include "report/sentences_steps.h"
#include "report/sheet.h"
#include "report/steps_renderers.h"
#include "report/words.h"

static void put_heading(struct pgt_sheet *sheet, const char *text)
{
	fprintf(sheet->out, "\n### %s\n\n", text);
}

/* A built cell and the bar behind it. */
static void put_cell(struct pgt_sheet *sheet, struct pgt_buf *text, int err)
{
	fputc(' ', sheet->out);
	pgt_sheet_built(sheet, text, err);
	fputs(" |", sheet->out);
}

/* A list's point, or a paragraph. */
static void put_line(struct pgt_sheet *sheet, const char *before, struct pgt_buf *text, int err)
{
	fputs(before, sheet->out);
	pgt_sheet_built(sheet, text, err);
	fputc('\n', sheet->out);
}

/* "| name | change |" for each of n columns after the first, and the line below it. */
static void put_head_rule(struct pgt_sheet *sheet, size_t n)
{
	fputs("\n| --- |", sheet->out);
	for (size_t i = 0; i < n; i++)
		fputs(" ---: | ---: |", sheet->out);
	fputc('\n', sheet->out);
}

/* Ranges and p of what is not exact, below a table. */
static void put_spread(struct pgt_sheet *sheet, struct pgt_buf *text, int err)
{
	if (err || text->len)
		put_line(sheet, "- ", text, err);
}

/* ---- the sides ---- */

static void put_sides(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	fputs("| | name | kernel | boots |\n| --- | --- | --- | ---: |\n", sheet->out);
	for (size_t i = 0; i < steps->n_sides; i++) {
		const struct pgt_steps_side *side = &steps->sides[i];
		struct pgt_buf boots = PGT_BUF_INIT;

		fprintf(sheet->out, "| %s | ", side->is_beside ? "beside" : "step");
		pgt_sheet_code(sheet, side->name);
		fputs(" | ", sheet->out);
		pgt_sheet_plain(sheet, side->side.host->kernel_release);
		fputs(" |", sheet->out);
		put_cell(sheet, &boots, pgt_format_count(&boots, (int64_t)side->side.n_boots));
		fputc('\n', sheet->out);
	}
}

static void put_attributes(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	fputc('\n', sheet->out);
	for (size_t i = 0; i < steps->n_attributes; i++) {
		const struct pgt_steps_attribute *attribute = &steps->attributes[i];
		struct pgt_buf text = PGT_BUF_INIT;

		fprintf(sheet->out, "- %s:", attribute->name);
		if (!attribute->differs)
			put_line(sheet, " ", &text,
				 pgt_sentence_attribute(&text, steps, attribute));
		else
			fputc('\n', sheet->out);
		for (size_t j = 0; attribute->differs && j < steps->n_sides; j++) {
			fputs("  - ", sheet->out);
			pgt_sheet_code(sheet, steps->sides[j].name);
			fputs(": ", sheet->out);
			pgt_sheet_plain(sheet, attribute->texts[j]);
			fputc('\n', sheet->out);
		}
	}
	fprintf(sheet->out, "- alpha: %g\n\nEvery change is against the first step.\n",
		steps->alpha);
}

static void put_warnings(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	const struct pgt_report_control *control = pgt_steps_first_report(steps)->control;

	for (size_t i = 0; i < steps->n_warnings; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		put_line(sheet, "\n> **warning**: ", &text,
			 pgt_sentence_warning(&text, steps, &steps->warnings[i]));
	}
	for (size_t i = 0; control && i < control->comparison->n_warnings; i++) {
		fputs("\n> **warning**: A/A, where test is base again: ", sheet->out);
		pgt_sheet_plain(sheet, control->comparison->warnings[i]);
		fputc('\n', sheet->out);
	}
}

static void put_row_name(struct pgt_sheet *sheet, const struct pgt_row *row)
{
	fputs("- ", sheet->out);
	pgt_sheet_plain(sheet, row->workload);
	fputs(": ", sheet->out);
	pgt_sheet_code(sheet, row->metric);
	fputs(": ", sheet->out);
	pgt_step_shown(&sheet->shown, &(struct pgt_steps_cell){ &row->test, row, 0 });
}

static void put_found(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	const struct pgt_report *first = pgt_steps_first_report(steps);
	struct pgt_buf found = PGT_BUF_INIT, truth = PGT_BUF_INIT, loss = PGT_BUF_INIT;

	put_line(sheet, "\n**A/A**: ", &found, pgt_sentence_control(&found, first));
	for (size_t i = 0; first->control && i < first->control->n_differ; i++) {
		const struct pgt_row *row = first->control->differ[i].row;
		struct pgt_buf again = PGT_BUF_INIT;

		put_row_name(sheet, row);
		put_line(sheet, "", &again, pgt_sentence_again(&again, row));
	}
	put_line(sheet, "\n**Ground truth**: ", &truth, pgt_sentence_steps_truth(&truth, steps));
	put_line(sheet, "\n**Loss**: ", &loss, pgt_sentence_steps_loss(&loss, steps));
}

static void put_head(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	fprintf(sheet->out, "## Barriers and TLB invalidations of %zu ", steps->n_sides);
	pgt_sheet_plain(sheet, steps->sides[0].side.host->arch);
	fputs(" kernels, step by step\n\n", sheet->out);
	put_sides(sheet, steps);
	put_attributes(sheet, steps);
	put_warnings(sheet, steps);
	put_found(sheet, steps);
}

/* ---- the linear map ---- */

static void put_map_head(struct pgt_sheet *sheet, const struct pgt_steps *steps,
			 const struct pgt_steps_map_line *line)
{
	struct pgt_buf part = PGT_BUF_INIT;

	if (line->part == PGT_BOOT_TOTAL)
		fprintf(sheet->out, "\n#### %s\n", line->name);
	else
		put_line(sheet, "\n", &part, pgt_sentence_map_part(&part, steps, line->part));
	fputs("\n| |", sheet->out);
	for (size_t i = 0; i < steps->map.n_sizes; i++) {
		struct pgt_buf size = PGT_BUF_INIT;

		put_cell(sheet, &size, pgt_format_size(&size, steps->map.sizes[i].memory));
		fputs(" change |", sheet->out);
	}
	put_head_rule(sheet, steps->map.n_sizes);
}

static void put_map_line(struct pgt_sheet *sheet, const struct pgt_steps *steps,
			 const struct pgt_steps_map_line *line)
{
	fputs("| ", sheet->out);
	pgt_sheet_code(sheet, steps->sides[line->side].name);
	fputs(" |", sheet->out);
	for (size_t i = 0; i < steps->map.n_sizes; i++) {
		const struct pgt_steps_map_cell *cell = &line->cells[i];
		struct pgt_buf value = PGT_BUF_INIT, change = PGT_BUF_INIT;

		put_cell(sheet, &value, pgt_cell_map(&value, cell));
		put_cell(sheet, &change, pgt_cell_map_change(&change, cell));
		if (cell->counted)
			pgt_step_shown(&sheet->shown, cell->counted);
	}
	fputc('\n', sheet->out);
}

static void put_map_spread(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	for (size_t i = 0; i < steps->map.n_lines; i++)
		for (size_t j = 0; j < steps->map.n_sizes; j++) {
			struct pgt_buf text = PGT_BUF_INIT;

			put_spread(sheet, &text, pgt_sentence_map_spread(&text, steps,
									 &steps->map.lines[i], j));
		}
}

static void put_map(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	struct pgt_buf text = PGT_BUF_INIT;

	put_heading(sheet, "Making the linear map");
	if (!steps->map.n_sizes) {
		fputs("Not measured: no recording has a boot's.\n", sheet->out);
		return;
	}
	put_line(sheet, "", &text, pgt_sentence_boot(&text, steps->map.exact));
	for (size_t i = 0; i < steps->map.n_lines; i++) {
		if (!steps->map.lines[i].side)
			put_map_head(sheet, steps, &steps->map.lines[i]);
		put_map_line(sheet, steps, &steps->map.lines[i]);
	}
	fputc('\n', sheet->out);
	put_map_spread(sheet, steps);
}

/* ---- published figures ---- */

static void put_published(struct pgt_sheet *sheet, const struct pgt_published *published)
{
	struct pgt_buf text = PGT_BUF_INIT;

	if (!published)
		return;
	put_heading(sheet, "Published for these steps");
	put_line(sheet, "", &text, pgt_sentence_published(&text, published));
	fputs("\n| ", sheet->out);
	pgt_sheet_plain(sheet, published->unit);
	fputs(" |", sheet->out);
	for (size_t i = 0; i < published->n_columns; i++) {
		fputc(' ', sheet->out);
		pgt_sheet_plain(sheet, published->columns[i]);
		fputs(" | change |", sheet->out);
	}
	put_head_rule(sheet, published->n_columns);
	for (size_t i = 0; i < published->n_rows; i++) {
		fputs("| ", sheet->out);
		pgt_sheet_code(sheet, published->rows[i].step);
		fputs(" |", sheet->out);
		for (size_t j = 0; j < published->n_columns; j++) {
			struct pgt_buf value = PGT_BUF_INIT, change = PGT_BUF_INIT;

			put_cell(sheet, &value, pgt_cell_published(&value, published, i, j));
			put_cell(sheet, &change,
				 pgt_cell_published_change(&change, published, i, j));
		}
		fputc('\n', sheet->out);
	}
}

/* ---- oracles ---- */

static void put_oracles(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	put_heading(sheet, "Oracles: counts that were known beforehand");
	if (!steps->n_oracles)
		fputs("None were given.\n", sheet->out);
	for (size_t i = 0; i < steps->n_oracles; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		put_line(sheet, "- ", &text, pgt_sentence_oracle(&text, &steps->oracles[i]));
	}
}

/* ---- workloads ---- */

static void put_rows(struct pgt_sheet *sheet, const struct pgt_steps *steps,
		     const struct pgt_steps_workload *workload)
{
	fputs("\n| metric |", sheet->out);
	for (size_t i = 0; i < steps->n_sides; i++)
		fprintf(sheet->out, i ? " %s | change |" : " %s |", steps->sides[i].name);
	fputs("\n| --- | ---: |", sheet->out);
	for (size_t i = 1; i < steps->n_sides; i++)
		fputs(" ---: | ---: |", sheet->out);
	fputc('\n', sheet->out);
	for (size_t i = 0; i < workload->n_rows; i++) {
		const struct pgt_steps_row *row = &workload->rows[i];

		if (!row->shown)
			continue;
		sheet->shown.views |= 1U << row->properties.view;
		fputs("| ", sheet->out);
		pgt_sheet_code(sheet, row->metric);
		fputs(" |", sheet->out);
		for (size_t j = 0; j < steps->n_sides; j++) {
			struct pgt_buf value = PGT_BUF_INIT, change = PGT_BUF_INIT;

			put_cell(sheet, &value, pgt_cell_step(&value, &row->cells[j],
							      row->properties.unit));
			if (j)
				put_cell(sheet, &change,
					 pgt_cell_step_change(&change, &row->cells[j]));
			pgt_step_shown(&sheet->shown, &row->cells[j]);
		}
		fputc('\n', sheet->out);
	}
	fputc('\n', sheet->out);
}

static void put_row_spread(struct pgt_sheet *sheet, const struct pgt_steps *steps,
			   const struct pgt_steps_row *row)
{
	for (size_t i = 0; row->shown && i < steps->n_sides; i++) {
		struct pgt_buf label = PGT_BUF_INIT, text = PGT_BUF_INIT;
		int err = pgt_buf_addf(&label, "%s, %s", row->metric, steps->sides[i].name);

		if (!err)
			err = pgt_sentence_step_spread(&text, label.at, &row->cells[i]);
		put_spread(sheet, &text, err);
		pgt_buf_release(&label);
	}
}

static void put_workload(struct pgt_sheet *sheet, const struct pgt_steps *steps,
			 const struct pgt_steps_workload *workload)
{
	struct pgt_buf work = PGT_BUF_INIT;

	fputs("\n### ", sheet->out);
	pgt_sheet_plain(sheet, workload->name);
	fputs("\n\n", sheet->out);
	pgt_sheet_check(sheet, pgt_sentence_steps_work(&work, workload));
	if (work.len)
		put_line(sheet, "", &work, 0);
	if (workload->n_of[PGT_STEPS_DIFFERS])
		put_rows(sheet, steps, workload);
	for (size_t i = 0; i < workload->n_rows; i++)
		put_row_spread(sheet, steps, &workload->rows[i]);
	for (int class = 0; class < PGT_N_STEPS_CLASSES; class++) {
		struct pgt_buf text = PGT_BUF_INIT;

		pgt_sheet_check(sheet, pgt_sentence_class(&text, steps, workload,
							  (enum pgt_steps_class)class));
		if (text.len)
			put_line(sheet, "- ", &text, 0);
		pgt_buf_release(&text);
	}
}

/* ---- beside ---- */

static void put_beside(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	if (steps->n_beside)
		put_heading(sheet, pgt_heading_beside);
	for (size_t i = 0; i < steps->n_beside; i++) {
		const struct pgt_steps_beside *beside = &steps->beside[i];
		struct pgt_buf text = PGT_BUF_INIT;

		put_line(sheet, i ? "\n" : "", &text, pgt_sentence_beside(&text, steps, beside));
		if (beside->n_excesses)
			fputc('\n', sheet->out);
		for (size_t j = 0; j < beside->n_excesses; j++) {
			struct pgt_buf line = PGT_BUF_INIT;

			put_row_name(sheet, beside->excesses[j].row);
			put_line(sheet, "", &line,
				 pgt_sentence_excess(&line, &beside->excesses[j]));
		}
	}
}

static void put_legend(struct pgt_sheet *sheet, const struct pgt_steps *steps)
{
	fprintf(sheet->out, "\n<details><summary>Legend</summary>\n\n- %s\n- %s\n- %s\n",
		pgt_steps_legend, pgt_legend_calls, pgt_legend_insn);
	for (size_t i = 0; i < pgt_n_view_sentences; i++)
		if (pgt_sentence_of_view(i, sheet->shown.views))
			fprintf(sheet->out, "- %s\n", pgt_sentence_of_view(i, sheet->shown.views));
	for (int i = 0; i <= PGT_ONE_SIDE_ONLY; i++)
		if (pgt_sign_is_used((enum pgt_verdict)i, sheet->shown.verdicts))
			fprintf(sheet->out, "- `%c` %s\n", pgt_sign_of((enum pgt_verdict)i),
				pgt_sentence_of_sign((enum pgt_verdict)i));
	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (sheet->shown.notes & pgt_note_words[i].note)
			fprintf(sheet->out, "- `%c` %s\n", pgt_note_words[i].mark,
				pgt_note_words[i].meaning);
	for (size_t i = 0; i < steps->n_reasons; i++) {
		fprintf(sheet->out, "- \\[%zu\\] ", i + 1);
		pgt_sheet_plain(sheet, steps->reasons[i]);
		fputc('\n', sheet->out);
	}
	fputs("\n</details>\n", sheet->out);
}

static int render(const struct pgt_steps *steps, FILE *out)
{
	struct pgt_sheet sheet = { .out = out };

	put_head(&sheet, steps);
	put_map(&sheet, steps);
	put_published(&sheet, steps->published);
	put_oracles(&sheet, steps);
	for (size_t i = 0; i < steps->n_workloads; i++)
		put_workload(&sheet, steps, &steps->workloads[i]);
	put_beside(&sheet, steps);
	put_legend(&sheet, steps);
	return sheet.err;
}

const struct pgt_steps_renderer pgt_steps_renderer_markdown = { "markdown", ".md", render };
