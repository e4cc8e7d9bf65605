/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/boot_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/recording.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define SCOPE			"linear_map."
#define ENTRY_BYTES		8	/* of a page table */

static const struct {
	const char *name, *metric;
} instructions[] = {
	{ "DSB", SCOPE "insn.dsb" },
	{ "ISB", SCOPE "insn.isb" },
	{ "TLBI", SCOPE "insn.tlbi" },
	{ "instructions", SCOPE "instructions" },
};

static const char pages[] = SCOPE "pages";

/* ---- columns ---- */

/* Bytes by the name of the workload, "boot-2g"; 0 where it is another. */
static int64_t memory_of(const char *workload)
{
	char *end;
	long long n;

	if (strncmp(workload, "boot-", 5) || workload[5] < '1' || workload[5] > '9')
		return 0;
	n = strtoll(workload + 5, &end, 10);
	if (n > 1 << 20 || (strcmp(end, "g") && strcmp(end, "m")))
		return 0;
	return n << (*end == 'g' ? 30 : 20);
}

static bool has_linear_map(const struct pgt_report_workload *workload)
{
	for (size_t i = 0; i < workload->n_rows; i++)
		if (!strncmp(workload->rows[i].row->metric, SCOPE "insn.", strlen(SCOPE "insn.")))
			return true;
	return false;
}

static int by_memory(const void *a, const void *b)
{
	const struct pgt_boot_column *x = a, *y = b;

	return (x->memory > y->memory) - (x->memory < y->memory);
}

static int add_columns(struct pgt_boot_table *table, const struct pgt_report *report)
{
	table->columns = calloc(report->n_workloads + 1, sizeof(*table->columns));
	if (!table->columns)
		return -ENOMEM;
	for (size_t i = 0; i < report->n_workloads; i++) {
		const struct pgt_report_workload *workload = &report->workloads[i];
		int64_t memory = memory_of(workload->work->workload);

		if (memory && has_linear_map(workload))
			table->columns[table->n_columns++] = (struct pgt_boot_column){
				workload->work->workload, memory };
	}
	qsort(table->columns, table->n_columns, sizeof(*table->columns), by_memory);
	return 0;
}

/* ---- lines ---- */

static struct pgt_report_row *find_row(struct pgt_report *report, const char *workload,
				       const char *metric)
{
	for (size_t i = 0; i < report->n_rows; i++)
		if (!strcmp(report->rows[i].row->workload, workload) &&
		    !strcmp(report->rows[i].row->metric, metric))
			return &report->rows[i];
	return NULL;
}

static struct pgt_boot_line *add_line(struct pgt_boot_table *table, const char *name,
				      enum pgt_boot_part part)
{
	struct pgt_boot_line *grown = reallocarray(table->lines, table->n_lines + 1,
						   sizeof(*grown));

	if (!grown)
		return NULL;
	table->lines = grown;
	grown += table->n_lines;
	*grown = (struct pgt_boot_line){ .name = name, .part = part,
					 .cells = calloc(table->n_columns,
							 sizeof(*grown->cells)) };
	if (!grown->cells)
		return NULL;
	table->n_lines++;
	for (size_t i = 0; i < table->n_columns; i++)
		grown->cells[i] = (struct pgt_boot_cell){ .base = NAN, .test = NAN,
							  .ratio = NAN };
	return grown;
}

static double value_of(const struct pgt_side *side)
{
	return side->n ? side->median : NAN;
}

/* The rows of one metric.  Here is where they are shown, so nowhere else. */
static int add_metric(struct pgt_report *report, struct pgt_boot_table *table, const char *name,
		      enum pgt_boot_part part, const char *metric)
{
	struct pgt_boot_line *line = add_line(table, name, part);

	if (!line)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++) {
		struct pgt_boot_cell *cell = &line->cells[i];
		struct pgt_report_row *row = find_row(report, table->columns[i].workload, metric);

		if (!row)
			continue;
		row->shown = false;
		*cell = (struct pgt_boot_cell){ row, value_of(&row->row->base),
						value_of(&row->row->test), row->row->ratio };
		if (!(row->row->notes & PGT_NOTE_EXACT))
			table->exact = false;
	}
	return 0;
}

