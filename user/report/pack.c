/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/pack.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "recording/recording.h"
#include "report/words.h"

/* Enough for every count, and few enough that no two C libraries disagree about p. */
#define DUMP_FLAGS	(JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12))

int pgt_pack_put(FILE *out, const char *before, json_t *value)
{
	fputs(before, out);
	if (!value)
		return -ENOMEM;
	json_dumpf(value, out, DUMP_FLAGS);
	json_decref(value);
	return 0;
}

json_t *pgt_pack_text(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* Counts are integers; only medians between two of them, ratios and p are not. */
json_t *pgt_pack_number(double value)
{
	if (isnan(value))
		return json_null();
	return value == floor(value) && fabs(value) <= 9007199254740992.0 ?
	       json_integer((json_int_t)value) : json_real(value);
}

json_t *pgt_pack_probability(double p)
{
	return isnan(p) ? json_null() : json_real(p);
}

/* ---- one side ---- */

json_t *pgt_pack_loss(const struct pgt_loss_sum *loss)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:b}", "missed", (json_int_t)loss->missed,
			 "recursion", (json_int_t)loss->recursion,
			 "overflow", (json_int_t)loss->overflow,
			 "unbalanced", (json_int_t)loss->unbalanced,
			 "runs", (json_int_t)loss->n_repeats, "any", loss->any);
}

json_t *pgt_pack_unreached(const struct pgt_unreached_sum *sum)
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
json_t *pgt_pack_truth(const struct pgt_truth_sum *truth)
{
	if (!truth->n_repeats)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I}", "sites", (json_int_t)truth->sites,
			 "hits", (json_int_t)truth->hits, "differ", (json_int_t)truth->differ,
			 "runs", (json_int_t)truth->n_repeats);
}

json_t *pgt_pack_side(const struct pgt_report_side *side)
{
	const struct pgt_host *host = side->host;

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:s, s:I, s:s, s:s, "
			 "s:s}",
			 "arch", host->arch, "kernel_release", host->kernel_release,
			 "kernel_version", pgt_pack_text(host->kernel_version),
			 "build_id", pgt_pack_text(host->build_id),
			 "config_digest", pgt_pack_text(host->config_digest),
			 "cpu", pgt_pack_text(host->cpu), "n_cpus", (json_int_t)host->n_cpus,
			 "page_size", (json_int_t)host->page_size,
			 "memory_bytes", (json_int_t)host->memory_bytes,
			 "accelerator", pgt_pack_text(host->accelerator),
			 "cmdline", host->cmdline, "boots", (json_int_t)side->n_boots,
			 "recorded_first", side->first, "recorded_last", side->last,
			 "tool", side->tool);
}

/* ---- rows ---- */

json_t *pgt_pack_notes(uint32_t notes)
{
	json_t *names = json_array();

	for (size_t i = 0; i < pgt_n_note_words; i++)
		if (notes & pgt_note_words[i].note)
			json_array_append_new(names, json_string(pgt_note_words[i].name));
	return names;
}

static json_t *pack_value(const struct pgt_side *side)
{
	return side->n ? pgt_pack_number(side->median) : json_null();
}

static json_t *pack_range(const struct pgt_side *side)
{
	if (!side->n)
		return json_null();
	return json_pack("[o, o]", pgt_pack_number(side->lo), pgt_pack_number(side->hi));
}

static json_t *pack_interval(const struct pgt_side *side)
{
	if (!side->n || !side->has_interval)
		return json_null();
	return json_pack("{s:o, s:o, s:f}", "lo", pgt_pack_number(side->interval.lo),
			 "hi", pgt_pack_number(side->interval.hi),
			 "confidence", side->interval.confidence);
}

int pgt_pack_add_side(json_t *object, const char *name, const struct pgt_side *side)
{
	const struct {
		const char *suffix;
		json_t *value;
	} members[] = {
		{ "reason", pgt_pack_text(side->reason) },
		{ "source", pgt_pack_text(side->source) },
		{ "boots", json_integer((json_int_t)side->n) },
		{ "range", pack_range(side) },
		{ "interval", pack_interval(side) },
		{ "lower_bound", json_boolean(side->lower_bound) },
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		char key[32];

		snprintf(key, sizeof(key), "%s%s%s", name, name[0] ? "_" : "", members[i].suffix);
		err |= json_object_set_new(object, key, members[i].value);
	}
	return err;
}

json_t *pgt_pack_row(const struct pgt_row *row)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o}",
		"workload", row->workload, "metric", row->metric, "unit", row->properties.unit,
		"better", row->properties.better == PGT_BETTER_LOWER ? "lower" : "neither",
		"base", pack_value(&row->base), "test", pack_value(&row->test),
		"ratio", pgt_pack_number(row->ratio), "p", pgt_pack_probability(row->p),
		"verdict", pgt_verdict_words[row->verdict].word,
		"notes", pgt_pack_notes(row->notes));

	if (object && (pgt_pack_add_side(object, "base", &row->base) ||
		       pgt_pack_add_side(object, "test", &row->test))) {
		json_decref(object);
		return NULL;
	}
	return object;
}
