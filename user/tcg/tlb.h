/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tlb.h - one translation lookaside buffer: a set-associative structure with LRU.
 *
 * Entries of several sizes live together.  The set of an entry is the low bits of its own
 * page number; a lookup asks once for every size that is present, as a core does that probes
 * one size after the other.  A structure of one set is fully associative.
 *
 * Replacement is true LRU within a set.  No manual says what cores really do, so this is an
 * assumption of the model, and the reason why cyclic walks have a value known by construction.
 */
#ifndef PGT_TCG_TLB_H
#define PGT_TCG_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_tlbi;

/*
 * What a page-table walk found, and what an entry holds.  A core that cannot hold a size keeps
 * a fragment of it: shift is what the entry translates, span what it is a part of, because an
 * invalidation of any address in the span takes all of its fragments.
 */
struct pgt_mapping {
	uint64_t va;		/* first byte, a multiple of 1 << shift */
	uint64_t pa;		/* of the same byte */
	uint16_t asid;		/* 0 for global ones */
	uint8_t shift;		/* 1 << shift bytes */
	uint8_t span;		/* 1 << span bytes, at least shift */
	bool global;		/* for every ASID */
	uint8_t label;		/* whatever the owner of the TLB wants to find with it */
};

struct pgt_tlb_shape {		/* a row of cores.h */
	unsigned int entries;
	unsigned int ways;	/* entries: fully associative */
	uint64_t sizes;		/* bit n: holds entries of 1 << n bytes; 4K always */
};

struct pgt_tlb_entry {
	struct pgt_mapping map;
	uint64_t mask;		/* address bits that must match; 0: no entry */
	uint64_t used;		/* when, on the structure's clock */
};

#define PGT_TLB_GUESSES	256

struct pgt_tlb {
	struct pgt_tlb_shape shape;
	unsigned int n_sets;
	struct pgt_tlb_entry *entries;	/* set after set */
	uint64_t clock;
	uint64_t present;		/* bit n: some entry has, or had, 1 << n bytes */
	/* Where an address was last found: only saves the search, never changes its result. */
	uint16_t guesses[PGT_TLB_GUESSES];
};

/*
 * -EINVAL where entries are no multiple of ways, the sets no power of two, or 4K is not held;
 * -ENOMEM.
 */
int pgt_tlb_init(struct pgt_tlb *tlb, const struct pgt_tlb_shape *shape, struct pgt_diag *diag);
void pgt_tlb_release(struct pgt_tlb *tlb);	/* accepts a zeroed one */

/* The entry that translates an address, now the most recently used one; NULL for a miss. */
const struct pgt_mapping *pgt_tlb_lookup(struct pgt_tlb *tlb, uint64_t va, uint16_t asid);

/* The same where it is found at once; NULL says nothing. */
static inline const struct pgt_mapping *pgt_tlb_guess(struct pgt_tlb *tlb, uint64_t va,
						      uint16_t asid)
{
	struct pgt_tlb_entry *entry =
		&tlb->entries[tlb->guesses[va >> 12 & (PGT_TLB_GUESSES - 1)]];

	if (!entry->mask || (va & entry->mask) != entry->map.va ||
	    (!entry->map.global && entry->map.asid != asid))
		return NULL;
	entry->used = ++tlb->clock;
	return &entry->map;
}

/*
 * Put in the translation of an address, as large a part of it as the structure can hold, in
 * the place of the least recently used entry of its set.  The address must have missed.
 */
void pgt_tlb_fill(struct pgt_tlb *tlb, const struct pgt_mapping *map, uint64_t va);

/* Remove what an invalidation names. */
void pgt_tlb_invalidate(struct pgt_tlb *tlb, const struct pgt_tlbi *tlbi);

/* Remove everything. */
void pgt_tlb_clear(struct pgt_tlb *tlb);

#endif /* PGT_TCG_TLB_H */
