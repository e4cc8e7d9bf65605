// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/walk.h"

#include <errno.h>

#include "probe/descriptor.h"
#include "tcg/tlb.h"

#define BIT(n)		(UINT64_C(1) << (n))
#define BITS(hi, lo)	((BIT((hi) - (lo)) * 2 - 1) << (lo))

#define TCR_EPD0	BIT(7)
#define TCR_A1		BIT(22)
#define TCR_EPD1	BIT(23)
#define TCR_AS		BIT(36)
#define TCR_DS		BIT(59)
#define TCR_IPS_52	6

unsigned int pgt_regime_va_bits(const struct pgt_regime *regime, bool upper)
{
	return 64 - (unsigned int)(regime->tcr >> (upper ? 16 : 0) & 63);
}

unsigned int pgt_regime_page_shift(const struct pgt_regime *regime, bool upper)
{
	static const uint8_t tg0[4] = { 12, 16, 14, 0 }, tg1[4] = { 0, 14, 12, 16 };

	return upper ? tg1[regime->tcr >> 30 & 3] : tg0[regime->tcr >> 14 & 3];
}

bool pgt_regime_is_wide(const struct pgt_regime *regime)
{
	return regime->tcr & TCR_DS;
}

uint16_t pgt_regime_asid(const struct pgt_regime *regime)
{
	uint64_t asid = (regime->tcr & TCR_A1 ? regime->ttbr1 : regime->ttbr0) >> 48;

	return (uint16_t)(regime->tcr & TCR_AS ? asid : asid & 0xff);
}

/* With 52-bit physical addresses, bits 5:2 hold the uppermost four. */
uint64_t pgt_regime_root(const struct pgt_regime *regime, bool upper)
{
	uint64_t ttbr = upper ? regime->ttbr1 : regime->ttbr0;
	uint64_t root = ttbr & BITS(47, 6);

	if ((regime->tcr >> 32 & 7) == TCR_IPS_52)
		root |= (ttbr >> 2 & 15) << 48;
	return root;
}

static void describe(struct pgt_mapping *out, const struct pgt_regime *regime, uint64_t va,
		     uint64_t descriptor, unsigned int page_shift, int level, unsigned int shift)
{
	uint64_t pa = pgt_descriptor_address(descriptor, page_shift, shift,
					     pgt_regime_is_wide(regime));

	if (descriptor & PGT_DESC_CONT)
		shift += pgt_level_contiguous(page_shift, level);
	out->va = va & ~(BIT(shift) - 1);
	out->pa = pa & ~(BIT(shift) - 1);
	out->shift = out->span = (uint8_t)shift;
	out->global = !(descriptor & PGT_DESC_NG);
	out->asid = out->global ? 0 : pgt_regime_asid(regime);
}

/* All bits above the half's size are copies of bit 55, or the address is of neither half. */
static bool is_in_half(uint64_t va, unsigned int va_bits, bool upper)
{
	uint64_t above = va >> va_bits;

	return upper ? above == UINT64_MAX >> va_bits : !above;
}

void pgt_walk_cache_clear(struct pgt_walk_cache *cache)
{
	cache->generation++;
}

/* The last level's table for an address, if it is known. */
static bool recall(const struct pgt_walk_cache *cache, uint64_t root, uint64_t region,
		   uint64_t *table)
{
	size_t i = region % PGT_WALK_SLOTS;

	if (!cache || cache->slots[i].generation != cache->generation + 1 ||
	    cache->slots[i].root != root || cache->slots[i].region != region)
		return false;
	*table = cache->slots[i].table;
	return true;
}

static void remember(struct pgt_walk_cache *cache, uint64_t root, uint64_t region, uint64_t table)
{
	size_t i = region % PGT_WALK_SLOTS;

	if (!cache)
		return;
	cache->slots[i].generation = cache->generation + 1;
	cache->slots[i].root = root;
	cache->slots[i].region = region;
	cache->slots[i].table = table;
}

/* The half that an address is of, as TCR describes it. */
struct half {
	unsigned int page_shift, va_bits;
	uint64_t root;
	bool wide;
};

static int describe_half(const struct pgt_regime *regime, uint64_t va, struct half *out)
{
	bool upper = pgt_va_is_upper(va);

	out->page_shift = pgt_regime_page_shift(regime, upper);
	out->va_bits = pgt_regime_va_bits(regime, upper);
	out->root = pgt_regime_root(regime, upper);
	out->wide = pgt_regime_is_wide(regime);
	if (!out->page_shift || out->va_bits <= out->page_shift || out->va_bits > 52)
		return -EINVAL;
	if (regime->tcr & (upper ? TCR_EPD1 : TCR_EPD0) || !is_in_half(va, out->va_bits, upper))
		return -EFAULT;
	return 0;
}

int pgt_walk(const struct pgt_regime *regime, uint64_t va, pgt_walk_read_fn read, void *context,
	     struct pgt_walk_cache *cache, struct pgt_mapping *out)
{
	uint64_t table, region, descriptor;
	unsigned int index_bits;
	struct half half;
	int err, level;

	va = pgt_va_untagged(va);
	err = describe_half(regime, va, &half);
	if (err)
		return err;
	table = half.root;
	index_bits = pgt_level_bits(half.page_shift);
	region = va >> (half.page_shift + index_bits);
	level = recall(cache, half.root, region, &table) ?
		PGT_LEVEL_LAST : pgt_level_first(half.page_shift, half.va_bits);
	for (; level <= PGT_LEVEL_LAST; level++) {
		unsigned int shift = pgt_level_shift(half.page_shift, level);
		uint64_t index = (va & (BIT(half.va_bits) - 1)) >> shift & (BIT(index_bits) - 1);

		err = read(context, table + index * 8, &descriptor);
		if (err)
			return err;
		switch (pgt_descriptor_classify(descriptor, half.page_shift, level, half.wide)) {
		case PGT_DESCRIPTOR_INVALID:
		case PGT_DESCRIPTOR_RESERVED:
			return -EFAULT;
		case PGT_DESCRIPTOR_LEAF:
			describe(out, regime, va, descriptor, half.page_shift, level, shift);
			return 0;
		case PGT_DESCRIPTOR_TABLE:
			table = pgt_descriptor_address(descriptor, half.page_shift,
						       half.page_shift, half.wide);
			if (level == PGT_LEVEL_LAST - 1)
				remember(cache, half.root, region, table);
		}
	}
	return -EFAULT;
}
