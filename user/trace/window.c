/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/window.h"

#include <sched.h>
#include <stdbool.h>

#include "trace/cpus.h"

#ifdef __aarch64__
#define TEXT_OF(number)		TEXT_OF_(number)
#define TEXT_OF_(number)	#number

/*
 * The jump starts a translation block at the hint, and the alignment keeps both instructions on
 * one page, so that the block cannot end between them.
 */
#define BOTH(first, second)	"b 1f\n\t.p2align 4\n1:\t" first "\n\t" second

static void store_opening(uint32_t *word, uint32_t number)
{
	asm volatile(BOTH("hint #" TEXT_OF(PGT_WINDOW_HINT_OPEN), "str %w1, %0")
		     : "=Q" (*word) : "r" (number) : "memory");
}

static void store_closing(uint32_t *word)
{
	asm volatile(BOTH("str wzr, %0", "hint #" TEXT_OF(PGT_WINDOW_HINT_CLOSE))
		     : "=Q" (*word) : : "memory");
}
#else
static void store_opening(uint32_t *word, uint32_t number)
{
	__atomic_store_n(word, number, __ATOMIC_SEQ_CST);
}

static void store_closing(uint32_t *word)
{
	__atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
}
#endif

static bool go_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return !sched_setaffinity(0, sizeof(one), &one);
}

static void set(uint32_t *word, int cpu, uint32_t number)
{
	if (!go_to(cpu)) {
		__atomic_store_n(&word[cpu], number, __ATOMIC_SEQ_CST);
		return;
	}
	__atomic_fetch_add(&word[cpu], 0, __ATOMIC_SEQ_CST);	/* the pair's store may not fault */
	if (number)
		store_opening(&word[cpu], number);
	else
		store_closing(&word[cpu]);
}

static void set_others(uint32_t *word, const struct pgt_cpus *cpus, int here, uint32_t number)
{
	for (size_t i = 0; i < cpus->n_possible; i++)
		if (cpus->possible[i] != here)
			set(word, cpus->possible[i], number);
}

void pgt_window_open(uint32_t *word, const struct pgt_cpus *cpus, uint32_t number)
{
	cpu_set_t before;
	bool known = !sched_getaffinity(0, sizeof(before), &before);
	int here = sched_getcpu();

	set_others(word, cpus, here, number);
	if (here >= 0)
		set(word, here, number);
	if (known)
		sched_setaffinity(0, sizeof(before), &before);
}

void pgt_window_close(uint32_t *word, const struct pgt_cpus *cpus)
{
	cpu_set_t before;
	bool known = !sched_getaffinity(0, sizeof(before), &before);
	int here = sched_getcpu();

	if (here >= 0)
		set(word, here, 0);
	set_others(word, cpus, here, 0);
	if (known)
		sched_setaffinity(0, sizeof(before), &before);
}
