/* SPDX-License-Identifier: GPL-2.0-only */
/* Do counts that were known beforehand hold? */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "recording/recording.h"
#include "report/oracle.h"
#include "report/steps_parts.h"

#define GIB	(INT64_C(1) << 30)

static int out_of_memory(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ENOMEM, "out of memory");
}

static int decide(struct pgt_steps_oracle *oracle, enum pgt_oracle_verdict verdict,
		  struct pgt_diag *diag, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A verdict with a reason; a violation that was found before stays the first. */
static int decide(struct pgt_steps_oracle *oracle, enum pgt_oracle_verdict verdict,
		  struct pgt_diag *diag, const char *fmt, ...)
{
	va_list args;
	int n;

	oracle->verdict = verdict;
	if (oracle->reason)
		return 0;
	va_start(args, fmt);
	n = vasprintf(&oracle->reason, fmt, args);
	va_end(args);
	if (n < 0) {
		oracle->reason = NULL;
		return out_of_memory(diag);
	}
	return 0;
}

/* Boots of a side that did a workload. */
static size_t count_boots(const struct pgt_recording *recording, const char *workload)
{
	size_t n = 0;

	for (size_t i = 0; i < recording->n_boots; i++)
		for (size_t j = 0; j < recording->boots[i].n_values; j++)
			if (!strcmp(recording->boots[i].values[j].workload, workload)) {
				n++;
				break;
			}
	return n;
}

/* Only a value that all boots have, and have counted in full, can be what is expected. */
static int check_value(struct pgt_steps_oracle *oracle, const struct pgt_steps_side *side,
		       const struct pgt_side *value, const char *workload, struct pgt_diag *diag)
{
	size_t n_boots = count_boots(side->side.recording, workload);

	if (value->lo < value->hi)
		return decide(oracle, PGT_ORACLE_VIOLATED, diag, "%s: not the same in all boots, "
			      "%.0f to %.0f", workload, value->lo, value->hi);
	if (value->n < n_boots)
		return decide(oracle, PGT_ORACLE_VIOLATED, diag,
			      "%s: only %zu of %zu boots have a value", workload, value->n,
			      n_boots);
	if (value->lower_bound || value->unbalanced)
		return decide(oracle, PGT_ORACLE_VIOLATED, diag,
			      "%s: events were lost, so that %.0f is not what was executed",
			      workload, value->median);
	return 0;
}

/* ---- what each further GiB takes ---- */

static void add_gap(struct pgt_steps_oracle *oracle, const struct pgt_boot_column *from,
		    const struct pgt_boot_column *to, double less, double more)
{
	struct pgt_steps_gap *gap = &oracle->gaps[oracle->n_gaps];
	int64_t bytes = to->memory - from->memory;

	if (bytes % GIB)
		return;
	*gap = (struct pgt_steps_gap){ from->memory, to->memory,
				       bytes / GIB * oracle->entry->expected,
				       (int64_t)more - (int64_t)less };
	oracle->n_gaps++;
	if (gap->expected != gap->measured)
		oracle->verdict = PGT_ORACLE_VIOLATED;
}

/* Every pair of neighbouring sizes at which the side was measured. */
static int compare_sizes(struct pgt_steps *steps, struct pgt_steps_oracle *oracle,
			 struct pgt_diag *diag)
{
	const struct pgt_boot_column *last = NULL;
	const struct pgt_side *last_value = NULL;
	size_t n_sizes = 0;
	int err = 0;

	for (size_t i = 0; !err && i < steps->map.n_sizes; i++) {
		const struct pgt_boot_column *size = &steps->map.sizes[i];
		const struct pgt_steps_row *row = pgt_steps_find_row(steps, size->workload,
								     oracle->entry->metric);
		const struct pgt_side *value = row ? row->cells[oracle->side].value : NULL;

		if (!value || !value->n)
			continue;
		err = check_value(oracle, &steps->sides[oracle->side], value, size->workload, diag);
		if (!err && last)
			add_gap(oracle, last, size, last_value->median, value->median);
		last = size;
		last_value = value;
		n_sizes++;
	}
	if (err || oracle->verdict == PGT_ORACLE_VIOLATED)
		return err;
	if (n_sizes < 2)
		return decide(oracle, PGT_ORACLE_NOT_CHECKED, diag, "measured at %s of memory, and "
			      "two are needed", n_sizes ? "one size" : "no size");
	if (!oracle->n_gaps)
		return decide(oracle, PGT_ORACLE_NOT_CHECKED, diag,
			      "no two neighbouring sizes of memory are whole GiB apart");
	oracle->verdict = PGT_ORACLE_HOLDS;
	return 0;
}

static int check_map(struct pgt_steps *steps, struct pgt_steps_oracle *oracle,
		     int64_t page_size, struct pgt_diag *diag)
{
	int64_t own = steps->sides[oracle->side].side.host->page_size;

	oracle->gaps = calloc(steps->map.n_sizes + 1, sizeof(*oracle->gaps));
	if (!oracle->gaps)
		return out_of_memory(diag);
	if (own != page_size)
		return decide(oracle, PGT_ORACLE_NOT_CHECKED, diag, "its pages have %" PRId64
			      " bytes, those of the oracle %" PRId64, own, page_size);
	return compare_sizes(steps, oracle, diag);
}

/* ---- a value ---- */

/* A side that could not do the workload says so in its time. */
static const char *why_no_metric(const struct pgt_steps *steps,
				 const struct pgt_steps_oracle *oracle)
{
	const struct pgt_steps_row *row = pgt_steps_find_row(steps, oracle->entry->workload,
							     "window.ns");
	const char *reason = row ? row->cells[oracle->side].value->reason : NULL;

	return reason ? reason : "no recording has this metric of this workload";
}

/* A kind that no recording mentions is 0 where its total has a value. */
static int find_value(struct pgt_steps *steps, struct pgt_steps_oracle *oracle,
		      struct pgt_diag *diag)
{
	const struct pgt_oracle_entry *entry = oracle->entry;
	const struct pgt_steps_row *row = pgt_steps_find_row(steps, entry->workload, entry->metric);
	struct pgt_buf parent = PGT_BUF_INIT;
	struct pgt_metric metric;

	if (row) {
		oracle->measured = *row->cells[oracle->side].value;
		return 0;
	}
	if (!pgt_metric_lookup(entry->metric, &metric) && pgt_metric_is_implied(&metric)) {
		if (pgt_metric_parent(entry->metric, &metric, &parent) == -ENOMEM)
			return out_of_memory(diag);
		row = parent.at ? pgt_steps_find_row(steps, entry->workload, parent.at) : NULL;
		pgt_buf_release(&parent);
	}
	if (row) {
		oracle->measured = *row->cells[oracle->side].value;
		oracle->measured.median = oracle->measured.lo = oracle->measured.hi = 0;
	} else {
		oracle->measured.reason = why_no_metric(steps, oracle);
	}
	return 0;
}

static int check_count(struct pgt_steps *steps, struct pgt_steps_oracle *oracle,
		       struct pgt_diag *diag)
{
	int err = find_value(steps, oracle, diag);

	if (err)
		return err;
	if (!oracle->measured.n)
		return decide(oracle, PGT_ORACLE_NOT_CHECKED, diag, "%s",
			      oracle->measured.reason ? oracle->measured.reason :
							"it has no value");
	err = check_value(oracle, &steps->sides[oracle->side], &oracle->measured,
			  oracle->entry->workload, diag);
	if (!err && oracle->verdict != PGT_ORACLE_VIOLATED)
		oracle->verdict = (int64_t)oracle->measured.median == oracle->entry->expected ?
				  PGT_ORACLE_HOLDS : PGT_ORACLE_VIOLATED;
	return err;
}

/* ---- all ---- */

static size_t find_side(const struct pgt_steps *steps, const char *name)
{
	size_t i = 0;

	while (i < steps->n_sides && strcmp(steps->sides[i].name, name))
		i++;
	return i;
}

int pgt_steps_add_oracles(struct pgt_steps *steps, const struct pgt_oracle *oracle,
			  struct pgt_diag *diag)
{
	int err = 0;

	steps->oracles = calloc(oracle->n + 1, sizeof(*steps->oracles));
	if (!steps->oracles)
		return out_of_memory(diag);
	for (size_t i = 0; !err && i < oracle->n; i++) {
		const struct pgt_oracle_entry *entry = &oracle->entries[i];
		struct pgt_steps_oracle *at = &steps->oracles[steps->n_oracles++];

		*at = (struct pgt_steps_oracle){ .entry = entry,
						 .side = find_side(steps, entry->step) };
		if (at->side == steps->n_sides)
			err = decide(at, PGT_ORACLE_NOT_CHECKED, diag, "no side is named so");
		else
			err = entry->workload ? check_count(steps, at, diag) :
						check_map(steps, at, oracle->page_size, diag);
		steps->n_violated += at->verdict == PGT_ORACLE_VIOLATED;
	}
	return err;
}
