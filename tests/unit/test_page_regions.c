/* SPDX-License-Identifier: GPL-2.0-only */
/* page_regions.c: ptdump's regions and columns, and the sums. */
#include "base/buf.h"
#include "probe/page_regions.h"

#include "tables.h"

#define BASE	UINT64_C(0xffff000000000000)
#define MIB	(UINT64_C(1) << 20)

struct map {
	struct pgt_geometry geometry;
	struct pgt_page_regions regions;
	struct pgt_diag diag;
};

static struct map map_make(uint64_t page_size, uint64_t va_bits)
{
	struct map map = { .diag = { "" } };

	cr_assert(zero(int, pgt_geometry_init(&map.geometry, page_size, va_bits, va_bits, &map.diag)));
	return map;
}

/* n entries of a level from an address on, of memory from 1 GiB on. */
static uint64_t add(struct map *map, uint64_t address, int level, uint64_t descriptor, size_t n)
{
	uint64_t size = UINT64_C(1) << pgt_geometry_shift(&map->geometry, level);

	for (size_t i = 0; i < n; i++, address += size) {
		struct pgt_entry entry = { address, descriptor, level };

		if (descriptor)
			entry.descriptor |= address - BASE + TABLES_PHYSICAL;
		cr_assert(zero(int, pgt_page_regions_add(&map->regions, &map->geometry, &entry,
							 &map->diag)), "%s", map->diag.text);
	}
	return address;
}

static void expect_words(const struct pgt_page_region *region, const char *columns,
			 const char *words)
{
	struct pgt_buf got = PGT_BUF_INIT;

	cr_assert(zero(int, pgt_page_region_words(region, true, &got)));
	cr_expect(eq(str, got.at, (char *)columns));
	pgt_buf_release(&got);
	cr_assert(zero(int, pgt_page_region_words(region, false, &got)));
	cr_expect(eq(str, got.at, (char *)words));
	pgt_buf_release(&got);
}

static void expect_sum(const struct map *map, enum pgt_page_kind kind, uint64_t bytes,
		       uint64_t entries, uint64_t translations)
{
	const struct pgt_page_sum *sum = &map->regions.sum[kind];

	cr_expect(eq(u64, sum->bytes, bytes), "%s", pgt_page_kind_name(kind));
	cr_expect(eq(u64, sum->entries, entries), "%s", pgt_page_kind_name(kind));
	cr_expect(eq(u64, sum->translations, translations), "%s", pgt_page_kind_name(kind));
}

/* The start of the listing in the cover letter of block mappings, and every kind of entry. */
Test(page_regions, mode_1)
{
	struct map map = map_make(4096, 48);
	struct pgt_page_region *at;
	uint64_t address = add(&map, BASE, 2, NORMAL, 1);
	struct pgt_page_sum total;

	address = add(&map, address, 3, NORMAL | PAGE | PGT_DESC_CONT, 16);
	address = add(&map, address, 3, NORMAL_RO | PAGE, 496);
	address = add(&map, address, 2, NORMAL_RO, 14);
	address = add(&map, address, 2, NORMAL | PGT_DESC_CONT, 32);
	address = add(&map, address, 2, 0, 464);
	address = add(&map, address, 1, NORMAL, 2);
	address = add(&map, address, 1, 0, 509);
	add(&map, address, 0, 0, 255);
	at = map.regions.at;
	cr_assert(eq(sz, map.regions.n, 9));
	cr_expect(eq(u64, at[1].start, BASE + 2 * MIB));
	cr_expect(eq(u64, at[1].end, BASE + 2 * MIB + 65536));
	cr_expect(eq(u64, at[2].end, BASE + 4 * MIB));
	cr_expect(eq(u64, at[3].end, BASE + 32 * MIB));
	cr_expect(eq(u64, at[8].end, 0xffff800000000000));
	for (size_t i = 1; i < 9; i++)
		cr_expect(eq(u64, at[i].start, at[i - 1].end));
	expect_words(&at[0], "       RW NX SHD AF        BLK UXN    MEM/NORMAL-TAGGED",
		     "RW NX SHD AF BLK UXN MEM/NORMAL-TAGGED");
	expect_words(&at[1], "       RW NX SHD AF    CON     UXN    MEM/NORMAL-TAGGED",
		     "RW NX SHD AF CON UXN MEM/NORMAL-TAGGED");
	expect_words(&at[2], "       ro NX SHD AF            UXN    MEM/NORMAL",
		     "ro NX SHD AF UXN MEM/NORMAL");
	expect_words(&at[4], "       RW NX SHD AF    CON BLK UXN    MEM/NORMAL-TAGGED",
		     "RW NX SHD AF CON BLK UXN MEM/NORMAL-TAGGED");
	expect_words(&at[5], "", "");
	expect_sum(&map, PGT_KIND_PTE, 496 * 4096, 496, 496);
	expect_sum(&map, PGT_KIND_CONT_PTE, 65536, 16, 1);
	expect_sum(&map, PGT_KIND_PMD, 30 * MIB, 15, 15);
	expect_sum(&map, PGT_KIND_CONT_PMD, 64 * MIB, 32, 2);
	expect_sum(&map, PGT_KIND_PUD, 2048 * MIB, 2, 2);
	total = pgt_page_regions_total(&map.regions);
	cr_expect(eq(u64, total.bytes, (2048 + 96) * MIB));
	cr_expect(eq(u64, total.entries, 561));
	cr_expect(eq(u64, total.translations, 516));
	pgt_page_regions_release(&map.regions);
}

