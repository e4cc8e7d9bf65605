/* SPDX-License-Identifier: GPL-2.0-only */
#include "compare/reduce.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "compare/stats.h"
#include "recording/recording.h"

struct mention {		/* one metric line, and which boot it is of */
	const struct pgt_value *value;
	size_t boot, place;
};

static int compare_names(const struct pgt_value *a, const struct pgt_value *b)
{
	int order = strcmp(a->workload, b->workload);

	return order ? order : strcmp(a->metric, b->metric);
}

static int compare_mentions(const void *a, const void *b)
{
	const struct mention *left = a, *right = b;
	int order = compare_names(left->value, right->value);

	return order ? order : (left->place > right->place) - (left->place < right->place);
}

/* All metric lines, those of one workload and metric together and in file order. */
static struct mention *sort_mentions(const struct pgt_recording *recording, size_t *n)
{
	struct mention *mentions;
	size_t total = 0, at = 0;

	for (size_t i = 0; i < recording->n_boots; i++)
		total += recording->boots[i].n_values;
	mentions = malloc((total + 1) * sizeof(*mentions));
	if (!mentions)
		return NULL;
	for (size_t i = 0; i < recording->n_boots; i++)
		for (size_t j = 0; j < recording->boots[i].n_values; j++, at++)
			mentions[at] = (struct mention){ &recording->boots[i].values[j], i, at };
	qsort(mentions, total, sizeof(*mentions), compare_mentions);
	*n = total;
	return mentions;
}

/*
 * The repeats of one boot: n >= 1 mentions, and n_implied more that are 0 without a line.
 * scratch has room for all of them.
 */
static void reduce_boot(struct pgt_reduced *out, const struct mention *mentions, size_t n,
			size_t n_implied, double *scratch)
{
	out->n_repeats = n + n_implied;
	for (size_t i = 0; i < n; i++) {
		const struct pgt_value *value = mentions[i].value;

		if (value->reason) {
			out->reason = value->reason;
			out->source = NULL;
			return;
		}
		scratch[i] = (double)value->value;
		out->source = value->source;
	}
	for (size_t i = n; i < n + n_implied; i++)
		scratch[i] = 0;
	pgt_sort(scratch, n + n_implied);
	out->value = pgt_median(scratch, n + n_implied);
	out->lo = scratch[0];
	out->hi = scratch[n + n_implied - 1];
}

/* What a boot says about a metric that it has no line for. */
static void imply_boot(struct pgt_reduced *out, const struct pgt_reduced *parent, bool is_zero)
{
	if (!parent->n_repeats || (!parent->reason && !is_zero))
		return;
	*out = (struct pgt_reduced){ .reason = parent->reason, .source = parent->source,
				     .n_repeats = parent->n_repeats };
}

/* NULL without a failure where there is none. */
static const struct pgt_series *find_parent(const struct pgt_reduction *reduction,
					    const struct pgt_series *series, struct pgt_buf *name,
					    int *err)
{
	*err = pgt_metric_parent(series->metric, &series->properties, name);
	if (!*err)
		return pgt_reduction_find(reduction, series->workload, name->at);
	if (*err == -ENOENT)
		*err = 0;
	return NULL;
}

static void note_loss(struct pgt_series *series, const struct pgt_boot *boot)
{
	for (size_t i = 0; i < boot->n_losses; i++) {
		const struct pgt_loss *loss = &boot->losses[i];

		if (strcmp(loss->workload, series->workload))
			continue;
		if (loss->missed || loss->recursion || loss->overflow || loss->unbalanced)
			series->lost = true;
		if (loss->unbalanced)
			series->unbalanced = true;
	}
}

static bool has_workload(const struct pgt_boot *boot, const char *workload)
{
	for (size_t i = 0; i < boot->n_values; i++)
		if (!strcmp(boot->values[i].workload, workload))
			return true;
	return false;
}

