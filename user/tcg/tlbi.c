// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/tlbi.h"

#include "tcg/tlb.h"

/* TLBI is SYS with CRn = 8, or 9 for the nXS forms, which differ only in what they wait for. */
bool pgt_tlbi_is(uint32_t word)
{
	return (word & 0xfff8e000) == 0xd5088000;
}

unsigned int pgt_tlbi_register(uint32_t word)
{
	return word & 31;
}

static uint64_t sign_extended(uint64_t value, unsigned int bits)
{
	return (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

/* One address.  A span that holds its first byte holds it whole: no page is smaller than 4K. */
static void decode_page(struct pgt_tlbi *tlbi, uint64_t operand)
{
	unsigned int hint = operand >> 44 & 15;

	tlbi->first = sign_extended(operand << 12, 56);
	tlbi->last = tlbi->first + 4095;
	tlbi->level = hint >> 2 ? hint & 3 : 0;
	tlbi->asid = (uint16_t)(operand >> 48);
}

static void decode_range(struct pgt_tlbi *tlbi, uint64_t operand, bool wide)
{
	static const uint8_t shifts[4] = { 0, 12, 14, 16 };	/* by TG */
	unsigned int shift = shifts[operand >> 46 & 3];
	unsigned int base_shift = wide ? 16 : shift;
	unsigned int scale = operand >> 44 & 3;
	uint64_t num = operand >> 39 & 31;

	if (!shift) {					/* reserved */
		tlbi->what = PGT_TLBI_NOTHING;
		return;
	}
	tlbi->first = sign_extended(operand & ((UINT64_C(1) << 37) - 1), 37) << base_shift;
	tlbi->last = tlbi->first + ((num + 1) << (5 * scale + 1 + shift)) - 1;
	tlbi->level = operand >> 37 & 3;
	tlbi->asid = (uint16_t)(operand >> 48);
	if (tlbi->last < tlbi->first)			/* it ends with the address space */
		tlbi->last = UINT64_MAX;
}

/* The odd op2 of the address forms: VAE1, (ASIDE1), VAAE1, VALE1, VAALE1. */
static void decode_address(struct pgt_tlbi *tlbi, unsigned int op2, uint64_t operand, bool range,
			   bool wide)
{
	tlbi->what = op2 == 3 || op2 == 7 ? PGT_TLBI_RANGE_ANY : PGT_TLBI_RANGE;
	tlbi->leaf = op2 >= 5;
	if (range)
		decode_range(tlbi, operand, wide);
	else
		decode_page(tlbi, operand);
	if (tlbi->what == PGT_TLBI_RANGE_ANY)
		tlbi->asid = 0;
}

/* CRm says how far it goes and whether it has a range. */
static void decode_el1(struct pgt_tlbi *tlbi, unsigned int crm, unsigned int op2,
		       uint64_t operand, bool wide)
{
	bool range = crm == 2 || crm == 5 || crm == 6;

	if (!range && crm != 1 && crm != 3 && crm != 7)
		return;
	tlbi->broadcast = crm != 6 && crm != 7;
	if (op2 & 1) {
		decode_address(tlbi, op2, operand, range, wide);
	} else if (!range && op2 == 0) {
		tlbi->what = PGT_TLBI_ALL;
	} else if (!range && op2 == 2) {
		tlbi->what = PGT_TLBI_ASID;
		tlbi->asid = (uint16_t)(operand >> 48);
	}
}

struct pgt_tlbi pgt_tlbi_decode(uint32_t word, uint64_t operand, bool wide)
{
	unsigned int op1 = word >> 16 & 7, crm = word >> 8 & 15, op2 = word >> 5 & 7;
	struct pgt_tlbi tlbi = { .what = PGT_TLBI_NOTHING };

	if (!pgt_tlbi_is(word))
		return tlbi;
	if (op1 == 0) {
		decode_el1(&tlbi, crm, op2, operand, wide);
	} else if (op1 == 4 && (op2 == 4 || op2 == 6) && (crm == 1 || crm == 3 || crm == 7)) {
		tlbi.what = PGT_TLBI_ALL;		/* ALLE1, VMALLS12E1 */
		tlbi.broadcast = crm != 7;
	}
	return tlbi;
}

static bool overlaps(const struct pgt_tlbi *tlbi, const struct pgt_mapping *map)
{
	uint64_t bytes = UINT64_C(1) << map->span;
	uint64_t first = map->va & ~(bytes - 1);

	return first <= tlbi->last && first + (bytes - 1) >= tlbi->first;
}

bool pgt_tlbi_hits(const struct pgt_tlbi *tlbi, const struct pgt_mapping *map)
{
	switch ((enum pgt_tlbi_what)tlbi->what) {
	case PGT_TLBI_NOTHING:
		return false;
	case PGT_TLBI_ALL:
		return true;
	case PGT_TLBI_ASID:
		return !map->global && map->asid == tlbi->asid;
	case PGT_TLBI_RANGE:
		return (map->global || map->asid == tlbi->asid) && overlaps(tlbi, map);
	case PGT_TLBI_RANGE_ANY:
		return overlaps(tlbi, map);
	}
	return false;
}
