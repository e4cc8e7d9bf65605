// SPDX-License-Identifier: GPL-2.0-only
/* tlbi.c: operands as Linux and the architecture manual build them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tcg/tlb.h"
#include "tcg/tlbi.h"

#define KERNEL	UINT64_C(0xffff800012345000)
#define ASID(n)	((uint64_t)(n) << 48)

enum {				/* "tlbi NAME, x1" */
	VMALLE1IS = 0xd508831f, VMALLE1 = 0xd508871f, VMALLE1OS = 0xd508811f,
	ASIDE1 = 0xd5088741, ASIDE1IS = 0xd5088341, ASIDE1OS = 0xd5088141,
	VAE1 = 0xd5088721, VAE1IS = 0xd5088321, VAE1OS = 0xd5088121,
	VALE1 = 0xd50887a1, VALE1IS = 0xd50883a1,
	VAAE1 = 0xd5088761, VAAE1IS = 0xd5088361, VAALE1IS = 0xd50883e1, VAALE1 = 0xd50887e1,
	RVAE1 = 0xd5088621, RVAE1IS = 0xd5088221, RVAE1OS = 0xd5088521,
	RVALE1IS = 0xd50882a1, RVAAE1IS = 0xd5088261, RVAALE1IS = 0xd50882e1,
	ALLE1IS = 0xd50c839f, VMALLS12E1 = 0xd50c87df, ALLE2IS = 0xd50c831f,
	VAE2IS = 0xd50c8321, IPAS2E1IS = 0xd50c8021, VAE3IS = 0xd50e8321,
	NXS = 1 << 12,
};

static struct pgt_tlbi decoded(uint32_t word, uint64_t operand)
{
	return pgt_tlbi_decode(word, operand, false);
}

Test(tlbi, whole_regime)
{
	const struct {
		uint32_t word;
		bool broadcast;
	} cases[] = {
		{ VMALLE1, false }, { VMALLE1IS, true }, { VMALLE1OS, true }, { ALLE1IS, true },
		{ VMALLS12E1, false }, { VMALLE1IS | NXS, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_tlbi tlbi = decoded(cases[i].word, 0);

		cr_expect(eq(int, tlbi.what, PGT_TLBI_ALL), "%x", cases[i].word);
		cr_expect(eq(int, tlbi.broadcast, cases[i].broadcast), "%x", cases[i].word);
	}
}

Test(tlbi, by_asid)
{
	const uint32_t words[] = { ASIDE1, ASIDE1IS, ASIDE1OS, ASIDE1IS | NXS };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct pgt_tlbi tlbi = decoded(words[i], ASID(0x1234));

		cr_expect(eq(int, tlbi.what, PGT_TLBI_ASID));
		cr_expect(eq(u16, tlbi.asid, 0x1234));
		cr_expect(eq(int, tlbi.broadcast, words[i] != ASIDE1));
	}
}