static bool is_there(const struct pgt_boot_table *table, const char *name, size_t since)
{
	for (size_t i = since; i < table->n_lines; i++)
		if (!strcmp(table->lines[i].name, name))
			return true;
	return false;
}

static bool is_zero(const struct pgt_side *side)
{
	return side->n && side->lo == 0 && side->hi == 0;
}

/* Those kinds of an instruction that anybody executed, in the order of the rows. */
static int add_kinds(struct pgt_report *report, struct pgt_boot_table *table, const char *metric)
{
	size_t n = strlen(metric), since = table->n_lines;

	for (size_t i = 0; i < report->n_rows; i++) {
		const struct pgt_row *row = report->rows[i].row;
		int err;

		if (!row->properties.of_kind || strncmp(row->metric, metric, n) ||
		    row->metric[n] != '.' || !memory_of(row->workload) ||
		    (is_zero(&row->base) && is_zero(&row->test)) ||
		    is_there(table, row->metric + n, since))
			continue;
		err = add_metric(report, table, row->metric + n, PGT_BOOT_KIND, row->metric);
		if (err)
			return err;
	}
	return 0;
}

static double quotient(double a, double b)
{
	return b > 0 ? a / b : NAN;	/* NAN also for a NAN */
}

/* cells[] of the numerator and of the pages; scaled by the pages of a table, or by 1. */
static int add_quotients(struct pgt_boot_table *table, const char *name, enum pgt_boot_part part,
			 size_t numerator, size_t denominator)
{
	bool is_table = part == PGT_BOOT_PER_TABLE;
	struct pgt_boot_line *line = add_line(table, name, part);

	if (!line)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct pgt_boot_cell *above = &table->lines[numerator].cells[i];
		const struct pgt_boot_cell *below = &table->lines[denominator].cells[i];
		struct pgt_boot_cell *cell = &line->cells[i];

		cell->base = quotient(above->base, below->base) *
			     (double)(is_table ? table->base_table_pages : 1);
		cell->test = quotient(above->test, below->test) *
			     (double)(is_table ? table->test_table_pages : 1);
		cell->ratio = quotient(cell->test, cell->base);
	}
	return 0;
}

static int add_lines(struct pgt_report *report, struct pgt_boot_table *table)
{
	size_t at[ARRAY_SIZE(instructions)], n_pages;
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(instructions); i++) {
		at[i] = table->n_lines;
		err = add_metric(report, table, instructions[i].name, PGT_BOOT_TOTAL,
				 instructions[i].metric);
		if (!err)
			err = add_kinds(report, table, instructions[i].metric);
	}
	n_pages = table->n_lines;
	if (!err)
		err = add_metric(report, table, "pages", PGT_BOOT_TOTAL, pages);
	for (int part = PGT_BOOT_PER_PAGE; part <= PGT_BOOT_PER_TABLE; part++)
		for (size_t i = 0; !err && i < ARRAY_SIZE(instructions); i++)
			err = add_quotients(table, instructions[i].name, (enum pgt_boot_part)part,
					    at[i], n_pages);
	return err;
}

int pgt_boot_table_make(struct pgt_report *report, struct pgt_diag *diag)
{
	struct pgt_boot_table *table = calloc(1, sizeof(*table));
	int err = table ? add_columns(table, report) : -ENOMEM;

	if (!err && table->n_columns) {
		table->exact = true;
		table->base_table_pages = report->base.host->page_size / ENTRY_BYTES;
		table->test_table_pages = report->test.host->page_size / ENTRY_BYTES;
		err = add_lines(report, table);
	}
	if (err || !table->n_columns) {
		pgt_boot_table_free(table);
		return err ? pgt_fail(diag, err, "out of memory") : 0;
	}
	report->boot = table;
	return 0;
}

void pgt_boot_table_free(struct pgt_boot_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n_lines; i++)
		free(table->lines[i].cells);
	free(table->lines);
	free(table->columns);
	free(table);
}

bool pgt_boot_cell_needs_words(const struct pgt_boot_cell *cell)
{
	/* By the number, or by the number of the reason that stands in its place. */
	const enum pgt_note said = PGT_NOTE_EXACT | PGT_NOTE_ONE_SIDED | PGT_NOTE_NOT_COUNTED;
	const struct pgt_row *row = cell->row ? cell->row->row : NULL;

	return row && row->notes & ~(uint32_t)said;
}
