// SPDX-License-Identifier: GPL-2.0-only
/* walk.c and where.c, over page tables written here by hand. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tcg/tlb.h"
#include "tcg/walk.h"
#include "tcg/where.h"

#define BIT(n)		(UINT64_C(1) << (n))
#define VALID		BIT(0)
#define TABLE		(BIT(1) | VALID)
#define PAGE		(BIT(1) | VALID)
#define AF		BIT(10)
#define NG		BIT(11)
#define CONT		BIT(52)

#define TG0_64K		BIT(14)
#define TG0_16K		BIT(15)
#define TG1_16K		BIT(30)
#define TG1_4K		BIT(31)
#define TG1_64K		(BIT(30) | BIT(31))
#define A1		BIT(22)
#define AS		BIT(36)
#define DS		BIT(59)
#define IPS_52		(UINT64_C(6) << 32)
#define SIZES(t0, t1)	((uint64_t)(t0) | (uint64_t)(t1) << 16)

#define N_WORDS		16

struct memory {			/* descriptors at the addresses that a test writes */
	struct { uint64_t pa, value; } words[N_WORDS];
	size_t n;
	unsigned int n_reads;
	uint64_t fail_at;
};

static void put(struct memory *memory, uint64_t pa, uint64_t value)
{
	cr_assert(lt(sz, memory->n, N_WORDS));
	memory->words[memory->n].pa = pa;
	memory->words[memory->n++].value = value;
}

static int read_memory(void *context, uint64_t pa, uint64_t *value)
{
	struct memory *memory = context;

	memory->n_reads++;
	if (memory->fail_at && pa == memory->fail_at)
		return -EIO;
	*value = 0;
	for (size_t i = 0; i < memory->n; i++)
		if (memory->words[i].pa == pa)
			*value = memory->words[i].value;
	return 0;
}

static int walk(struct memory *memory, const struct pgt_regime *regime, uint64_t va,
		struct pgt_mapping *map)
{
	memset(map, 0xff, sizeof(*map));
	memory->n_reads = 0;
	return pgt_walk(regime, va, read_memory, memory, NULL, map);
}

static void expect_map(const struct pgt_mapping *map, uint64_t va, uint64_t pa, int shift)
{
	cr_expect(eq(u64, map->va, va));
	cr_expect(eq(u64, map->pa, pa));
	cr_expect(eq(int, map->shift, shift));
	cr_expect(eq(int, map->span, shift));
}

/* 4K pages, 48 bits: 0xffff8000_40403000 is at indices 256, 1, 2, 3. */
static const struct pgt_regime regime_4k = {
	.ttbr0 = 0x50000000 | UINT64_C(0x0123) << 48 | 1, .ttbr1 = 0x41000000 | UINT64_C(7) << 48,
	.tcr = SIZES(16, 16) | TG1_4K | AS,
};

#define VA_4K	UINT64_C(0xffff800040403000)

static struct memory memory_4k(uint64_t leaf)
{
	struct memory memory = { .n = 0 };

	put(&memory, 0x41000000 + 256 * 8, 0x41001000 | TABLE | BIT(59));
	put(&memory, 0x41001000 + 1 * 8, 0x41002000 | TABLE);
	put(&memory, 0x41002000 + 2 * 8, 0x41003000 | TABLE);
	put(&memory, 0x41003000 + 3 * 8, leaf);
	return memory;
}

Test(walk, page_of_4k)
{
	struct memory memory = memory_4k(0x8000045678000 | PAGE | AF | BIT(54) | BIT(53));
	struct pgt_mapping map;

	cr_assert(zero(int, walk(&memory, &regime_4k, VA_4K + 0x123, &map)));
	expect_map(&map, VA_4K, 0x45678000, 12);
	cr_expect(map.global);
	cr_expect(zero(u16, map.asid));
	cr_expect(eq(u32, memory.n_reads, 4));
	/* A tag in the upper byte is not part of the address. */
	cr_assert(zero(int, walk(&memory, &regime_4k, (VA_4K & ~BIT(60)) + 0x123, &map)));
	expect_map(&map, VA_4K, 0x45678000, 12);
}

Test(walk, not_global_ones_have_the_asid)
{
	struct memory memory = memory_4k(0x45678000 | PAGE | NG);
	struct pgt_regime regime = regime_4k;
	struct pgt_mapping map;

	cr_assert(zero(int, walk(&memory, &regime, VA_4K, &map)));
	cr_expect(not(map.global));
	cr_expect(eq(u16, map.asid, 0x0123));
	regime.tcr &= ~AS;
	cr_expect(eq(u16, pgt_regime_asid(&regime), 0x23));
	regime.tcr |= A1;
	cr_expect(eq(u16, pgt_regime_asid(&regime), 7));
}

