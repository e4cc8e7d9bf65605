/* SPDX-License-Identifier: GPL-2.0-only */
/* descriptor.c: what a descriptor is, and where it leads, by granule and level. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "probe/descriptor.h"

#define VALID	PGT_DESC_VALID
#define TABLE	(PGT_DESC_VALID | PGT_DESC_TABLE)

Test(descriptor, is_classified_by_level)
{
	static const struct {
		unsigned int page_shift;
		bool wide;
		int blocks_from;	/* the first level that knows blocks */
	} cases[] = {
		{ 12, false, 1 }, { 12, true, 0 }, { 14, false, 2 }, { 14, true, 1 }, { 16, false, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned int page_shift = cases[i].page_shift;
		bool wide = cases[i].wide;

		for (int level = -1; level <= PGT_LEVEL_LAST; level++) {
			bool last = level == PGT_LEVEL_LAST;
			bool block = !last && level >= cases[i].blocks_from;

			cr_expect(eq(int, (int)pgt_descriptor_classify(TABLE & ~VALID, page_shift,
								       level, wide),
				     PGT_DESCRIPTOR_INVALID));
			cr_expect(eq(int, (int)pgt_descriptor_classify(TABLE, page_shift, level, wide),
				     last ? PGT_DESCRIPTOR_LEAF : PGT_DESCRIPTOR_TABLE));
			cr_expect(eq(int, (int)pgt_descriptor_classify(VALID, page_shift, level, wide),
				     block ? PGT_DESCRIPTOR_LEAF : PGT_DESCRIPTOR_RESERVED),
				  "pages of 1 << %u, level %d", page_shift, level);
		}
	}
}

Test(descriptor, leads_to_an_address)
{
	const uint64_t all = ~UINT64_C(0);

	cr_expect(eq(u64, pgt_descriptor_address(all, 12, 12, false), 0x0000fffffffff000));
	cr_expect(eq(u64, pgt_descriptor_address(all, 12, 21, false), 0x0000ffffffe00000));
	cr_expect(eq(u64, pgt_descriptor_address(all, 14, 14, false), 0x0000ffffffffc000));
	/* 51:50 in 9:8, so that all bits of the address are set */
	cr_expect(eq(u64, pgt_descriptor_address(all, 12, 12, true), 0x000ffffffffff000));
	cr_expect(eq(u64, pgt_descriptor_address(UINT64_C(1) << 8, 12, 12, true), UINT64_C(1) << 50));
	cr_expect(eq(u64, pgt_descriptor_address(UINT64_C(1) << 49, 14, 14, true), UINT64_C(1) << 49));
	cr_expect(zero(u64, pgt_descriptor_address(UINT64_C(3) << 50, 14, 14, true)));
	/* 51:48 in 15:12 */
	cr_expect(eq(u64, pgt_descriptor_address(all, 16, 16, false), 0x000fffffffff0000));
	cr_expect(eq(u64, pgt_descriptor_address(UINT64_C(1) << 12, 16, 16, false), UINT64_C(1) << 48));
}

Test(descriptor, levels_of_each_granule)
{
	static const struct {
		unsigned int page_shift, va_bits;
		int first;
	} cases[] = {
		{ 12, 39, 1 }, { 12, 40, 0 }, { 12, 48, 0 }, { 12, 52, -1 }, { 14, 36, 2 },
		{ 14, 47, 1 }, { 14, 48, 0 }, { 14, 52, 0 }, { 16, 42, 2 }, { 16, 48, 1 }, { 16, 52, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(int, pgt_level_first(cases[i].page_shift, cases[i].va_bits),
			     cases[i].first), "1 << %u, %u bits", cases[i].page_shift, cases[i].va_bits);
	cr_expect(eq(uint, pgt_level_shift(12, 3), 12));
	cr_expect(eq(uint, pgt_level_shift(12, 2), 21));
	cr_expect(eq(uint, pgt_level_shift(12, -1), 48));
	cr_expect(eq(uint, pgt_level_shift(14, 2), 25));
	cr_expect(eq(uint, pgt_level_shift(16, 1), 42));
}

/* Sizes of contiguous ranges: 64K, 2M and 2M of pages; 32M, 1G and 16G of blocks of level 2. */
Test(descriptor, contiguous_ranges)
{
	static const unsigned int page_shifts[] = { 12, 14, 16 };
	static const unsigned int pages[] = { 16, 21, 21 }, blocks[] = { 25, 30, 34 };

	for (size_t i = 0; i < 3; i++) {
		unsigned int page_shift = page_shifts[i];

		cr_expect(eq(uint, page_shift + pgt_level_contiguous(page_shift, 3), pages[i]));
		cr_expect(eq(uint, pgt_level_shift(page_shift, 2) + pgt_level_contiguous(page_shift, 2),
			     blocks[i]));
	}
	cr_expect(eq(uint, pgt_level_contiguous(12, 1), 4));
	cr_expect(zero(uint, pgt_level_contiguous(14, 1)));
	cr_expect(zero(uint, pgt_level_contiguous(16, 1)));
	cr_expect(zero(uint, pgt_level_contiguous(12, 0)));
}
