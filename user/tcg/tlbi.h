/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tlbi.h - what a TLB invalidation of the EL1 and EL0 translation regime invalidates.
 *
 * Source: Arm Architecture Reference Manual for A-profile, DDI 0487, section C5.5 (TLBI system
 * instructions and the layout of their register).
 *
 * The level hint (TTL) is decoded but spares no entry: a core may use it and need not.  The
 * last-level forms (VALE1, RVALE1, ...) invalidate the same entries as the others, because a TLB
 * of the model holds final translations only.
 */
#ifndef PGT_TCG_TLBI_H
#define PGT_TCG_TLBI_H

#include <stdbool.h>
#include <stdint.h>

struct pgt_mapping;

enum pgt_tlbi_what {
	PGT_TLBI_NOTHING,	/* of this regime: EL2, EL3 and stage 2 forms, reserved operands */
	PGT_TLBI_ALL,
	PGT_TLBI_ASID,		/* not the global ones */
	PGT_TLBI_RANGE,		/* addresses of one ASID, and global ones */
	PGT_TLBI_RANGE_ANY,	/* addresses of every ASID */
};

struct pgt_tlbi {
	uint64_t first, last;	/* bytes, both included; ranges only */
	uint16_t asid;
	uint8_t what;		/* enum pgt_tlbi_what */
	uint8_t level;		/* of the leaf entries as hinted: 1..3; 0: not said */
	bool leaf;		/* entries of the last level only: tables are where they were */
	bool broadcast;		/* to the inner or outer shareable domain: every vCPU */
};

/* Is the word a TLBI? */
bool pgt_tlbi_is(uint32_t word);

/* The number of the register that holds its operand; 31: none (it reads as 0). */
unsigned int pgt_tlbi_register(uint32_t word);

/*
 * What it invalidates.  wide: TCR_EL1.DS is set (52-bit addresses with 4K or 16K pages), which
 * makes range forms count in 64K.  A word that is no TLBI gives PGT_TLBI_NOTHING.
 */
struct pgt_tlbi pgt_tlbi_decode(uint32_t word, uint64_t operand, bool wide);

/* Whether an entry is to go. */
bool pgt_tlbi_hits(const struct pgt_tlbi *tlbi, const struct pgt_mapping *map);

#endif /* PGT_TCG_TLBI_H */
