/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/sentences.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "recording/recording.h"
#include "report/words.h"

static const struct {
	enum pgt_view view;
	const char *sentence;
} views[] = {
	{ PGT_VIEW_INSTRUCTIONS,
	  "instructions: all that were executed within the scope, which stand in for the work, free "
	  "of noise: they are not time" },
	{ PGT_VIEW_UNSEEN,
	  "unseen: executed in the workload's window where no probe of a live machine reaches, as the "
	  "emulator's plugin counted it" },
	{ PGT_VIEW_TABLES,
	  "bytes, entries: mapped by the linear map's page-table entries of a kind, and how many of "
	  "these; tables: pages that hold them; translations: TLB entries that it takes to map all, "
	  "one for a contiguous group" },
	{ PGT_VIEW_MODEL,
	  "model: what a model of a core's TLBs looked up and missed, by part of the address space; "
	  "no hardware counted it; left_out: accesses and executed vector instructions that it could "
	  "not see, which make its other numbers lower bounds" },
};

const char *pgt_sentence_of_view(size_t i, uint32_t shown)
{
	return shown & 1U << views[i].view ? views[i].sentence : NULL;
}

const size_t pgt_n_view_sentences = sizeof(views) / sizeof(views[0]);

const char pgt_legend_calls[] =
	"calls, pages: outermost calls of the probe, and the base pages that their arguments name; "
	"full: calls for the whole address space; unsized: calls that name no range";

const char pgt_legend_insn[] =
	"insn: executed within the probe, callees included; self: by the probe's own functions; "
	"outside: in a task with no probe active; interrupt: in interrupt context";

const char pgt_sentence_same_kernel[] =
	"base and test are one kernel (same release and build id): any difference is the "
	"measurement's own";

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

int pgt_cell_value(struct pgt_buf *out, const struct pgt_side *side, const char *unit,
		   size_t reason)
{
	int err;

	if (!side->n)
		return reason ? pgt_buf_addf(out, "- [%zu]", reason) : pgt_buf_add(out, "-", 1);
	err = side->lower_bound ? pgt_buf_add(out, ">=", 2) : 0;
	return err ? err : pgt_format_in_unit(out, side->median, unit);
}

int pgt_cell_change(struct pgt_buf *out, const struct pgt_row *row)
{
	return row->base.n && row->test.n ? pgt_format_change(out, row->ratio) :
					    pgt_buf_add(out, "", 0);
}

int pgt_cell_mechanism(struct pgt_buf *out, const char *mechanism, size_t reason)
{
	int err;

	if (mechanism) {
		err = pgt_format_ascii(out, mechanism);
		return err || !reason ? err : pgt_buf_addf(out, " [%zu]", reason);
	}
	return reason ? pgt_buf_addf(out, "- [%zu]", reason) : pgt_buf_add(out, "-", 1);
}

static int add_range(struct pgt_buf *out, double lo, double hi, const char *unit)
{
	int err = pgt_format_in_unit(out, lo, unit);

	if (err || lo == hi)
		return err;
	err = pgt_buf_add(out, "..", 2);
	return err ? err : pgt_format_in_unit(out, hi, unit);
}

static int add_interval(struct pgt_buf *out, const struct pgt_side *side, const char *unit)
{
	int err;

	if (!side->has_interval || side->lo == side->hi)
		return 0;
	err = pgt_buf_addf(out, " (median in ");
	if (!err)
		err = add_range(out, side->interval.lo, side->interval.hi, unit);
	return err ? err : pgt_buf_addf(out, ", %.1f %%)", 100 * side->interval.confidence);
}

/* Two values that are the same in all boots, and too few boots for more, say it all. */
static bool has_spread(const struct pgt_row *row)
{
	return row->base.lo < row->base.hi || row->test.lo < row->test.hi ||
	       !(row->notes & PGT_NOTE_TOO_FEW_BOOTS);
}

int pgt_sentence_spread(struct pgt_buf *out, const struct pgt_row *row)
{
	const char *unit = row->properties.unit;
	int err;

	if (isnan(row->p) || !has_spread(row))
		return 0;
	err = pgt_buf_addf(out, "base ");
	if (!err)
		err = add_range(out, row->base.lo, row->base.hi, unit);
	if (!err)
		err = add_interval(out, &row->base, unit);
	if (!err)
		err = pgt_buf_addf(out, ", test ");
	if (!err)
		err = add_range(out, row->test.lo, row->test.hi, unit);
	if (!err)
		err = add_interval(out, &row->test, unit);
	if (!err && !(row->notes & PGT_NOTE_TOO_FEW_BOOTS)) {
		err = pgt_buf_addf(out, ", p ");
		if (!err)
			err = pgt_format_p(out, row->p);
	}
	return err;
}

