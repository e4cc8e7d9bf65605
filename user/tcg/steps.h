/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps.h - whose instruction a kprobe's slot executes.
 *
 * A kprobe replaces an instruction with "brk #4"; the kernel's handler then lets the CPU execute
 * the original in a slot, a copy followed by "brk #6".  The stack pointer there is that of the
 * place, which tells nested kprobes (one in the handler of another) apart.  Interrupts are
 * masked in between and the task stays on its CPU, so each CPU has a list of its own.
 *
 * Source: arch/arm64/kernel/probes/kprobes.c, arch/arm64/include/asm/brk-imm.h of Linux.
 */
#ifndef PGT_TCG_STEPS_H
#define PGT_TCG_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PGT_TCG_BRK_PLACE	0xd4200080	/* brk #4 */
#define PGT_TCG_BRK_SLOT	0xd42000c0	/* brk #6 */
#define PGT_TCG_STEPS_MAX	8

struct pgt_tcg_steps {
	size_t n;
	struct {
		uint64_t address, sp;
	} at[PGT_TCG_STEPS_MAX];
};

/* "brk #4" at an address is executed with a stack pointer. */
void pgt_tcg_steps_brk(struct pgt_tcg_steps *steps, uint64_t address, uint64_t sp);

/* A slot is executed: whether the place is known that it belongs to, and its address. */
bool pgt_tcg_steps_take(struct pgt_tcg_steps *steps, uint64_t sp, uint64_t *address);

#endif /* PGT_TCG_STEPS_H */
