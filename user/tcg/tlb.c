// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/tlb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "tcg/tlbi.h"

#define SMALLEST	(UINT64_C(1) << 12)	/* what every structure holds */

static bool is_power_of_two(unsigned int n)
{
	return n && !(n & (n - 1));
}

int pgt_tlb_init(struct pgt_tlb *tlb, const struct pgt_tlb_shape *shape, struct pgt_diag *diag)
{
	struct pgt_tlb_entry *entries;

	if (!(shape->sizes & SMALLEST) || !shape->ways || shape->entries % shape->ways ||
	    shape->entries > UINT16_MAX || !is_power_of_two(shape->entries / shape->ways))
		return pgt_fail(diag, -EINVAL, "a TLB of %u entries in %u ways cannot be "
				"modelled: its sets must be a power of two, and it must hold 4K "
				"pages; correct the table of cores", shape->entries, shape->ways);
	entries = calloc(shape->entries, sizeof(*entries));
	if (!entries)
		return pgt_fail(diag, -ENOMEM, "out of memory for a TLB of %u entries",
				shape->entries);
	memset(tlb, 0, sizeof(*tlb));
	tlb->shape = *shape;
	tlb->n_sets = shape->entries / shape->ways;
	tlb->entries = entries;
	return 0;
}

void pgt_tlb_release(struct pgt_tlb *tlb)
{
	free(tlb->entries);
	memset(tlb, 0, sizeof(*tlb));
}

static bool entry_fits(const struct pgt_tlb_entry *entry, uint64_t va, uint16_t asid)
{
	return entry->mask && (va & entry->mask) == entry->map.va &&
	       (entry->map.global || entry->map.asid == asid);
}

static struct pgt_tlb_entry *set_of(struct pgt_tlb *tlb, uint64_t va, unsigned int shift)
{
	return tlb->entries + (va >> shift & (tlb->n_sets - 1)) * tlb->shape.ways;
}

static struct pgt_tlb_entry *search_set(struct pgt_tlb *tlb, struct pgt_tlb_entry *set,
					uint64_t va, uint16_t asid)
{
	for (unsigned int way = 0; way < tlb->shape.ways; way++)
		if (entry_fits(&set[way], va, asid))
			return &set[way];
	return NULL;
}

static struct pgt_tlb_entry *search(struct pgt_tlb *tlb, uint64_t va, uint16_t asid)
{
	if (tlb->n_sets == 1)
		return search_set(tlb, tlb->entries, va, asid);
	for (uint64_t sizes = tlb->present; sizes; sizes &= sizes - 1) {
		struct pgt_tlb_entry *set = set_of(tlb, va, (unsigned int)__builtin_ctzll(sizes));
		struct pgt_tlb_entry *entry = search_set(tlb, set, va, asid);

		if (entry)
			return entry;
	}
	return NULL;
}

const struct pgt_mapping *pgt_tlb_lookup(struct pgt_tlb *tlb, uint64_t va, uint16_t asid)
{
	const struct pgt_mapping *guessed = pgt_tlb_guess(tlb, va, asid);
	struct pgt_tlb_entry *entry;

	if (guessed)
		return guessed;
	entry = search(tlb, va, asid);
	if (!entry)
		return NULL;
	tlb->guesses[va >> 12 & (PGT_TLB_GUESSES - 1)] = (uint16_t)(entry - tlb->entries);
	entry->used = ++tlb->clock;
	return &entry->map;
}

/* An empty one, or the least recently used. */
static struct pgt_tlb_entry *choose_victim(const struct pgt_tlb *tlb, struct pgt_tlb_entry *set)
{
	struct pgt_tlb_entry *oldest = set;

	for (unsigned int way = 0; way < tlb->shape.ways; way++) {
		if (!set[way].mask)
			return &set[way];
		if (set[way].used < oldest->used)
			oldest = &set[way];
	}
	return oldest;
}

/* The largest size that the structure holds and that is no larger. */
static unsigned int held_shift(uint64_t sizes, unsigned int shift)
{
	return 63 - (unsigned int)__builtin_clzll(sizes & ((UINT64_C(2) << shift) - 1));
}

void pgt_tlb_fill(struct pgt_tlb *tlb, const struct pgt_mapping *map, uint64_t va)
{
	unsigned int shift = held_shift(tlb->shape.sizes, map->shift);
	struct pgt_tlb_entry *entry = choose_victim(tlb, set_of(tlb, va, shift));
	uint64_t mask = ~((UINT64_C(1) << shift) - 1);

	entry->map = *map;
	entry->map.shift = (uint8_t)shift;
	entry->map.va = va & mask;
	entry->map.pa = map->pa + ((va & mask) - map->va);
	entry->mask = mask;
	entry->used = ++tlb->clock;
	tlb->guesses[va >> 12 & (PGT_TLB_GUESSES - 1)] = (uint16_t)(entry - tlb->entries);
	tlb->present |= UINT64_C(1) << shift;
}

void pgt_tlb_invalidate(struct pgt_tlb *tlb, const struct pgt_tlbi *tlbi)
{
	for (unsigned int i = 0; i < tlb->shape.entries; i++)
		if (tlb->entries[i].mask && pgt_tlbi_hits(tlbi, &tlb->entries[i].map))
			tlb->entries[i].mask = 0;
}

void pgt_tlb_clear(struct pgt_tlb *tlb)
{
	memset(tlb->entries, 0, tlb->shape.entries * sizeof(*tlb->entries));
	tlb->present = 0;
}
