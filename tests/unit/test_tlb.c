// SPDX-License-Identifier: GPL-2.0-only
/* tlb.c and cores.c: sets, LRU, sizes, ASIDs. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "tcg/cores.h"
#include "tcg/tlb.h"
#include "tcg/tlbi.h"

#define K4	(UINT64_C(1) << 12)
#define K64	(UINT64_C(1) << 16)
#define M2	(UINT64_C(1) << 21)

static struct pgt_tlb made(unsigned int entries, unsigned int ways, uint64_t sizes)
{
	const struct pgt_tlb_shape shape = { entries, ways, sizes };
	struct pgt_diag diag = { "" };
	struct pgt_tlb tlb;

	cr_assert(zero(int, pgt_tlb_init(&tlb, &shape, &diag)), "%s", diag.text);
	return tlb;
}

static struct pgt_mapping mapping(uint64_t va, unsigned int shift, uint16_t asid)
{
	return (struct pgt_mapping){
		.va = va & ~((UINT64_C(1) << shift) - 1), .pa = UINT64_C(1) << 32,
		.shift = (uint8_t)shift, .span = (uint8_t)shift, .asid = asid, .global = !asid,
	};
}

/* One access, as the model makes it: whether it missed. */
static bool misses(struct pgt_tlb *tlb, uint64_t va, unsigned int shift, uint16_t asid)
{
	struct pgt_mapping map = mapping(va, shift, asid);

	if (pgt_tlb_lookup(tlb, va, asid))
		return false;
	pgt_tlb_fill(tlb, &map, va);
	return true;
}

static unsigned int misses_of_walk(struct pgt_tlb *tlb, unsigned int n_pages, unsigned int shift,
				   unsigned int rounds)
{
	unsigned int n = 0;

	while (rounds--)
		for (unsigned int i = 0; i < n_pages; i++)
			n += misses(tlb, 0x10000000 + i * K4, shift, 1);
	return n;
}

Test(tlb, shapes_that_cannot_be)
{
	const struct pgt_tlb_shape bad[] = {
		{ 48, 0, K4 }, { 48, 5, K4 }, { 48, 16, K4 }, { 0, 4, K4 }, { 48, 48, 0 },
		{ 48, 48, K64 }, { 1 << 17, 1 << 16, K4 },
	};
	struct pgt_diag diag;
	struct pgt_tlb tlb;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		diag.text[0] = '\0';
		cr_expect(eq(int, pgt_tlb_init(&tlb, &bad[i], &diag), -EINVAL), "%zu", i);
		cr_expect(not(zero(int, (int)strlen(diag.text))));
	}
}

Test(tlb, fully_associative_lru)
{
	struct pgt_tlb tlb = made(4, 4, K4);

	/* What fits misses once; one page more misses always, as LRU drops the next one needed. */
	cr_expect(eq(u32, misses_of_walk(&tlb, 4, 12, 5), 4));
	pgt_tlb_clear(&tlb);
	cr_expect(eq(u32, misses_of_walk(&tlb, 5, 12, 5), 25));
	pgt_tlb_clear(&tlb);
	/* The least recently used one goes, not the oldest. */
	misses_of_walk(&tlb, 4, 12, 1);
	cr_expect(not(misses(&tlb, 0x10000000, 12, 1)));
	cr_expect(misses(&tlb, 0x20000000, 12, 1));
	cr_expect(not(misses(&tlb, 0x10000000, 12, 1)));
	cr_expect(misses(&tlb, 0x10001000, 12, 1));
	pgt_tlb_release(&tlb);
}

Test(tlb, sets)
{
	struct pgt_tlb tlb = made(8, 2, K4);		/* four sets of two */

	cr_expect(eq(u32, misses_of_walk(&tlb, 8, 12, 3), 8));
	/* Twelve pages put three into each set of two. */
	pgt_tlb_clear(&tlb);
	cr_expect(eq(u32, misses_of_walk(&tlb, 12, 12, 3), 36));
	/* Nine pages overflow one set alone: its three miss always, the other six once. */
	pgt_tlb_clear(&tlb);
	cr_expect(eq(u32, misses_of_walk(&tlb, 9, 12, 3), 3 * 3 + 6));
	pgt_tlb_release(&tlb);
}

