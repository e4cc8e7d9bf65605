/* SPDX-License-Identifier: GPL-2.0-only */
#include "recording/counts.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "recording/recording.h"

#define KINDS_MAX	64	/* kinds of one operation in one kernel's text */

enum view { VIEW_INSN, VIEW_SELF, VIEW_INNERMOST, VIEW_OUTSIDE, VIEW_INTERRUPT };

static const char *const view_names[] = { "insn", "self", "innermost", "insn", "insn" };

/* ---- lines ---- */

static int write_metric(struct pgt_writer *writer, const struct pgt_counts *counts,
			const char *metric, const char *unit, uint64_t value, const char *source,
			bool lower_bound, struct pgt_diag *diag)
{
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:I, s:s, s:s, s:I, s:s, s:b}",
		"type", "metric", "workload", counts->workload, "repeat", (json_int_t)counts->repeat,
		"metric", metric, "unit", unit, "value", (json_int_t)value, "source", source,
		"lower_bound", lower_bound), diag);
}

static int write_absent(struct pgt_writer *writer, const struct pgt_counts *counts,
			const char *metric, const char *unit, const char *reason,
			struct pgt_diag *diag)
{
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:I, s:s, s:s, s:n, s:n, s:b, s:s}",
		"type", "metric", "workload", counts->workload, "repeat", (json_int_t)counts->repeat,
		"metric", metric, "unit", unit, "value", "source", "lower_bound", 0,
		"reason", reason), diag);
}

/* ---- instructions ---- */

static uint64_t in_task(const struct pgt_site_cell *cell)
{
	uint64_t sum = cell->innermost[PGT_IN_OUTSIDE];

	for (int i = 0; i < PGT_PROBE_MAX; i++)
		sum += cell->innermost[i];
	return sum;
}

/*
 * Hits of one site in one view.  By place, an owner's site counts for its owner even while
 * the owner is not on the task's stack: an inlined flush, or a jump to a flush.
 */
static uint64_t hits(const struct pgt_site *site, const struct pgt_site_cell *cell,
		     enum view view, int probe)
{
	bool own = probe >= 0 && site->owner == probe;

	switch (view) {
	case VIEW_INSN:
		if (site->incidental)
			return 0;
		return own ? in_task(cell) : cell->inclusive[probe];
	case VIEW_SELF:
		return own ? in_task(cell) : 0;
	case VIEW_INNERMOST:
		return site->incidental ? 0 : cell->innermost[probe];
	case VIEW_OUTSIDE:
		if (site->incidental)
			return in_task(cell);
		return site->owner < 0 ? cell->innermost[PGT_IN_OUTSIDE] : 0;
	default:
		return cell->innermost[PGT_IN_INTERRUPT];
	}
}

struct sum {
	uint64_t hits;
	bool kprobe, breakpoint;	/* which mechanisms counted a site of it */
	bool uncounted;			/* a site that could be reached was not counted */
	bool uneven;			/* a site was counted while probes were called otherwise */
};

/* Does a site have a part in this view of a probe at all? */
static bool concerns(const struct pgt_site *site, enum view view, int probe)
{
	if (view == VIEW_SELF)
		return site->owner == probe;
	if (site->incidental)
		return view == VIEW_OUTSIDE || view == VIEW_INTERRUPT;
	return view != VIEW_OUTSIDE || site->owner < 0;
}

/* Is it known without counting that the site added nothing to this view? */
static bool known_zero(const struct pgt_site *site, unsigned int known, enum view view, int probe)
{
	switch (view) {
	case VIEW_OUTSIDE:	/* where a switch counts also from within a probe */
		if (site->incidental && (known & PGT_KNOWN_NOT_IN_PROBES) != PGT_KNOWN_NOT_IN_PROBES)
			return false;
		return known & PGT_KNOWN_NOT_OUTSIDE;
	case VIEW_INTERRUPT:
		return known & PGT_KNOWN_NOT_IN_INTERRUPT;
	case VIEW_INNERMOST:
		return known & PGT_KNOWN_NOT_IN_PROBE(probe);
	default:	/* an owner's site counts for it wherever a task executes it */
		if (site->owner == probe)
			return (known & PGT_KNOWN_NOT_IN_PROBES) == PGT_KNOWN_NOT_IN_PROBES &&
			       known & PGT_KNOWN_NOT_OUTSIDE;
		return known & PGT_KNOWN_NOT_IN_PROBE(probe);
	}
}

