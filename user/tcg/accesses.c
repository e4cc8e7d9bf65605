// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/accesses.h"

#include <stddef.h>

#include "tcg/tlbi.h"

/* The first row that fits says what a word is. */
static const struct {
	uint32_t mask, value;
	enum pgt_access access;
} rows[] = {
	{ 0xffffffe0, 0xd5182000, PGT_ACCESS_TTBR0 },	/* MSR */
	{ 0xffffffe0, 0xd5182020, PGT_ACCESS_TTBR1 },
	{ 0xffffffe0, 0xd5182040, PGT_ACCESS_TCR },
	{ 0xffffffe0, 0xd5087620, PGT_ACCESS_CACHE },	/* DC IVAC */
	{ 0xffffffe0, 0xd50b7460, PGT_ACCESS_CACHE },	/* DC GVA */
	{ 0xffffffe0, 0xd50b7480, PGT_ACCESS_CACHE },	/* DC GZVA */
	{ 0xfffff0e0, 0xd50b7020, PGT_ACCESS_CACHE },	/* DC ZVA, CVAC, CVAU, CIVAC, ..., IC IVAU */
	{ 0xfbe00c00, 0x19000400, PGT_ACCESS_COPY },
	{ 0xfbe0cc00, 0x19c00400, PGT_ACCESS_SET },
	{ 0xffc0a000, 0x85800000, PGT_ACCESS_SHOWN },	/* LDR of a whole SVE register */
	{ 0xffc0a000, 0xe5800000, PGT_ACCESS_SHOWN },	/* STR */
	{ 0xfe000000, 0x84000000, PGT_ACCESS_UNSEEN },	/* SVE: LD1R, gathers of 32 bits */
	{ 0xfe000000, 0xa4000000, PGT_ACCESS_UNSEEN },	/* LD1, LD2, ... */
	{ 0xfe000000, 0xc4000000, PGT_ACCESS_UNSEEN },	/* gathers of 64 bits */
	{ 0xfe000000, 0xe4000000, PGT_ACCESS_UNSEEN },	/* ST1, ..., scatters */
	{ 0xfe000000, 0xe0000000, PGT_ACCESS_UNSEEN },	/* SME */
	{ 0x0a000000, 0x08000000, PGT_ACCESS_SHOWN },	/* loads and stores */
};

enum pgt_access pgt_access_of(uint32_t word)
{
	if (pgt_tlbi_is(word))
		return PGT_ACCESS_TLBI;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((word & rows[i].mask) == rows[i].value)
			return rows[i].access;
	return PGT_ACCESS_NONE;
}
