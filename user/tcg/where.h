/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where.h - which part of an arm64 Linux kernel's address space an address is of.
 *
 * The upper half begins with the linear map, up to the address at which a kernel of 48-bit
 * (47 with 16K pages) addresses would have its middle; then come modules, the kernel's image
 * and vmalloc; then the array of struct page, fixed mappings and PCI I/O, whose place has
 * changed once (6.9).
 *
 * Source: Linux, Documentation/arch/arm64/memory.rst, arch/arm64/include/asm/memory.h
 * (PAGE_OFFSET, PAGE_END, VMEMMAP_START) and pgtable.h (VMALLOC_END).
 */
#ifndef PGT_TCG_WHERE_H
#define PGT_TCG_WHERE_H

#include <stdint.h>

struct pgt_regime;

enum pgt_where {
	PGT_WHERE_LINEAR_MAP,
	PGT_WHERE_VMALLOC,	/* modules, ioremap and stacks included */
	PGT_WHERE_IMAGE,	/* the kernel's own text and data */
	PGT_WHERE_USER,		/* the lower half, whoever accesses it */
	PGT_WHERE_OTHER,	/* struct page, fixed mappings, PCI I/O */
	PGT_N_WHERE,
};

struct pgt_areas {
	uint64_t linear_start, linear_end;
	uint64_t image_start, image_end;
	uint64_t pages_old, pages_new;	/* where struct page of the first RAM may be */
};

/* "linear_map", "vmalloc", ... */
const char *pgt_where_name(enum pgt_where where);

/* The areas of a kernel that runs with this regime and whose image is [start, end). */
void pgt_areas_init(struct pgt_areas *areas, const struct pgt_regime *regime,
		    uint64_t image_start, uint64_t image_end);

enum pgt_where pgt_where(const struct pgt_areas *areas, uint64_t va);

#endif /* PGT_TCG_WHERE_H */
