/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

int pgt_tcg_windows_init(struct pgt_tcg_windows *out, unsigned int n_cpus, struct pgt_diag *diag)
{
	struct pgt_tcg_window_cpu *cpu = calloc(n_cpus, sizeof(*cpu));

	if (!cpu)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	*out = (struct pgt_tcg_windows){ .cpu = cpu, .n_cpus = n_cpus };
	return 0;
}

void pgt_tcg_windows_release(struct pgt_tcg_windows *windows)
{
	for (unsigned int i = 0; windows->cpu && i < windows->n_cpus; i++)
		free(windows->cpu[i].hits);
	for (size_t i = 0; i < windows->n; i++)
		free(windows->window[i].hits);
	free(windows->cpu);
	free(windows->window);
	*windows = (struct pgt_tcg_windows){ .cpu = NULL };
}

/* An array of at least n, its new part 0. */
static bool grow(uint64_t **array, size_t *have, size_t n)
{
	uint64_t *grown;

	if (n <= *have)
		return true;
	grown = reallocarray(*array, n, sizeof(*grown));
	if (!grown)
		return false;
	memset(grown + *have, 0, (n - *have) * sizeof(*grown));
	*array = grown;
	*have = n;
	return true;
}

/* There is a sum for every window that any CPU has opened. */
static bool have_window(struct pgt_tcg_windows *windows, size_t number)
{
	struct pgt_tcg_window_sum *sums;

	if (number <= windows->n)
		return true;
	sums = reallocarray(windows->window, number, sizeof(*sums));
	if (!sums)
		return false;
	memset(sums + windows->n, 0, (number - windows->n) * sizeof(*sums));
	windows->window = sums;
	windows->n = number;
	return true;
}

void pgt_tcg_windows_open(struct pgt_tcg_windows *windows, unsigned int cpu, const uint64_t *hits,
			  size_t n, uint64_t instructions)
{
	struct pgt_tcg_window_cpu *own = &windows->cpu[cpu];

	if (own->open) {
		windows->ignored++;
		return;
	}
	own->opened++;
	own->open = true;
	own->instructions = instructions;
	if (!grow(&own->hits, &own->n, n) || !have_window(windows, own->opened)) {
		windows->out_of_memory = true;
		return;
	}
	if (n)
		memcpy(own->hits, hits, n * sizeof(*hits));
}

void pgt_tcg_windows_close(struct pgt_tcg_windows *windows, unsigned int cpu, const uint64_t *hits,
			   size_t n, uint64_t instructions)
{
	struct pgt_tcg_window_cpu *own = &windows->cpu[cpu];
	struct pgt_tcg_window_sum *sum;

	if (!own->open) {
		windows->ignored++;
		return;
	}
	own->open = false;
	if (own->opened > windows->n)
		return;			/* out of memory when it was opened */
	sum = &windows->window[own->opened - 1];
	if (!grow(&sum->hits, &sum->n, n)) {
		windows->out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		sum->hits[i] += hits[i] - (i < own->n ? own->hits[i] : 0);
	sum->instructions += instructions - own->instructions;
	sum->closed++;
}

size_t pgt_tcg_windows_current(const struct pgt_tcg_windows *windows, unsigned int cpu)
{
	return windows->cpu[cpu].open ? windows->cpu[cpu].opened : 0;
}

bool pgt_tcg_windows_any_open(const struct pgt_tcg_windows *windows)
{
	for (unsigned int i = 0; i < windows->n_cpus; i++)
		if (windows->cpu[i].open)
			return true;
	return false;
}

uint64_t pgt_tcg_windows_hits(const struct pgt_tcg_windows *windows, size_t window, size_t place)
{
	const struct pgt_tcg_window_sum *sum = &windows->window[window - 1];

	return place < sum->n ? sum->hits[place] : 0;
}
