/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report as one JSON document: everything, hidden rows included, with numbers as they are.
 * The members of the document stand one a line, and so do the elements of its long arrays,
 * so that two documents can be compared by line.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "recording/recording.h"
#include "report/boot_table.h"
#include "report/renderers.h"
#include "report/words.h"

/* Enough for every count, and few enough that no two C libraries disagree about p. */
#define DUMP_FLAGS	(JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12))

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* Counts are integers; only medians between two of them, ratios and p are not. */
static json_t *number_or_null(double value)
{
	if (isnan(value))
		return json_null();
	return value == floor(value) && fabs(value) <= 9007199254740992.0 ?
	       json_integer((json_int_t)value) : json_real(value);
}

static json_t *probability_or_null(double p)
{
	return isnan(p) ? json_null() : json_real(p);
}

/* ---- one side ---- */

static json_t *pack_loss(const struct pgt_loss_sum *loss)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:b}", "missed", (json_int_t)loss->missed,
			 "recursion", (json_int_t)loss->recursion,
			 "overflow", (json_int_t)loss->overflow,
			 "unbalanced", (json_int_t)loss->unbalanced,
			 "runs", (json_int_t)loss->n_repeats, "any", loss->any);
}

static json_t *pack_unreached(const struct pgt_unreached_sum *sum)
{
	json_t *top = json_array();

	for (size_t i = 0; i < sum->n_top; i++)
		json_array_append_new(top, json_pack("{s:s, s:I, s:I, s:I, s:s}",
			"function", sum->top[i]->function, "dsb", (json_int_t)sum->top[i]->dsb,
			"isb", (json_int_t)sum->top[i]->isb,
			"tlbi", (json_int_t)sum->top[i]->tlbi, "reason", sum->top[i]->reason));
	return json_pack("{s:I, s:I, s:I, s:I, s:b, s:o}",
			 "functions", (json_int_t)sum->n_functions, "dsb", (json_int_t)sum->dsb,
			 "isb", (json_int_t)sum->isb, "tlbi", (json_int_t)sum->tlbi,
			 "boots_differ", sum->boots_differ, "top", top);
}

/* null where no count was held against an emulator's. */
static json_t *pack_truth(const struct pgt_truth_sum *truth)
{
	if (!truth->n_repeats)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I}", "sites", (json_int_t)truth->sites,
			 "hits", (json_int_t)truth->hits, "differ", (json_int_t)truth->differ,
			 "runs", (json_int_t)truth->n_repeats);
}

static json_t *pack_side(const struct pgt_report_side *side)
{
	const struct pgt_host *host = side->host;

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:s, s:I, s:s, s:s, s:s}",
			 "arch", host->arch, "kernel_release", host->kernel_release,
			 "kernel_version", text_or_null(host->kernel_version),
			 "build_id", text_or_null(host->build_id),
			 "config_digest", text_or_null(host->config_digest),
			 "cpu", text_or_null(host->cpu), "n_cpus", (json_int_t)host->n_cpus,
			 "page_size", (json_int_t)host->page_size,
			 "memory_bytes", (json_int_t)host->memory_bytes,
			 "accelerator", text_or_null(host->accelerator),
			 "cmdline", host->cmdline, "boots", (json_int_t)side->n_boots,
			 "recorded_first", side->first, "recorded_last", side->last,
			 "tool", side->tool);
}

/* ---- rows ---- */

static json_t *pack_notes(uint32_t notes)
{
	json_t *names = json_array();

	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (notes & pgt_note_words[i].note)
			json_array_append_new(names, json_string(pgt_note_words[i].name));
	return names;
}

static json_t *pack_value(const struct pgt_side *side)
{
	return side->n ? number_or_null(side->median) : json_null();
}

static json_t *pack_range(const struct pgt_side *side)
{
	if (!side->n)
		return json_null();
	return json_pack("[o, o]", number_or_null(side->lo), number_or_null(side->hi));
}

static json_t *pack_interval(const struct pgt_side *side)
{
	if (!side->n || !side->has_interval)
		return json_null();
	return json_pack("{s:o, s:o, s:f}", "lo", number_or_null(side->interval.lo),
			 "hi", number_or_null(side->interval.hi),
			 "confidence", side->interval.confidence);
}

