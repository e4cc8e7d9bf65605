/* SPDX-License-Identifier: GPL-2.0-only */
/* insn.c against what aarch64-linux-gnu-as (binutils 2.40) makes of each mnemonic. */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "probe/insn.h"

struct sample {
	uint32_t word;
	const char *mnemonic;
};

/* DSB with every option, ISB, and every TLBI of EL1 and EL2. */
static const struct sample counted[] = {
	{ 0xd503319f, "dsb oshld" }, { 0xd503329f, "dsb oshst" }, { 0xd503339f, "dsb osh" },
	{ 0xd503359f, "dsb nshld" }, { 0xd503369f, "dsb nshst" }, { 0xd503379f, "dsb nsh" },
	{ 0xd503399f, "dsb ishld" }, { 0xd5033a9f, "dsb ishst" }, { 0xd5033b9f, "dsb ish" },
	{ 0xd5033d9f, "dsb ld" }, { 0xd5033e9f, "dsb st" }, { 0xd5033f9f, "dsb sy" },
	{ 0xd503323f, "dsb oshnxs" }, { 0xd503363f, "dsb nshnxs" },
	{ 0xd5033a3f, "dsb ishnxs" }, { 0xd5033e3f, "dsb synxs" }, { 0xd5033fdf, "isb" },
	{ 0xd508811f, "tlbi vmalle1os" }, { 0xd5088121, "tlbi vae1os, x1" },
	{ 0xd5088142, "tlbi aside1os, x2" }, { 0xd5088163, "tlbi vaae1os, x3" },
	{ 0xd50881a4, "tlbi vale1os, x4" }, { 0xd50881e5, "tlbi vaale1os, x5" },
	{ 0xd5088226, "tlbi rvae1is, x6" }, { 0xd5088267, "tlbi rvaae1is, x7" },
	{ 0xd50882a8, "tlbi rvale1is, x8" }, { 0xd50882e9, "tlbi rvaale1is, x9" },
	{ 0xd508831f, "tlbi vmalle1is" }, { 0xd508832b, "tlbi vae1is, x11" },
	{ 0xd508834c, "tlbi aside1is, x12" }, { 0xd508836d, "tlbi vaae1is, x13" },
	{ 0xd50883ae, "tlbi vale1is, x14" }, { 0xd50883ef, "tlbi vaale1is, x15" },
	{ 0xd5088530, "tlbi rvae1os, x16" }, { 0xd5088571, "tlbi rvaae1os, x17" },
	{ 0xd50885b2, "tlbi rvale1os, x18" }, { 0xd50885f3, "tlbi rvaale1os, x19" },
	{ 0xd5088634, "tlbi rvae1, x20" }, { 0xd5088675, "tlbi rvaae1, x21" },
	{ 0xd50886b6, "tlbi rvale1, x22" }, { 0xd50886f7, "tlbi rvaale1, x23" },
	{ 0xd508871f, "tlbi vmalle1" }, { 0xd5088739, "tlbi vae1, x25" },
	{ 0xd508875a, "tlbi aside1, x26" }, { 0xd508877b, "tlbi vaae1, x27" },
	{ 0xd50887bc, "tlbi vale1, x28" }, { 0xd50887fd, "tlbi vaale1, x29" },
	{ 0xd50c803e, "tlbi ipas2e1is, x30" }, { 0xd50c8040, "tlbi ripas2e1is, x0" },
	{ 0xd50c80a1, "tlbi ipas2le1is, x1" }, { 0xd50c80c2, "tlbi ripas2le1is, x2" },
	{ 0xd50c811f, "tlbi alle2os" }, { 0xd50c8124, "tlbi vae2os, x4" },
	{ 0xd50c819f, "tlbi alle1os" }, { 0xd50c81a6, "tlbi vale2os, x6" },
	{ 0xd50c81df, "tlbi vmalls12e1os" }, { 0xd50c8228, "tlbi rvae2is, x8" },
	{ 0xd50c82a9, "tlbi rvale2is, x9" }, { 0xd50c831f, "tlbi alle2is" },
	{ 0xd50c832b, "tlbi vae2is, x11" }, { 0xd50c839f, "tlbi alle1is" },
	{ 0xd50c83ad, "tlbi vale2is, x13" }, { 0xd50c83df, "tlbi vmalls12e1is" },
	{ 0xd50c840f, "tlbi ipas2e1os, x15" }, { 0xd50c8430, "tlbi ipas2e1, x16" },
	{ 0xd50c8451, "tlbi ripas2e1, x17" }, { 0xd50c8472, "tlbi ripas2e1os, x18" },
	{ 0xd50c8493, "tlbi ipas2le1os, x19" }, { 0xd50c84b4, "tlbi ipas2le1, x20" },
	{ 0xd50c84d5, "tlbi ripas2le1, x21" }, { 0xd50c84f6, "tlbi ripas2le1os, x22" },
	{ 0xd50c8537, "tlbi rvae2os, x23" }, { 0xd50c85b8, "tlbi rvale2os, x24" },
	{ 0xd50c8639, "tlbi rvae2, x25" }, { 0xd50c86ba, "tlbi rvale2, x26" },
	{ 0xd50c871f, "tlbi alle2" }, { 0xd50c873c, "tlbi vae2, x28" },
	{ 0xd50c879f, "tlbi alle1" }, { 0xd50c87be, "tlbi vale2, x30" },
	{ 0xd50c87df, "tlbi vmalls12e1" }, { 0xd50e8321, "tlbi vae3is, x1" },
	{ 0xd50e831f, "tlbi alle3is" }, { 0xd50e83a3, "tlbi vale3is, x3" },
	{ 0xd50e871f, "tlbi alle3" }, { 0xd50e8725, "tlbi vae3, x5" },
	{ 0xd50e87a6, "tlbi vale3, x6" },
};

