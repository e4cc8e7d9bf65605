/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.h - the stage 1 page-table walk of EL1 and EL0, as TTBR0, TTBR1 and TCR say.
 *
 * Granules of 4K, 16K and 64K, addresses of up to 52 bits (LPA2 where TCR.DS is set), blocks,
 * contiguous ranges, global and non-global entries.
 *
 * Source: Arm Architecture Reference Manual for A-profile, DDI 0487, chapter D8 (VMSAv8-64
 * address translation; D8.3 descriptors) and D19.2 (TCR_EL1, TTBR0_EL1, TTBR1_EL1).
 *
 * Access permissions and the access flag are not looked at: the model walks for accesses that
 * have succeeded.
 */
#ifndef PGT_TCG_WALK_H
#define PGT_TCG_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct pgt_mapping;

struct pgt_regime {		/* EL1 system registers */
	uint64_t ttbr0, ttbr1, tcr;
};

/* Read the 8-byte descriptor at a physical address.  0, or any -errno. */
typedef int (*pgt_walk_read_fn)(void *context, uint64_t pa, uint64_t *descriptor);

/* Of the upper (TTBR1) or lower (TTBR0) half: address bits, and log2 of the page size. */
unsigned int pgt_regime_va_bits(const struct pgt_regime *regime, bool upper);
unsigned int pgt_regime_page_shift(const struct pgt_regime *regime, bool upper);	/* 0: reserved */

/* TCR.DS: 52-bit addresses with 4K or 16K pages. */
bool pgt_regime_is_wide(const struct pgt_regime *regime);

/* The ASID in force: of TTBR0 or TTBR1 (TCR.A1), of 8 or 16 bits (TCR.AS). */
uint16_t pgt_regime_asid(const struct pgt_regime *regime);

/* Physical address of the first table of a half. */
uint64_t pgt_regime_root(const struct pgt_regime *regime, bool upper);

/* The address without a tag in its upper byte: bit 55 says which half it is of. */
static inline uint64_t pgt_va_untagged(uint64_t va)
{
	return (uint64_t)((int64_t)(va << 8) >> 8);
}

static inline bool pgt_va_is_upper(uint64_t va)
{
	return va >> 55 & 1;
}

#define PGT_WALK_SLOTS	64

/*
 * Where tables of the last level are, as a core's walker remembers it: right until the next
 * invalidation that is not of last-level entries only (pgt_tlbi.leaf), because only what is not
 * valid may be changed without one.  Only saves reads.  Start from zeroes.
 */
struct pgt_walk_cache {
	uint64_t generation;
	struct {
		uint64_t generation;	/* of the cache, plus 1, when it was written */
		uint64_t root, region, table;
	} slots[PGT_WALK_SLOTS];
};

void pgt_walk_cache_clear(struct pgt_walk_cache *cache);

/*
 * Translate an address.  cache may be NULL.  Returns 0 and fills *out: va, pa, shift (a contiguous
 * range where the contiguous bit is set, else the block or page) and span (the same), asid and
 * global; or
 *   -EFAULT  nothing is mapped there, or a descriptor is reserved;
 *   -EINVAL  TCR has a reserved value, or asks for more levels than there are;
 *   what read returned.
 */
int pgt_walk(const struct pgt_regime *regime, uint64_t va, pgt_walk_read_fn read, void *context,
	     struct pgt_walk_cache *cache, struct pgt_mapping *out);

#endif /* PGT_TCG_WALK_H */
