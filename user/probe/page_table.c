/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/page_table.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "probe/descriptor.h"

#define MAX_LEVELS	5
#define NO_BLOCK_SHIFT	39	/* no kernel makes blocks of 512 GiB, or larger ones */

int pgt_geometry_init(struct pgt_geometry *out, uint64_t page_size, uint64_t va_bits,
		      uint64_t used_bits, struct pgt_diag *diag)
{
	unsigned int page_shift = page_size == 4096 ? 12 : page_size == 16384 ? 14 :
				  page_size == 65536 ? 16 : 0;
	unsigned int min_bits;
	int built, used;

	if (!page_shift || va_bits < 36 || va_bits > 52 || used_bits < 36 || used_bits > va_bits)
		return pgt_fail(diag, -EPROTO, "page tables: pages of %llu bytes, %llu bits of address "
				"built for and %llu used: no arm64 kernel that pgtrace knows",
				(unsigned long long)page_size, (unsigned long long)va_bits,
				(unsigned long long)used_bits);
	built = pgt_level_first(page_shift, (unsigned int)va_bits);
	used = pgt_level_first(page_shift, (unsigned int)used_bits);
	min_bits = va_bits <= 48 ? (unsigned int)va_bits : page_shift == 14 ? 47 : 48;
	*out = (struct pgt_geometry){
		.page_shift = page_shift,
		.va_bits = (unsigned int)used_bits,
		/*
		 * A root that is one level for both has the index it was built with, and the CPU
		 * is given the address of a part of it; else the level above is left out.
		 */
		.root_bits = (unsigned int)(built == used ? va_bits : used_bits),
		.va_bits_min = min_bits,
		.root_level = used,
		.lpa2 = used_bits > 48 && page_shift != 16,
	};
	return 0;
}

unsigned int pgt_geometry_shift(const struct pgt_geometry *geometry, int level)
{
	return pgt_level_shift(geometry->page_shift, level);
}

unsigned int pgt_geometry_group(const struct pgt_geometry *geometry, int level)
{
	/* The architecture knows groups of 1 GiB blocks too, and no kernel makes them. */
	return level < 2 ? 1 : 1u << pgt_level_contiguous(geometry->page_shift, level);
}

uint64_t pgt_geometry_linear_start(const struct pgt_geometry *geometry)
{
	return ~UINT64_C(0) << geometry->va_bits;
}

uint64_t pgt_geometry_linear_end(const struct pgt_geometry *geometry)
{
	return ~UINT64_C(0) << (geometry->va_bits_min - 1);
}

const char *pgt_geometry_level_name(const struct pgt_geometry *geometry, int level)
{
	static const char *const names[] = { "P4D", "PUD", "PMD", "PTE" };

	return level == geometry->root_level ? "PGD" : names[level];
}

uint64_t pgt_geometry_output(const struct pgt_geometry *geometry, int level, uint64_t descriptor)
{
	bool is_table = level < PGT_LEVEL_LAST && (descriptor & PGT_DESC_TABLE);

	return pgt_descriptor_address(descriptor, geometry->page_shift,
				      is_table ? geometry->page_shift :
						 pgt_geometry_shift(geometry, level),
				      geometry->lpa2);
}

/* ---- walk ---- */

struct walk {
	const struct pgt_page_table *table;
	uint64_t start, last;		/* of the range; last is in it */
	int (*visit)(void *data, const struct pgt_entry *entry, struct pgt_diag *diag);
	void *data;
	uint64_t *level[MAX_LEVELS];	/* a table for each level, 3 at [0] */
	uint64_t n_tables;
	struct pgt_diag *diag;
};

/* Entries of a table; the root has fewer, or, below a level that is left out, the usual. */
static size_t count_entries(const struct pgt_geometry *geometry, int level)
{
	if (level != geometry->root_level)
		return (size_t)1 << pgt_level_bits(geometry->page_shift);
	return (size_t)1 << (geometry->root_bits - pgt_geometry_shift(geometry, level));
}

