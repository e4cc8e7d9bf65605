/* SPDX-License-Identifier: GPL-2.0-only */
#include "fake_qemu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS	2

struct fake_qemu fake_qemu;

struct qemu_plugin_scoreboard {
	size_t size;
	char *cells;
};

struct qemu_plugin_register {
	char name[8];
	unsigned int number;	/* 31 is the stack pointer, 32 that of user space */
};

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb)
{
	(void)id;
	fake_qemu.on_cpu = cb;
}

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb)
{
	(void)id;
	fake_qemu.on_translate = cb;
}

void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void *opaque)
{
	(void)id;
	(void)opaque;
	fake_qemu.on_exit = cb;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
	return tb->n;
}

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
	return tb->insn[0].address;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i)
{
	return (struct qemu_plugin_insn *)&tb->insn[i];
}

size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t len)
{
	memcpy(to, &insn->word, len < sizeof(insn->word) ? len : sizeof(insn->word));
	return len < sizeof(insn->word) ? len : sizeof(insn->word);
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return sizeof(insn->word);
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
	return insn->address;
}

static void plant(struct fake_ops *ops, struct fake_op op)
{
	if (ops->n == sizeof(ops->at) / sizeof(ops->at[0]))
		abort();
	ops->at[ops->n++] = op;
}

void qemu_plugin_register_vcpu_tb_exec_cond_cb(struct qemu_plugin_tb *tb,
					       qemu_plugin_vcpu_udata_cb_t cb,
					       enum qemu_plugin_cb_flags flags,
					       enum qemu_plugin_cond cond, qemu_plugin_u64 entry,
					       uint64_t imm, void *opaque)
{
	(void)flags;
	if (cond != QEMU_PLUGIN_COND_EQ)
		abort();
	plant(&tb->ops, (struct fake_op){ .call = cb, .opaque = opaque, .conditional = true,
					  .entry = entry, .value = imm });
}

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_plugin_vcpu_udata_cb_t cb,
					    enum qemu_plugin_cb_flags flags, void *opaque)
{
	(void)flags;
	plant(&insn->ops, (struct fake_op){ .call = cb, .opaque = opaque });
}

void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *insn,
							 enum qemu_plugin_op op,
							 qemu_plugin_u64 entry, uint64_t imm)
{
	plant(&insn->ops, (struct fake_op){ .entry = entry, .value = imm,
					    .store = op == QEMU_PLUGIN_INLINE_STORE_U64 });
}

GArray *qemu_plugin_get_registers(void)
{
	static struct qemu_plugin_register registers[33];
	GArray *all = g_array_new(FALSE, FALSE, sizeof(qemu_plugin_reg_descriptor));

	for (unsigned int i = 0; i < 33; i++) {
		qemu_plugin_reg_descriptor one = { .handle = &registers[i],
						   .name = registers[i].name };

		registers[i].number = i;
		if (i < 31)
			snprintf(registers[i].name, sizeof(registers[i].name), "x%u", i);
		else
			snprintf(registers[i].name, sizeof(registers[i].name),
				 i == 31 ? "sp" : "SP_EL0");
		g_array_append_val(all, one);
	}
	return all;
}

int qemu_plugin_read_register(struct qemu_plugin_register *handle, GByteArray *to)
{
	const struct fake_cpu *cpu = &fake_qemu.cpu[fake_qemu.running];
	uint64_t value = handle->number < 31 ? cpu->x[handle->number] :
			 handle->number == 31 ? cpu->sp : cpu->sp_el0;

	g_byte_array_append(to, (const guint8 *)&value, sizeof(value));
	return sizeof(value);
}

bool qemu_plugin_read_memory_vaddr(uint64_t address, GByteArray *to, size_t len)
{
	for (size_t i = 0; i < fake_qemu.n_memory; i++) {
		if (fake_qemu.memory_address[i] != address)
			continue;
		g_byte_array_set_size(to, 0);
		g_byte_array_append(to, (const guint8 *)&fake_qemu.memory_word[i], (guint)len);
		return true;
	}
	return false;
}

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t element_size)
{
	struct qemu_plugin_scoreboard *score = malloc(sizeof(*score));

	if (!score)
		abort();
	score->size = element_size;
	score->cells = calloc(CPUS, element_size);
	return score;
}

void qemu_plugin_scoreboard_free(struct qemu_plugin_scoreboard *score)
{
	free(score->cells);
	free(score);
}

void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score, unsigned int vcpu)
{
	return score->cells + vcpu * score->size;
}

int qemu_plugin_num_vcpus(void)
{
	return CPUS;
}

void fake_qemu_start(void)
{
	for (unsigned int i = 0; i < CPUS; i++)
		fake_qemu.on_cpu(0, i);
}

void fake_qemu_memory(uint64_t address, uint32_t word)
{
	fake_qemu.memory_address[fake_qemu.n_memory] = address;
	fake_qemu.memory_word[fake_qemu.n_memory++] = word;
}

void qemu_plugin_reset(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id))
{
	(void)id;
	fake_qemu.on_reset = cb;
}

/* What a reset that was asked for does, when no block executes. */
static void reset(void)
{
	void (*cb)(qemu_plugin_id_t id) = fake_qemu.on_reset;

	if (!cb)
		return;
	fake_qemu.on_reset = NULL;
	fake_qemu.on_cpu = NULL;
	fake_qemu.on_translate = NULL;
	fake_qemu.on_exit = NULL;
	fake_qemu.resets++;
	cb(1);
}

static void translate(struct qemu_plugin_tb *tb)
{
	reset();
	tb->resets = fake_qemu.resets;
	tb->ops.n = 0;
	for (size_t i = 0; i < tb->n; i++)
		tb->insn[i].ops.n = 0;
	fake_qemu.on_translate(1, tb);
}

struct qemu_plugin_tb *fake_qemu_translate(uint64_t address, const uint32_t *words, size_t n)
{
	struct qemu_plugin_tb *tb = calloc(1, sizeof(*tb));

	if (!tb || n > FAKE_INSNS_MAX)
		abort();
	tb->n = n;
	for (size_t i = 0; i < n; i++) {
		tb->insn[i].address = address + 4 * i;
		tb->insn[i].word = words[i];
	}
	translate(tb);
	return tb;
}

static void run(unsigned int cpu, const struct fake_ops *ops)
{
	for (size_t i = 0; i < ops->n; i++) {
		const struct fake_op *op = &ops->at[i];
		uint64_t *entry = NULL;

		if (op->entry.score)
			entry = (uint64_t *)(void *)((char *)qemu_plugin_scoreboard_find(
				op->entry.score, cpu) + op->entry.offset);
		if (op->call) {
			if (!op->conditional || *entry == op->value)
				op->call(cpu, op->opaque);
		} else {
			*entry = op->store ? op->value : *entry + op->value;
		}
	}
}

void fake_qemu_execute(unsigned int cpu, struct qemu_plugin_tb *tb)
{
	fake_qemu.running = cpu;
	reset();
	if (tb->resets != fake_qemu.resets)
		translate(tb);
	run(cpu, &tb->ops);
	for (size_t i = 0; i < tb->n; i++)
		run(cpu, &tb->insn[i].ops);
}
