/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * insn.h - recognise barriers and TLB invalidations among machine instructions.
 *
 * A decoder is one row of a table, by architecture.  Kinds are named as the assembler
 * writes them, with a dot for the space: "dsb.ishst", "isb", "tlbi.vae1is".
 *
 * Source: Arm Architecture Reference Manual for A-profile, DDI 0487, sections C6.2
 * (DSB, ISB, branches) and C5.5 (TLBI system instructions, the table of op1:CRn:CRm:op2).
 */
#ifndef PGT_PROBE_INSN_H
#define PGT_PROBE_INSN_H

#include <stdint.h>

enum pgt_op {			/* what kind of answer an instruction gives */
	PGT_OP_NONE,
	PGT_OP_DSB,
	PGT_OP_ISB,
	PGT_OP_TLBI,
	PGT_N_OPS,
};

#define PGT_KIND_LEN	24	/* longest kind with its NUL, e.g. "tlbi.vmalls12e1isnxs" */

struct pgt_insn {
	enum pgt_op op;
	char kind[PGT_KIND_LEN];	/* "" for PGT_OP_NONE */
};

enum pgt_flow {
	PGT_FLOW_NEXT,		/* to the next instruction */
	PGT_FLOW_CALL,		/* direct, and back to the next instruction */
	PGT_FLOW_JUMP,		/* direct; out of a function it is a tail call */
	PGT_FLOW_CONDITIONAL,	/* direct, or to the next instruction */
	PGT_FLOW_RETURN,
	PGT_FLOW_INDIRECT,	/* a jump to an address in a register */
};

struct pgt_insn_decoder {
	const char *arch;		/* as in the recording: "arm64" */
	unsigned int step;		/* bytes between instructions */
	/* Describe a word; PGT_OP_NONE for everything that is not counted. */
	void (*decode)(uint32_t word, struct pgt_insn *out);
	/* How a word directs control; *target is set for calls, jumps and conditional jumps. */
	enum pgt_flow (*flow)(uint32_t word, uint64_t address, uint64_t *target);
};

/* By architecture name; NULL where there is no decoder yet. */
const struct pgt_insn_decoder *pgt_insn_decoder_find(const char *arch);

/* "dsb", "isb", "tlbi"; "" for PGT_OP_NONE. */
const char *pgt_op_name(enum pgt_op op);

#endif /* PGT_PROBE_INSN_H */
