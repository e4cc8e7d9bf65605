/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/insn.h"

#include <stdio.h>
#include <string.h>

static const char *const op_names[PGT_N_OPS] = {
	[PGT_OP_NONE] = "", [PGT_OP_DSB] = "dsb", [PGT_OP_ISB] = "isb", [PGT_OP_TLBI] = "tlbi",
};

/* CRm of a DSB: shareability domain in the upper two bits, access types in the lower. */
static const char *const arm64_dsb[16] = {
	[0] = "ssbb", [1] = "oshld", [2] = "oshst", [3] = "osh",
	[4] = "pssbb", [5] = "nshld", [6] = "nshst", [7] = "nsh",
	[9] = "ishld", [10] = "ishst", [11] = "ish",
	[13] = "ld", [14] = "st", [15] = "sy",
};

static const char *const arm64_dsb_nxs[4] = { "oshnxs", "nshnxs", "ishnxs", "synxs" };

#define TLBI(op1, crm, op2)	((op1) << 7 | (crm) << 3 | (op2))

static const struct {
	unsigned int code;		/* TLBI(op1, CRm, op2) with CRn = 8 */
	const char *name;
} arm64_tlbi[] = {
	{ TLBI(0, 1, 0), "vmalle1os" }, { TLBI(0, 1, 1), "vae1os" },
	{ TLBI(0, 1, 2), "aside1os" }, { TLBI(0, 1, 3), "vaae1os" },
	{ TLBI(0, 1, 5), "vale1os" }, { TLBI(0, 1, 7), "vaale1os" },
	{ TLBI(0, 2, 1), "rvae1is" }, { TLBI(0, 2, 3), "rvaae1is" },
	{ TLBI(0, 2, 5), "rvale1is" }, { TLBI(0, 2, 7), "rvaale1is" },
	{ TLBI(0, 3, 0), "vmalle1is" }, { TLBI(0, 3, 1), "vae1is" },
	{ TLBI(0, 3, 2), "aside1is" }, { TLBI(0, 3, 3), "vaae1is" },
	{ TLBI(0, 3, 5), "vale1is" }, { TLBI(0, 3, 7), "vaale1is" },
	{ TLBI(0, 5, 1), "rvae1os" }, { TLBI(0, 5, 3), "rvaae1os" },
	{ TLBI(0, 5, 5), "rvale1os" }, { TLBI(0, 5, 7), "rvaale1os" },
	{ TLBI(0, 6, 1), "rvae1" }, { TLBI(0, 6, 3), "rvaae1" },
	{ TLBI(0, 6, 5), "rvale1" }, { TLBI(0, 6, 7), "rvaale1" },
	{ TLBI(0, 7, 0), "vmalle1" }, { TLBI(0, 7, 1), "vae1" },
	{ TLBI(0, 7, 2), "aside1" }, { TLBI(0, 7, 3), "vaae1" },
	{ TLBI(0, 7, 5), "vale1" }, { TLBI(0, 7, 7), "vaale1" },
	{ TLBI(4, 0, 1), "ipas2e1is" }, { TLBI(4, 0, 2), "ripas2e1is" },
	{ TLBI(4, 0, 5), "ipas2le1is" }, { TLBI(4, 0, 6), "ripas2le1is" },
	{ TLBI(4, 1, 0), "alle2os" }, { TLBI(4, 1, 1), "vae2os" },
	{ TLBI(4, 1, 4), "alle1os" }, { TLBI(4, 1, 5), "vale2os" },
	{ TLBI(4, 1, 6), "vmalls12e1os" },
	{ TLBI(4, 2, 1), "rvae2is" }, { TLBI(4, 2, 5), "rvale2is" },
	{ TLBI(4, 3, 0), "alle2is" }, { TLBI(4, 3, 1), "vae2is" },
	{ TLBI(4, 3, 4), "alle1is" }, { TLBI(4, 3, 5), "vale2is" },
	{ TLBI(4, 3, 6), "vmalls12e1is" },
	{ TLBI(4, 4, 0), "ipas2e1os" }, { TLBI(4, 4, 1), "ipas2e1" },
	{ TLBI(4, 4, 2), "ripas2e1" }, { TLBI(4, 4, 3), "ripas2e1os" },
	{ TLBI(4, 4, 4), "ipas2le1os" }, { TLBI(4, 4, 5), "ipas2le1" },
	{ TLBI(4, 4, 6), "ripas2le1" }, { TLBI(4, 4, 7), "ripas2le1os" },
	{ TLBI(4, 5, 1), "rvae2os" }, { TLBI(4, 5, 5), "rvale2os" },
	{ TLBI(4, 6, 1), "rvae2" }, { TLBI(4, 6, 5), "rvale2" },
	{ TLBI(4, 7, 0), "alle2" }, { TLBI(4, 7, 1), "vae2" },
	{ TLBI(4, 7, 4), "alle1" }, { TLBI(4, 7, 5), "vale2" },
	{ TLBI(4, 7, 6), "vmalls12e1" },
	{ TLBI(6, 3, 0), "alle3is" }, { TLBI(6, 3, 1), "vae3is" },
	{ TLBI(6, 3, 5), "vale3is" }, { TLBI(6, 7, 0), "alle3" },
	{ TLBI(6, 7, 1), "vae3" }, { TLBI(6, 7, 5), "vale3" },
};

