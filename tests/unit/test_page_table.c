/* SPDX-License-Identifier: GPL-2.0-only */
/* page_table.c on tables that are made here. */
#include "tables.h"

#define MAX_SEEN	16384

struct seen {
	struct pgt_entry at[MAX_SEEN];
	size_t n, end_after;		/* visit() fails after so many; 0: never */
};

static int see(void *data, const struct pgt_entry *entry, struct pgt_diag *diag)
{
	struct seen *seen = data;

	cr_assert(lt(sz, seen->n, MAX_SEEN));
	seen->at[seen->n++] = *entry;
	return seen->n == seen->end_after ? pgt_fail(diag, -ECANCELED, "enough") : 0;
}

/* The entries with something in them: holes are not kept. */
static void drop_holes(struct seen *seen)
{
	size_t n = 0;

	for (size_t i = 0; i < seen->n; i++)
		if (seen->at[i].descriptor)
			seen->at[n++] = seen->at[i];
	seen->n = n;
}

static int walk(const struct tables *tables, struct seen *seen, uint64_t *n_tables,
		struct pgt_diag *diag)
{
	*seen = (struct seen){ .end_after = seen->end_after };
	return pgt_page_table_walk(&tables->table,
				   pgt_geometry_linear_start(&tables->table.geometry),
				   pgt_geometry_linear_end(&tables->table.geometry), see, seen,
				   n_tables, diag);
}

static void expect_entry(const struct pgt_entry *entry, uint64_t address, int level,
			 uint64_t descriptor)
{
	cr_expect(eq(u64, entry->address, address));
	cr_expect(eq(int, entry->level, level));
	cr_expect(eq(u64, entry->descriptor, descriptor));
}

