/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * windows.h - what each CPU counted between opening a window and closing it, summed up.
 *
 * Each CPU opens and closes for itself; its first window is window 1, and so on, so that CPUs
 * which open the same windows in the same order agree about their numbers.
 */
#ifndef PGT_TCG_WINDOWS_H
#define PGT_TCG_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_tcg_window_cpu {
	size_t opened;			/* windows, ever */
	bool open;
	uint64_t *hits;			/* when it was opened, by number of the place */
	size_t n;
	uint64_t instructions;
};

struct pgt_tcg_window_sum {
	uint64_t *hits;
	size_t n;
	uint64_t instructions;
	unsigned int closed;		/* CPUs that opened and closed it */
};

struct pgt_tcg_windows {
	struct pgt_tcg_window_cpu *cpu;
	unsigned int n_cpus;
	struct pgt_tcg_window_sum *window;	/* window n is window[n - 1] */
	size_t n;
	uint64_t ignored;		/* hints: opened when open, closed when not */
	bool out_of_memory;		/* what was counted is not whole */
};

int pgt_tcg_windows_init(struct pgt_tcg_windows *out, unsigned int n_cpus, struct pgt_diag *diag);
void pgt_tcg_windows_release(struct pgt_tcg_windows *windows);

/* hits: what the CPU has counted so far at each of n places; n never shrinks. */
void pgt_tcg_windows_open(struct pgt_tcg_windows *windows, unsigned int cpu, const uint64_t *hits,
			  size_t n, uint64_t instructions);
void pgt_tcg_windows_close(struct pgt_tcg_windows *windows, unsigned int cpu, const uint64_t *hits,
			   size_t n, uint64_t instructions);

/* The number of the window that is open on a CPU; 0 for none. */
size_t pgt_tcg_windows_current(const struct pgt_tcg_windows *windows, unsigned int cpu);
bool pgt_tcg_windows_any_open(const struct pgt_tcg_windows *windows);

/* Hits of a place in window 1 .. n. */
uint64_t pgt_tcg_windows_hits(const struct pgt_tcg_windows *windows, size_t window, size_t place);

#endif /* PGT_TCG_WINDOWS_H */
