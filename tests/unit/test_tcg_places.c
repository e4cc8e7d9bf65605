/* SPDX-License-Identifier: GPL-2.0-only */
/* Which words are counted, where, and whose a kprobe's slot is. */
#include <stdio.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tcg/kinds.h"
#include "tcg/places.h"
#include "tcg/steps.h"

static const struct {
	uint32_t word;
	const char *kind;	/* NULL: not counted */
} words[] = {
	{ 0xd5033a9f, "dsb.ishst" }, { 0xd5033b9f, "dsb.ish" }, { 0xd503309f, "dsb.ssbb" },
	{ 0xd5033fdf, "isb" }, { 0xd508831f, "tlbi.vmalle1is" },
	{ 0xd5033bbf, "dmb.ish" }, { 0xd50339bf, "dmb.ishld" }, { 0xd5033abf, "dmb.ishst" },
	{ 0xd5033fbf, "dmb.sy" }, { 0xd50331bf, "dmb.oshld" }, { 0xd50330bf, "dmb.c0" },
	{ 0xd5033cbf, "dmb.c12" }, { 0xd50330ff, "sb" },
	{ 0xd503201f, NULL },		/* nop */
	{ 0xd503305f, NULL },		/* clrex */
	{ 0xd50331ff, NULL },		/* unallocated, beside sb */
	{ 0xd5032fdf, NULL },		/* hint #126 */
	{ 0xd65f03c0, NULL },		/* ret */
	{ 0xd4200080, NULL },		/* brk #4 */
	{ 0, NULL },
};

Test(tcg_places, kinds_are_those_of_a_live_kernel_and_dmb_and_sb)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char kind[PGT_KIND_LEN] = "";
		bool counted = pgt_tcg_kind(words[i].word, kind);

		cr_expect(eq(int, counted, !!words[i].kind), "0x%x", words[i].word);
		if (words[i].kind)
			cr_expect(eq(str, kind, (char *)words[i].kind));
	}
}

Test(tcg_places, kinds_have_numbers)
{
	struct pgt_tcg_kinds kinds = { .n = 0 };
	char name[PGT_KIND_LEN];

	cr_assert(eq(sz, pgt_tcg_kinds_add(&kinds, "isb"), 0));
	cr_assert(eq(sz, pgt_tcg_kinds_add(&kinds, "sb"), 1));
	cr_assert(eq(sz, pgt_tcg_kinds_add(&kinds, "isb"), 0));
	for (int i = 0; i < PGT_TCG_KINDS_MAX + 5; i++) {
		snprintf(name, sizeof(name), "tlbi.%d", i);
		pgt_tcg_kinds_add(&kinds, name);
	}
	cr_assert(eq(sz, kinds.n, PGT_TCG_KINDS_MAX));
	cr_assert(eq(str, kinds.name[PGT_TCG_KINDS_MAX - 1], (char *)"other"));
	cr_assert(eq(sz, pgt_tcg_kinds_add(&kinds, "another"), PGT_TCG_KINDS_MAX - 1));
	cr_assert(eq(sz, pgt_tcg_kinds_add(&kinds, "sb"), 1));
}

Test(tcg_places, a_place_is_an_address_and_a_word_and_a_way)
{
	struct pgt_tcg_places places = { .n = 0 };
	struct pgt_tcg_place *a = pgt_tcg_places_add(&places, 0x2000, 7, PGT_TCG_DIRECT, 1);
	struct pgt_tcg_place *b = pgt_tcg_places_add(&places, 0x2000, 6, PGT_TCG_DIRECT, 1);
	struct pgt_tcg_place *c = pgt_tcg_places_add(&places, 0x2000, 7, PGT_TCG_STEPPED, 1);
	struct pgt_tcg_place *d = pgt_tcg_places_add(&places, 0, 7, PGT_TCG_SLOT, 1);
	struct pgt_tcg_place *e = pgt_tcg_places_add(&places, 0, 7, PGT_TCG_DIRECT, 1);
	const struct pgt_tcg_place **list;

	cr_assert(eq(ptr, pgt_tcg_places_add(&places, 0x2000, 7, PGT_TCG_DIRECT, 1), a));
	cr_assert(eq(ptr, pgt_tcg_places_find(&places, 0x2000, 7, PGT_TCG_STEPPED), c));
	cr_assert(zero(ptr, pgt_tcg_places_find(&places, 0x2004, 7, PGT_TCG_DIRECT)));
	cr_assert(eq(sz, places.n, 5));
	cr_assert(eq(sz, a->number, 0));
	cr_assert(eq(sz, e->number, 4));
	list = pgt_tcg_places_list(&places);
	cr_assert(not(zero(ptr, list)));
	cr_expect(eq(ptr, (void *)list[0], d));
	cr_expect(eq(ptr, (void *)list[1], e));
	cr_expect(eq(ptr, (void *)list[2], b));
	cr_expect(eq(ptr, (void *)list[3], a));
	cr_expect(eq(ptr, (void *)list[4], c));
	free(list);
	pgt_tcg_places_release(&places);
}

Test(tcg_steps, a_slot_is_of_the_place_with_its_stack_pointer)
{
	struct pgt_tcg_steps steps = { .n = 0 };
	uint64_t address;

	cr_assert(not(pgt_tcg_steps_take(&steps, 0x100, &address)));
	pgt_tcg_steps_brk(&steps, 0xa, 0x100);
	cr_assert(not(pgt_tcg_steps_take(&steps, 0x110, &address)));
	cr_assert(pgt_tcg_steps_take(&steps, 0x100, &address));
	cr_assert(eq(u64, address, 0xa));
	cr_assert(not(pgt_tcg_steps_take(&steps, 0x100, &address)));
}

/* A kprobe in the handler of another: the inner slot is executed first. */
Test(tcg_steps, nested_kprobes_are_told_apart)
{
	struct pgt_tcg_steps steps = { .n = 0 };
	uint64_t address;

	pgt_tcg_steps_brk(&steps, 0xa, 0x100);
	pgt_tcg_steps_brk(&steps, 0xb, 0x80);
	cr_assert(pgt_tcg_steps_take(&steps, 0x80, &address));
	cr_assert(eq(u64, address, 0xb));
	pgt_tcg_steps_brk(&steps, 0xc, 0x80);
	cr_assert(pgt_tcg_steps_take(&steps, 0x80, &address));
	cr_assert(eq(u64, address, 0xc));
	cr_assert(pgt_tcg_steps_take(&steps, 0x100, &address));
	cr_assert(eq(u64, address, 0xa));
}

/* A branch is simulated: it has no slot, and the next kprobe is at the same depth. */
Test(tcg_steps, what_has_no_slot_is_forgotten)
{
	struct pgt_tcg_steps steps = { .n = 0 };
	uint64_t address;

	pgt_tcg_steps_brk(&steps, 0xa, 0x100);
	pgt_tcg_steps_brk(&steps, 0xb, 0x100);
	cr_assert(eq(sz, steps.n, 1));
	cr_assert(pgt_tcg_steps_take(&steps, 0x100, &address));
	cr_assert(eq(u64, address, 0xb));
	for (uint64_t i = 0; i < PGT_TCG_STEPS_MAX + 3; i++)
		pgt_tcg_steps_brk(&steps, i, 0x1000 + i);
	cr_assert(not(pgt_tcg_steps_take(&steps, 0x1000, &address)));
	cr_assert(pgt_tcg_steps_take(&steps, 0x1000 + PGT_TCG_STEPS_MAX + 2, &address));
	cr_assert(eq(u64, address, PGT_TCG_STEPS_MAX + 2));
}