Test(geometry, of_every_kind_of_kernel)
{
	static const struct {
		uint64_t page_size, va_bits, used_bits;
		int root_level;
		unsigned int root_bits;
		bool lpa2;
		uint64_t start, end;
		const char *below;	/* name of the level below the root */
	} cases[] = {
		{ 4096, 39, 39, 1, 39, false, 0xffffff8000000000, 0xffffffc000000000, "PMD" },
		{ 4096, 48, 48, 0, 48, false, 0xffff000000000000, 0xffff800000000000, "PUD" },
		{ 4096, 52, 52, -1, 52, true, 0xfff0000000000000, 0xffff800000000000, "P4D" },
		/* without 52-bit addresses in the CPU: the root is left out */
		{ 4096, 52, 48, 0, 48, false, 0xffff000000000000, 0xffff800000000000, "PUD" },
		{ 16384, 36, 36, 2, 36, false, 0xfffffff000000000, 0xfffffff800000000, "PTE" },
		{ 16384, 47, 47, 1, 47, false, 0xffff800000000000, 0xffffc00000000000, "PMD" },
		{ 16384, 48, 48, 0, 48, false, 0xffff000000000000, 0xffff800000000000, "PUD" },
		{ 16384, 52, 52, 0, 52, true, 0xfff0000000000000, 0xffffc00000000000, "PUD" },
		{ 16384, 52, 47, 1, 47, false, 0xffff800000000000, 0xffffc00000000000, "PMD" },
		{ 65536, 42, 42, 2, 42, false, 0xfffffc0000000000, 0xfffffe0000000000, "PTE" },
		{ 65536, 48, 48, 1, 48, false, 0xffff000000000000, 0xffff800000000000, "PMD" },
		{ 65536, 52, 52, 1, 52, false, 0xfff0000000000000, 0xffff800000000000, "PMD" },
		/* the same root, of which the CPU is given a part */
		{ 65536, 52, 48, 1, 52, false, 0xffff000000000000, 0xffff800000000000, "PMD" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_geometry geometry = { 0 };
		struct pgt_diag diag = { "" };

		cr_assert(zero(int, pgt_geometry_init(&geometry, cases[i].page_size, cases[i].va_bits,
						      cases[i].used_bits, &diag)), "%s", diag.text);
		cr_expect(eq(int, geometry.root_level, cases[i].root_level), "case %zu", i);
		cr_expect(eq(uint, geometry.root_bits, cases[i].root_bits), "case %zu", i);
		cr_expect(eq(int, geometry.lpa2, cases[i].lpa2), "case %zu", i);
		cr_expect(eq(u64, pgt_geometry_linear_start(&geometry), cases[i].start), "case %zu", i);
		cr_expect(eq(u64, pgt_geometry_linear_end(&geometry), cases[i].end), "case %zu", i);
		cr_expect(eq(str, (char *)pgt_geometry_level_name(&geometry, geometry.root_level),
			     "PGD"));
		cr_expect(eq(str, (char *)pgt_geometry_level_name(&geometry, geometry.root_level + 1),
			     (char *)cases[i].below), "case %zu", i);
		cr_expect(eq(str, (char *)pgt_geometry_level_name(&geometry, 3), "PTE"));
	}
}

Test(geometry, of_no_kernel)
{
	static const uint64_t cases[][3] = {
		{ 8192, 48, 48 }, { 0, 48, 48 }, { 4096, 0, 0 }, { 4096, 35, 35 }, { 4096, 53, 52 },
		{ 4096, 48, 52 }, { 4096, 48, 30 }, { 4096, 48, UINT64_MAX },
		{ UINT64_C(4096) << 32, 48, 48 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_geometry geometry = { .page_shift = 77 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_geometry_init(&geometry, cases[i][0], cases[i][1], cases[i][2],
						    &diag), -EPROTO), "case %zu", i);
		cr_expect(ne(ptr, strstr(diag.text, "no arm64 kernel"), NULL), "%s", diag.text);
		cr_expect(eq(uint, geometry.page_shift, 77));
	}
}

Test(geometry, groups_of_contiguous_entries)
{
	static const struct {
		uint64_t page_size;
		unsigned int ptes, pmds;
	} cases[] = { { 4096, 16, 16 }, { 16384, 128, 32 }, { 65536, 32, 32 } };

	for (size_t i = 0; i < 3; i++) {
		struct pgt_geometry geometry = { 0 };
		struct pgt_diag diag;

		cr_assert(zero(int, pgt_geometry_init(&geometry, cases[i].page_size, 48, 48, &diag)));
		cr_expect(eq(uint, pgt_geometry_group(&geometry, 3), cases[i].ptes));
		cr_expect(eq(uint, pgt_geometry_group(&geometry, 2), cases[i].pmds));
		cr_expect(eq(uint, pgt_geometry_group(&geometry, 1), 1));
	}
}

/* An entry at every level, in the order of addresses and with nothing left out. */
Test(walk, pages_blocks_and_holes)
{
	const uint64_t base = 0xffff000000000000;
	struct tables tables = tables_make(4096, 48, 48);
	struct pgt_diag diag = { "" };
	struct seen seen = { .n = 0 };
	uint64_t n_tables = 0;

	tables_put(&tables, base + 0x1000, 3, 0x80001000 | NORMAL | PAGE);
	tables_put(&tables, base + 0x400000, 2, 0x80400000 | NORMAL);
	tables_put(&tables, base + 0x40000000, 1, 0xc0000000 | NORMAL);
	/* of the kernel's other half, which is not the linear map */
	tables_put(&tables, 0xffff800000000000, 3, 0x40000000 | NORMAL | PAGE);
	cr_assert(zero(int, walk(&tables, &seen, &n_tables, &diag)), "%s", diag.text);
	cr_expect(eq(u64, n_tables, 4));
	cr_assert(eq(sz, seen.n, 512 + 511 + 511 + 255));
	expect_entry(&seen.at[0], base, 3, 0);
	expect_entry(&seen.at[1], base + 0x1000, 3, 0x80001000 | NORMAL | PAGE);
	expect_entry(&seen.at[511], base + 0x1ff000, 3, 0);
	expect_entry(&seen.at[512], base + 0x200000, 2, 0);
	expect_entry(&seen.at[513], base + 0x400000, 2, 0x80400000 | NORMAL);
	expect_entry(&seen.at[1022], base + 0x3fe00000, 2, 0);
	expect_entry(&seen.at[1023], base + 0x40000000, 1, 0xc0000000 | NORMAL);
	expect_entry(&seen.at[1024], base + 0x80000000, 1, 0);
	expect_entry(&seen.at[1534], base + (UINT64_C(1) << 39), 0, 0);
	expect_entry(&seen.at[1788], 0xffff7f8000000000, 0, 0);
	tables_release(&tables);
}

static uint64_t translate(const struct tables *tables, uint64_t address)
{
	struct pgt_diag diag = { "" };
	uint64_t physical = 0;

	cr_expect(zero(int, pgt_page_table_translate(&tables->table, address, &physical, &diag)),
		  "%s", diag.text);
	return physical;
}

Test(translate, an_address_in_each_kind_of_entry)
{
	const uint64_t base = 0xffff000000000000;
	struct tables tables = tables_make(4096, 48, 48);
	struct pgt_diag diag = { "" };
	uint64_t physical = 77;

	tables_put(&tables, base + 0x1000, 3, 0x80001000 | NORMAL | PAGE);
	tables_put(&tables, base + 0x400000, 2, 0x80400000 | NORMAL);
	tables_put(&tables, base + 0x40000000, 1, 0xc0000000 | NORMAL);
	tables_put(&tables, base + 0x2000, 3, 0x80002000 | (NORMAL & ~PGT_DESC_VALID) | PAGE);
	tables_put(&tables, UINT64_MAX - 0xfff, 3, 0x80003000 | NORMAL | PAGE);
	cr_expect(eq(u64, translate(&tables, base + 0x1234), 0x80001234));
	cr_expect(eq(u64, translate(&tables, base + 0x512345), 0x80512345));
	cr_expect(eq(u64, translate(&tables, base + 0x7fffffff), 0xffffffff));
	cr_expect(eq(u64, translate(&tables, UINT64_MAX - 1), 0x80003ffe));
	for (size_t i = 0; i < 3; i++) {
		static const uint64_t unmapped[] = { 0, 0x2000, UINT64_C(1) << 40 };

		cr_expect(eq(int, pgt_page_table_translate(&tables.table, base + unmapped[i],
							   &physical, &diag), -EFAULT));
		cr_expect(ne(ptr, strstr(diag.text, "is not mapped"), NULL), "%s", diag.text);
		cr_expect(eq(u64, physical, 77));
	}
	tables_release(&tables);
}

/* Each geometry finds a page, and its address's highest bits, in the right table. */
Test(translate, with_every_geometry)
{
	static const struct {
		uint64_t page_size, va_bits, used_bits, address, descriptor, physical;
	} cases[] = {
		{ 4096, 39, 39, 0xffffff8000003000, 0x80001000, 0x80001000 },
		{ 4096, 48, 48, 0xffff7fffffff3000, 0xffff80001000, 0xffff80001000 },
		{ 4096, 52, 52, 0xfff0000000003000, 0x2000080001000 | 2 << 8, 0xa000080001000 },
		{ 4096, 52, 52, 0xffff7fffffff3000, 0x80001000 | 1 << 8, 0x4000080001000 },
		{ 4096, 52, 48, 0xffff000000003000, 0x80001000 | 3 << 8, 0x80001000 },
		{ 16384, 36, 36, 0xfffffff000004000, 0x80004000, 0x80004000 },
		{ 16384, 48, 48, 0xffff000000004000, 0x80004000, 0x80004000 },
		{ 16384, 52, 52, 0xfff0000000004000, 0x80004000 | 3 << 8, 0xc000080004000 },
		{ 16384, 52, 47, 0xffff800000004000, 0x80004000 | 3 << 8, 0x80004000 },
		{ 65536, 42, 42, 0xfffffc0000030000, 0x80010000, 0x80010000 },
		{ 65536, 48, 48, 0xffff000000030000, 0x80010000 | 3 << 8, 0x80010000 },
		{ 65536, 52, 52, 0xfff0000000030000, 0x80010000 | 5 << 12, 0x5000080010000 },
		{ 65536, 52, 48, 0xffff000000030000, 0x80010000, 0x80010000 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tables tables = tables_make(cases[i].page_size, cases[i].va_bits,
						   cases[i].used_bits);
		uint64_t bits = (NORMAL & ~PGT_DESC_SHARED) | PAGE;

		tables_put(&tables, cases[i].address, 3, cases[i].descriptor | bits);
		cr_expect(eq(u64, translate(&tables, cases[i].address + 0x123),
			     cases[i].physical + 0x123), "case %zu", i);
		tables_release(&tables);
	}
}

/* The index of a root that is shared with 52 bits: not 0, as the CPU sees it, but 960. */
Test(walk, part_of_a_root)
{
	struct tables tables = tables_make(65536, 52, 48);
	struct pgt_diag diag = { "" };
	struct seen seen = { .n = 0 };
	uint64_t n_tables;

	*tables_entry(&tables, tables.table.root, 0) = tables_page(&tables) | TABLE;
	*tables_entry(&tables, tables.table.root, 960) = tables_page(&tables) | TABLE;
	*tables_entry(&tables, tables.table.root + 2 * 65536, 3) = 0x80000000 | NORMAL;
	cr_assert(zero(int, walk(&tables, &seen, &n_tables, &diag)), "%s", diag.text);
	drop_holes(&seen);
	cr_assert(eq(sz, seen.n, 1));
	expect_entry(&seen.at[0], 0xffff000060000000, 2, 0x80000000 | NORMAL);
	cr_expect(eq(u64, n_tables, 2));
	tables_release(&tables);
}

Test(walk, entries_that_no_kernel_makes)
{
	static const struct {
		uint64_t page_size, va_bits;
		int level;
		uint64_t descriptor;
	} cases[] = {
		{ 4096, 48, 0, NORMAL },		/* a block of 512 GiB */
		{ 4096, 52, 0, NORMAL },		/* which LPA2 knows */
		{ 4096, 48, 3, NORMAL },		/* a page that is none */
		{ 16384, 48, 1, NORMAL },		/* blocks here came with LPA2 */
		{ 65536, 48, 1, NORMAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tables tables = tables_make(cases[i].page_size, cases[i].va_bits,
						   cases[i].va_bits);
		struct pgt_diag diag = { "" };
		struct seen seen = { .n = 0 };
		uint64_t n_tables = 77;

		tables_put(&tables, pgt_geometry_linear_start(&tables.table.geometry), cases[i].level,
			   cases[i].descriptor);
		cr_expect(eq(int, walk(&tables, &seen, &n_tables, &diag), -EPROTO), "case %zu", i);
		cr_expect(ne(ptr, strstr(diag.text, "what no kernel makes"), NULL), "%s", diag.text);
		cr_expect(eq(u64, n_tables, 77));
		tables_release(&tables);
	}
}

/* Where a table is not in memory, and where who looks has seen enough, the walk ends. */
Test(walk, failures_end_it)
{
	const uint64_t base = 0xffff000000000000;
	struct tables tables = tables_make(4096, 48, 48);
	struct pgt_diag diag = { "" };
	struct seen seen = { .end_after = 3 };
	uint64_t n_tables = 77;

	cr_expect(eq(int, walk(&tables, &seen, &n_tables, &diag), -ECANCELED));
	cr_expect(eq(sz, seen.n, 3));
	cr_expect(eq(str, diag.text, "enough"));
	tables_put(&tables, base, 1, 0x10000000 | TABLE);
	seen.end_after = 0;
	cr_expect(eq(int, walk(&tables, &seen, &n_tables, &diag), -EFAULT));
	cr_expect(eq(str, diag.text, "no memory at 0x10000000"));
	cr_expect(eq(u64, n_tables, 77));
	tables_release(&tables);
}