static enum pgt_descriptor classify(const struct pgt_geometry *geometry,
				    const struct pgt_entry *entry)
{
	enum pgt_descriptor is = pgt_descriptor_classify(entry->descriptor, geometry->page_shift,
							 entry->level, geometry->lpa2);

	if (is == PGT_DESCRIPTOR_LEAF &&
	    pgt_geometry_shift(geometry, entry->level) >= NO_BLOCK_SHIFT)
		return PGT_DESCRIPTOR_RESERVED;
	return is;
}

static int no_kernel_makes(const struct walk *walk, const struct pgt_entry *entry)
{
	return pgt_fail(walk->diag, -EPROTO, "page tables: entry %#llx of level %d for %#llx is what "
			"no kernel makes: the tables were not found, or changed meanwhile; run this "
			"again", (unsigned long long)entry->descriptor, entry->level,
			(unsigned long long)entry->address);
}

static int walk_table(struct walk *walk, int level, uint64_t physical, uint64_t base)
{
	const struct pgt_page_table *table = walk->table;
	unsigned int shift = pgt_geometry_shift(&table->geometry, level);
	size_t n = count_entries(&table->geometry, level);
	uint64_t *entries = walk->level[PGT_LEVEL_LAST - level];
	int err = table->read(table->memory, physical, entries, n * sizeof(*entries), walk->diag);

	walk->n_tables++;
	for (size_t i = 0; i < n && !err; i++) {
		struct pgt_entry entry = { base + ((uint64_t)i << shift), entries[i], level };
		uint64_t last = entry.address + ((UINT64_C(1) << shift) - 1);
		enum pgt_descriptor is;

		if (last < walk->start || entry.address > walk->last)
			continue;
		is = classify(&table->geometry, &entry);
		if (is == PGT_DESCRIPTOR_TABLE)
			err = walk_table(walk, level + 1,
					 pgt_geometry_output(&table->geometry, level,
							     entry.descriptor), entry.address);
		else if (is == PGT_DESCRIPTOR_RESERVED)
			err = no_kernel_makes(walk, &entry);
		else
			err = walk->visit(walk->data, &entry, walk->diag);
	}
	return err;
}

int pgt_page_table_walk(const struct pgt_page_table *table, uint64_t start, uint64_t end,
			int (*visit)(void *data, const struct pgt_entry *entry,
				     struct pgt_diag *diag),
			void *data, uint64_t *n_tables, struct pgt_diag *diag)
{
	const struct pgt_geometry *geometry = &table->geometry;
	struct walk walk = { .table = table, .start = start, .last = end - 1, .visit = visit,
			     .data = data, .diag = diag };
	uint64_t *space = calloc(MAX_LEVELS, (size_t)1 << geometry->page_shift);
	int err;

	if (!space)
		return pgt_fail(diag, -ENOMEM, "page tables: out of memory");
	for (int i = 0; i < MAX_LEVELS; i++)
		walk.level[i] = space + ((size_t)i << pgt_level_bits(geometry->page_shift));
	err = walk_table(&walk, geometry->root_level, table->root,
			 ~UINT64_C(0) << geometry->root_bits);
	free(space);
	if (!err)
		*n_tables = walk.n_tables;
	return err;
}

/* ---- one address ---- */

static int keep_entry(void *data, const struct pgt_entry *entry, struct pgt_diag *diag)
{
	struct pgt_entry *kept = data;

	(void)diag;
	*kept = *entry;
	return 0;
}

int pgt_page_table_translate(const struct pgt_page_table *table, uint64_t address, uint64_t *out,
			     struct pgt_diag *diag)
{
	struct pgt_entry entry = { 0 };
	uint64_t n_tables;
	int err = pgt_page_table_walk(table, address, address + 1, keep_entry, &entry, &n_tables,
				      diag);

	if (err)
		return err;
	if (!(entry.descriptor & PGT_DESC_VALID))
		return pgt_fail(diag, -EFAULT, "page tables: %#llx is not mapped",
				(unsigned long long)address);
	*out = pgt_geometry_output(&table->geometry, entry.level, entry.descriptor) +
	       (address & ((UINT64_C(1) << pgt_geometry_shift(&table->geometry, entry.level)) - 1));
	return 0;
}