Test(walk, contiguous_ranges_and_blocks_of_4k)
{
	struct memory memory = memory_4k(0x45673000 | PAGE | CONT);
	struct pgt_mapping map;

	cr_assert(zero(int, walk(&memory, &regime_4k, VA_4K + 0xfff, &map)));
	expect_map(&map, VA_4K & ~UINT64_C(0xffff), 0x45670000, 16);

	memory.n = 2;					/* level 2 */
	put(&memory, 0x41002000 + 2 * 8, 0x80200000 | VALID);
	cr_assert(zero(int, walk(&memory, &regime_4k, VA_4K, &map)));
	expect_map(&map, 0xffff800040400000, 0x80200000, 21);
	memory.words[2].value |= CONT;
	cr_assert(zero(int, walk(&memory, &regime_4k, VA_4K, &map)));
	expect_map(&map, 0xffff800040000000, 0x80000000, 25);

	memory.n = 1;					/* level 1 */
	put(&memory, 0x41001000 + 1 * 8, 0x80000000 | VALID);
	cr_assert(zero(int, walk(&memory, &regime_4k, VA_4K, &map)));
	expect_map(&map, 0xffff800040000000, 0x80000000, 30);
	memory.words[1].value = UINT64_C(0x440000000) | VALID | CONT;
	cr_assert(zero(int, walk(&memory, &regime_4k, VA_4K, &map)));
	expect_map(&map, 0xffff800000000000, 0x400000000, 34);

	memory.n = 0;					/* level 0 has none, but with TCR.DS */
	put(&memory, 0x41000000 + 256 * 8, VALID);
	cr_expect(eq(int, walk(&memory, &regime_4k, VA_4K, &map), -EFAULT));
}

Test(walk, user_half)
{
	struct memory memory = { .n = 0 };
	struct pgt_mapping map;

	put(&memory, 0x50000000 + 511 * 8, 0x50001000 | TABLE);
	put(&memory, 0x50001000 + 511 * 8, 0x50002000 | TABLE);
	put(&memory, 0x50002000 + 511 * 8, 0x50003000 | TABLE);
	put(&memory, 0x50003000 + 511 * 8, 0x60000000 | PAGE | NG);
	cr_assert(zero(int, walk(&memory, &regime_4k, 0x5a00ffffffffffff, &map)));
	expect_map(&map, 0xfffffffff000, 0x60000000, 12);
	cr_expect(eq(u16, map.asid, 0x0123));
}

Test(walk, faults)
{
	struct memory memory = memory_4k(0);
	struct pgt_regime regime = regime_4k;
	struct pgt_mapping map;

	cr_expect(eq(int, walk(&memory, &regime, VA_4K, &map), -EFAULT));
	memory.words[3].value = 0x45678000 | VALID;	/* no page: a reserved descriptor */
	cr_expect(eq(int, walk(&memory, &regime, VA_4K, &map), -EFAULT));
	cr_expect(eq(u8, map.shift, 0xff), "written on failure");
	memory.words[3].value = 0x45678000 | PAGE;
	memory.fail_at = 0x41002000 + 2 * 8;
	cr_expect(eq(int, walk(&memory, &regime, VA_4K, &map), -EIO));
	memory.fail_at = 0;
	/* Between the halves. */
	cr_expect(eq(int, walk(&memory, &regime, 0x0001000000000000, &map), -EFAULT));
	cr_expect(eq(int, walk(&memory, &regime, 0xfffe800040403000, &map), -EFAULT));
	regime.tcr |= BIT(23);				/* EPD1 */
	cr_expect(eq(int, walk(&memory, &regime, VA_4K, &map), -EFAULT));
	regime.tcr = SIZES(16, 16) | AS;		/* TG1 reserved */
	cr_expect(eq(int, walk(&memory, &regime, VA_4K, &map), -EINVAL));
	regime.tcr = SIZES(16, 8) | TG1_4K;
	cr_expect(eq(int, walk(&memory, &regime, VA_4K, &map), -EINVAL));
	regime.tcr = SIZES(16, 52) | TG1_4K;
	cr_expect(eq(int, walk(&memory, &regime, UINT64_MAX, &map), -EINVAL));
}

