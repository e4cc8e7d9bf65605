/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/kinds.h"

#include <stdio.h>
#include <string.h>

/* CRm of a DMB; the options without a name execute as "sy". */
static const char *const dmb_options[16] = {
	[1] = "oshld", [2] = "oshst", [3] = "osh", [5] = "nshld", [6] = "nshst", [7] = "nsh",
	[9] = "ishld", [10] = "ishst", [11] = "ish", [13] = "ld", [14] = "st", [15] = "sy",
};

bool pgt_tcg_kind(uint32_t word, char kind[PGT_KIND_LEN])
{
	const struct pgt_insn_decoder *decoder;
	unsigned int crm = word >> 8 & 15;
	struct pgt_insn insn;

	/* All of them are system instructions, which few words are. */
	if ((word & 0xffc00000) != 0xd5000000)
		return false;
	if ((word & 0xfffff0ff) == 0xd50330bf) {
		if (dmb_options[crm])
			snprintf(kind, PGT_KIND_LEN, "dmb.%s", dmb_options[crm]);
		else
			snprintf(kind, PGT_KIND_LEN, "dmb.c%u", crm);
		return true;
	}
	if (word == 0xd50330ff) {
		snprintf(kind, PGT_KIND_LEN, "sb");
		return true;
	}
	decoder = pgt_insn_decoder_find("arm64");
	decoder->decode(word, &insn);
	if (insn.op == PGT_OP_NONE)
		return false;
	memcpy(kind, insn.kind, PGT_KIND_LEN);
	return true;
}

size_t pgt_tcg_kinds_add(struct pgt_tcg_kinds *kinds, const char *kind)
{
	for (size_t i = 0; i < kinds->n; i++)
		if (!strcmp(kinds->name[i], kind))
			return i;
	if (kinds->n == PGT_TCG_KINDS_MAX)
		return PGT_TCG_KINDS_MAX - 1;
	snprintf(kinds->name[kinds->n], PGT_KIND_LEN, "%s",
		 kinds->n == PGT_TCG_KINDS_MAX - 1 ? "other" : kind);
	return kinds->n++;
}