/* Boots of one recording may do different workloads.  Series of one workload are neighbours. */
static size_t count_with_workload(const struct pgt_series *series,
				  const struct pgt_reduction *before,
				  const struct pgt_recording *recording)
{
	size_t n = 0;

	if (before->n && !strcmp(before->series[before->n - 1].workload, series->workload))
		return before->series[before->n - 1].n_with_workload;
	for (size_t i = 0; i < recording->n_boots; i++)
		n += has_workload(&recording->boots[i], series->workload);
	return n;
}

/* Repeats of the parent for which the boot's n mentions leave a 0 to be implied. */
static size_t count_implied(const struct pgt_series *series, const struct pgt_series *parent,
			    size_t boot, size_t n)
{
	const struct pgt_reduced *of_parent = parent ? &parent->boots[boot] : NULL;

	if (!of_parent || of_parent->reason || !pgt_metric_is_implied(&series->properties))
		return 0;
	return of_parent->n_repeats > n ? of_parent->n_repeats - n : 0;
}

static int reduce_boots(struct pgt_series *series, const struct pgt_series *parent,
			const struct mention *mentions, size_t n, struct pgt_diag *diag)
{
	for (size_t i = 0, same; i < n; i += same) {
		size_t boot = mentions[i].boot, n_implied;
		double *scratch;

		for (same = 1; i + same < n && mentions[i + same].boot == boot; same++)
			;
		n_implied = count_implied(series, parent, boot, same);
		scratch = malloc((same + n_implied) * sizeof(*scratch));
		if (!scratch)
			return pgt_fail(diag, -ENOMEM, "out of memory");
		reduce_boot(&series->boots[boot], &mentions[i], same, n_implied, scratch);
		free(scratch);
	}
	for (size_t i = 0; parent && i < series->n_boots; i++)
		if (!series->boots[i].n_repeats)
			imply_boot(&series->boots[i], &parent->boots[i],
				   pgt_metric_is_implied(&series->properties));
	return 0;
}

/*
 * One workload and metric: n >= 1 mentions, in the order of boots.  A parent's name is before
 * its children's in the order of names, so it has been reduced by now.
 */
static int reduce_series(struct pgt_series *series, const struct pgt_reduction *before,
			 const struct pgt_recording *recording, const struct mention *mentions,
			 size_t n, struct pgt_diag *diag)
{
	const struct pgt_series *parent;
	struct pgt_buf parent_name = PGT_BUF_INIT;
	int err;

	series->workload = mentions[0].value->workload;
	series->metric = mentions[0].value->metric;
	series->place = mentions[0].place;
	series->n_boots = recording->n_boots;
	series->n_with_workload = count_with_workload(series, before, recording);
	if (pgt_metric_lookup(series->metric, &series->properties))
		return pgt_fail(diag, -EINVAL, "metric \"%s\" is not known", series->metric);
	if (mentions[0].value->source && !strcmp(mentions[0].value->source, PGT_SOURCE_WHOLE_BOOT))
		series->properties.exact = false;
	series->boots = calloc(recording->n_boots, sizeof(*series->boots));
	parent = find_parent(before, series, &parent_name, &err);
	pgt_buf_release(&parent_name);
	if (!series->boots || err)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		series->lower_bound |= mentions[i].value->lower_bound;
	for (size_t i = 0; i < recording->n_boots; i++)
		note_loss(series, &recording->boots[i]);
	if (parent && pgt_metric_is_implied(&series->properties))
		series->lower_bound |= parent->lower_bound;
	return reduce_boots(series, parent, mentions, n, diag);
}

/* ---- what varies ---- */

static bool varies(const struct pgt_series *series)
{
	const struct pgt_reduced *first = NULL;

	for (size_t i = 0; i < series->n_boots; i++) {
		const struct pgt_reduced *boot = &series->boots[i];

		if (boot->reason || !boot->n_repeats)
			continue;
		if (!first)
			first = boot;
		if (boot->lo != first->lo || boot->hi != first->lo)
			return true;
	}
	return false;
}

/* A total and its kinds, which follow it in the order of names. */
static bool is_kind_of(const struct pgt_series *series, const struct pgt_series *total)
{
	size_t n = strlen(total->metric);

	return series->properties.of_kind && !strcmp(series->workload, total->workload) &&
	       !strncmp(series->metric, total->metric, n) && series->metric[n] == '.';
}

