/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/sentences_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "recording/recording.h"
#include "report/oracle.h"
#include "report/published.h"
#include "report/sentences.h"
#include "report/words.h"

#define GIB_SHIFT	30

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- the sides ---- */

int pgt_sentence_attribute(struct pgt_buf *out, const struct pgt_steps *steps,
			   const struct pgt_steps_attribute *attribute)
{
	bool same = true;

	for (size_t i = 1; i < steps->n_sides; i++)
		same &= !strcmp(attribute->texts[0], attribute->texts[i]);
	return pgt_buf_addf(out, "%s%s", attribute->texts[0],
			    same ? "" : " (of the first; the others within a sixteenth)");
}

int pgt_sentence_warning(struct pgt_buf *out, const struct pgt_steps *steps,
			 const struct pgt_steps_warning *warning)
{
	const char *separator = "";
	int err = 0;

	for (size_t i = 0; !err && i < steps->n_sides; i++) {
		if (!warning->is_about[i])
			continue;
		err = pgt_buf_addf(out, "%s%s", separator, steps->sides[i].name);
		separator = ", ";
	}
	if (!err)
		err = pgt_buf_addf(out, ": ");
	return err ? err : pgt_format_ascii(out, warning->text);
}

int pgt_sentence_steps_loss(struct pgt_buf *out, const struct pgt_steps *steps)
{
	const struct pgt_report_control *control = pgt_steps_first_report(steps)->control;
	int err = 0;

	for (size_t i = 0; !err && i < steps->n_sides; i++) {
		err = i ? pgt_buf_addf(out, "; ") : 0;
		if (!err)
			err = pgt_sentence_loss_of(out, steps->sides[i].name,
						   &steps->sides[i].side.loss);
	}
	if (!err && control)
		err = pgt_sentence_loss_of(out, "; control", &control->side.loss);
	return err;
}

static bool has_truth(const struct pgt_steps *steps)
{
	const struct pgt_report_control *control = pgt_steps_first_report(steps)->control;

	for (size_t i = 0; i < steps->n_sides; i++)
		if (steps->sides[i].side.truth.n_repeats)
			return true;
	return control && control->side.truth.n_repeats;
}

int pgt_sentence_steps_truth(struct pgt_buf *out, const struct pgt_steps *steps)
{
	const struct pgt_report_control *control = pgt_steps_first_report(steps)->control;
	int err = 0;

	if (!has_truth(steps))
		return pgt_buf_addf(out, "no count was held against an emulator's");
	for (size_t i = 0; !err && i < steps->n_sides; i++) {
		err = i ? pgt_buf_addf(out, "; ") : 0;
		if (!err)
			err = pgt_sentence_truth_of(out, steps->sides[i].name,
						    &steps->sides[i].side.truth);
	}
	if (!err && control)
		err = pgt_sentence_truth_of(out, "; control", &control->side.truth);
	return err;
}

int pgt_sentence_again(struct pgt_buf *out, const struct pgt_row *row)
{
	const struct pgt_steps_cell cell = { &row->test, row, 0 };
	const char *unit = row->properties.unit;
	int err = pgt_cell_value(out, &row->base, unit, 0);

	if (!err)
		err = pgt_buf_addf(out, ", and again ");
	if (!err)
		err = pgt_cell_value(out, &row->test, unit, 0);
	if (!err && row->base.n && row->test.n) {
		err = pgt_buf_addf(out, ": ");
		if (!err)
			err = pgt_cell_step_change(out, &cell);
	}
	return err ? err : pgt_buf_addf(out, ", %s", pgt_verdict_words[row->verdict].word);
}

/* ---- the linear map ---- */

/* Pages that one table of page-table entries maps, of 8 bytes each. */
static int64_t table_pages(const struct pgt_steps *steps, size_t side)
{
	return steps->sides[side].side.host->page_size / 8;
}

int pgt_sentence_map_part(struct pgt_buf *out, const struct pgt_steps *steps,
			  enum pgt_boot_part part)
{
	int err;

