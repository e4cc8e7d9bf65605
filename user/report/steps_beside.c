/* SPDX-License-Identifier: GPL-2.0-only */
/* What the last step executes more than the kernels that stand beside the steps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/recording.h"
#include "report/steps_parts.h"

/* "...insn.dsb" and its kinds, and so for ISB and TLBI. */
static bool is_of_interest(const struct pgt_row *row)
{
	static const char *const names[] = { "dsb", "isb", "tlbi" };
	const char *insn = row->metric + row->properties.scope_len;
	size_t n;

	if (strncmp(insn, ".insn.", 6))
		return false;
	insn += 6;
	n = strcspn(insn, ".");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && !strncmp(names[i], insn, n))
			return true;
	return false;
}

/* Where it is not decided, by all of its values, none of which is among the others. */
static bool is_more(const struct pgt_row *row)
{
	if (row->verdict == PGT_WORSE)
		return true;
	return row->verdict == PGT_UNDECIDED && row->base.n && row->test.n &&
	       row->test.lo > row->base.hi;
}

static bool is_new_kind(const struct pgt_row *row)
{
	return row->properties.of_kind && row->base.n && row->test.n && row->base.hi == 0 &&
	       row->test.hi > 0;
}

static void sum_total(struct pgt_steps_beside *beside, const struct pgt_row *row)
{
	if (row->verdict == PGT_ONE_SIDE_ONLY) {
		beside->n_one_sided++;
	} else if (!(row->notes & PGT_NOTE_NOT_COUNTED)) {
		beside->n_totals++;
		beside->n_undecided += row->verdict == PGT_UNDECIDED && !pgt_report_is_zero(row);
	}
}

static int find_excesses(struct pgt_steps_beside *beside)
{
	const struct pgt_comparison *comparison = &beside->comparison;

	beside->excesses = calloc(comparison->n_rows + 1, sizeof(*beside->excesses));
	if (!beside->excesses)
		return -ENOMEM;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct pgt_row *row = &comparison->rows[i];
		bool of_kind = row->properties.of_kind;

		if (!is_of_interest(row))
			continue;
		if (!of_kind)
			sum_total(beside, row);
		if (of_kind ? is_new_kind(row) : is_more(row))
			beside->excesses[beside->n_excesses++] =
				(struct pgt_steps_excess){ row, of_kind };
	}
	return 0;
}

int pgt_steps_add_beside(struct pgt_steps *steps, struct pgt_diag *diag)
{
	const struct pgt_steps_side *last = &steps->sides[steps->n_steps - 1];
	int err = 0;

	steps->beside = calloc(steps->n_sides - steps->n_steps + 1, sizeof(*steps->beside));
	if (!steps->beside)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = steps->n_steps; !err && i < steps->n_sides; i++) {
		struct pgt_steps_beside *beside = &steps->beside[steps->n_beside++];

		beside->side = i;
		err = pgt_compare(&beside->comparison, steps->sides[i].side.recording,
				  last->side.recording, steps->alpha, diag);
		if (!err && find_excesses(beside))
			err = pgt_fail(diag, -ENOMEM, "out of memory");
	}
	return err;
}
