/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flash_text.h - physical addresses, as the kernel's files tell of them.  Pure.
 */
#ifndef PGT_LAB_FLASH_TEXT_H
#define PGT_LAB_FLASH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_range {		/* of physical addresses */
	uint64_t start, bytes;
};

/* A device tree's cell, which is big-endian. */
uint32_t pgt_cell(const unsigned char *at);

/* Whether a "compatible" property, names that each end with a NUL, has this one. */
bool pgt_compatible_has(const char *property, size_t len, const char *name);

/*
 * The last range of a "reg" property whose addresses and sizes take so many cells, 1 or 2.
 * False where it has none.
 */
bool pgt_reg_last(const unsigned char *property, size_t len, uint32_t address_cells,
		  uint32_t size_cells, struct pgt_range *out);

/*
 * Whether a range has a byte in common with any "System RAM" of /proc/iomem.  That file shows
 * 0 for all addresses to whoever may not know them: false, then, says nothing.  True, too,
 * of a range that is none: empty, or beyond the last address.
 */
bool pgt_iomem_has_ram(const char *iomem, const struct pgt_range *range);

/* Whether the file shows addresses at all: RAM anywhere but at 0-0. */
bool pgt_iomem_is_readable(const char *iomem);

#endif /* PGT_LAB_FLASH_TEXT_H */