static int add_side(json_t *object, const char *name, const struct pgt_side *side)
{
	const struct {
		const char *suffix;
		json_t *value;
	} members[] = {
		{ "reason", text_or_null(side->reason) },
		{ "source", text_or_null(side->source) },
		{ "boots", json_integer((json_int_t)side->n) },
		{ "range", pack_range(side) },
		{ "interval", pack_interval(side) },
		{ "lower_bound", json_boolean(side->lower_bound) },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_%s", name, members[i].suffix);
		err |= json_object_set_new(object, key, members[i].value);
	}
	return err;
}

static json_t *pack_row(const struct pgt_row *row)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o}",
		"workload", row->workload, "metric", row->metric, "unit", row->properties.unit,
		"better", row->properties.better == PGT_BETTER_LOWER ? "lower" : "neither",
		"base", pack_value(&row->base), "test", pack_value(&row->test),
		"ratio", number_or_null(row->ratio), "p", probability_or_null(row->p),
		"verdict", pgt_verdict_words[row->verdict].word, "notes", pack_notes(row->notes));

	if (object && (add_side(object, "base", &row->base) ||
		       add_side(object, "test", &row->test))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* ---- work, functions ---- */

static json_t *pack_work(const struct pgt_work_done *work)
{
	if (!work)
		return json_null();
	return json_pack("{s:I, s:s}", "done", (json_int_t)work->done, "unit", work->unit);
}

static json_t *pack_works(const struct pgt_report *report)
{
	json_t *works = json_array();

	for (size_t i = 0; i < report->n_workloads; i++) {
		const struct pgt_work_pair *work = report->workloads[i].work;

		json_array_append_new(works, json_pack("{s:s, s:o, s:o}",
			"workload", work->workload, "base", pack_work(work->base),
			"test", pack_work(work->test)));
	}
	return works;
}

static const char *reason_text(const struct pgt_report *report, size_t number)
{
	return number ? report->reasons[number - 1] : NULL;
}

static json_t *pack_function(const struct pgt_report *report,
			     const struct pgt_report_function *function)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "probe", function->probe,
			 "function", function->function,
			 "base_mechanism", text_or_null(function->base_mechanism),
			 "base_reason", text_or_null(reason_text(report, function->base_reason)),
			 "test_mechanism", text_or_null(function->test_mechanism),
			 "test_reason", text_or_null(reason_text(report, function->test_reason)));
}

static json_t *pack_warnings(const struct pgt_comparison *comparison)
{
	json_t *warnings = json_array();

	for (size_t i = 0; i < comparison->n_warnings; i++)
		json_array_append_new(warnings, json_string(comparison->warnings[i]));
	return warnings;
}

/* ---- the document ---- */

struct document {
	const struct pgt_report *report;
	FILE *out;
	int err;
};

/* Write `before` and the value, which is released; NULL is memory that ran out. */
static void put(struct document *document, const char *before, json_t *value)
{
	fputs(before, document->out);
	if (!value)
		document->err = -ENOMEM;
	else
		json_dumpf(value, document->out, DUMP_FLAGS);
	json_decref(value);
}

static void put_rows(struct document *document, const char *before,
		     const struct pgt_report_row *rows, size_t n)
{
	fputs(before, document->out);
	for (size_t i = 0; i < n; i++)
		put(document, i ? ",\n" : "\n", pack_row(rows[i].row));
	fputs("]", document->out);
}

/* ---- the boot-time table ---- */

static const char *part_name(enum pgt_boot_part part)
{
	static const char *const names[] = {
		[PGT_BOOT_TOTAL] = "total", [PGT_BOOT_KIND] = "kind",
		[PGT_BOOT_PER_PAGE] = "per page", [PGT_BOOT_PER_TABLE] = "per table",
	};

	return names[part];
}

