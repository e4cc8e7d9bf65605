/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - all counters at one moment, summed over the CPUs.
 *
 * Counters only grow; what happened in a window is the difference of two snapshots.
 */
#ifndef PGT_TRACE_SNAPSHOT_H
#define PGT_TRACE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../bpf/pgtrace_abi.h"

struct pgt_diag;

struct pgt_snapshot {
	struct pgt_probe_cell probe[PGT_PROBE_MAX];
	struct pgt_site_cell *site;	/* n_sites of them, in the order of the site list */
	size_t n_sites;
	struct pgt_loss_cell loss;
	uint64_t missed;		/* hits that the kprobe layer did not deliver */
	uint64_t recursion;		/* program runs that the kernel refused */
};

/* All counters 0.  -ENOMEM. */
int pgt_snapshot_init(struct pgt_snapshot *out, size_t n_sites, struct pgt_diag *diag);
void pgt_snapshot_release(struct pgt_snapshot *snapshot);

/* out += after - before, counter by counter; all three have the same number of sites. */
void pgt_snapshot_add_difference(struct pgt_snapshot *out, const struct pgt_snapshot *after,
				 const struct pgt_snapshot *before);

/* Whether after - before has the calls and the pages of sum, for every probe. */
bool pgt_snapshot_same_calls(const struct pgt_snapshot *sum, const struct pgt_snapshot *after,
			     const struct pgt_snapshot *before);

/* Events not counted or not attributed: 0, or the counts are lower bounds. */
uint64_t pgt_snapshot_lost(const struct pgt_snapshot *snapshot);

#endif /* PGT_TRACE_SNAPSHOT_H */