static struct pgt_insn decoded(uint32_t word)
{
	const struct pgt_insn_decoder *decoder = pgt_insn_decoder_find("arm64");
	struct pgt_insn insn;

	cr_assert(not(zero(ptr, (void *)decoder)));
	memset(&insn, 'x', sizeof(insn));
	decoder->decode(word, &insn);
	return insn;
}

/* A kind is its mnemonic with a dot for the space, without the register. */
static void kind_of(const char *mnemonic, char *kind, size_t size)
{
	snprintf(kind, size, "%.*s", (int)strcspn(mnemonic, ","), mnemonic);
	if (strchr(kind, ' '))
		*strchr(kind, ' ') = '.';
}

Test(insn, kinds_are_named_as_the_assembler_writes_them)
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		struct pgt_insn insn = decoded(counted[i].word);
		const char *op = pgt_op_name(insn.op);
		char kind[PGT_KIND_LEN];

		kind_of(counted[i].mnemonic, kind, sizeof(kind));
		cr_expect(eq(str, insn.kind, kind));
		cr_expect(zero(int, strncmp(kind, op, strlen(op))), "%s", counted[i].mnemonic);
		cr_expect(ne(int, (int)insn.op, (int)PGT_OP_NONE), "%s", counted[i].mnemonic);
	}
}

/* Each TLBI, with nXS too: the assembler writes "sys #0, C9, C3, #1, x1" for "tlbi vae1isnxs, x1". */
Test(insn, nxs_invalidations)
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		struct pgt_insn insn = decoded(counted[i].word | 1u << 12);
		char kind[PGT_KIND_LEN], want[PGT_KIND_LEN + 3];

		if (strncmp(counted[i].mnemonic, "tlbi ", 5))
			continue;
		kind_of(counted[i].mnemonic, kind, sizeof(kind));
		snprintf(want, sizeof(want), "%snxs", kind);
		cr_expect(eq(int, (int)insn.op, (int)PGT_OP_TLBI), "%s", want);
		cr_expect(eq(str, insn.kind, want));
	}
}

