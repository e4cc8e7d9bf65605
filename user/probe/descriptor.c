/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/descriptor.h"

#define BIT(n)		(UINT64_C(1) << (n))
#define BITS(hi, lo)	((BIT((hi) - (lo)) * 2 - 1) << (lo))

static bool has_block(unsigned int page_shift, int level, bool wide)
{
	if (level == 2)
		return true;
	if (page_shift == 12)
		return level == 1 || (level == 0 && wide);
	return level == 1 && (page_shift == 16 || wide);
}

enum pgt_descriptor pgt_descriptor_classify(uint64_t descriptor, unsigned int page_shift, int level,
					    bool wide)
{
	if (!(descriptor & PGT_DESC_VALID))
		return PGT_DESCRIPTOR_INVALID;
	if (level == PGT_LEVEL_LAST)	/* where the bit says that it is a page */
		return descriptor & PGT_DESC_TABLE ? PGT_DESCRIPTOR_LEAF : PGT_DESCRIPTOR_RESERVED;
	if (descriptor & PGT_DESC_TABLE)
		return PGT_DESCRIPTOR_TABLE;
	return has_block(page_shift, level, wide) ? PGT_DESCRIPTOR_LEAF : PGT_DESCRIPTOR_RESERVED;
}

uint64_t pgt_descriptor_address(uint64_t descriptor, unsigned int page_shift, unsigned int align,
				bool wide)
{
	uint64_t address;

	if (page_shift == 16)	/* bits 51:48 in 15:12; 0 where there are none */
		address = (descriptor & BITS(47, 16)) | (descriptor >> 12 & 15) << 48;
	else if (wide)
		address = (descriptor & BITS(49, 12)) | (descriptor >> 8 & 3) << 50;
	else
		address = descriptor & BITS(47, 12);
	return address & ~(BIT(align) - 1);
}

int pgt_level_first(unsigned int page_shift, unsigned int va_bits)
{
	unsigned int bits = pgt_level_bits(page_shift);

	return PGT_LEVEL_LAST + 1 - (int)((va_bits - page_shift + bits - 1) / bits);
}

unsigned int pgt_level_contiguous(unsigned int page_shift, int level)
{
	switch (page_shift) {
	case 12:
		return level >= 1 ? 4 : 0;
	case 14:
		return level == 3 ? 7 : level == 2 ? 5 : 0;
	default:
		return level >= 2 ? 5 : 0;
	}
}
