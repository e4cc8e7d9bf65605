/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A topic's report as one JSON document: every row, with numbers as they are.  As in json.c, the
 * elements of long arrays stand one a line.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "recording/recording.h"
#include "report/oracle.h"
#include "report/pack.h"
#include "report/published.h"
#include "report/sentences_steps.h"
#include "report/steps_renderers.h"
#include "report/words.h"

struct document {
	const struct pgt_steps *steps;
	FILE *out;
	int err;
};

static void put(struct document *document, const char *before, json_t *value)
{
	if (pgt_pack_put(document->out, before, value))
		document->err = -ENOMEM;
}

/* ---- sides ---- */

static json_t *pack_step(const struct pgt_steps_side *side)
{
	return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "name", side->name,
			 "beside", side->is_beside, "side", pgt_pack_side(&side->side),
			 "loss", pgt_pack_loss(&side->side.loss),
			 "truth", pgt_pack_truth(&side->side.truth),
			 "unreached", pgt_pack_unreached(&side->side.unreached));
}

static json_t *pack_warning(const struct pgt_steps *steps,
			    const struct pgt_steps_warning *warning)
{
	json_t *about = json_array();

	for (size_t i = 0; i < steps->n_sides; i++)
		if (warning->is_about[i])
			json_array_append_new(about, json_string(steps->sides[i].name));
	return json_pack("{s:o, s:s}", "sides", about, "text", warning->text);
}

static void put_sides(struct document *document)
{
	const struct pgt_steps *steps = document->steps;

	fputs(",\n\"sides\":[", document->out);
	for (size_t i = 0; i < steps->n_sides; i++)
		put(document, i ? ",\n" : "\n", pack_step(&steps->sides[i]));
	put(document, "],\n\"alpha\":", json_real(steps->alpha));
	fputs(",\n\"warnings\":[", document->out);
	for (size_t i = 0; i < steps->n_warnings; i++)
		put(document, i ? ",\n" : "\n", pack_warning(steps, &steps->warnings[i]));
	fputs("]", document->out);
}

static void put_control(struct document *document)
{
	const struct pgt_report_control *control = pgt_steps_first_report(document->steps)->control;

	if (!control) {
		fputs(",\n\"control\":null", document->out);
		return;
	}
	put(document, ",\n\"control\":{\"side\":", pgt_pack_side(&control->side));
	put(document, ",\n\"loss\":", pgt_pack_loss(&control->side.loss));
	put(document, ",\"truth\":", pgt_pack_truth(&control->side.truth));
	put(document, ",\n\"rows_compared\":",
	    json_integer((json_int_t)control->comparison->n_rows));
	put(document, ",\"exactly\":", json_integer((json_int_t)control->n_exact));
	put(document, ",\"by_test\":", json_integer((json_int_t)control->n_tested));
	put(document, ",\"undecided\":", json_integer((json_int_t)control->n_undecided));
	put(document, ",\"varied\":", json_integer((json_int_t)control->n_varies));
	put(document, ",\"expected_by_chance\":", json_real(control->by_chance));
	fputs(",\n\"differ\":[", document->out);
	for (size_t i = 0; i < control->n_differ; i++)
		put(document, i ? ",\n" : "\n", pgt_pack_row(control->differ[i].row));
	fputs("]}", document->out);
}

/* ---- the linear map ---- */

static const char *part_name(enum pgt_boot_part part)
{
	static const char *const names[] = {
		[PGT_BOOT_TOTAL] = "total", [PGT_BOOT_PER_PAGE] = "per page",
		[PGT_BOOT_PER_TABLE] = "per table",
	};

	return names[part];
}

static json_t *pack_map_line(const struct pgt_steps *steps,
			     const struct pgt_steps_map_line *line)
{
	json_t *cells = json_array();

	for (size_t i = 0; i < steps->map.n_sizes; i++)
		json_array_append_new(cells, json_pack("{s:s, s:I, s:o, s:o}",
			"workload", steps->map.sizes[i].workload,
			"memory_bytes", (json_int_t)steps->map.sizes[i].memory,
			"value", pgt_pack_number(line->cells[i].value),
			"ratio", pgt_pack_number(line->cells[i].ratio)));
	return json_pack("{s:s, s:s, s:s, s:o}", "name", line->name, "part", part_name(line->part),
			 "step", steps->sides[line->side].name, "cells", cells);
}

static void put_map(struct document *document)
{
	const struct pgt_steps *steps = document->steps;

	fputs(",\n\"linear_map\":[", document->out);
	for (size_t i = 0; i < steps->map.n_lines; i++)
		put(document, i ? ",\n" : "\n", pack_map_line(steps, &steps->map.lines[i]));
	fputs("]", document->out);
}

/* ---- published figures, oracles ---- */

static json_t *pack_published_row(const struct pgt_published *published,
				  const struct pgt_published_row *row)
{
	json_t *values = json_array();

	for (size_t i = 0; i < published->n_columns; i++)
		json_array_append_new(values, json_pack("{s:s, s:o, s:o}",
			"column", published->columns[i], "value", pgt_pack_number(row->value[i]),
			"ratio", pgt_pack_number(row->ratio[i])));
	return json_pack("{s:s, s:o}", "step", row->step, "values", values);
}

