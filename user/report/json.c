/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report as one JSON document: everything, hidden rows included, with numbers as they are.
 * The members of the document stand one a line, and so do the elements of its long arrays,
 * so that two documents can be compared by line.
 */
#include <errno.h>
#include <jansson.h>

#include "recording/recording.h"
#include "report/boot_table.h"
#include "report/pack.h"
#include "report/renderers.h"

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
			 "base_mechanism", pgt_pack_text(function->base_mechanism),
			 "base_reason", pgt_pack_text(reason_text(report, function->base_reason)),
			 "test_mechanism", pgt_pack_text(function->test_mechanism),
			 "test_reason", pgt_pack_text(reason_text(report, function->test_reason)));
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

static void put(struct document *document, const char *before, json_t *value)
{
	if (pgt_pack_put(document->out, before, value))
		document->err = -ENOMEM;
}

static void put_rows(struct document *document, const char *before,
		     const struct pgt_report_row *rows, size_t n)
{
	fputs(before, document->out);
	for (size_t i = 0; i < n; i++)
		put(document, i ? ",\n" : "\n", pgt_pack_row(rows[i].row));
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
			"base", pgt_pack_number(cell->base), "test", pgt_pack_number(cell->test),
			"ratio", pgt_pack_number(cell->ratio)));
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
	put(document, ",\n\"control\":{\"side\":", pgt_pack_side(&control->side));
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

	put(document, ",\n\"loss\":{\"base\":", pgt_pack_loss(&report->base.loss));
	put(document, ",\"test\":", pgt_pack_loss(&report->test.loss));
	put(document, ",\"control\":", report->control ?
	    pgt_pack_loss(&report->control->side.loss) : json_null());
	if (pgt_report_has_truth(report)) {
		put(document, "},\n\"truth\":{\"base\":", pgt_pack_truth(&report->base.truth));
		put(document, ",\"test\":", pgt_pack_truth(&report->test.truth));
		put(document, ",\"control\":", report->control ?
		    pgt_pack_truth(&report->control->side.truth) : json_null());
	}
	put(document, "},\n\"unreached\":{\"base\":", pgt_pack_unreached(&report->base.unreached));
	put(document, ",\n\"test\":", pgt_pack_unreached(&report->test.unreached));
	fputs("}", document->out);
}

static int render(const struct pgt_report *report, FILE *out)
{
	struct document document = { report, out, 0 };

	put(&document, "{\n\"schema\":", json_integer(PGT_REPORT_SCHEMA));
	put(&document, ",\n\"base\":", pgt_pack_side(&report->base));
	put(&document, ",\n\"test\":", pgt_pack_side(&report->test));
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
