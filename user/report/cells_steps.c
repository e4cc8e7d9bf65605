/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells of a topic's report. */
#include <math.h>

#include "base/buf.h"
#include "report/published.h"
#include "report/sentences.h"
#include "report/sentences_steps.h"
#include "report/words.h"

static const struct {
	char sign;
	const char *meaning;
} signs[PGT_ONE_SIDE_ONLY + 1] = {
	[PGT_UNDECIDED] = { 'u', "undecided: too few boots, or lost events that matter" },
	[PGT_NO_DIFFERENCE] = { '=', "no difference detected, by the Mann-Whitney test over one "
				"value a boot: p >= alpha" },
	[PGT_BETTER] = { 't', "differs, by the Mann-Whitney test over one value a boot: "
			 "p < alpha" },
	[PGT_WORSE] = { 't', NULL },
	[PGT_DIFFERENT] = { 't', NULL },
};

const char *pgt_sentence_of_sign(enum pgt_verdict verdict)
{
	return signs[verdict].meaning;
}

char pgt_sign_of(enum pgt_verdict verdict)
{
	return signs[verdict].sign;
}

/* Several verdicts share a sign, and the first of them explains it. */
bool pgt_sign_is_used(enum pgt_verdict verdict, uint32_t verdicts)
{
	if (!signs[verdict].meaning)
		return false;
	for (int i = 0; i <= PGT_ONE_SIDE_ONLY; i++)
		if (signs[i].sign == signs[verdict].sign && (verdicts & 1U << i))
			return true;
	return false;
}

/* Of what the value, or the reason in its place, does not say already. */
static uint32_t notes_of(const struct pgt_row *row)
{
	const enum pgt_note said = PGT_NOTE_EXACT | PGT_NOTE_ONE_SIDED | PGT_NOTE_NOT_COUNTED;

	return row->notes & ~(uint32_t)said;
}

static bool is_signed(const struct pgt_row *row)
{
	return row->base.n && row->test.n &&
	       (!(row->notes & PGT_NOTE_EXACT) || row->verdict == PGT_UNDECIDED);
}

static bool has_marks(const struct pgt_steps_cell *cell)
{
	return cell->row && (is_signed(cell->row) || notes_of(cell->row));
}

void pgt_step_shown(struct pgt_shown *shown, const struct pgt_steps_cell *cell)
{
	if (!has_marks(cell))
		return;
	shown->notes |= cell->row->notes & ~(uint32_t)PGT_NOTE_EXACT;
	if (!(cell->row->notes & PGT_NOTE_EXACT) || cell->row->verdict == PGT_UNDECIDED)
		shown->verdicts |= 1U << cell->row->verdict;
}

int pgt_cell_step(struct pgt_buf *out, const struct pgt_steps_cell *cell, const char *unit)
{
	return pgt_cell_value(out, cell->value, unit, cell->reason);
}

static int add_change(struct pgt_buf *out, const struct pgt_row *row)
{
	if (!row->base.n || !row->test.n)
		return pgt_buf_add(out, "", 0);
	if (!isnan(row->ratio))
		return pgt_format_change(out, row->ratio);
	return pgt_buf_addf(out, row->test.median > 0 ? "from 0" : "0 %%");
}

int pgt_cell_step_change(struct pgt_buf *out, const struct pgt_steps_cell *cell)
{
	int err = pgt_buf_add(out, "", 0);

	if (err || !cell->row)
		return err;
	err = add_change(out, cell->row);
	if (err || !has_marks(cell))
		return err;
	err = pgt_buf_addf(out, "%s", out->len ? " " : "");
	if (!err && is_signed(cell->row))
		err = pgt_buf_add(out, &signs[cell->row->verdict].sign, 1);
	return err ? err : pgt_format_marks(out, notes_of(cell->row));
}

int pgt_cell_map(struct pgt_buf *out, const struct pgt_steps_map_cell *cell)
{
	if (cell->counted)
		return pgt_cell_step(out, cell->counted, "instructions");
	if (isnan(cell->value))
		return pgt_buf_add(out, "-", 1);
	return pgt_format_quotient(out, cell->value);
}

int pgt_cell_map_change(struct pgt_buf *out, const struct pgt_steps_map_cell *cell)
{
	if (cell->counted)
		return pgt_cell_step_change(out, cell->counted);
	return isnan(cell->ratio) ? pgt_buf_add(out, "", 0) : pgt_format_change(out, cell->ratio);
}

int pgt_cell_published(struct pgt_buf *out, const struct pgt_published *published, size_t row,
		       size_t column)
{
	double value = published->rows[row].value[column];

	return isnan(value) ? pgt_buf_add(out, "-", 1) : pgt_format_value(out, value);
}

int pgt_cell_published_change(struct pgt_buf *out, const struct pgt_published *published,
			      size_t row, size_t column)
{
	double ratio = published->rows[row].ratio[column];

	return !row || isnan(ratio) ? pgt_buf_add(out, "", 0) : pgt_format_change(out, ratio);
}