static void put_published(struct document *document)
{
	const struct pgt_published *published = document->steps->published;

	if (!published) {
		fputs(",\n\"published\":null", document->out);
		return;
	}
	put(document, ",\n\"published\":{\"unit\":", pgt_pack_text(published->unit));
	put(document, ",\"source\":", pgt_pack_text(published->source));
	fputs(",\"rows\":[", document->out);
	for (size_t i = 0; i < published->n_rows; i++)
		put(document, i ? ",\n" : "\n",
		    pack_published_row(published, &published->rows[i]));
	fputs("]}", document->out);
}

static json_t *pack_gaps(const struct pgt_steps_oracle *oracle)
{
	json_t *gaps = json_array();

	for (size_t i = 0; i < oracle->n_gaps; i++)
		json_array_append_new(gaps, json_pack("{s:I, s:I, s:I, s:I}",
			"from_bytes", (json_int_t)oracle->gaps[i].from,
			"to_bytes", (json_int_t)oracle->gaps[i].to,
			"expected", (json_int_t)oracle->gaps[i].expected,
			"measured", (json_int_t)oracle->gaps[i].measured));
	return gaps;
}

static json_t *pack_value(const struct pgt_side *side)
{
	return pgt_pack_number(side->n ? side->median : NAN);
}

static json_t *pack_oracle(const struct pgt_steps_oracle *oracle)
{
	const struct pgt_oracle_entry *entry = oracle->entry;
	json_t *object = json_pack("{s:s, s:o, s:s, s:I}", "step", entry->step,
				   "workload", pgt_pack_text(entry->workload),
				   "metric", entry->metric,
				   entry->workload ? "expected" : "expected_each_gib",
				   (json_int_t)entry->expected);

	if (object && entry->workload)
		json_object_set_new(object, "measured", pack_value(&oracle->measured));
	else if (object)
		json_object_set_new(object, "differences", pack_gaps(oracle));
	if (object) {
		json_object_set_new(object, "verdict",
				    json_string(pgt_oracle_words[oracle->verdict]));
		json_object_set_new(object, "reason", pgt_pack_text(oracle->reason));
	}
	return object;
}

static void put_oracles(struct document *document)
{
	const struct pgt_steps *steps = document->steps;

	fputs(",\n\"oracles\":[", document->out);
	for (size_t i = 0; i < steps->n_oracles; i++)
		put(document, i ? ",\n" : "\n", pack_oracle(&steps->oracles[i]));
	fputs("]", document->out);
}

/* ---- rows ---- */

/* Of the first side there is no verdict. */
static json_t *pack_cell(const struct pgt_steps *steps, const struct pgt_steps_row *row,
			 size_t side)
{
	const struct pgt_steps_cell *cell = &row->cells[side];
	json_t *object = json_pack("{s:s, s:o}", "step", steps->sides[side].name,
				   "value", pack_value(cell->value));

	if (object && cell->row) {
		json_object_set_new(object, "ratio", pgt_pack_number(cell->row->ratio));
		json_object_set_new(object, "p", pgt_pack_probability(cell->row->p));
		json_object_set_new(object, "verdict",
				    json_string(pgt_verdict_words[cell->row->verdict].word));
		json_object_set_new(object, "notes", pgt_pack_notes(cell->row->notes));
	}
	if (object && pgt_pack_add_side(object, "", cell->value)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *pack_steps_row(const struct pgt_steps *steps, const struct pgt_steps_row *row)
{
	json_t *cells = json_array();

	for (size_t i = 0; i < steps->n_sides; i++)
		json_array_append_new(cells, pack_cell(steps, row, i));
	return json_pack("{s:s, s:s, s:s, s:s, s:o}", "workload", row->workload,
			 "metric", row->metric, "unit", row->properties.unit, "better",
			 row->properties.better == PGT_BETTER_LOWER ? "lower" : "neither",
			 "steps", cells);
}

static void put_rows(struct document *document)
{
	const struct pgt_steps *steps = document->steps;

	fputs(",\n\"rows\":[", document->out);
	for (size_t i = 0; i < steps->n_rows; i++)
		put(document, i ? ",\n" : "\n", pack_steps_row(steps, &steps->rows[i]));
	fputs("]", document->out);
}

/* ---- beside ---- */

static void put_beside_one(struct document *document, const struct pgt_steps_beside *beside)
{
	put(document, "{\"name\":", json_string(document->steps->sides[beside->side].name));
	put(document, ",\"totals_compared\":", json_integer((json_int_t)beside->n_totals));
	put(document, ",\"undecided\":", json_integer((json_int_t)beside->n_undecided));
	put(document, ",\"one_sided\":", json_integer((json_int_t)beside->n_one_sided));
	fputs(",\"more\":[", document->out);
	for (size_t i = 0; i < beside->n_excesses; i++)
		put(document, i ? ",\n" : "\n", pgt_pack_row(beside->excesses[i].row));
	fputs("]}", document->out);
}

static int render(const struct pgt_steps *steps, FILE *out)
{
	struct document document = { steps, out, 0 };

	put(&document, "{\n\"schema\":", json_integer(PGT_STEPS_SCHEMA));
	put_sides(&document);
	put_control(&document);
	put_map(&document);
	put_published(&document);
	put_oracles(&document);
	put_rows(&document);
	fputs(",\n\"beside\":[", out);
	for (size_t i = 0; i < steps->n_beside; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_beside_one(&document, &steps->beside[i]);
	}
	fputs("]\n}\n", out);
	return document.err;
}

const struct pgt_steps_renderer pgt_steps_renderer_json = { "json", ".json", render };