	if (part == PGT_BOOT_PER_PAGE)
		return pgt_buf_addf(out, "for each page mapped");
	err = pgt_buf_addf(out, "for as many pages as one table of page-table entries maps: ");
	if (!err)
		err = pgt_format_count(out, table_pages(steps, 0));
	for (size_t i = 1; !err && i < steps->n_sides; i++) {
		if (table_pages(steps, i) == table_pages(steps, 0))
			continue;
		err = pgt_buf_addf(out, "; %s ", steps->sides[i].name);
		if (!err)
			err = pgt_format_count(out, table_pages(steps, i));
	}
	return err;
}

int pgt_sentence_step_spread(struct pgt_buf *out, const char *label,
			     const struct pgt_steps_cell *cell)
{
	struct pgt_buf spread = PGT_BUF_INIT;
	int err = cell->row ? pgt_sentence_spread(&spread, cell->row) : 0;

	if (!err && spread.len)
		err = pgt_buf_addf(out, "%s: %s", label, spread.at);
	pgt_buf_release(&spread);
	return err;
}

int pgt_sentence_map_spread(struct pgt_buf *out, const struct pgt_steps *steps,
			    const struct pgt_steps_map_line *line, size_t size)
{
	struct pgt_buf label = PGT_BUF_INIT;
	int err;

	if (!line->cells[size].counted)
		return 0;
	err = pgt_buf_addf(&label, "%s, %s, %s", line->name, steps->map.sizes[size].workload,
			   steps->sides[line->side].name);
	if (!err)
		err = pgt_sentence_step_spread(out, label.at, line->cells[size].counted);
	pgt_buf_release(&label);
	return err;
}

int pgt_sentence_published(struct pgt_buf *out, const struct pgt_published *published)
{
	int err = pgt_buf_addf(out, "Not measured here: ");

	if (!err)
		err = pgt_format_ascii(out, published->unit);
	if (!err)
		err = pgt_buf_addf(out, " on other machines, from ");
	if (!err)
		err = pgt_format_ascii(out, published->source);
	return err ? err : pgt_buf_addf(out, "; each against the first row.");
}

/* ---- oracles ---- */

const char *const pgt_oracle_words[PGT_ORACLE_VIOLATED + 1] = {
	[PGT_ORACLE_NOT_CHECKED] = "not checked",
	[PGT_ORACLE_HOLDS] = "holds",
	[PGT_ORACLE_VIOLATED] = "DOES NOT HOLD",
};

static int add_gap(struct pgt_buf *out, const struct pgt_steps_gap *gap)
{
	int64_t n = (gap->to - gap->from) >> GIB_SHIFT;
	int err = pgt_format_count(out, gap->measured);

	if (!err)
		err = pgt_buf_addf(out, " from ");
	if (!err)
		err = pgt_format_size(out, gap->from);
	if (!err)
		err = pgt_buf_addf(out, " to ");
	if (!err)
		err = pgt_format_size(out, gap->to);
	if (!err && gap->measured != gap->expected) {
		err = pgt_buf_addf(out, ", not ");
		return err ? err : pgt_format_count(out, gap->expected);
	}
	if (!err && n != 1 && gap->measured) {
		err = pgt_buf_addf(out, " (%lld x ", (long long)n);
		if (!err)
			err = pgt_format_count(out, gap->measured / n);
		if (!err)
			err = pgt_buf_addf(out, ")");
	}
	return err;
}

