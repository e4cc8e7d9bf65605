/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tables.h - arm64 page tables for tests, in memory that is read by physical address.
 */
#ifndef PGT_TESTS_TABLES_H
#define PGT_TESTS_TABLES_H

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "probe/descriptor.h"
#include "probe/page_table.h"

#define TABLES_PHYSICAL	UINT64_C(0x40000000)
#define TABLES_BYTES	(1 << 21)

/* As Linux maps its memory; NORMAL_RO as it maps its text's alias. */
#define NORMAL		(PGT_DESC_VALID | PGT_DESC_AF | PGT_DESC_SHARED | PGT_DESC_PXN | \
			 PGT_DESC_UXN | UINT64_C(1) << 2)
#define NORMAL_RO	((NORMAL & ~PGT_DESC_ATTR) | PGT_DESC_RDONLY)
#define PAGE		PGT_DESC_TABLE		/* of a descriptor of level 3 */
#define TABLE		(PGT_DESC_VALID | PGT_DESC_TABLE)

struct tables {
	struct pgt_page_table table;
	unsigned char *memory;		/* TABLES_BYTES at TABLES_PHYSICAL */
	size_t used;
};

static inline int tables_read(void *memory, uint64_t physical, void *buffer, size_t len,
			      struct pgt_diag *diag)
{
	if (physical < TABLES_PHYSICAL || physical - TABLES_PHYSICAL > TABLES_BYTES - len)
		return pgt_fail(diag, -EFAULT, "no memory at %#" PRIx64, physical);
	memcpy(buffer, (unsigned char *)memory + (physical - TABLES_PHYSICAL), len);
	return 0;
}

static inline uint64_t tables_page(struct tables *tables)
{
	uint64_t physical = TABLES_PHYSICAL + tables->used;

	tables->used += (size_t)1 << tables->table.geometry.page_shift;
	cr_assert(le(sz, tables->used, TABLES_BYTES));
	return physical;
}

static inline struct tables tables_make(uint64_t page_size, uint64_t va_bits, uint64_t used_bits)
{
	struct tables tables = { .memory = calloc(1, TABLES_BYTES) };
	struct pgt_diag diag = { "" };

	cr_assert(ne(ptr, tables.memory, NULL));
	cr_assert(zero(int, pgt_geometry_init(&tables.table.geometry, page_size, va_bits, used_bits,
					      &diag)), "%s", diag.text);
	tables.table.read = tables_read;
	tables.table.memory = tables.memory;
	tables.table.root = tables_page(&tables);
	return tables;
}

static inline void tables_release(struct tables *tables)
{
	free(tables->memory);
}

static inline uint64_t *tables_entry(struct tables *tables, uint64_t table, size_t index)
{
	return (uint64_t *)(void *)(tables->memory + (table - TABLES_PHYSICAL)) + index;
}

/* The index that an address has at a level, as the architecture says. */
static inline size_t tables_index(const struct tables *tables, uint64_t address, int level)
{
	const struct pgt_geometry *geometry = &tables->table.geometry;
	unsigned int shift = pgt_geometry_shift(geometry, level);
	unsigned int bits = level == geometry->root_level ? geometry->root_bits - shift :
							    geometry->page_shift - 3;

	return address >> shift & ((UINT64_C(1) << bits) - 1);
}

/* Put an entry into the table of a level, which is made, with those above it, where missing. */
static inline void tables_put(struct tables *tables, uint64_t address, int level,
			      uint64_t descriptor)
{
	uint64_t table = tables->table.root;

	for (int at = tables->table.geometry.root_level; at < level; at++) {
		uint64_t *entry = tables_entry(tables, table, tables_index(tables, address, at));

		if (!*entry)
			*entry = tables_page(tables) | TABLE;
		table = *entry & ~TABLE;
	}
	*tables_entry(tables, table, tables_index(tables, address, level)) = descriptor;
}

#endif /* PGT_TESTS_TABLES_H */
