/* SPDX-License-Identifier: GPL-2.0-only */
#include <math.h>

#include "base/buf.h"
#include "report/sentences.h"
#include "report/words.h"

int pgt_cell_boot(struct pgt_buf *out, const struct pgt_boot_cell *cell, bool is_test)
{
	const struct pgt_report_row *row = cell->row;
	double value = is_test ? cell->test : cell->base;

	if (row)
		return pgt_cell_value(out, is_test ? &row->row->test : &row->row->base,
				      row->row->properties.unit,
				      is_test ? row->test_reason : row->base_reason);
	if (isnan(value))
		return pgt_buf_add(out, "-", 1);
	return pgt_format_quotient(out, value);
}

int pgt_sentence_boot(struct pgt_buf *out, bool exact)
{
	int err = pgt_buf_addf(out, "Executed within the function that maps all memory, from the "
			       "first call to its return, callees included, as the emulator "
			       "counted it from outside the guest. Instructions executed stand in "
			       "for the work, free of noise: they are not time.");

	if (!err && exact)
		err = pgt_buf_addf(out, " Every number is the same in all boots of its kernel.");
	return err;
}

int pgt_sentence_boot_part(struct pgt_buf *out, const struct pgt_boot_table *table,
			   enum pgt_boot_part part)
{
	int err;

	if (part == PGT_BOOT_PER_PAGE)
		return pgt_buf_addf(out, "for each page mapped");
	err = pgt_buf_addf(out, "for as many pages as one table of page-table entries maps: ");
	if (!err)
		err = pgt_format_count(out, table->base_table_pages);
	if (err || table->base_table_pages == table->test_table_pages)
		return err;
	err = pgt_buf_addf(out, " (base), ");
	if (!err)
		err = pgt_format_count(out, table->test_table_pages);
	return err ? err : pgt_buf_addf(out, " (test)");
}
