/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fake_qemu.h - as much of QEMU as its plugin needs: blocks of instructions whose words a test
 * gives, executed by CPUs whose registers a test sets.
 *
 * Of an instruction only what the plugin planted happens; blocks are executed whole, in the
 * order in which a test says.
 */
#ifndef PGT_TESTS_FAKE_QEMU_H
#define PGT_TESTS_FAKE_QEMU_H

#include "tcg/qemu_plugin.h"

#define FAKE_INSNS_MAX	8

struct fake_op {		/* what the plugin planted: an addition or store, or a call */
	qemu_plugin_vcpu_udata_cb_t call;
	void *opaque;
	bool conditional;	/* call if entry equals value */
	bool store;		/* set entry to value; else add */
	qemu_plugin_u64 entry;
	uint64_t value;
};

struct fake_ops {
	struct fake_op at[8];
	size_t n;
};

struct qemu_plugin_insn {
	uint64_t address;
	uint32_t word;
	struct fake_ops ops;
};

struct qemu_plugin_tb {
	struct qemu_plugin_insn insn[FAKE_INSNS_MAX];
	size_t n;
	struct fake_ops ops;
	unsigned int resets;	/* how many there had been when it was translated */
};

struct fake_cpu {
	uint64_t x[31], sp, sp_el0;
};

struct fake_qemu {
	struct fake_cpu cpu[2];
	uint64_t memory_address[16];	/* words that the plugin can read */
	uint32_t memory_word[16];
	size_t n_memory;
	unsigned int resets;
	void (*on_reset)(qemu_plugin_id_t id);	/* before the next block; NULL: no reset asked for */
	unsigned int running;		/* the CPU whose registers are read */
	qemu_plugin_vcpu_simple_cb_t on_cpu;
	qemu_plugin_vcpu_tb_trans_cb_t on_translate;
	qemu_plugin_udata_cb_t on_exit;
};

extern struct fake_qemu fake_qemu;	/* QEMU's interface has no other place for it */

/* Make both CPUs. */
void fake_qemu_start(void);

void fake_qemu_memory(uint64_t address, uint32_t word);

/* Translate n words at an address, then execute them on a CPU; again where a reset was between. */
struct qemu_plugin_tb *fake_qemu_translate(uint64_t address, const uint32_t *words, size_t n);
void fake_qemu_execute(unsigned int cpu, struct qemu_plugin_tb *tb);

#endif /* PGT_TESTS_FAKE_QEMU_H */
