/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * accesses.h - what an arm64 instruction is to the TLB model.
 *
 * QEMU shows the accesses of plain loads and stores.  It shows none where it works on host memory
 * at once: cache maintenance by address and DC ZVA, the memory copies and sets, and the loads and
 * stores of SVE and SME that go by elements.
 *
 * Source: Arm Architecture Reference Manual for A-profile, DDI 0487, section C4.1 (encodings).
 */
#ifndef PGT_TCG_ACCESSES_H
#define PGT_TCG_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

enum pgt_access {
	PGT_ACCESS_NONE,
	PGT_ACCESS_SHOWN,	/* by the emulator */
	PGT_ACCESS_CACHE,	/* DC and IC by the address in Rt */
	PGT_ACCESS_COPY,	/* CPYP, CPYFP: [Xs] to [Xd], Xn bytes, by it and the two that follow */
	PGT_ACCESS_SET,		/* SETP, SETGP: [Xd], Xn bytes, likewise */
	PGT_ACCESS_UNSEEN,	/* it accesses memory, and nobody says where */
	PGT_ACCESS_TLBI,	/* none, but it invalidates translations */
	PGT_ACCESS_TTBR0,	/* none, but it is a write to this register from Rt */
	PGT_ACCESS_TTBR1,
	PGT_ACCESS_TCR,
};

enum pgt_access pgt_access_of(uint32_t word);

/* Registers of a copy or a set. */
static inline unsigned int pgt_access_rd(uint32_t word)
{
	return word & 31;
}

static inline unsigned int pgt_access_rn(uint32_t word)
{
	return word >> 5 & 31;
}

static inline unsigned int pgt_access_rs(uint32_t word)
{
	return word >> 16 & 31;
}

#endif /* PGT_TCG_ACCESSES_H */
