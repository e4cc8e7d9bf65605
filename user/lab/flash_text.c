/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/flash_text.h"

#include <inttypes.h>
#include <string.h>

#define CELL_BYTES	4

uint32_t pgt_cell(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint64_t read_cells(const unsigned char *at, uint32_t n)
{
	return n == 2 ? (uint64_t)pgt_cell(at) << 32 | pgt_cell(at + CELL_BYTES) : pgt_cell(at);
}

bool pgt_compatible_has(const char *property, size_t len, const char *name)
{
	size_t n = strlen(name) + 1;

	while (len >= n) {
		size_t one = strnlen(property, len) + 1;

		if (!memcmp(property, name, n))
			return true;
		if (one >= len)
			return false;
		property += one;
		len -= one;
	}
	return false;
}

bool pgt_reg_last(const unsigned char *property, size_t len, uint32_t address_cells,
		  uint32_t size_cells, struct pgt_range *out)
{
	size_t entry = (size_t)(address_cells + size_cells) * CELL_BYTES;

	if (address_cells < 1 || address_cells > 2 || size_cells < 1 || size_cells > 2 ||
	    len < entry || len % entry)
		return false;
	property += len - entry;
	out->start = read_cells(property, address_cells);
	out->bytes = read_cells(property + address_cells * CELL_BYTES, size_cells);
	return true;
}

/* "40000000-bfffffff : System RAM", perhaps indented: the next such line's range. */
static const char *next_ram(const char *iomem, uint64_t *first, uint64_t *last)
{
	while (*iomem) {
		const char *end = iomem + strcspn(iomem, "\n");
		char *at;

		*first = strtoumax(iomem, &at, 16);
		if (*at == '-') {
			*last = strtoumax(at + 1, &at, 16);
			if (!strncmp(at, " : System RAM", strlen(" : System RAM")))
				return *end ? end + 1 : end;
		}
		iomem = *end ? end + 1 : end;
	}
	return NULL;
}

bool pgt_iomem_has_ram(const char *iomem, const struct pgt_range *range)
{
	uint64_t end = range->start + range->bytes - 1, first, last;

	while ((iomem = next_ram(iomem, &first, &last)))
		if (first <= end && range->start <= last)
			return true;
	return end < range->start;	/* it holds nothing, or passes the last address */
}

bool pgt_iomem_is_readable(const char *iomem)
{
	uint64_t first, last;

	while ((iomem = next_ram(iomem, &first, &last)))
		if (last)
			return true;
	return false;
}
