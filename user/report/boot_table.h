/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boot_table.h - what making the linear map took, side by side for each size of memory.
 *
 * Its numbers are those of rows of the workloads boot-1g, boot-512m, ..., and quotients of them.
 */
#ifndef PGT_REPORT_BOOT_TABLE_H
#define PGT_REPORT_BOOT_TABLE_H

#include "report/report.h"

enum pgt_boot_part {
	PGT_BOOT_TOTAL,
	PGT_BOOT_KIND,		/* one kind of the total above it */
	PGT_BOOT_PER_PAGE,	/* for each page that was mapped */
	PGT_BOOT_PER_TABLE,	/* for as many pages as one table of page-table entries maps */
};

struct pgt_boot_cell {
	const struct pgt_report_row *row;	/* NULL: a quotient, or nothing is there */
	double base, test;	/* NAN: no value */
	double ratio;		/* test / base; NAN likewise, or where base is 0 */
};

struct pgt_boot_line {
	const char *name;	/* "DSB", ".ishst", "instructions" */
	enum pgt_boot_part part;
	struct pgt_boot_cell *cells;	/* one a column */
};

struct pgt_boot_column {
	const char *workload;	/* "boot-2g" */
	int64_t memory;		/* bytes, of the guest */
};

struct pgt_boot_table {
	struct pgt_boot_column *columns;	/* least memory first */
	size_t n_columns;
	struct pgt_boot_line *lines;
	size_t n_lines;
	int64_t base_table_pages, test_table_pages;	/* that one table maps */
	bool exact;		/* all rows were compared exactly */
};

/*
 * Build the table of a report whose rows and workloads are there, and hide these rows where else
 * they would be shown; sets report->boot, to NULL where there is nothing for it.  0 or -ENOMEM.
 */
int pgt_boot_table_make(struct pgt_report *report, struct pgt_diag *diag);
void pgt_boot_table_free(struct pgt_boot_table *table);

/* Is a cell's row to be shown below the table, because the numbers alone do not say it all? */
bool pgt_boot_cell_needs_words(const struct pgt_boot_cell *cell);

#endif /* PGT_REPORT_BOOT_TABLE_H */
