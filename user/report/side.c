/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/recording.h"

/* A sum that does not fit stays at the largest value: it is shown, never compared. */
static void add(int64_t *sum, int64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = INT64_MAX;
}

static void sum_losses(struct pgt_loss_sum *sum, const struct pgt_boot *boot)
{
	for (size_t i = 0; i < boot->n_losses; i++) {
		const struct pgt_loss *loss = &boot->losses[i];

		add(&sum->missed, loss->missed);
		add(&sum->recursion, loss->recursion);
		add(&sum->overflow, loss->overflow);
		add(&sum->unbalanced, loss->unbalanced);
		sum->n_repeats++;
	}
	sum->any = sum->missed || sum->recursion || sum->overflow || sum->unbalanced;
}

static void sum_truths(struct pgt_truth_sum *sum, const struct pgt_boot *boot)
{
	for (size_t i = 0; i < boot->n_truths; i++) {
		add(&sum->sites, boot->truths[i].sites);
		add(&sum->hits, boot->truths[i].hits);
		add(&sum->differ, boot->truths[i].differ);
		sum->n_repeats++;
	}
}

static int64_t n_sites(const struct pgt_unreached *unreached)
{
	int64_t sum = unreached->dsb;

	add(&sum, unreached->isb);
	add(&sum, unreached->tlbi);
	return sum;
}

/* Most sites first; of the same number, by name, so that the order is always the same. */
static int compare_unreached(const void *a, const void *b)
{
	const struct pgt_unreached *const *left = a, *const *right = b;
	int64_t sites_left = n_sites(*left), sites_right = n_sites(*right);

	if (sites_left != sites_right)
		return sites_left < sites_right ? 1 : -1;
	return strcmp((*left)->function, (*right)->function);
}

/* Was anything counted by probes, and not only from outside or by looking? */
static bool has_probes(const struct pgt_boot *boot)
{
	for (size_t i = 0; i < boot->n_functions; i++)
		if (!boot->functions[i].mechanism ||
		    strncmp(boot->functions[i].mechanism, "tcg:", 4))
			return true;
	return boot->n_unreached;
}

/* The first boot with probes says most of its side; without any, the first. */
static const struct pgt_boot *telling_boot(const struct pgt_recording *recording)
{
	for (size_t i = 0; i < recording->n_boots; i++)
		if (has_probes(&recording->boots[i]))
			return &recording->boots[i];
	return &recording->boots[0];
}

static void sum_unreached(struct pgt_unreached_sum *sum, const struct pgt_boot *boot)
{
	sum->no_probes = !has_probes(boot);
	for (size_t i = 0; i < boot->n_unreached; i++) {
		add(&sum->n_functions, 1);
		add(&sum->dsb, boot->unreached[i].dsb);
		add(&sum->isb, boot->unreached[i].isb);
		add(&sum->tlbi, boot->unreached[i].tlbi);
	}
}

static int find_top(struct pgt_unreached_sum *sum, const struct pgt_boot *boot,
		    struct pgt_diag *diag)
{
	const struct pgt_unreached **sorted = malloc((boot->n_unreached + 1) * sizeof(*sorted));

	if (!sorted)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < boot->n_unreached; i++)
		sorted[i] = &boot->unreached[i];
	qsort(sorted, boot->n_unreached, sizeof(*sorted), compare_unreached);
	while (sum->n_top < PGT_UNREACHED_SHOWN && sum->n_top < boot->n_unreached) {
		sum->top[sum->n_top] = sorted[sum->n_top];
		sum->n_top++;
	}
	free(sorted);
	return 0;
}

static void add_memory(struct pgt_report_side *side, const struct pgt_host *host)
{
	if (host->memory_bytes < side->least_memory)
		side->least_memory = host->memory_bytes;
	if (host->memory_bytes > side->most_memory)
		side->most_memory = host->memory_bytes;
}

int pgt_report_side_make(struct pgt_report_side *out, const struct pgt_recording *recording,
			 struct pgt_diag *diag)
{
	const struct pgt_boot *boot = telling_boot(recording);
	struct pgt_report_side side = {
		.recording = recording, .host = &boot->host, .tool = boot->tool,
		.first = boot->started_at, .last = boot->started_at,
		.n_boots = recording->n_boots,
		.least_memory = boot->host.memory_bytes, .most_memory = boot->host.memory_bytes,
	};
	int err;

	sum_unreached(&side.unreached, boot);
	err = find_top(&side.unreached, boot, diag);
	if (err)
		return err;
	for (size_t i = 0; i < recording->n_boots; i++) {
		const char *started_at = recording->boots[i].started_at;
		struct pgt_unreached_sum other = { .n_top = 0 };

		if (strcmp(started_at, side.first) < 0)
			side.first = started_at;
		if (strcmp(started_at, side.last) > 0)
			side.last = started_at;
		sum_losses(&side.loss, &recording->boots[i]);
		sum_truths(&side.truth, &recording->boots[i]);
		add_memory(&side, &recording->boots[i].host);
		sum_unreached(&other, &recording->boots[i]);
		if (other.no_probes && !side.unreached.no_probes)
			continue;
		side.unreached.boots_differ |= other.dsb != side.unreached.dsb ||
			other.isb != side.unreached.isb || other.tlbi != side.unreached.tlbi ||
			other.n_functions != side.unreached.n_functions;
	}
	*out = side;
	return 0;
}