Test(tlbi, by_address)
{
	const struct {
		uint32_t word;
		int what;
		bool broadcast;
	} cases[] = {
		{ VAE1, PGT_TLBI_RANGE, false }, { VAE1IS, PGT_TLBI_RANGE, true },
		{ VAE1OS, PGT_TLBI_RANGE, true }, { VALE1, PGT_TLBI_RANGE, false },
		{ VALE1IS, PGT_TLBI_RANGE, true }, { VAAE1, PGT_TLBI_RANGE_ANY, false },
		{ VAAE1IS, PGT_TLBI_RANGE_ANY, true }, { VAALE1IS, PGT_TLBI_RANGE_ANY, true },
		{ VAALE1, PGT_TLBI_RANGE_ANY, false }, { VAE1IS | NXS, PGT_TLBI_RANGE, true },
	};
	uint64_t operand = ASID(7) | UINT64_C(0x7) << 44 | (KERNEL >> 12 & 0xfffffffffff);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_tlbi tlbi = decoded(cases[i].word, operand);

		cr_expect(eq(int, tlbi.what, cases[i].what), "%x", cases[i].word);
		cr_expect(eq(int, tlbi.broadcast, cases[i].broadcast), "%x", cases[i].word);
		cr_expect(eq(u64, tlbi.first, KERNEL));
		cr_expect(eq(u64, tlbi.last, KERNEL + 4095));
		cr_expect(eq(u16, tlbi.asid, cases[i].what == PGT_TLBI_RANGE ? 7 : 0));
		cr_expect(eq(u8, tlbi.level, 3));
	}
	cr_expect(not(decoded(VAE1IS, operand).leaf || decoded(VAAE1, operand).leaf));
	cr_expect(decoded(VALE1IS, operand).leaf && decoded(VAALE1, operand).leaf);
	cr_expect(decoded(RVALE1IS, 1).leaf && !decoded(VMALLE1IS, 0).leaf);
	/* A user address, and no hint. */
	cr_expect(eq(u64, decoded(VAE1IS, ASID(7) | 0x12345).first, 0x12345000));
	cr_expect(eq(u8, decoded(VAE1IS, ASID(7) | 0x12345).level, 0));
}

static uint64_t range(uint64_t asid, unsigned int tg, unsigned int scale, unsigned int num,
		      unsigned int ttl, uint64_t base)
{
	return ASID(asid) | (uint64_t)tg << 46 | (uint64_t)scale << 44 | (uint64_t)num << 39 |
	       (uint64_t)ttl << 37 | (base & ((UINT64_C(1) << 37) - 1));
}