/* "1 a PTE, 4 a PTE table": what a GiB takes is the sum of. */
static int add_parts(struct pgt_buf *out, const struct pgt_oracle_entry *entry)
{
	static const char *const parts[PGT_N_ORACLE_PARTS] = {
		[PGT_PER_PTE] = "PTE",
		[PGT_PER_CONT_PTE] = "contiguous block of PTEs",
		[PGT_PER_PTE_TABLE] = "PTE table",
		[PGT_PER_CONT_PMD] = "contiguous group of PMDs",
		[PGT_PER_PMD_TABLE] = "PMD table",
	};
	const char *separator = " (";
	int err = 0;

	for (size_t i = 0; !err && i < PGT_N_ORACLE_PARTS; i++) {
		const struct pgt_oracle_ratio *per = &entry->per[i];

		if (!per->n)
			continue;
		err = pgt_buf_addf(out, "%s%" PRId64, separator, per->n);
		if (!err && per->of > 1)
			err = pgt_buf_addf(out, "/%" PRId64, per->of);
		if (!err)
			err = pgt_buf_addf(out, " a %s", parts[i]);
		separator = ", ";
	}
	return err || !entry->expected ? err : pgt_buf_addf(out, ")");
}

static int add_expected(struct pgt_buf *out, const struct pgt_oracle_entry *entry)
{
	int err = pgt_buf_addf(out, "%s: ", entry->step);

	if (!err && entry->workload)
		err = pgt_format_ascii(out, entry->workload);
	if (!err)
		err = pgt_buf_addf(out, "%s%s: expected ", entry->workload ? ": " : "",
				   entry->metric);
	if (!err)
		err = pgt_format_count(out, entry->expected);
	if (err || entry->workload)
		return err;
	err = pgt_buf_addf(out, " for each GiB");
	return err ? err : add_parts(out, entry);
}

int pgt_sentence_oracle(struct pgt_buf *out, const struct pgt_steps_oracle *oracle)
{
	const char *separator = ", measured ";
	int err = add_expected(out, oracle->entry);

	for (size_t i = 0; !err && i < oracle->n_gaps; i++) {
		err = pgt_buf_addf(out, "%s", separator);
		if (!err)
			err = add_gap(out, &oracle->gaps[i]);
		separator = ", ";
	}
	if (!err && oracle->entry->workload && oracle->measured.n) {
		err = pgt_buf_addf(out, "%s", separator);
		if (!err)
			err = pgt_cell_value(out, &oracle->measured, "", 0);
	}
	if (!err)
		err = pgt_buf_addf(out, ": %s", pgt_oracle_words[oracle->verdict]);
	if (!err && oracle->reason) {
		err = pgt_buf_addf(out, ": ");
		if (!err)
			err = pgt_format_ascii(out, oracle->reason);
	}
	return err;
}

/* ---- workloads ---- */

const char pgt_steps_legend[] =
	"a change without a mark: exact, every repeat and boot of both sides gave one number; each "
	"number is of one value a boot, the median of its runs, and of these the median";

int pgt_sentence_steps_work(struct pgt_buf *out, const struct pgt_steps_workload *workload)
{
	const struct pgt_work_pair pair = { workload->name, workload->work, NULL };

	return pgt_sentence_work(out, &pair);
}

static int add_names(struct pgt_buf *out, const struct pgt_steps_workload *workload,
		     enum pgt_steps_class class)
{
	const char *separator = "";
	int err = 0;

	for (size_t i = 0; !err && i < workload->n_rows; i++) {
		if (!workload->rows[i].for_text || workload->rows[i].class != class)
			continue;
		err = pgt_buf_addf(out, "%s%s", separator, workload->rows[i].metric);
		separator = ", ";
	}
	return err;
}

static int add_reasons(struct pgt_buf *out, const struct pgt_steps *steps,
		       const struct pgt_steps_workload *workload, enum pgt_steps_class class)
{
	bool *said = calloc(steps->n_reasons + 1, sizeof(*said));
	int err = said ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < workload->n_rows; i++) {
		if (!workload->rows[i].for_text || workload->rows[i].class != class)
			continue;
		for (size_t j = 0; !err && j < steps->n_sides; j++) {
			size_t reason = workload->rows[i].cells[j].reason;

			if (reason && !said[reason])
				err = pgt_buf_addf(out, " [%zu]", reason);
			said[reason] = true;
		}
	}
	free(said);
	return err;
}