Test(walk, three_levels_of_4k)
{
	const struct pgt_regime regime = { .ttbr1 = 0x41000000, .tcr = SIZES(25, 25) | TG1_4K };
	struct memory memory = { .n = 0 };
	struct pgt_mapping map;

	put(&memory, 0x41000000 + 510 * 8, 0x41001000 | TABLE);
	put(&memory, 0x41001000, 0x41002000 | TABLE);
	put(&memory, 0x41002000, 0x60000000 | PAGE);
	cr_assert(zero(int, walk(&memory, &regime, 0xffffffff80000000, &map)));
	expect_map(&map, 0xffffffff80000000, 0x60000000, 12);
	cr_expect(eq(u32, memory.n_reads, 3));
}

/* LPA2: five levels, output addresses of 52 bits, blocks at level 0. */
Test(walk, wide_4k)
{
	const struct pgt_regime regime = {
		.ttbr1 = 0x41000000 | UINT64_C(3) << 2, .tcr = SIZES(12, 12) | TG1_4K | DS | IPS_52,
	};
	uint64_t root = 0x41000000 | UINT64_C(3) << 48;
	struct memory memory = { .n = 0 };
	struct pgt_mapping map;

	put(&memory, root, 0x41001000 | TABLE);			/* level -1 */
	put(&memory, 0x41001000 + 256 * 8, 0x41002000 | TABLE | UINT64_C(2) << 8);
	put(&memory, 0x41002000 + BIT(51), 0x41003000 | TABLE);
	put(&memory, 0x41003000, 0x41004000 | TABLE);
	put(&memory, 0x41004000, 0x60000000 | BIT(49) | PAGE | UINT64_C(1) << 8);
	cr_assert(zero(int, walk(&memory, &regime, 0xfff0800000000000, &map)));
	expect_map(&map, 0xfff0800000000000, 0x60000000 | BIT(49) | BIT(50), 12);
	cr_expect(eq(u32, memory.n_reads, 5));
	memory.words[1].value = BIT(39) | VALID;
	cr_assert(zero(int, walk(&memory, &regime, 0xfff0800000000000, &map)));
	expect_map(&map, 0xfff0800000000000, BIT(39), 39);
	/* The linear map of such a kernel begins with the half. */
	cr_expect(eq(u64, (uint64_t)pgt_regime_is_wide(&regime), 1));
}

Test(walk, granule_of_16k)
{
	const struct pgt_regime regime = {
		.ttbr0 = 0x50000000, .ttbr1 = 0x41000000, .tcr = SIZES(17, 16) | TG0_16K | TG1_16K,
	};
	struct memory memory = { .n = 0 };
	struct pgt_mapping map;

	/* 48 bits: level 0 has two entries. */
	put(&memory, 0x41000000 + 8, 0x41004000 | TABLE);
	put(&memory, 0x41004000, 0x41008000 | TABLE);
	put(&memory, 0x41008000 + 8, 0x4100c000 | TABLE);
	put(&memory, 0x4100c000 + 129 * 8, 0x60204000 | PAGE | CONT);
	cr_assert(zero(int, walk(&memory, &regime, 0xffff800002204000, &map)));
	expect_map(&map, 0xffff800002200000, 0x60200000, 21);
	memory.words[2].value = 0x62000000 | VALID | CONT;
	cr_assert(zero(int, walk(&memory, &regime, 0xffff800002204000, &map)));
	expect_map(&map, 0xffff800000000000, 0x40000000, 30);
	memory.words[1].value = VALID;				/* no block at level 1 */
	cr_expect(eq(int, walk(&memory, &regime, 0xffff800002204000, &map), -EFAULT));
	/* 47 bits: three levels. */
	put(&memory, 0x50000000, 0x50004000 | TABLE);
	put(&memory, 0x50004000, 0x64000000 | VALID);
	cr_assert(zero(int, walk(&memory, &regime, 0x1234, &map)));
	expect_map(&map, 0, 0x64000000, 25);
	cr_expect(eq(u32, memory.n_reads, 2));
}

Test(walk, granule_of_64k)
{
	const struct pgt_regime regime = {
		.ttbr1 = 0x41000000, .tcr = SIZES(16, 12) | TG0_64K | TG1_64K | IPS_52,
	};
	struct memory memory = { .n = 0 };
	struct pgt_mapping map;

	put(&memory, 0x41000000, 0x41010000 | TABLE | UINT64_C(9) << 12);	/* level 1 */
	put(&memory, (0x41010000 | UINT64_C(9) << 48) + 1 * 8, 0x41020000 | TABLE);
	put(&memory, 0x41020000 + 33 * 8, 0x60210000 | PAGE | CONT | UINT64_C(5) << 12);
	cr_assert(zero(int, walk(&memory, &regime, 0xfff0000020210000, &map)));
	expect_map(&map, 0xfff0000020200000, 0x60200000 | UINT64_C(5) << 48, 21);
	memory.words[1].value = 0x80000000 | VALID;
	cr_assert(zero(int, walk(&memory, &regime, 0xfff0000020210000, &map)));
	expect_map(&map, 0xfff0000020000000, 0x80000000, 29);
	memory.words[1].value |= CONT;
	cr_assert(zero(int, walk(&memory, &regime, 0xfff0000020210000, &map)));
	expect_map(&map, 0xfff0000000000000, 0, 34);
}

