/* SPDX-License-Identifier: GPL-2.0-only */
#include "recording/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/line.h"
#include "recording/recording.h"

static int compare_repeats(const char *workload_a, int64_t repeat_a,
			   const char *workload_b, int64_t repeat_b)
{
	int order = strcmp(workload_a, workload_b);

	return order ? order : (repeat_a > repeat_b) - (repeat_a < repeat_b);
}

static int compare_losses(const void *a, const void *b)
{
	const struct pgt_loss *const *left = a, *const *right = b;

	return compare_repeats((*left)->workload, (*left)->repeat,
			       (*right)->workload, (*right)->repeat);
}

static int compare_values(const void *a, const void *b)
{
	const struct pgt_value *const *left = a, *const *right = b;
	int order = compare_repeats((*left)->workload, (*left)->repeat,
				    (*right)->workload, (*right)->repeat);

	return order ? order : strcmp((*left)->metric, (*right)->metric);
}

/* Pointers in order, so that what is there twice stands side by side. */
static const struct pgt_loss **sort_losses(const struct pgt_boot *boot)
{
	const struct pgt_loss **sorted = malloc((boot->n_losses + 1) * sizeof(*sorted));

	if (!sorted)
		return NULL;
	for (size_t i = 0; i < boot->n_losses; i++)
		sorted[i] = &boot->losses[i];
	qsort(sorted, boot->n_losses, sizeof(*sorted), compare_losses);
	return sorted;
}

static const struct pgt_value **sort_values(const struct pgt_boot *boot)
{
	const struct pgt_value **sorted = malloc((boot->n_values + 1) * sizeof(*sorted));

	if (!sorted)
		return NULL;
	for (size_t i = 0; i < boot->n_values; i++)
		sorted[i] = &boot->values[i];
	qsort(sorted, boot->n_values, sizeof(*sorted), compare_values);
	return sorted;
}

static size_t later_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int check_losses(const struct pgt_loss *const *losses, size_t n, const char *path,
			struct pgt_diag *diag)
{
	for (size_t i = 1; i < n; i++) {
		struct pgt_place at = { path, later_of(losses[i - 1]->line, losses[i]->line) };

		if (!compare_losses(&losses[i - 1], &losses[i]))
			return pgt_place_refuse(&at, diag, "a second loss line for repeat %lld of "
						"workload \"%s\"", (long long)losses[i]->repeat,
						losses[i]->workload);
	}
	return 0;
}

static int check_values(const struct pgt_value *const *values, size_t n, const char *path,
			struct pgt_diag *diag)
{
	for (size_t i = 1; i < n; i++) {
		struct pgt_place at = { path, later_of(values[i - 1]->line, values[i]->line) };

		if (!compare_values(&values[i - 1], &values[i]))
			return pgt_place_refuse(&at, diag, "a second value of \"%s\" for repeat "
						"%lld of workload \"%s\"", values[i]->metric,
						(long long)values[i]->repeat, values[i]->workload);
	}
	return 0;
}

/* Both lists are in the order of workload and repeat. */
static int check_loss_known(const struct pgt_value *const *values, size_t n_values,
			    const struct pgt_loss *const *losses, size_t n_losses,
			    const char *path, struct pgt_diag *diag)
{
	size_t at_loss = 0;

	for (size_t i = 0; i < n_values; i++) {
		const struct pgt_value *value = values[i];
		struct pgt_place at = { path, value->line };
		int order = 1;

		while (at_loss < n_losses) {
			order = compare_repeats(losses[at_loss]->workload, losses[at_loss]->repeat,
						value->workload, value->repeat);
			if (order >= 0)
				break;
			at_loss++;
		}
		if (!value->reason && (at_loss == n_losses || order))
			return pgt_place_refuse(&at, diag, "repeat %lld of workload \"%s\" has no "
						"loss line, so it is not known whether this value "
						"is complete", (long long)value->repeat,
						value->workload);
	}
	return 0;
}

int pgt_boot_check(const struct pgt_boot *boot, const struct pgt_place *at,
		   struct pgt_diag *diag)
{
	const struct pgt_value **values = sort_values(boot);
	const struct pgt_loss **losses = sort_losses(boot);
	int err;

	if (!values || !losses) {
		err = pgt_fail(diag, -ENOMEM, "%s: out of memory", at->path);
		goto out;
	}
	err = check_losses(losses, boot->n_losses, at->path, diag);
	if (err)
		goto out;
	err = check_values(values, boot->n_values, at->path, diag);
	if (err)
		goto out;
	err = check_loss_known(values, boot->n_values, losses, boot->n_losses, at->path, diag);
out:
	free(values);
	free(losses);
	return err;
}

int pgt_recording_check(const struct pgt_recording *recording, struct pgt_diag *diag)
{
	const char *first = recording->boots[0].host.arch;

	for (size_t i = 1; i < recording->n_boots; i++)
		if (strcmp(recording->boots[i].host.arch, first))
			return pgt_fail(diag, -EPROTO, "%s: recording %zu is of architecture %s, "
					"the first of %s: a file holds one architecture",
					recording->path, i + 1, recording->boots[i].host.arch,
					first);
	return 0;
}
