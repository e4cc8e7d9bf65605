/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * descriptor.h - the bits of an arm64 stage 1 translation table descriptor.
 *
 * Arm Architecture Reference Manual (DDI 0487), "VMSAv8-64 translation table format
 * descriptors", and the memory types and software bits as Linux uses them
 * (arch/arm64/include/asm/pgtable-hwdef.h, memory.h; the types have these numbers since 5.15).
 */
#ifndef PGT_PROBE_DESCRIPTOR_H
#define PGT_PROBE_DESCRIPTOR_H

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

#endif /* PGT_PROBE_DESCRIPTOR_H */
