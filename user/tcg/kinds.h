/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kinds.h - the instructions that the plugin counts, and numbers for their kinds.
 *
 * They are those of probe/insn.h, and DMB and SB, which a live kernel has too many of to
 * count with kprobes.
 *
 * Source: Arm Architecture Reference Manual for A-profile, DDI 0487, section C6.2.
 */
#ifndef PGT_TCG_KINDS_H
#define PGT_TCG_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/insn.h"

#define PGT_TCG_KINDS_MAX	128	/* twice what one kernel executes of some 200 names */

/* Kinds in the order in which they were first met. */
struct pgt_tcg_kinds {
	size_t n;
	char name[PGT_TCG_KINDS_MAX][PGT_KIND_LEN];
};

/* Whether an arm64 word is counted, and its kind: "dsb.ishst", "dmb.ish", "sb", ... */
bool pgt_tcg_kind(uint32_t word, char kind[PGT_KIND_LEN]);

/* The number of a kind.  The last number is "other", for all that do not fit the table. */
size_t pgt_tcg_kinds_add(struct pgt_tcg_kinds *kinds, const char *kind);

#endif /* PGT_TCG_KINDS_H */