/* Tables are looked for once, until the next invalidation that may be of tables. */
Test(walk, cache_of_tables)
{
	struct pgt_walk_cache cache = { .generation = 0 };
	struct memory memory = memory_4k(0x45678000 | PAGE);
	struct pgt_regime other = regime_4k;
	struct pgt_mapping map;

	for (int i = 0; i < 2; i++) {
		memory.n_reads = 0;
		cr_assert(zero(int, pgt_walk(&regime_4k, VA_4K, read_memory, &memory, &cache, &map)));
		expect_map(&map, VA_4K, 0x45678000, 12);
		cr_expect(eq(u32, memory.n_reads, i ? 1 : 4));
	}
	/* What is not mapped is no more mapped for it, and another region is not this one. */
	cr_expect(eq(int, pgt_walk(&regime_4k, VA_4K + 4096, read_memory, &memory, &cache, &map),
		     -EFAULT));
	cr_expect(eq(int, pgt_walk(&regime_4k, VA_4K + PGT_WALK_SLOTS * BIT(21), read_memory,
				   &memory, &cache, &map), -EFAULT));
	cr_expect(eq(int, pgt_walk(&regime_4k, VA_4K & ~BIT(47) & ~(UINT64_MAX << 48), read_memory,
				   &memory, &cache, &map), -EFAULT));
	other.ttbr1 = 0x48000000;
	cr_expect(eq(int, pgt_walk(&other, VA_4K, read_memory, &memory, &cache, &map), -EFAULT));
	pgt_walk_cache_clear(&cache);
	memory.words[2].value = 0x80200000 | VALID;		/* a block takes the table's place */
	cr_assert(zero(int, pgt_walk(&regime_4k, VA_4K, read_memory, &memory, &cache, &map)));
	expect_map(&map, 0xffff800040400000, 0x80200000, 21);
}

static void expect_where(const struct pgt_areas *areas, uint64_t va, const char *name)
{
	cr_expect(eq(str, (char *)pgt_where_name(pgt_where(areas, va)), (char *)name), "%llx",
		  (unsigned long long)va);
}

Test(where, kernel_of_48_bits)
{
	struct pgt_areas areas;

	pgt_areas_init(&areas, &regime_4k, 0xffff800080010000, 0xffff800082000000);
	expect_where(&areas, 0x0000aaaabbbbcccc, "user");
	expect_where(&areas, 0x5a00aaaabbbbcccc, "user");
	expect_where(&areas, 0xffff000000000000, "linear_map");
	expect_where(&areas, 0xffff7fffffffffff, "linear_map");
	expect_where(&areas, 0xf5ff000012345678, "linear_map");		/* tagged */
	expect_where(&areas, 0xffff800000000000, "vmalloc");		/* modules */
	expect_where(&areas, 0xffff80008000ffff, "vmalloc");
	expect_where(&areas, 0xffff800080010000, "image");
	expect_where(&areas, 0xffff800081ffffff, "image");
	expect_where(&areas, 0xffff800082000000, "vmalloc");
	expect_where(&areas, 0xfffffbffefffffff, "vmalloc");
	expect_where(&areas, 0xfffffbfffdc00000, "other");		/* 6.1's fixed mappings */
	expect_where(&areas, 0xfffffc0000000000, "other");		/* 6.1's struct page */
	expect_where(&areas, 0xfffffdffbf7fffff, "vmalloc");
	expect_where(&areas, 0xfffffdffc0000000, "other");		/* 6.12's */
	expect_where(&areas, 0xffffffffff800000, "other");
	expect_where(&areas, 0xfffe000000000000, "other");
}

Test(where, kernel_of_52_bits)
{
	const struct pgt_regime regime = { .tcr = SIZES(12, 12) | TG1_4K | DS };
	struct pgt_areas areas;

	pgt_areas_init(&areas, &regime, 0xffff800080010000, 0xffff800082000000);
	expect_where(&areas, 0xfff0000000000000, "linear_map");
	expect_where(&areas, 0xffff7fffffffffff, "linear_map");
	expect_where(&areas, 0xffff800000000000, "vmalloc");
	expect_where(&areas, 0xffffc1ffc0000000, "other");
}