static void set_kind(struct pgt_insn *out, enum pgt_op op, const char *detail, const char *suffix)
{
	out->op = op;
	snprintf(out->kind, sizeof(out->kind), "%s%s%s%s", op_names[op], detail ? "." : "",
		 detail ? detail : "", suffix);
}

/*
 * TLBI is SYS with CRn = 8, or 9 for the nXS forms.  An operation without a name here
 * (a newer architecture) is still counted, under its numbers.
 */
static void decode_arm64_tlbi(uint32_t word, struct pgt_insn *out)
{
	unsigned int op1 = word >> 16 & 7, crm = word >> 8 & 15, op2 = word >> 5 & 7;
	const char *suffix = (word >> 12 & 15) == 9 ? "nxs" : "";
	char number[16];

	for (size_t i = 0; i < sizeof(arm64_tlbi) / sizeof(arm64_tlbi[0]); i++) {
		if (arm64_tlbi[i].code == TLBI(op1, crm, op2)) {
			set_kind(out, PGT_OP_TLBI, arm64_tlbi[i].name, suffix);
			return;
		}
	}
	snprintf(number, sizeof(number), "%u_c%u_%u", op1, crm, op2);
	set_kind(out, PGT_OP_TLBI, number, suffix);
}

/* The two options without a name execute as "sy". */
static void decode_arm64_dsb(unsigned int crm, struct pgt_insn *out)
{
	char number[8];

	snprintf(number, sizeof(number), "c%u", crm);
	set_kind(out, PGT_OP_DSB, arm64_dsb[crm] ? arm64_dsb[crm] : number, "");
}

static void decode_arm64(uint32_t word, struct pgt_insn *out)
{
	unsigned int crm = word >> 8 & 15;

	out->op = PGT_OP_NONE;
	out->kind[0] = '\0';
	if ((word & 0xfffff0ff) == 0xd503309f)
		decode_arm64_dsb(crm, out);
	else if ((word & 0xfffff3ff) == 0xd503323f)
		set_kind(out, PGT_OP_DSB, arm64_dsb_nxs[crm >> 2], "");
	else if ((word & 0xfffff0ff) == 0xd50330df)
		set_kind(out, PGT_OP_ISB, NULL, "");
	else if ((word & 0xfff8e000) == 0xd5088000)
		decode_arm64_tlbi(word, out);
}

/* A signed offset in words, of some bits at the bottom of a field. */
static uint64_t offset_target(uint64_t address, uint32_t field, unsigned int bits)
{
	int32_t words = (int32_t)(field << (32 - bits)) >> (32 - bits);

	return address + (uint64_t)((int64_t)words * 4);
}

static enum pgt_flow flow_arm64(uint32_t word, uint64_t address, uint64_t *target)
{
	if ((word & 0x7c000000) == 0x14000000) {			/* B, BL */
		*target = offset_target(address, word, 26);
		return word >> 31 ? PGT_FLOW_CALL : PGT_FLOW_JUMP;
	}
	if ((word & 0xff000000) == 0x54000000 ||			/* B.cond, BC.cond */
	    (word & 0x7e000000) == 0x34000000) {			/* CBZ, CBNZ */
		*target = offset_target(address, word >> 5, 19);
		return PGT_FLOW_CONDITIONAL;
	}
	if ((word & 0x7e000000) == 0x36000000) {			/* TBZ, TBNZ */
		*target = offset_target(address, word >> 5, 14);
		return PGT_FLOW_CONDITIONAL;
	}
	if ((word & 0xfffffc1f) == 0xd65f0000 ||			/* RET */
	    (word & 0xfffffbff) == 0xd65f0bff)				/* RETAA, RETAB */
		return PGT_FLOW_RETURN;
	if ((word & 0xfffffc1f) == 0xd61f0000 ||			/* BR */
	    (word & 0xfefff800) == 0xd61f0800)				/* BRAA and its kin */
		return PGT_FLOW_INDIRECT;
	return PGT_FLOW_NEXT;
}

static const struct pgt_insn_decoder decoders[] = {
	{ "arm64", 4, decode_arm64, flow_arm64 },
};

const struct pgt_insn_decoder *pgt_insn_decoder_find(const char *arch)
{
	for (size_t i = 0; i < sizeof(decoders) / sizeof(decoders[0]); i++)
		if (!strcmp(decoders[i].arch, arch))
			return &decoders[i];
	return NULL;
}

const char *pgt_op_name(enum pgt_op op)
{
	return op_names[op];
}
