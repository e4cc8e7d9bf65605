// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/where.h"

#include "tcg/walk.h"

#define MIB		(UINT64_C(1) << 20)
#define GIB		(UINT64_C(1) << 30)
#define STRUCT_PAGE	6		/* log2 of its bytes, rounded up */

static const char *const names[PGT_N_WHERE] = {
	[PGT_WHERE_LINEAR_MAP] = "linear_map", [PGT_WHERE_VMALLOC] = "vmalloc",
	[PGT_WHERE_IMAGE] = "image", [PGT_WHERE_USER] = "user", [PGT_WHERE_OTHER] = "other",
};

const char *pgt_where_name(enum pgt_where where)
{
	return names[where];
}

void pgt_areas_init(struct pgt_areas *areas, const struct pgt_regime *regime,
		    uint64_t image_start, uint64_t image_end)
{
	unsigned int va_bits = pgt_regime_va_bits(regime, true);
	unsigned int page_shift = pgt_regime_page_shift(regime, true);
	unsigned int most = page_shift == 14 ? 47 : 48;
	unsigned int middle_bits = va_bits > most ? most : va_bits;

	areas->linear_start = -(UINT64_C(1) << va_bits);
	areas->linear_end = -(UINT64_C(1) << (middle_bits - 1));
	areas->image_start = image_start;
	areas->image_end = image_end;
	/* Up to 6.8 the array ends with the address space but for 2^VA_BITS / 64 ... */
	areas->pages_old = -(UINT64_C(1) << (va_bits - (page_shift - STRUCT_PAGE)));
	/* ... and since then it ends 1 GiB below the end. */
	areas->pages_new = -GIB - ((areas->linear_end - areas->linear_start) >>
				   (page_shift - STRUCT_PAGE));
}

/* Room for the struct page of 64 GiB of RAM (4K pages), and the fixed mappings below. */
static int is_among_pages(uint64_t va, uint64_t start, uint64_t below)
{
	return va >= start - below && va < start + GIB;
}

enum pgt_where pgt_where(const struct pgt_areas *areas, uint64_t va)
{
	if (!pgt_va_is_upper(va))
		return PGT_WHERE_USER;
	va = pgt_va_untagged(va);
	if (va >= areas->image_start && va < areas->image_end)
		return PGT_WHERE_IMAGE;
	if (va < areas->linear_start)
		return PGT_WHERE_OTHER;
	if (va < areas->linear_end)
		return PGT_WHERE_LINEAR_MAP;
	if (va >= -GIB || is_among_pages(va, areas->pages_old, 256 * MIB) ||
	    is_among_pages(va, areas->pages_new, 8 * MIB))
		return PGT_WHERE_OTHER;
	return PGT_WHERE_VMALLOC;
}
