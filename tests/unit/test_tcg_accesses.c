/* SPDX-License-Identifier: GPL-2.0-only */
/* accesses.c against what aarch64-linux-gnu-as (binutils 2.40) makes of each mnemonic. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tcg/accesses.h"

static const struct {
	uint32_t word;
	const char *mnemonic;
	enum pgt_access access;
} samples[] = {
	{ 0xd5182003, "msr ttbr0_el1, x3", PGT_ACCESS_TTBR0 },
	{ 0xd5182023, "msr ttbr1_el1, x3", PGT_ACCESS_TTBR1 },
	{ 0xd5182043, "msr tcr_el1, x3", PGT_ACCESS_TCR },
	{ 0xd5382000, "mrs x0, ttbr0_el1", PGT_ACCESS_NONE },
	{ 0xd5088321, "tlbi vae1is, x1", PGT_ACCESS_TLBI },
	{ 0xd508871f, "tlbi vmalle1", PGT_ACCESS_TLBI },
	{ 0xd50b7423, "dc zva, x3", PGT_ACCESS_CACHE },
	{ 0xd50b7463, "dc gva, x3", PGT_ACCESS_CACHE },
	{ 0xd50b7a23, "dc cvac, x3", PGT_ACCESS_CACHE },
	{ 0xd50b7b23, "dc cvau, x3", PGT_ACCESS_CACHE },
	{ 0xd50b7c23, "dc cvap, x3", PGT_ACCESS_CACHE },
	{ 0xd50b7e23, "dc civac, x3", PGT_ACCESS_CACHE },
	{ 0xd50b7523, "ic ivau, x3", PGT_ACCESS_CACHE },
	{ 0xd5087623, "dc ivac, x3", PGT_ACCESS_CACHE },
	{ 0xd508751f, "ic iallu", PGT_ACCESS_NONE },
	{ 0xd5087a43, "dc csw, x3", PGT_ACCESS_NONE },
	{ 0x19000443, "cpyfp [x3]!, [x0]!, x2!", PGT_ACCESS_COPY },
	{ 0x19004443, "cpyfpwn [x3]!, [x0]!, x2!", PGT_ACCESS_COPY },
	{ 0x1d000443, "cpyp [x3]!, [x0]!, x2!", PGT_ACCESS_COPY },
	{ 0x19400443, "cpyfm [x3]!, [x0]!, x2!", PGT_ACCESS_SHOWN },
	{ 0x19c00443, "setp [x3]!, x2!, x0", PGT_ACCESS_SET },
	{ 0x1dc00443, "setgp [x3]!, x2!, x0", PGT_ACCESS_SET },
	{ 0x19c04443, "setm [x3]!, x2!, x0", PGT_ACCESS_SHOWN },
	{ 0xa400a020, "ld1b {z0.b}, p0/z, [x1]", PGT_ACCESS_UNSEEN },
	{ 0xe400e020, "st1b {z0.b}, p0, [x1]", PGT_ACCESS_UNSEEN },
	{ 0xc5c2c020, "ld1d {z0.d}, p0/z, [x1, z2.d]", PGT_ACCESS_UNSEEN },
	{ 0x84408020, "ld1rb {z0.b}, p0/z, [x1]", PGT_ACCESS_UNSEEN },
	{ 0x85804020, "ldr z0, [x1]", PGT_ACCESS_SHOWN },
	{ 0xe5804020, "str z0, [x1]", PGT_ACCESS_SHOWN },
	{ 0x85800020, "ldr p0, [x1]", PGT_ACCESS_SHOWN },
	{ 0xe5800020, "str p0, [x1]", PGT_ACCESS_SHOWN },
	{ 0x04210000, "add z0.b, z0.b, z1.b", PGT_ACCESS_NONE },
	{ 0xf9400020, "ldr x0, [x1]", PGT_ACCESS_SHOWN },
	{ 0xa9bf07e0, "stp x0, x1, [sp, #-16]!", PGT_ACCESS_SHOWN },
	{ 0xc85f7c20, "ldxr x0, [x1]", PGT_ACCESS_SHOWN },
	{ 0xc8a07c41, "cas x0, x1, [x2]", PGT_ACCESS_SHOWN },
	{ 0x4c407020, "ld1 {v0.16b}, [x1]", PGT_ACCESS_SHOWN },
	{ 0x3dc00020, "ldr q0, [x1]", PGT_ACCESS_SHOWN },
	{ 0x58000000, "ldr x0, .", PGT_ACCESS_SHOWN },
	{ 0xd9200820, "stg x0, [x1]", PGT_ACCESS_SHOWN },
	{ 0x8b020020, "add x0, x1, x2", PGT_ACCESS_NONE },
	{ 0x14000000, "b .", PGT_ACCESS_NONE },
	{ 0xd65f03c0, "ret", PGT_ACCESS_NONE },
	{ 0xd503201f, "nop", PGT_ACCESS_NONE },
	{ 0xd5033b9f, "dsb ish", PGT_ACCESS_NONE },
	{ 0x9e670000, "fmov d0, x0", PGT_ACCESS_NONE },
	{ 0x4ea18400, "add v0.4s, v0.4s, v1.4s", PGT_ACCESS_NONE },
};

Test(tcg_accesses, instructions)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		cr_expect(eq(int, (int)pgt_access_of(samples[i].word), (int)samples[i].access), "%s",
			  samples[i].mnemonic);
}

Test(tcg_accesses, registers)
{
	cr_expect(eq(u32, pgt_access_rd(0x19000443), 3));
	cr_expect(eq(u32, pgt_access_rn(0x19000443), 2));
	cr_expect(eq(u32, pgt_access_rs(0x1901c443), 1));
}