/* Add up the sites of an operation, of one kind or (kind NULL) of all. */
static struct sum add_up(const struct pgt_counts *counts, enum view view, int probe,
			 enum pgt_op op, const char *kind)
{
	struct sum sum = { 0 };

	for (size_t i = 0; i < counts->n_sites; i++) {
		const struct pgt_site *site = &counts->site[i];

		if (site->insn.op != op || (kind && strcmp(site->insn.kind, kind)) ||
		    !concerns(site, view, probe))
			continue;
		if (site->reach == PGT_REACH_NONE) {	/* listed; but a probe's own would be missing */
			sum.uncounted |= probe >= 0 && site->owner == probe;
			continue;
		}
		if (!(counts->known[i] & PGT_KNOWN_COUNTED)) {
			if (!known_zero(site, counts->known[i], view, probe))
				sum.uncounted = true;
			else
				sum.kprobe = true;	/* which watch the function */
			continue;
		}
		if (site->reach == PGT_REACH_KPROBE)
			sum.kprobe = true;
		else
			sum.breakpoint = true;
		if (counts->known[i] & PGT_KNOWN_UNEVEN)
			sum.uneven = true;
		sum.hits += hits(site, &counts->cell[i], view, probe);
	}
	return sum;
}

static const char *source_of(const struct sum *sum)
{
	if (sum->kprobe && sum->breakpoint)
		return "kprobe+breakpoint";
	return sum->breakpoint ? "breakpoint" : "kprobe";
}

static int write_sum(struct pgt_writer *writer, const struct pgt_counts *counts,
		     const char *metric, const struct sum *sum, struct pgt_diag *diag)
{
	if (sum->uncounted && !sum->kprobe && !sum->breakpoint)
		return write_absent(writer, counts, metric, "instructions",
				    "not counted: none of its sites was asked for or could be "
				    "counted in this workload",
				    diag);
	return write_metric(writer, counts, metric, "instructions", sum->hits, source_of(sum),
			    sum->uncounted || sum->uneven || counts->lost, diag);
}

/* The kinds of an operation that the text has, each once. */
static size_t list_kinds(const struct pgt_counts *counts, enum pgt_op op, const char **kinds)
{
	size_t n = 0;

	for (size_t i = 0; i < counts->n_sites; i++) {
		const char *kind = counts->site[i].insn.kind;
		size_t k = 0;

		if (counts->site[i].insn.op != op || !strchr(kind, '.'))
			continue;
		while (k < n && strcmp(kinds[k], kind))
			k++;
		if (k == n && n < KINDS_MAX)
			kinds[n++] = kind;
	}
	return n;
}

/* Kinds that were not executed have no line: under a counted total that means 0. */
static int write_kinds(struct pgt_writer *writer, const struct pgt_counts *counts,
		       const char *scope, enum view view, int probe, enum pgt_op op,
		       struct pgt_diag *diag)
{
	const char *kinds[KINDS_MAX];
	size_t n = list_kinds(counts, op, kinds);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		struct sum sum = add_up(counts, view, probe, op, kinds[i]);
		char metric[128];

		if (!sum.hits)
			continue;
		snprintf(metric, sizeof(metric), "%s.%s.%s", scope, view_names[view], kinds[i]);
		err = write_sum(writer, counts, metric, &sum, diag);
	}
	return err;
}

/* Were calls of the probe missed?  What they executed was then innermost of another. */
static bool missed_calls(const struct pgt_counts *counts, int probe)
{
	for (size_t i = 0; i < counts->plan->n; i++)
		if (counts->plan->func[i].probe == probe && counts->missed[i])
			return true;
	return false;
}