Test(tlb, sizes_live_together)
{
	struct pgt_tlb tlb = made(8, 2, K4 | K64 | M2);

	/* 64 pages in four ranges of 64K: four misses, however often. */
	cr_expect(eq(u32, misses_of_walk(&tlb, 64, 16, 3), 4));
	cr_expect(misses(&tlb, 0x40000000, 21, 1));
	cr_expect(misses(&tlb, 0x50000000, 12, 1));
	cr_expect(not(misses(&tlb, 0x401fffff, 12, 1)));
	cr_expect(not(misses(&tlb, 0x50000fff, 12, 1)));
	cr_expect(misses(&tlb, 0x50001000, 12, 1));
	cr_expect(misses(&tlb, 0x40200000, 21, 1));
	pgt_tlb_release(&tlb);
}

Test(tlb, fragments_of_what_it_cannot_hold)
{
	struct pgt_tlb tlb = made(64, 64, K4 | K64);
	struct pgt_mapping map = mapping(0x40000000, 21, 1);
	const struct pgt_mapping *found;

	pgt_tlb_fill(&tlb, &map, 0x40012345);
	found = pgt_tlb_lookup(&tlb, 0x4001ffff, 1);
	cr_assert(not(zero(ptr, (void *)found)));
	cr_expect(eq(u64, found->va, 0x40010000));
	cr_expect(eq(u64, found->pa, (UINT64_C(1) << 32) + 0x10000));
	cr_expect(eq(u8, found->shift, 16));
	cr_expect(eq(u8, found->span, 21));
	cr_expect(zero(ptr, (void *)pgt_tlb_lookup(&tlb, 0x40020000, 1)));
	/* Invalidating any other page of the block takes the fragment too. */
	pgt_tlb_invalidate(&tlb, &(struct pgt_tlbi){
		.what = PGT_TLBI_RANGE, .asid = 1, .first = 0x401ff000, .last = 0x401fffff });
	cr_expect(zero(ptr, (void *)pgt_tlb_lookup(&tlb, 0x40012345, 1)));
	pgt_tlb_release(&tlb);
}

Test(tlb, address_spaces)
{
	struct pgt_tlb tlb = made(4, 4, K4);

	cr_expect(misses(&tlb, 0x1000, 12, 1));
	cr_expect(misses(&tlb, 0x1000, 12, 2));
	cr_expect(not(misses(&tlb, 0x1000, 12, 1)));
	cr_expect(misses(&tlb, 0x2000, 12, 0));			/* global */
	cr_expect(not(misses(&tlb, 0x2000, 12, 1)));
	pgt_tlb_invalidate(&tlb, &(struct pgt_tlbi){ .what = PGT_TLBI_ASID, .asid = 1 });
	cr_expect(not(misses(&tlb, 0x1000, 12, 2)));
	cr_expect(not(misses(&tlb, 0x2000, 12, 1)));
	cr_expect(misses(&tlb, 0x1000, 12, 1));
	pgt_tlb_release(&tlb);
}

/* Pages that share the place of a guess, and one that is gone: only speed may depend on it. */
Test(tlb, guesses_change_nothing)
{
	struct pgt_tlb tlb = made(4, 4, K4);

	for (int i = 0; i < 3; i++)
		cr_expect(misses(&tlb, 0x1000 + (uint64_t)i * PGT_TLB_GUESSES * K4, 12, 1));
	for (int i = 0; i < 3; i++)
		cr_expect(not(misses(&tlb, 0x1000 + (uint64_t)i * PGT_TLB_GUESSES * K4, 12, 1)));
	pgt_tlb_invalidate(&tlb, &(struct pgt_tlbi){
		.what = PGT_TLBI_RANGE_ANY, .first = 0x1000, .last = 0x1fff });
	cr_expect(misses(&tlb, 0x1000, 12, 1));
	pgt_tlb_release(&tlb);
}

Test(tlb, release_accepts_nothing)
{
	struct pgt_tlb tlb = { 0 };

	pgt_tlb_release(&tlb);
}

Test(cores, all_can_be_modelled)
{
	struct pgt_diag diag = { "" };
	size_t n = 0;

	for (const struct pgt_core *const *core = pgt_cores; *core; core++, n++) {
		const struct pgt_tlb_shape *shapes[] = { &(*core)->l1d, &(*core)->l1i, &(*core)->l2 };

		for (int i = 0; i < 3; i++) {
			struct pgt_tlb tlb;

			cr_expect(zero(int, pgt_tlb_init(&tlb, shapes[i], &diag)), "%s", diag.text);
			pgt_tlb_release(&tlb);
		}
		cr_expect(not(zero(ptr, strstr((*core)->source, "Technical Reference Manual"))));
		cr_expect(eq(ptr, (void *)pgt_core_find((*core)->name), (void *)*core));
	}
	cr_expect(eq(sz, n, 3));
	cr_expect(zero(ptr, (void *)pgt_core_find("neoverse")));
	cr_expect(zero(ptr, (void *)pgt_core_find("")));
}
