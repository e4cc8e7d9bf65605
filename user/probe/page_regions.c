/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/page_regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "probe/descriptor.h"
#include "probe/page_table.h"

/* ptdump's columns: a bit, or a field's value, and what stands for it and for its absence. */
static const struct attribute {
	uint64_t mask, value;
	const char *set, *clear;	/* NULL: no column */
} attributes[] = {
#define MEMORY_TYPE(type, name)							\
	{ PGT_DESC_ATTR, (uint64_t)(type) << PGT_DESC_ATTR_SHIFT, name, NULL }
	{ PGT_DESC_VALID, PGT_DESC_VALID, " ", "F" },
	{ PGT_DESC_USER, PGT_DESC_USER, "USR", "   " },
	{ PGT_DESC_RDONLY, PGT_DESC_RDONLY, "ro", "RW" },
	{ PGT_DESC_PXN, PGT_DESC_PXN, "NX", "x " },
	{ PGT_DESC_SHARED, PGT_DESC_SHARED, "SHD", "   " },
	{ PGT_DESC_AF, PGT_DESC_AF, "AF", "  " },
	{ PGT_DESC_NG, PGT_DESC_NG, "NG", "  " },
	{ PGT_DESC_CONT, PGT_DESC_CONT, "CON", "   " },
	{ PGT_DESC_TABLE, PGT_DESC_TABLE, "   ", "BLK" },
	{ PGT_DESC_UXN, PGT_DESC_UXN, "UXN", "   " },
	{ PGT_DESC_GP, PGT_DESC_GP, "GP", "  " },
	MEMORY_TYPE(PGT_MEMORY_DEVICE_NGNRNE, "DEVICE/nGnRnE"),
	MEMORY_TYPE(PGT_MEMORY_DEVICE_NGNRE, "DEVICE/nGnRE"),
	MEMORY_TYPE(PGT_MEMORY_NORMAL_NC, "MEM/NORMAL-NC"),
	MEMORY_TYPE(PGT_MEMORY_NORMAL, "MEM/NORMAL"),
	MEMORY_TYPE(PGT_MEMORY_NORMAL_TAGGED, "MEM/NORMAL-TAGGED"),
};

#define N_ATTRIBUTES	(sizeof(attributes) / sizeof(attributes[0]))

static const struct kind {
	const char *name, *words;
	int level;
	bool contiguous;
} kinds[PGT_N_KINDS] = {
	[PGT_KIND_PTE] = { "pte", "PTE", 3, false },
	[PGT_KIND_CONT_PTE] = { "cont_pte", "CONT PTE", 3, true },
	[PGT_KIND_PMD] = { "pmd", "PMD", 2, false },
	[PGT_KIND_CONT_PMD] = { "cont_pmd", "CONT PMD", 2, true },
	[PGT_KIND_PUD] = { "pud", "PUD", 1, false },
};

const char *pgt_page_kind_name(enum pgt_page_kind kind)
{
	return kinds[kind].name;
}

const char *pgt_page_kind_words(enum pgt_page_kind kind)
{
	return kinds[kind].words;
}

/* ---- adding ---- */

/* With LPA2 the bits of shareability belong to the address. */
static uint64_t attributes_of(const struct pgt_geometry *geometry, uint64_t descriptor)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < N_ATTRIBUTES; i++)
		mask |= attributes[i].mask;
	if (geometry->lpa2)
		mask &= ~PGT_DESC_SHARED;
	return descriptor & mask;
}

static int count_entry(struct pgt_page_regions *regions, const struct pgt_geometry *geometry,
		       const struct pgt_entry *entry, struct pgt_diag *diag)
{
	uint64_t size = UINT64_C(1) << pgt_geometry_shift(geometry, entry->level);
	bool contiguous = entry->descriptor & PGT_DESC_CONT;

	for (int i = 0; i < PGT_N_KINDS; i++) {
		struct pgt_page_sum *sum = &regions->sum[i];
		uint64_t group = entry->address & -(pgt_geometry_group(geometry, entry->level) * size);

		if (kinds[i].level != entry->level || kinds[i].contiguous != contiguous)
			continue;
		if (!contiguous || !sum->entries || regions->group[i] != group)
			sum->translations++;
		regions->group[i] = group;
		sum->bytes += size;
		sum->entries++;
		return 0;
	}
	return pgt_fail(diag, -EPROTO,
			"page tables: a%s block of level %d at %#llx is what no kernel makes: the "
			"tables were not found",
			contiguous ? " contiguous" : "", entry->level,
			(unsigned long long)entry->address);
}

static struct pgt_page_region *grow(struct pgt_page_regions *regions)
{
	if (regions->n == regions->size) {
		size_t more = regions->size ? regions->size * 2 : 64;
		struct pgt_page_region *at = reallocarray(regions->at, more, sizeof(*at));

		if (!at)
			return NULL;
		regions->at = at;
		regions->size = more;
	}
	return &regions->at[regions->n++];
}

int pgt_page_regions_add(struct pgt_page_regions *regions, const struct pgt_geometry *geometry,
			 const struct pgt_entry *entry, struct pgt_diag *diag)
{
	struct pgt_page_region *last = regions->n ? &regions->at[regions->n - 1] : NULL;
	uint64_t bits = attributes_of(geometry, entry->descriptor);
	uint64_t end = entry->address + (UINT64_C(1) << pgt_geometry_shift(geometry, entry->level));
	int err = 0;

	if (entry->descriptor & PGT_DESC_VALID)
		err = count_entry(regions, geometry, entry, diag);
	if (err)
		return err;
	if (last && last->end == entry->address && last->level == entry->level &&
	    last->attributes == bits) {
		last->end = end;
		return 0;
	}
	last = grow(regions);
	if (!last)
		return pgt_fail(diag, -ENOMEM, "page tables: out of memory");
	*last = (struct pgt_page_region){ entry->address, end, bits, entry->level };
	return 0;
}

void pgt_page_regions_release(struct pgt_page_regions *regions)
{
	free(regions->at);
	*regions = (struct pgt_page_regions){ .at = NULL };
}

struct pgt_page_sum pgt_page_regions_total(const struct pgt_page_regions *regions)
{
	struct pgt_page_sum total = { 0, 0, 0 };

	for (int i = 0; i < PGT_N_KINDS; i++) {
		total.bytes += regions->sum[i].bytes;
		total.entries += regions->sum[i].entries;
		total.translations += regions->sum[i].translations;
	}
	return total;
}

/* ---- showing ---- */

int pgt_page_region_words(const struct pgt_page_region *region, bool columns,
			  struct pgt_buf *out)
{
	const char *space = columns ? " " : "";
	int err = pgt_buf_add(out, "", 0);

	if (!region->attributes)
		return err;
	for (size_t i = 0; i < N_ATTRIBUTES && !err; i++) {
		const struct attribute *attribute = &attributes[i];
		const char *word = (region->attributes & attribute->mask) == attribute->value ?
				   attribute->set : attribute->clear;

		if (!word || (!columns && *word == ' '))
			continue;
		err = pgt_buf_addf(out, "%s%.*s", space, columns ? 20 : (int)strcspn(word, " "), word);
		space = " ";
	}
	return err;
}