Test(insn, forms_that_the_assembler_names_otherwise)
{
	const struct {
		uint32_t word;
		const char *mnemonic, *kind;
	} cases[] = {
		{ 0xd503309f, "ssbb", "dsb.ssbb" },
		{ 0xd503349f, "pssbb", "dsb.pssbb" },
		{ 0xd503389f, "dsb #8", "dsb.c8" },
		{ 0xd5033c9f, "dsb #12", "dsb.c12" },
		{ 0xd50333df, "isb #3", "isb" },
		{ 0xd5089321, "sys #0, C9, C3, #1, x1", "tlbi.vae1isnxs" },
		{ 0xd5089221, "sys #0, C9, C2, #1, x1", "tlbi.rvae1isnxs" },
		{ 0xd50c93df, "sys #4, C9, C3, #6", "tlbi.vmalls12e1isnxs" },
		{ 0xd5088981, "sys #0, C8, C9, #4, x1", "tlbi.0_c9_4" },
		{ 0xd50e9ffe, "sys #6, C9, C15, #7, x30", "tlbi.6_c15_7nxs" },
		{ 0xd50e822a, "tlbi rvae3is, x10", "tlbi.6_c2_1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(str, decoded(cases[i].word).kind, (char *)cases[i].kind), "%s",
			  cases[i].mnemonic);
}

Test(insn, neighbours_are_not_counted)
{
	static const struct sample cases[] = {
		{ 0xd5033bbf, "dmb ish" }, { 0xd5033abf, "dmb ishst" }, { 0xd5033fbf, "dmb sy" },
		{ 0xd50330ff, "sb" }, { 0xd503201f, "nop" }, { 0xd503203f, "yield" },
		{ 0xd503205f, "wfe" }, { 0xd503245f, "hint #0x22" }, { 0xd503229f, "csdb" },
		{ 0xd503221f, "esb" }, { 0xd5033f5f, "clrex" }, { 0xd50342df, "msr daifset, #2" },
		{ 0xd5182000, "msr ttbr0_el1, x0" }, { 0xd5382000, "mrs x0, ttbr0_el1" },
		{ 0xd50b7e20, "dc civac, x0" }, { 0xd508711f, "ic ialluis" },
		{ 0xd50b7520, "ic ivau, x0" }, { 0xd5087800, "at s1e1r, x0" },
		{ 0xd5087823, "sys #0, c7, c8, #1, x3" }, { 0xd5288700, "sysl x0, #0, c8, c7, #0" },
		{ 0xd65f03c0, "ret" }, { 0x91000420, "add x0, x1, #1" }, { 0, "udf #0" },
		{ 0xffffffff, "no instruction" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_insn insn = decoded(cases[i].word);

		cr_expect(eq(int, (int)insn.op, (int)PGT_OP_NONE), "%s", cases[i].mnemonic);
		cr_expect(eq(str, insn.kind, ""), "%s", cases[i].mnemonic);
	}
}

#define AT	UINT64_C(0xffff800008010000)

Test(insn, flow)
{
	const struct {
		uint32_t word;
		const char *mnemonic;
		enum pgt_flow flow;
		int64_t offset;		/* of the target, 0 where it has none */
	} cases[] = {
		{ 0x14000000, "b .", PGT_FLOW_JUMP, 0 },
		{ 0x14000001, "b .+4", PGT_FLOW_JUMP, 4 },
		{ 0x17ffffff, "b .-4", PGT_FLOW_JUMP, -4 },
		{ 0x15ffffff, "b .+0x7fffffc", PGT_FLOW_JUMP, 0x7fffffc },
		{ 0x16000000, "b .-0x8000000", PGT_FLOW_JUMP, -0x8000000 },
		{ 0x94000040, "bl .+0x100", PGT_FLOW_CALL, 0x100 },
		{ 0x97ffffc0, "bl .-0x100", PGT_FLOW_CALL, -0x100 },
		{ 0x54000200, "b.eq .+0x40", PGT_FLOW_CONDITIONAL, 0x40 },
		{ 0x54fffe01, "b.ne .-0x40", PGT_FLOW_CONDITIONAL, -0x40 },
		{ 0xb4000080, "cbz x0, .+0x10", PGT_FLOW_CONDITIONAL, 0x10 },
		{ 0x35ffff85, "cbnz w5, .-0x10", PGT_FLOW_CONDITIONAL, -0x10 },
		{ 0xb47fffe0, "cbz x0, .+0xffffc", PGT_FLOW_CONDITIONAL, 0xffffc },
		{ 0xb5800003, "cbnz x3, .-0x100000", PGT_FLOW_CONDITIONAL, -0x100000 },
		{ 0x36180101, "tbz w1, #3, .+0x20", PGT_FLOW_CONDITIONAL, 0x20 },
		{ 0xb70fff01, "tbnz x1, #33, .-0x20", PGT_FLOW_CONDITIONAL, -0x20 },
		{ 0xb6fbffe2, "tbz x2, #63, .+0x7ffc", PGT_FLOW_CONDITIONAL, 0x7ffc },
		{ 0x37040002, "tbnz w2, #0, .-0x8000", PGT_FLOW_CONDITIONAL, -0x8000 },
		{ 0xd65f03c0, "ret", PGT_FLOW_RETURN, 0 },
		{ 0xd65f0020, "ret x1", PGT_FLOW_RETURN, 0 },
		{ 0xd65f0bff, "retaa", PGT_FLOW_RETURN, 0 },
		{ 0xd65f0fff, "retab", PGT_FLOW_RETURN, 0 },
		{ 0xd61f0200, "br x16", PGT_FLOW_INDIRECT, 0 },
		{ 0xd71f0822, "braa x1, x2", PGT_FLOW_INDIRECT, 0 },
		{ 0xd71f0c3f, "brab x1, sp", PGT_FLOW_INDIRECT, 0 },
		{ 0xd61f087f, "braaz x3", PGT_FLOW_INDIRECT, 0 },
		{ 0xd61f0c7f, "brabz x3", PGT_FLOW_INDIRECT, 0 },
		{ 0xd63f0060, "blr x3", PGT_FLOW_NEXT, 0 },
		{ 0xd73f0822, "blraa x1, x2", PGT_FLOW_NEXT, 0 },
		{ 0xd63f083f, "blraaz x1", PGT_FLOW_NEXT, 0 },
		{ 0xd4000001, "svc #0", PGT_FLOW_NEXT, 0 },
		{ 0xd503201f, "nop", PGT_FLOW_NEXT, 0 },
		{ 0x58000040, "ldr x0, .+8", PGT_FLOW_NEXT, 0 },
		{ 0x10000040, "adr x0, .+8", PGT_FLOW_NEXT, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t target = AT;
		enum pgt_flow flow = pgt_insn_decoder_find("arm64")->flow(cases[i].word, AT, &target);

		cr_expect(eq(int, (int)flow, (int)cases[i].flow), "%s", cases[i].mnemonic);
		cr_expect(eq(u64, target, AT + (uint64_t)cases[i].offset), "%s", cases[i].mnemonic);
	}
}

Test(insn, decoders_and_names)
{
	cr_expect(eq(u32, pgt_insn_decoder_find("arm64")->step, 4));
	cr_expect(eq(str, (char *)pgt_insn_decoder_find("arm64")->arch, "arm64"));
	cr_expect(zero(ptr, (void *)pgt_insn_decoder_find("arm")));
	cr_expect(zero(ptr, (void *)pgt_insn_decoder_find("")));
	cr_expect(eq(str, (char *)pgt_op_name(PGT_OP_NONE), ""));
	cr_expect(eq(str, (char *)pgt_op_name(PGT_OP_DSB), "dsb"));
	cr_expect(eq(str, (char *)pgt_op_name(PGT_OP_ISB), "isb"));
	cr_expect(eq(str, (char *)pgt_op_name(PGT_OP_TLBI), "tlbi"));
}