static const struct pgt_side *side_of(const struct pgt_report_row *row, bool is_base)
{
	return is_base ? &row->row->base : &row->row->test;
}

static bool is_bin(const struct pgt_side *side)
{
	return side->n && (side->median > 0 || side->hi > 0 || side->lower_bound);
}

bool pgt_histogram_is_empty(const struct pgt_report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_bin(&rows[i].row->base) || is_bin(&rows[i].row->test))
			return false;
	return true;
}

int pgt_sentence_histogram(struct pgt_buf *out, const struct pgt_report_row *rows, size_t n,
			   bool is_base)
{
	const char *separator = "";
	bool counted = false;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct pgt_side *side = side_of(&rows[i], is_base);

		counted |= side->n > 0;
		if (!is_bin(side))
			continue;
		err = pgt_buf_addf(out, "%s", separator);
		if (!err)
			err = pgt_format_bin(out, rows[i].row->properties.pages);
		if (!err)
			err = pgt_buf_add(out, ": ", 2);
		if (!err)
			err = pgt_cell_value(out, side, "calls", 0);
		separator = ", ";
	}
	if (err || *separator)
		return err;
	if (counted)
		return pgt_buf_addf(out, "no calls");
	return pgt_cell_value(out, side_of(&rows[0], is_base), "calls",
			      is_base ? rows[0].base_reason : rows[0].test_reason);
}

static int add_work(struct pgt_buf *out, const struct pgt_work_done *work)
{
	int err = pgt_format_count(out, work->done);

	if (!err)
		err = pgt_buf_add(out, " ", 1);
	return err ? err : pgt_format_ascii(out, work->unit);
}

int pgt_sentence_work(struct pgt_buf *out, const struct pgt_work_pair *work)
{
	const struct pgt_work_done *base = work->base, *test = work->test;
	int err;

	if (!base && !test)
		return 0;
	if (base && test && (base->done != test->done || strcmp(base->unit, test->unit))) {
		err = pgt_buf_addf(out, "base ");
		if (!err)
			err = add_work(out, base);
		if (!err)
			err = pgt_buf_addf(out, ", test ");
		if (!err)
			err = add_work(out, test);
	} else {
		err = add_work(out, base ? base : test);
	}
	return err ? err : pgt_buf_addf(out, " of work a run");
}

int pgt_sentence_zero(struct pgt_buf *out, const struct pgt_report_workload *workload)
{
	size_t n = workload->n_zero, bound = workload->n_zero_bound;
	int err = 0;

	if (n)
		err = pgt_buf_addf(out, "%zu metric%s 0 on both sides", n, n == 1 ? " is" : "s are");
	if (!err && bound)
		err = pgt_buf_addf(out, "%s%zu metric%s at least 0, with nothing counted",
				   n ? ", " : "", bound, bound == 1 ? " is" : "s are");
	return err || !(n + bound) ? err : pgt_buf_addf(out, ": not shown");
}

static int add_reason(struct pgt_buf *out, const char *name, size_t reason)
{
	return reason ? pgt_buf_addf(out, "%s [%zu]", name, reason) :
			pgt_buf_addf(out, "%s -", name);
}

int pgt_sentence_not_counted(struct pgt_buf *out, const struct pgt_report_row *row, size_t n)
{
	int err = pgt_buf_addf(out, "%zu metric%s of %.*s %s no value on either side: ", n,
			       plural(n), (int)row->row->properties.scope_len, row->row->metric,
			       n == 1 ? "has" : "have");

	if (!err)
		err = add_reason(out, "base", row->base_reason);
	return err ? err : add_reason(out, ", test", row->test_reason);
}

/* Only what was lost, so that the line stays one. */
int pgt_sentence_loss_of(struct pgt_buf *out, const char *name, const struct pgt_loss_sum *sum)
{
	const struct {
		const char *word;
		int64_t n;
	} kinds[] = { { "missed", sum->missed }, { "recursion", sum->recursion },
		      { "overflow", sum->overflow }, { "unbalanced", sum->unbalanced } };
	const char *separator = " ";
	int err = pgt_buf_addf(out, "%s", name);

	if (!err && !sum->n_repeats)
		return pgt_buf_addf(out, " not recorded");
	if (!err && !sum->any)
		err = pgt_buf_addf(out, " nothing");
	for (size_t i = 0; !err && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!kinds[i].n)
			continue;
		err = pgt_buf_addf(out, "%s%s ", separator, kinds[i].word);
		if (!err)
			err = pgt_format_count(out, kinds[i].n);
		separator = ", ";
	}
	return err ? err : pgt_buf_addf(out, " in %zu run%s", sum->n_repeats,
					plural(sum->n_repeats));
}

