/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.h - an arm64 stage 1 translation table descriptor: its bits, and what it leads to.
 *
 * Arm Architecture Reference Manual (DDI 0487), "VMSAv8-64 translation table format
 * descriptors", and the memory types and software bits as Linux uses them
 * (arch/arm64/include/asm/pgtable-hwdef.h, memory.h; the types have these numbers since 5.15).
 *
 * page_shift is 12, 14 or 16.  wide says that addresses of 52 bits are on with pages of 4K or 16K
 * (LPA2, TCR_EL1.DS): descriptors then hold address bits 51:50 in 9:8.  Levels are the
 * architecture's, -1 to PGT_LEVEL_LAST.
 */
#ifndef PGT_PROBE_DESCRIPTOR_H
#define PGT_PROBE_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#define PGT_LEVEL_LAST		3			/* holds pages */

#define PGT_DESC_VALID		(UINT64_C(1) << 0)
#define PGT_DESC_TABLE		(UINT64_C(1) << 1)	/* a table; at level 3: a page */
#define PGT_DESC_ATTR		(UINT64_C(7) << 2)	/* index of the memory type */
#define PGT_DESC_USER		(UINT64_C(1) << 6)
#define PGT_DESC_RDONLY		(UINT64_C(1) << 7)
#define PGT_DESC_SHARED		(UINT64_C(3) << 8)	/* inner shareable; LPA2: address 51:50 */
#define PGT_DESC_AF		(UINT64_C(1) << 10)
#define PGT_DESC_NG		(UINT64_C(1) << 11)	/* of one address space only */
#define PGT_DESC_GP		(UINT64_C(1) << 50)	/* guarded: branch targets only */
#define PGT_DESC_CONT		(UINT64_C(1) << 52)	/* one of a contiguous group */
#define PGT_DESC_PXN		(UINT64_C(1) << 53)
#define PGT_DESC_UXN		(UINT64_C(1) << 54)

#define PGT_DESC_ATTR_SHIFT	2

enum pgt_memory_type {		/* index of MAIR_EL1 */
	PGT_MEMORY_NORMAL = 0,
	PGT_MEMORY_NORMAL_TAGGED = 1,
	PGT_MEMORY_NORMAL_NC = 2,
	PGT_MEMORY_DEVICE_NGNRNE = 3,
	PGT_MEMORY_DEVICE_NGNRE = 4,
};

enum pgt_descriptor {
	PGT_DESCRIPTOR_INVALID,		/* nothing is mapped there */
	PGT_DESCRIPTOR_RESERVED,	/* valid, and of a kind that the level does not know */
	PGT_DESCRIPTOR_TABLE,
	PGT_DESCRIPTOR_LEAF,		/* a page or a block */
};

enum pgt_descriptor pgt_descriptor_classify(uint64_t descriptor, unsigned int page_shift, int level,
					    bool wide);

/*
 * The physical address of what the descriptor leads to, which is aligned to 1 << align: page_shift
 * for a table, pgt_level_shift() for a page or block.
 */
uint64_t pgt_descriptor_address(uint64_t descriptor, unsigned int page_shift, unsigned int align,
				bool wide);

/* log2 of how many entries a table has; the first one may have fewer. */
static inline unsigned int pgt_level_bits(unsigned int page_shift)
{
	return page_shift - 3;
}

/* log2 of the bytes that one entry of a level maps. */
static inline unsigned int pgt_level_shift(unsigned int page_shift, int level)
{
	return page_shift + (unsigned int)(PGT_LEVEL_LAST - level) * pgt_level_bits(page_shift);
}

/* The level at which the walk of an address of va_bits starts. */
int pgt_level_first(unsigned int page_shift, unsigned int va_bits);

/* log2 of how many entries a contiguous range has; 0 where the level knows none. */
unsigned int pgt_level_contiguous(unsigned int page_shift, int level);

#endif /* PGT_PROBE_DESCRIPTOR_H */