int pgt_sentence_class(struct pgt_buf *out, const struct pgt_steps *steps,
		       const struct pgt_steps_workload *workload, enum pgt_steps_class class)
{
	size_t n = workload->n_of[class];
	int err;

	if (!n)
		return 0;
	switch (class) {
	case PGT_STEPS_SAME:
		return pgt_buf_addf(out, "%zu metric%s no side: not shown", n,
				    n == 1 ? " differs in" : "s differ in");
	case PGT_STEPS_ZERO:
		return pgt_buf_addf(out, "%zu metric%s 0 in all: not shown", n,
				    n == 1 ? " is" : "s are");
	case PGT_STEPS_ZERO_BOUND:
		return pgt_buf_addf(out, "%zu metric%s at least 0 in all, with nothing counted: "
				    "not shown", n, n == 1 ? " is" : "s are");
	case PGT_STEPS_NOT_COUNTED:
		err = pgt_buf_addf(out, "%zu metric%s no value in any recording:", n,
				   n == 1 ? " has" : "s have");
		return err ? err : add_reasons(out, steps, workload, class);
	case PGT_STEPS_ONE_SIDED:
		err = pgt_buf_addf(out, "%zu metric%s a value in some recordings only, and "
				   "differ%s in none of these: not shown;", n, n == 1 ? " has" : "s have",
				   n == 1 ? "s" : "");
		return err ? err : add_reasons(out, steps, workload, class);
	case PGT_STEPS_UNDECIDED:
		err = pgt_buf_addf(out, "undecided, and different in no side (%zu metric%s): ", n,
				   plural(n));
		return err ? err : add_names(out, workload, class);
	default:
		return 0;	/* shown */
	}
}

/* ---- beside ---- */

const char pgt_heading_beside[] =
	"Beside: does the last step execute more than the kernel that merged the series?";

static int add_rest(struct pgt_buf *out, const struct pgt_steps_beside *beside)
{
	int err = 0;

	if (beside->n_undecided)
		err = pgt_buf_addf(out, "; %zu undecided", beside->n_undecided);
	if (!err && beside->n_one_sided)
		err = pgt_buf_addf(out, "; %zu more that only one of the two has",
				   beside->n_one_sided);
	return err;
}

int pgt_sentence_beside(struct pgt_buf *out, const struct pgt_steps *steps,
			const struct pgt_steps_beside *beside)
{
	const char *last = steps->sides[steps->n_steps - 1].name;
	const char *other = steps->sides[beside->side].name;
	size_t n = beside->n_excesses;
	int err;

	if (!beside->n_totals)
		err = pgt_buf_addf(out, "%s and %s have no total of DSB, ISB or TLBI in common: "
				   "nothing was compared", last, other);
	else if (n)
		err = pgt_buf_addf(out, "%s executes more than %s, or another kind, in %zu row%s; "
				   "%zu total%s of DSB, ISB and TLBI compared", last, other, n,
				   plural(n), beside->n_totals, plural(beside->n_totals));
	else
		err = pgt_buf_addf(out, "%s executes nothing more than %s, and no other kind; %zu "
				   "total%s of DSB, ISB and TLBI compared", last, other,
				   beside->n_totals, plural(beside->n_totals));
	return err ? err : add_rest(out, beside);
}

int pgt_sentence_excess(struct pgt_buf *out, const struct pgt_steps_excess *excess)
{
	const struct pgt_steps_cell cell = { &excess->row->test, excess->row, 0 };
	const char *unit = excess->row->properties.unit;
	int err = pgt_cell_value(out, &excess->row->test, unit, 0);

	if (!err && excess->is_new_kind)
		return pgt_buf_addf(out, ", and none beside");
	if (!err)
		err = pgt_buf_addf(out, ", and ");
	if (!err)
		err = pgt_cell_value(out, &excess->row->base, unit, 0);
	if (!err)
		err = pgt_buf_addf(out, " beside: ");
	return err ? err : pgt_cell_step_change(out, &cell);
}
