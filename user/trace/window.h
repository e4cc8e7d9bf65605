/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.h - open and close the window of every CPU.
 *
 * A CPU's window is one word that the BPF programs on it read, and it is opened and closed on
 * that CPU.  On arm64 a hint instruction stands beside the store, for an emulator's plugin that
 * counts from outside (tcg/format.h).  No interrupt comes between the two: QEMU takes them only
 * between its translation blocks, and a block holds both.  What the programs count in a CPU's
 * window is then what the plugin counts in it, neither one instruction more nor one less.
 */
#ifndef PGT_TRACE_WINDOW_H
#define PGT_TRACE_WINDOW_H

#include <stdint.h>

struct pgt_cpus;

#define PGT_WINDOW_HINT_OPEN	126
#define PGT_WINDOW_HINT_CLOSE	127

/*
 * Store the window's number, from 1, into the word of every possible CPU: on the CPU itself, or
 * from here where it is offline or this thread may not run on it.  The CPU that the thread is on
 * opens last and closes first.  The thread is afterwards where it may be.
 */
void pgt_window_open(uint32_t *word, const struct pgt_cpus *cpus, uint32_t number);
void pgt_window_close(uint32_t *word, const struct pgt_cpus *cpus);

#endif /* PGT_TRACE_WINDOW_H */