static int write_view(struct pgt_writer *writer, const struct pgt_counts *counts,
		      const char *scope, enum view view, int probe, struct pgt_diag *diag)
{
	bool missed = view == VIEW_INNERMOST && missed_calls(counts, probe);

	for (enum pgt_op op = PGT_OP_NONE + 1; op < PGT_N_OPS; op++) {
		struct sum sum = add_up(counts, view, probe, op, NULL);
		char metric[128];
		int err;

		sum.uneven |= missed;
		snprintf(metric, sizeof(metric), "%s.%s.%s", scope, view_names[view], pgt_op_name(op));
		err = write_sum(writer, counts, metric, &sum, diag);
		if (!err && view != VIEW_INNERMOST)
			err = write_kinds(writer, counts, scope, view, probe, op, diag);
		if (err)
			return err;
	}
	return 0;
}

/* ---- calls ---- */

/* The mechanisms behind a probe's functions, and whether calls may be missed. */
static bool describe_source(const struct pgt_counts *counts, int probe, char *text, size_t size)
{
	const struct pgt_plan *plan = counts->plan;
	bool used[PGT_MECHANISM_CALL_SITE + 1] = { false }, partial = false;
	size_t len = 0;

	for (size_t i = 0; i < plan->n; i++) {
		if (plan->func[i].probe != probe)
			continue;
		used[plan->func[i].mechanism] = true;
		if (counts->missed[i])
			partial = true;
	}
	text[0] = '\0';
	for (int m = PGT_MECHANISM_FENTRY; m <= PGT_MECHANISM_CALL_SITE; m++)
		if (used[m])
			len += (size_t)snprintf(text + len, size - len, "%s%s", len ? "+" : "",
						pgt_mechanism_name(m));
	return partial;
}

/* Flushes inlined into functions of no probe, while no flush_tlb function was active. */
static uint64_t inlined_calls(const struct pgt_counts *counts, int probe, bool *partial)
{
	uint64_t n = 0;

	for (size_t i = 0; i < counts->n_sites; i++) {
		const struct pgt_site *site = &counts->site[i];

		if (!site->inlined_flush || site->owner != probe || site->reach == PGT_REACH_NONE)
			continue;
		if (counts->known[i] & PGT_KNOWN_COUNTED)
			n += in_task(&counts->cell[i]) - counts->cell[i].inclusive[probe];
		else if (!known_zero(site, counts->known[i], VIEW_SELF, probe))
			*partial = true;
		if (counts->known[i] & PGT_KNOWN_UNEVEN)
			*partial = true;
	}
	return n;
}

static int write_histogram(struct pgt_writer *writer, const struct pgt_counts *counts, int probe,
			   const char *source, bool partial, struct pgt_diag *diag)
{
	int err = 0;

	for (int i = 0; i < PGT_BUCKETS && !err; i++) {
		char metric[96];

		if (!counts->probe[probe].bucket[i])
			continue;
		snprintf(metric, sizeof(metric), "%s.pages_per_call.%llu", pgt_probes[probe].name,
			 i ? 1ULL << (i - 1) : 0ULL);
		err = write_metric(writer, counts, metric, "calls", counts->probe[probe].bucket[i],
				   source, partial, diag);
	}
	return err;
}

static int write_calls(struct pgt_writer *writer, const struct pgt_counts *counts, int probe,
		       struct pgt_diag *diag)
{
	const struct pgt_probe_cell *cell = &counts->probe[probe];
	char source[64];
	bool partial = describe_source(counts, probe, source, sizeof(source)) || counts->lost;
	uint64_t inlined = inlined_calls(counts, probe, &partial);
	const struct {
		const char *name, *unit;
		uint64_t value;
	} rows[] = {
		{ "calls", "calls", cell->calls + inlined },
		{ "pages", "pages", cell->pages },
		{ "full", "calls", cell->full },
		{ "unsized", "calls", cell->unsized + inlined },
		{ "interrupt_calls", "calls", cell->interrupt_calls },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !err; i++) {
		char metric[96];

		snprintf(metric, sizeof(metric), "%s.%s", pgt_probes[probe].name, rows[i].name);
		err = write_metric(writer, counts, metric, rows[i].unit, rows[i].value, source,
				   partial, diag);
	}
	return err ? err : write_histogram(writer, counts, probe, source, partial, diag);
}