Test(page_regions, all_words)
{
	static const struct {
		uint64_t attributes;
		const char *columns, *words;
	} cases[] = {
		{ PGT_DESC_VALID | PAGE | PGT_DESC_USER | PGT_DESC_NG | PGT_DESC_GP | 2 << 2,
		  "   USR RW x         NG             GP MEM/NORMAL-NC", "USR RW x NG GP MEM/NORMAL-NC" },
		{ PGT_DESC_VALID | 3 << 2, "       RW x                BLK        DEVICE/nGnRnE",
		  "RW x BLK DEVICE/nGnRnE" },
		{ PGT_DESC_VALID | 4 << 2, "       RW x                BLK        DEVICE/nGnRE",
		  "RW x BLK DEVICE/nGnRE" },
		{ PGT_DESC_VALID | 7 << 2, "       RW x                BLK       ", "RW x BLK" },
		{ (NORMAL & ~PGT_DESC_VALID) | PAGE,
		  " F     RW NX SHD AF            UXN    MEM/NORMAL-TAGGED",
		  "F RW NX SHD AF UXN MEM/NORMAL-TAGGED" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_page_region region = { 0, 4096, cases[i].attributes, 3 };

		expect_words(&region, cases[i].columns, cases[i].words);
	}
}

/* What is there but not valid, such as the guard pages of KFENCE, is a region and maps nothing. */
Test(page_regions, invalid_is_not_mapped)
{
	struct map map = map_make(4096, 48);
	uint64_t address = add(&map, BASE, 3, NORMAL | PAGE, 1);

	address = add(&map, address, 3, (NORMAL & ~PGT_DESC_VALID) | PAGE, 1);
	add(&map, address, 3, NORMAL | PAGE, 2);
	cr_expect(eq(sz, map.regions.n, 3));
	expect_sum(&map, PGT_KIND_PTE, 3 * 4096, 3, 3);
	pgt_page_regions_release(&map.regions);
}

/* One TLB entry for a group: for parts of two, and for one that holes divide. */
Test(page_regions, groups)
{
	struct map map = map_make(4096, 48);
	uint64_t address = add(&map, BASE + 8 * 4096, 3, NORMAL | PAGE | PGT_DESC_CONT, 16);

	add(&map, address + 2 * 4096, 3, NORMAL | PAGE | PGT_DESC_CONT, 6);
	expect_sum(&map, PGT_KIND_CONT_PTE, 22 * 4096, 22, 2);
	cr_expect(eq(sz, map.regions.n, 2));
	pgt_page_regions_release(&map.regions);
	map = map_make(16384, 48);
	add(&map, BASE, 3, NORMAL | PAGE | PGT_DESC_CONT, 256);
	expect_sum(&map, PGT_KIND_CONT_PTE, 4 * MIB, 256, 2);
	pgt_page_regions_release(&map.regions);
	map = map_make(65536, 48);
	add(&map, BASE, 2, NORMAL | PGT_DESC_CONT, 33);
	expect_sum(&map, PGT_KIND_CONT_PMD, 33 * 512 * MIB, 33, 2);
	pgt_page_regions_release(&map.regions);
}

/* With LPA2 bits 9:8 are of the address: they neither show nor divide. */
Test(page_regions, lpa2)
{
	struct map map = map_make(4096, 52);
	struct pgt_entry entry = { 0xfff0000000000000, NORMAL | PAGE, 3 };

	cr_assert(zero(int, pgt_page_regions_add(&map.regions, &map.geometry, &entry, &map.diag)));
	entry.address += 4096;
	entry.descriptor &= ~PGT_DESC_SHARED;
	cr_assert(zero(int, pgt_page_regions_add(&map.regions, &map.geometry, &entry, &map.diag)));
	cr_expect(eq(sz, map.regions.n, 1));
	expect_words(map.regions.at, "       RW NX     AF            UXN    MEM/NORMAL-TAGGED",
		     "RW NX AF UXN MEM/NORMAL-TAGGED");
	pgt_page_regions_release(&map.regions);
}

Test(page_regions, kinds_that_do_not_exist)
{
	struct map map = map_make(4096, 48);
	struct pgt_entry contiguous = { BASE, NORMAL | PGT_DESC_CONT, 1 }, huge = { BASE, NORMAL, 0 };

	cr_expect(eq(int, pgt_page_regions_add(&map.regions, &map.geometry, &contiguous, &map.diag),
		     -EPROTO));
	cr_expect(ne(ptr, strstr(map.diag.text, "a contiguous block of level 1"), NULL));
	cr_expect(eq(int, pgt_page_regions_add(&map.regions, &map.geometry, &huge, &map.diag),
		     -EPROTO));
	cr_expect(ne(ptr, strstr(map.diag.text, "a block of level 0"), NULL));
	cr_expect(eq(sz, map.regions.n, 0));
	pgt_page_regions_release(&map.regions);
}