/*
 * What decides by chance between two kinds, or how often one of them is executed, can come out
 * alike in a few boots for one of them: that it did so is no reason to trust it.
 */
static void mark_chance(struct pgt_reduction *reduction)
{
	for (size_t i = 0, same; i < reduction->n; i += same) {
		struct pgt_series *total = &reduction->series[i];
		bool by_chance = varies(total);

		for (same = 1; i + same < reduction->n && is_kind_of(&total[same], total); same++)
			by_chance |= varies(&total[same]);
		for (size_t j = 0; j < same; j++)
			total[j].by_chance = by_chance;
	}
}

int pgt_reduce(struct pgt_reduction *out, const struct pgt_recording *recording,
	       struct pgt_diag *diag)
{
	struct pgt_reduction reduction = { NULL, 0 };
	size_t n = 0;
	struct mention *mentions = sort_mentions(recording, &n);
	int err = 0;

	reduction.series = calloc(n + 1, sizeof(*reduction.series));
	if (!mentions || !reduction.series)
		err = pgt_fail(diag, -ENOMEM, "%s: out of memory", recording->path);
	for (size_t i = 0, same; !err && i < n; i += same) {
		for (same = 1; i + same < n; same++)
			if (compare_names(mentions[i].value, mentions[i + same].value))
				break;
		err = reduce_series(&reduction.series[reduction.n], &reduction, recording,
				    &mentions[i], same, diag);
		reduction.n++;
	}
	free(mentions);
	if (err) {
		pgt_reduction_release(&reduction);
		return err;
	}
	mark_chance(&reduction);
	*out = reduction;
	return 0;
}

static int imply_boots(struct pgt_series *series, const struct pgt_series *parent,
		       struct pgt_diag *diag)
{
	series->n_boots = parent->n_boots;
	series->n_with_workload = parent->n_with_workload;
	series->boots = calloc(series->n_boots, sizeof(*series->boots));
	if (!series->boots)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < series->n_boots; i++)
		imply_boot(&series->boots[i], &parent->boots[i],
			   pgt_metric_is_implied(&series->properties));
	series->lower_bound = parent->lower_bound;
	series->lost = parent->lost;
	series->unbalanced = parent->unbalanced;
	series->by_chance = series->properties.of_kind && parent->by_chance;
	return 0;
}

int pgt_series_imply(struct pgt_series *out, const struct pgt_reduction *reduction,
		     const char *workload, const char *metric, struct pgt_diag *diag)
{
	struct pgt_series series = { .workload = workload, .metric = metric }, implied;
	struct pgt_buf parent_name = PGT_BUF_INIT;
	const struct pgt_series *parent;
	int err;

	if (pgt_metric_lookup(metric, &series.properties))
		return -ENOENT;
	parent = find_parent(reduction, &series, &parent_name, &err);
	if (!err && !parent_name.at)
		err = -ENOENT;
	if (!err && parent) {
		err = imply_boots(&series, parent, diag);
	} else if (!err) {
		/* The total of a kind is not there either; .calls may still say why. */
		err = pgt_series_imply(&implied, reduction, workload, parent_name.at, diag);
		if (!err) {
			err = imply_boots(&series, &implied, diag);
			pgt_series_release(&implied);
		}
	}
	pgt_buf_release(&parent_name);
	if (!err)
		*out = series;
	return err;
}

void pgt_series_release(struct pgt_series *series)
{
	free(series->boots);
	*series = (struct pgt_series){ .boots = NULL };
}

void pgt_reduction_release(struct pgt_reduction *reduction)
{
	for (size_t i = 0; i < reduction->n; i++)
		free(reduction->series[i].boots);
	free(reduction->series);
	*reduction = (struct pgt_reduction){ NULL, 0 };
}

const struct pgt_series *pgt_reduction_find(const struct pgt_reduction *reduction,
					    const char *workload, const char *metric)
{
	size_t low = 0, high = reduction->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pgt_series *series = &reduction->series[middle];
		int order = strcmp(workload, series->workload);

		if (!order)
			order = strcmp(metric, series->metric);
		if (!order)
			return series;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