static json_t *pack_boot_line(const struct pgt_boot_table *table,
			      const struct pgt_boot_line *line)
{
	json_t *cells = json_array();

	for (size_t i = 0; i < table->n_columns; i++) {
		const struct pgt_boot_cell *cell = &line->cells[i];

		json_array_append_new(cells, json_pack("{s:s, s:o, s:o, s:o}",
			"workload", table->columns[i].workload,
			"base", number_or_null(cell->base), "test", number_or_null(cell->test),
			"ratio", number_or_null(cell->ratio)));
	}
	return json_pack("{s:s, s:s, s:o}", "name", line->name, "part", part_name(line->part),
			 "cells", cells);
}

static void put_boot(struct document *document)
{
	const struct pgt_boot_table *table = document->report->boot;

	if (!table)
		return;
	put(document, ",\n\"boot_table\":{\"base_table_pages\":",
	    json_integer((json_int_t)table->base_table_pages));
	put(document, ",\"test_table_pages\":",
	    json_integer((json_int_t)table->test_table_pages));
	fputs(",\"lines\":[", document->out);
	for (size_t i = 0; i < table->n_lines; i++)
		put(document, i ? ",\n" : "\n", pack_boot_line(table, &table->lines[i]));
	fputs("]}", document->out);
}

static void put_functions(struct document *document)
{
	const struct pgt_report *report = document->report;

	fputs(",\n\"functions\":[", document->out);
	for (size_t i = 0; i < report->n_functions; i++)
		put(document, i ? ",\n" : "\n", pack_function(report, &report->functions[i]));
	fputs("]", document->out);
}

static void put_control(struct document *document)
{
	const struct pgt_report_control *control = document->report->control;

	if (!control) {
		fputs(",\n\"control\":null", document->out);
		return;
	}
	put(document, ",\n\"control\":{\"side\":", pack_side(&control->side));
	put(document, ",\n\"warnings\":", pack_warnings(control->comparison));
	put(document, ",\n\"rows_compared\":",
	    json_integer((json_int_t)control->comparison->n_rows));
	put(document, ",\"exactly\":", json_integer((json_int_t)control->n_exact));
	put(document, ",\"by_test\":", json_integer((json_int_t)control->n_tested));
	put(document, ",\"undecided\":", json_integer((json_int_t)control->n_undecided));
	put(document, ",\"varied\":", json_integer((json_int_t)control->n_varies));
	put(document, ",\"expected_by_chance\":", json_real(control->by_chance));
	put_rows(document, ",\n\"differ\":[", control->differ, control->n_differ);
	fputs("}", document->out);
}

static void put_loss_and_unreached(struct document *document)
{
	const struct pgt_report *report = document->report;

	put(document, ",\n\"loss\":{\"base\":", pack_loss(&report->base.loss));
	put(document, ",\"test\":", pack_loss(&report->test.loss));
	put(document, ",\"control\":", report->control ?
	    pack_loss(&report->control->side.loss) : json_null());
	if (pgt_report_has_truth(report)) {
		put(document, "},\n\"truth\":{\"base\":", pack_truth(&report->base.truth));
		put(document, ",\"test\":", pack_truth(&report->test.truth));
		put(document, ",\"control\":", report->control ?
		    pack_truth(&report->control->side.truth) : json_null());
	}
	put(document, "},\n\"unreached\":{\"base\":", pack_unreached(&report->base.unreached));
	put(document, ",\n\"test\":", pack_unreached(&report->test.unreached));
	fputs("}", document->out);
}

static int render(const struct pgt_report *report, FILE *out)
{
	struct document document = { report, out, 0 };

	put(&document, "{\n\"schema\":", json_integer(PGT_REPORT_SCHEMA));
	put(&document, ",\n\"base\":", pack_side(&report->base));
	put(&document, ",\n\"test\":", pack_side(&report->test));
	put(&document, ",\n\"alpha\":", json_real(report->comparison->alpha));
	put(&document, ",\n\"same_kernel\":", json_boolean(report->comparison->same_kernel));
	put(&document, ",\n\"warnings\":", pack_warnings(report->comparison));
	put(&document, ",\n\"work\":", pack_works(report));
	put_boot(&document);
	put_rows(&document, ",\n\"rows\":[", report->rows, report->n_rows);
	put_functions(&document);
	put_loss_and_unreached(&document);
	put_control(&document);
	fputs("\n}\n", out);
	return document.err;
}

const struct pgt_renderer pgt_renderer_json = { "json", ".json", render };