int pgt_sentence_loss(struct pgt_buf *out, const struct pgt_report *report)
{
	int err = pgt_sentence_loss_of(out, "base", &report->base.loss);

	if (!err)
		err = pgt_sentence_loss_of(out, "; test", &report->test.loss);
	if (!err && report->control)
		err = pgt_sentence_loss_of(out, "; control", &report->control->side.loss);
	return err;
}

int pgt_sentence_truth_of(struct pgt_buf *out, const char *name, const struct pgt_truth_sum *sum)
{
	int err = pgt_buf_addf(out, "%s ", name);

	if (!err && !sum->n_repeats)
		return pgt_buf_addf(out, "not compared");
	if (!err)
		err = pgt_format_count(out, sum->sites);
	if (!err)
		err = pgt_buf_addf(out, " counts of sites, ");
	if (!err)
		err = pgt_format_count(out, sum->hits);
	if (!err && !sum->differ)
		return pgt_buf_addf(out, " hits, all equal to the emulator's");
	if (!err)
		err = pgt_buf_addf(out, " hits, ");
	if (!err)
		err = pgt_format_count(out, sum->differ);
	return err ? err : pgt_buf_addf(out, " counts DIFFER from the emulator's");
}

int pgt_sentence_truth(struct pgt_buf *out, const struct pgt_report *report)
{
	const struct pgt_report_control *control = report->control;
	int err;

	if (!pgt_report_has_truth(report))
		return 0;
	err = pgt_sentence_truth_of(out, "base", &report->base.truth);
	if (!err)
		err = pgt_sentence_truth_of(out, "; test", &report->test.truth);
	if (!err && control)
		err = pgt_sentence_truth_of(out, "; control", &control->side.truth);
	return err;
}

int pgt_sentence_unreached(struct pgt_buf *out, const struct pgt_unreached_sum *sum)
{
	int err;

	if (sum->no_probes)
		return pgt_buf_addf(out, "not looked for: no probe was planted%s",
				    sum->boots_differ ? " in boot 1" : "");
	err = pgt_format_count(out, sum->n_functions);
	if (!err)
		err = pgt_buf_addf(out, sum->n_functions == 1 ? " function with " :
								" functions with ");
	if (!err)
		err = pgt_format_count(out, sum->dsb);
	if (!err)
		err = pgt_buf_addf(out, " DSB, ");
	if (!err)
		err = pgt_format_count(out, sum->isb);
	if (!err)
		err = pgt_buf_addf(out, " ISB and ");
	if (!err)
		err = pgt_format_count(out, sum->tlbi);
	if (!err)
		err = pgt_buf_addf(out, " TLBI sites");
	if (!err && sum->boots_differ)
		err = pgt_buf_addf(out, " (in boot 1; other boots differ)");
	return err;
}

int pgt_sentence_control(struct pgt_buf *out, const struct pgt_report *report)
{
	const struct pgt_report_control *control = report->control;
	int err;

	if (!control)
		return pgt_buf_addf(out, "no control was given: nothing here says how far two "
				    "recordings of one kernel would differ");
	if (control->n_differ)
		err = pgt_buf_addf(out, "control FOUND %zu difference%s between base and base "
				   "again", control->n_differ, plural(control->n_differ));
	else
		err = pgt_buf_addf(out, "control found nothing");
	if (!err)
		err = pgt_buf_addf(out, "; %zu row%s, base (%zu boot%s) against base again (%zu "
				   "boot%s): %zu compared exactly, %zu by test, %zu undecided",
				   control->comparison->n_rows, plural(control->comparison->n_rows),
				   report->base.n_boots, plural(report->base.n_boots),
				   control->side.n_boots, plural(control->side.n_boots),
				   control->n_exact, control->n_tested, control->n_undecided);
	if (!err && control->n_tested)
		err = pgt_buf_addf(out, "; by chance alone up to %.1f of those by test are expected "
				   "to differ", control->by_chance);
	if (!err && control->n_varies)
		err = pgt_buf_addf(out, "; %zu exact metric%s varied", control->n_varies,
				   plural(control->n_varies));
	return err;
}

/* A kernel reports its memory without what it keeps for itself: a sixteenth is no difference. */
int pgt_sentence_memory(struct pgt_buf *out, const struct pgt_report_side *side)
{
	int err;

	if (side->most_memory - side->least_memory <= side->most_memory / 16)
		return pgt_format_memory(out, side->host->memory_bytes);
	err = pgt_format_memory(out, side->least_memory);
	if (!err)
		err = pgt_buf_addf(out, " to ");
	return err ? err : pgt_format_memory(out, side->most_memory);
}

int pgt_sentence_recorded(struct pgt_buf *out, const struct pgt_report_side *side)
{
	int err = pgt_format_ascii(out, side->first);

	if (err || !strcmp(side->first, side->last))
		return err;
	err = pgt_buf_addf(out, "..");
	return err ? err : pgt_format_ascii(out, side->last);
}
