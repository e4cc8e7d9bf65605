/* SPDX-License-Identifier: GPL-2.0-only */
/* snapshot.c: a window is the difference of two snapshots, and its losses are added up. */
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "trace/snapshot.h"

static struct pgt_snapshot snapshot_of(size_t n_sites)
{
	struct pgt_snapshot snapshot;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_snapshot_init(&snapshot, n_sites, &diag)), "%s", diag.text);
	return snapshot;
}

/* Every counter one of its own: the n-th u64 of a cell is base + n. */
static void number(void *cell, size_t size, uint64_t base)
{
	uint64_t value;

	for (size_t i = 0; i < size / sizeof(value); i++) {
		value = base + i;
		memcpy((char *)cell + i * sizeof(value), &value, sizeof(value));
	}
}

static void number_all(struct pgt_snapshot *snapshot, uint64_t base)
{
	number(snapshot->probe, sizeof(snapshot->probe), base);
	number(snapshot->site, snapshot->n_sites * sizeof(*snapshot->site), base * 2);
	number(&snapshot->loss, sizeof(snapshot->loss), base * 3);
	snapshot->missed = base * 4;
	snapshot->recursion = base * 5;
}

static void expect_all(const void *cell, size_t size, uint64_t want)
{
	uint64_t value;

	for (size_t i = 0; i < size / sizeof(value); i++) {
		memcpy(&value, (const char *)cell + i * sizeof(value), sizeof(value));
		cr_expect(eq(u64, value, want), "counter %zu", i);
	}
}

Test(snapshot, starts_from_zero)
{
	struct pgt_snapshot snapshot = snapshot_of(3);

	cr_expect(eq(sz, snapshot.n_sites, 3));
	expect_all(snapshot.probe, sizeof(snapshot.probe), 0);
	expect_all(snapshot.site, 3 * sizeof(*snapshot.site), 0);
	cr_expect(eq(u64, pgt_snapshot_lost(&snapshot), 0));
	pgt_snapshot_release(&snapshot);
	pgt_snapshot_release(&snapshot);	/* harmless */
}

Test(snapshot, windows_add_up_counter_by_counter)
{
	struct pgt_snapshot before = snapshot_of(5), after = snapshot_of(5), sum = snapshot_of(5);

	number_all(&before, 100);
	number_all(&after, 107);
	pgt_snapshot_add_difference(&sum, &after, &before);
	pgt_snapshot_add_difference(&sum, &after, &after);	/* nothing happened */
	pgt_snapshot_add_difference(&sum, &after, &before);
	expect_all(sum.probe, sizeof(sum.probe), 14);
	expect_all(sum.site, 5 * sizeof(*sum.site), 28);
	expect_all(&sum.loss, sizeof(sum.loss), 42);
	cr_expect(eq(u64, sum.missed, 56));
	cr_expect(eq(u64, sum.recursion, 70));
	cr_expect(eq(u64, after.probe[0].calls, 107));
	pgt_snapshot_release(&before);
	pgt_snapshot_release(&after);
	pgt_snapshot_release(&sum);
}

Test(snapshot, without_sites)
{
	struct pgt_snapshot before = snapshot_of(0), after = snapshot_of(0), sum = snapshot_of(0);

	after.probe[PGT_PROBE_MAX - 1].bucket[PGT_BUCKETS - 1] = 1;
	pgt_snapshot_add_difference(&sum, &after, &before);
	cr_expect(eq(u64, sum.probe[PGT_PROBE_MAX - 1].bucket[PGT_BUCKETS - 1], 1));
	pgt_snapshot_release(&before);
	pgt_snapshot_release(&after);
	pgt_snapshot_release(&sum);
}

Test(snapshot, every_kind_of_loss_counts)
{
	struct pgt_snapshot snapshot = snapshot_of(1);

	snapshot.missed = 1;
	cr_expect(eq(u64, pgt_snapshot_lost(&snapshot), 1));
	snapshot.recursion = 10;
	snapshot.loss.overflow = 100;
	snapshot.loss.unbalanced = 1000;
	snapshot.loss.unknown = 10000;
	cr_expect(eq(u64, pgt_snapshot_lost(&snapshot), 11111));
	pgt_snapshot_release(&snapshot);
}

Test(snapshot, tells_whether_probes_were_called_alike)
{
	struct pgt_snapshot sum = snapshot_of(1), before = snapshot_of(1), after;

	before.probe[2].calls = 5;
	before.probe[2].pages = 50;
	after = before;
	after.site = NULL;
	cr_expect(eq(int, pgt_snapshot_same_calls(&sum, &after, &before), true), "no calls, and none wanted");
	sum.probe[2].calls = 1;
	cr_expect(eq(int, pgt_snapshot_same_calls(&sum, &after, &before), false));
	after.probe[2].calls = 6;
	cr_expect(eq(int, pgt_snapshot_same_calls(&sum, &after, &before), true));
	after.probe[2].pages = 51;
	cr_expect(eq(int, pgt_snapshot_same_calls(&sum, &after, &before), false), "as often, for other pages");
	after.probe[2].pages = 50;
	after.probe[PGT_PROBE_MAX - 1].calls = 1;
	cr_expect(eq(int, pgt_snapshot_same_calls(&sum, &after, &before), false), "the last probe counts, too");
	pgt_snapshot_release(&sum);
	pgt_snapshot_release(&before);
}
