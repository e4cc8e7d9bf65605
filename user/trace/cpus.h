/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpus.h - which CPUs there are.
 *
 * Per-CPU map values come one a *possible* CPU; a breakpoint is set on each *online* one.
 * Mixing the two gives wrong sums on machines with offline or hot-pluggable CPUs.
 */
#ifndef PGT_TRACE_CPUS_H
#define PGT_TRACE_CPUS_H

#include <stddef.h>

struct pgt_diag;

struct pgt_cpus {
	int *online, *possible;	/* CPU numbers, ascending */
	size_t n;		/* how many are online */
	size_t n_possible;
};

#define PGT_CPUS_DIR	"/sys/devices/system/cpu"

/*
 * Read the lists "online" and "possible" in dir, which is PGT_CPUS_DIR but for tests.  -EPROTO where
 * one is no list; -E2BIG where a possible CPU's number is not below PGT_CPU_MAX.
 */
int pgt_cpus_read(struct pgt_cpus *out, const char *dir, struct pgt_diag *diag);
void pgt_cpus_release(struct pgt_cpus *cpus);

#endif /* PGT_TRACE_CPUS_H */
