/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/snapshot.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"

_Static_assert(sizeof(struct pgt_probe_cell) % 8 == 0 && sizeof(struct pgt_site_cell) % 8 == 0 &&
	       sizeof(struct pgt_loss_cell) % 8 == 0, "cells are added up as arrays of u64");

int pgt_snapshot_init(struct pgt_snapshot *out, size_t n_sites, struct pgt_diag *diag)
{
	struct pgt_site_cell *site = calloc(n_sites ? n_sites : 1, sizeof(*site));

	if (!site)
		return pgt_fail(diag, -ENOMEM, "snapshot: out of memory");
	*out = (struct pgt_snapshot){ .site = site, .n_sites = n_sites };
	return 0;
}

void pgt_snapshot_release(struct pgt_snapshot *snapshot)
{
	free(snapshot->site);
	*snapshot = (struct pgt_snapshot){ 0 };
}

static void add(void *out, const void *after, const void *before, size_t size)
{
	__u64 *sum = out;
	const __u64 *a = after, *b = before;

	for (size_t i = 0; i < size / sizeof(*sum); i++)
		sum[i] += a[i] - b[i];
}

void pgt_snapshot_add_difference(struct pgt_snapshot *out, const struct pgt_snapshot *after,
				 const struct pgt_snapshot *before)
{
	add(out->probe, after->probe, before->probe, sizeof(out->probe));
	add(out->site, after->site, before->site, out->n_sites * sizeof(*out->site));
	add(&out->loss, &after->loss, &before->loss, sizeof(out->loss));
	out->missed += after->missed - before->missed;
	out->recursion += after->recursion - before->recursion;
}

bool pgt_snapshot_same_calls(const struct pgt_snapshot *sum, const struct pgt_snapshot *after,
			     const struct pgt_snapshot *before)
{
	for (size_t p = 0; p < PGT_PROBE_MAX; p++) {
		const struct pgt_probe_cell *a = &after->probe[p], *b = &before->probe[p];

		if (a->calls - b->calls != sum->probe[p].calls ||
		    a->pages - b->pages != sum->probe[p].pages)
			return false;
	}
	return true;
}

uint64_t pgt_snapshot_lost(const struct pgt_snapshot *snapshot)
{
	return snapshot->missed + snapshot->recursion + snapshot->loss.overflow +
	       snapshot->loss.unbalanced + snapshot->loss.unknown;
}