/* Without its calls, nothing of the probe that has no line is taken for 0 either. */
static int write_no_calls(struct pgt_writer *writer, const struct pgt_counts *counts, int probe,
			  const char *reason, struct pgt_diag *diag)
{
	char metric[96];

	snprintf(metric, sizeof(metric), "%s.calls", pgt_probes[probe].name);
	return write_absent(writer, counts, metric, "calls", reason, diag);
}

static int write_probe(struct pgt_writer *writer, const struct pgt_counts *counts, int probe,
		       struct pgt_diag *diag)
{
	const char *name = pgt_probes[probe].name;
	char source[64];
	int err;

	if (!pgt_plan_has(counts->plan, probe))
		return write_no_calls(writer, counts, probe,
				      "not supported: the kernel has none of the probe's functions", diag);
	describe_source(counts, probe, source, sizeof(source));
	if (!source[0]) {	/* only what its own sites executed is known, by their place */
		err = write_no_calls(writer, counts, probe,
				     "not counted: tracing reaches none of the probe's functions", diag);
		return err ? err : write_view(writer, counts, name, VIEW_SELF, probe, diag);
	}
	err = write_calls(writer, counts, probe, diag);
	for (enum view view = VIEW_INSN; view <= VIEW_INNERMOST && !err; view++)
		err = write_view(writer, counts, name, view, probe, diag);
	return err;
}

int pgt_counts_write(struct pgt_writer *writer, const struct pgt_counts *counts,
		     struct pgt_diag *diag)
{
	int err = write_metric(writer, counts, "window.ns", "ns", (uint64_t)counts->window_ns,
			       "clock", false, diag);

	for (size_t i = 0; i < pgt_n_probes && !err; i++)
		if (counts->plan->probes & 1u << i)
			err = write_probe(writer, counts, (int)i, diag);
	if (!err)
		err = write_view(writer, counts, "outside", VIEW_OUTSIDE, -1, diag);
	if (!err)
		err = write_view(writer, counts, "interrupt", VIEW_INTERRUPT, -1, diag);
	return err;
}

/* ---- a workload that was not done ---- */

static int write_no_view(struct pgt_writer *writer, const struct pgt_counts *counts,
			 const char *scope, const char *reason, struct pgt_diag *diag)
{
	int err = 0;

	for (enum pgt_op op = PGT_OP_NONE + 1; op < PGT_N_OPS && !err; op++) {
		char metric[128];

		snprintf(metric, sizeof(metric), "%s.insn.%s", scope, pgt_op_name(op));
		err = write_absent(writer, counts, metric, "instructions", reason, diag);
	}
	return err;
}

/* What is said of all of them already. */
static const char *skip_words(const char *lack)
{
	static const char words[] = "not supported: ";

	return strncmp(lack, words, strlen(words)) ? lack : lack + strlen(words);
}

int pgt_counts_write_unsupported(struct pgt_writer *writer, const struct pgt_plan *plan,
				 const char *workload, const char *lack, struct pgt_diag *diag)
{
	const struct pgt_counts counts = { .workload = workload, .repeat = 1, .plan = plan };
	char reason[sizeof(diag->text) + 32];
	int err;

	snprintf(reason, sizeof(reason), "not supported here: %s", skip_words(lack));
	err = write_absent(writer, &counts, "window.ns", "ns", reason, diag);
	for (size_t i = 0; i < pgt_n_probes && !err; i++)
		if (plan->probes & 1u << i)
			err = write_no_calls(writer, &counts, (int)i, reason, diag);
	if (!err)
		err = write_no_view(writer, &counts, "outside", reason, diag);
	return err ? err : write_no_view(writer, &counts, "interrupt", reason, diag);
}