Test(tlbi, ranges)
{
	const struct {
		unsigned int tg, scale, num;
		bool wide;
		uint64_t va, n_pages;
	} cases[] = {
		{ 1, 0, 0, false, 0x12340000, 2 },
		{ 1, 0, 31, false, KERNEL, 64 },
		{ 1, 1, 0, false, KERNEL, 64 },
		{ 1, 2, 3, false, 0x555500000000, 4 * 2048 },
		{ 1, 3, 31, false, 0xffff800000000000, 32 * 65536 },
		{ 2, 0, 4, false, 0xffff800012344000, 10 },
		{ 3, 1, 1, false, 0xffff800012340000, 128 },
		{ 1, 0, 7, true, 0xfff0123456780000, 16 },
		{ 1, 1, 7, true, 0x000ffffffff00000, 512 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned int shift = 10 + 2 * cases[i].tg;
		uint64_t base = cases[i].va >> (cases[i].wide ? 16 : shift);
		struct pgt_tlbi tlbi = pgt_tlbi_decode(RVAE1IS, range(9, cases[i].tg, cases[i].scale,
					cases[i].num, 3, base), cases[i].wide);

		cr_expect(eq(int, tlbi.what, PGT_TLBI_RANGE), "%zu", i);
		cr_expect(eq(u64, tlbi.first, cases[i].va), "%zu", i);
		cr_expect(eq(u64, tlbi.last, cases[i].va + (cases[i].n_pages << shift) - 1), "%zu", i);
		cr_expect(eq(u16, tlbi.asid, 9));
		cr_expect(eq(u8, tlbi.level, 3));
	}
}

Test(tlbi, range_forms)
{
	const struct {
		uint32_t word;
		int what;
		bool broadcast;
	} cases[] = {
		{ RVAE1, PGT_TLBI_RANGE, false }, { RVAE1OS, PGT_TLBI_RANGE, true },
		{ RVALE1IS, PGT_TLBI_RANGE, true }, { RVAAE1IS, PGT_TLBI_RANGE_ANY, true },
		{ RVAALE1IS, PGT_TLBI_RANGE_ANY, true },
		{ RVALE1IS | NXS, PGT_TLBI_RANGE, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_tlbi tlbi = decoded(cases[i].word, range(9, 1, 0, 0, 0, 0x100));

		cr_expect(eq(int, tlbi.what, cases[i].what), "%x", cases[i].word);
		cr_expect(eq(int, tlbi.broadcast, cases[i].broadcast), "%x", cases[i].word);
	}
	/* A reserved granule, and a range that would end behind the last address. */
	cr_expect(eq(int, decoded(RVAE1IS, range(9, 0, 0, 0, 0, 0x100)).what, PGT_TLBI_NOTHING));
	cr_expect(eq(u64, decoded(RVAE1IS, range(9, 1, 3, 31, 0, 0x1fffffffff)).last, UINT64_MAX));
}

Test(tlbi, other_regimes_and_other_instructions)
{
	const uint32_t words[] = {
		ALLE2IS, VAE2IS, IPAS2E1IS, VAE3IS, 0xd5088041 /* CRm 0 */,
		0xd5088361 & ~0x60u /* not one */, 0xd503201f, 0xd50b7421,
	};

	for (size_t i = 0; i < 5; i++)
		cr_expect(eq(int, decoded(words[i], 1).what, PGT_TLBI_NOTHING), "%x", words[i]);
	cr_expect(pgt_tlbi_is(VAE1IS));
	cr_expect(pgt_tlbi_is(VAE1IS | NXS));
	cr_expect(not(pgt_tlbi_is(0xd503201f)));
	cr_expect(not(pgt_tlbi_is(0xd50b7421)));		/* dc zva */
	cr_expect(eq(int, decoded(0xd50b7421, 1).what, PGT_TLBI_NOTHING));
	cr_expect(eq(u32, pgt_tlbi_register(VAE1IS), 1));
	cr_expect(eq(u32, pgt_tlbi_register(VMALLE1IS), 31));
}

Test(tlbi, what_it_hits)
{
	const struct pgt_mapping user = { .va = 0x10000, .shift = 12, .span = 16, .asid = 3 };
	const struct pgt_mapping global = {
		.va = 0xffff800000201000, .shift = 12, .span = 21, .global = true,
	};
	struct pgt_tlbi tlbi = { .what = PGT_TLBI_ALL };

	cr_expect(pgt_tlbi_hits(&tlbi, &user) && pgt_tlbi_hits(&tlbi, &global));
	tlbi = (struct pgt_tlbi){ .what = PGT_TLBI_NOTHING };
	cr_expect(not(pgt_tlbi_hits(&tlbi, &user) || pgt_tlbi_hits(&tlbi, &global)));
	tlbi = decoded(ASIDE1IS, ASID(3));
	cr_expect(pgt_tlbi_hits(&tlbi, &user));
	cr_expect(not(pgt_tlbi_hits(&tlbi, &global)));
	tlbi = decoded(ASIDE1IS, ASID(4));
	cr_expect(not(pgt_tlbi_hits(&tlbi, &user)));

	/* Any page of what the entry is a part of; the ASID where it has one. */
	tlbi = decoded(VAE1IS, ASID(3) | 0x1f);
	cr_expect(pgt_tlbi_hits(&tlbi, &user));
	tlbi = decoded(VAE1IS, ASID(4) | 0x1f);
	cr_expect(not(pgt_tlbi_hits(&tlbi, &user)));
	tlbi = decoded(VAAE1IS, 0x1f);
	cr_expect(pgt_tlbi_hits(&tlbi, &user));
	tlbi = decoded(VAE1IS, ASID(3) | 0x20);
	cr_expect(not(pgt_tlbi_hits(&tlbi, &user)));
	tlbi = decoded(VAE1IS, ASID(3) | 0xf);
	cr_expect(not(pgt_tlbi_hits(&tlbi, &user)));
	tlbi = decoded(VAE1IS, ASID(4) | (UINT64_C(0xffff8000003ff000) >> 12 & 0xfffffffffff));
	cr_expect(pgt_tlbi_hits(&tlbi, &global));
	tlbi = decoded(VAE1IS, ASID(4) | (UINT64_C(0xffff800000400000) >> 12 & 0xfffffffffff));
	cr_expect(not(pgt_tlbi_hits(&tlbi, &global)));
}
