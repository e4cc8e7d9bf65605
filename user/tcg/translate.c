/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What QEMU asks the plugin: a block of instructions is about to be translated, what shall be
 * done when it executes?
 *
 * Instructions are counted in runs: a block is one, parted where something looks at the counter,
 * so that it is right there.  A block that an exception leaves in its middle counts
 * as if it had executed to the end, and its rest again when it is resumed: an upper bound, by less
 * than a block for each page fault, and none where nothing faults, as in building the linear map.
 *
 * An instruction that stopped at a hardware breakpoint has not executed.  When it is stepped
 * over it is a block of its own, at whose end QEMU raises the step exception: it counts once.
 */
#include <string.h>

#include "tcg/format.h"
#include "tcg/plugin.h"

#define HINT(number)	(0xd503201fu | (uint32_t)(number) << 5)

/* What shall be called at an instruction, besides the counting. */
struct hook {
	qemu_plugin_vcpu_udata_cb_t call;
	void *opaque;
};

static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

/* Read a word of the guest's memory as the CPU sees it now. */
static bool read_word(uint64_t address, uint32_t *out)
{
	GByteArray *bytes = g_byte_array_new();
	bool read = qemu_plugin_read_memory_vaddr(address, bytes, sizeof(*out));

	if (read)
		memcpy(out, bytes->data, sizeof(*out));
	g_byte_array_free(bytes, TRUE);
	return read;
}

/* Whether scopes return to a block. */
static bool is_return(uint64_t address)
{
	bool wanted;

	if (!pgt_tcg.plan.n_scopes || !is_kernel(address))
		return false;
	pthread_mutex_lock(&pgt_tcg.lock);
	wanted = pgt_tcg_returns_translate(&pgt_tcg.returns, address);
	pthread_mutex_unlock(&pgt_tcg.lock);
	return wanted;
}

/* A direct call of a scope returns behind itself, which is seldom translated before it. */
static void expect_return(uint64_t address, uint32_t word)
{
	int64_t offset = (int32_t)(word << 6) >> 6;	/* 26 bits with a sign, in words */

	if ((word & 0xfc000000) != 0x94000000 || !is_kernel(address) ||
	    !pgt_tcg_plan_entry(&pgt_tcg.plan, address + (uint64_t)offset * 4))
		return;
	pthread_mutex_lock(&pgt_tcg.lock);
	pgt_tcg_returns_expect(&pgt_tcg.returns, address + 4);
	pthread_mutex_unlock(&pgt_tcg.lock);
}

/* Whether this is a kprobe's copy of an instruction. */
static bool is_slot(uint64_t address)
{
	uint32_t next;

	if (!is_kernel(address) ||
	    (address >= pgt_tcg.plan.text_start && address < pgt_tcg.plan.text_end))
		return false;
	return read_word(address + 4, &next) && next == PGT_TCG_BRK_SLOT;
}

static struct hook hook_of(uint64_t address, uint32_t word)
{
	const struct pgt_tcg_entry *entry = NULL;

	if (is_kernel(address)) {
		entry = pgt_tcg_plan_entry(&pgt_tcg.plan, address);
		if (entry)
			return (struct hook){ pgt_tcg_on_entry, (void *)(uintptr_t)entry };
		if (address == pgt_tcg.plan.switch_to)
			return (struct hook){ pgt_tcg_on_switch, NULL };
		if (word == PGT_TCG_BRK_PLACE)
			return (struct hook){ pgt_tcg_on_brk, (void *)(uintptr_t)address };
	}
	if (word == HINT(PGT_TCG_HINT_OPEN))
		return (struct hook){ pgt_tcg_on_hint, (void *)PGT_TCG_HINT_OPEN };
	if (word == HINT(PGT_TCG_HINT_CLOSE))
		return (struct hook){ pgt_tcg_on_hint, (void *)PGT_TCG_HINT_CLOSE };
	return (struct hook){ NULL, NULL };
}

/* Count an instruction if it is one that is counted. */
static void count(struct qemu_plugin_insn *insn, uint64_t address, uint32_t word)
{
	const struct pgt_tcg_place *place = NULL;
	char name[PGT_KIND_LEN];
	bool slot;
	size_t kind;

	if (!pgt_tcg_kind(word, name))
		return;
	slot = is_slot(address);
	pthread_mutex_lock(&pgt_tcg.lock);
	kind = pgt_tcg_kinds_add(&pgt_tcg.kinds, name);
	if (!slot)
		place = pgt_tcg_place_get(address, word, PGT_TCG_DIRECT, kind);
	pthread_mutex_unlock(&pgt_tcg.lock);
	qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
		insn, QEMU_PLUGIN_INLINE_ADD_U64, pgt_tcg_counter(kinds[kind]), 1);
	if (slot)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, pgt_tcg_on_slot,
						       QEMU_PLUGIN_CB_R_REGS,
						       (void *)((uintptr_t)kind << 32 | word));
	else if (place)
		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
			insn, QEMU_PLUGIN_INLINE_ADD_U64, pgt_tcg_place_counter(place), 1);
}

static void count_run(struct qemu_plugin_insn *first, size_t n)
{
	if (first && n && pgt_tcg.options.instructions)
		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
			first, QEMU_PLUGIN_INLINE_ADD_U64, pgt_tcg_counter(instructions), n);
}

/* Plant what one instruction needs.  Whether a new run of instructions begins with it. */
static bool translate_insn(struct qemu_plugin_insn *insn)
{
	uint64_t address = qemu_plugin_insn_vaddr(insn);
	struct hook hook;
	uint32_t word;

	if (qemu_plugin_insn_data(insn, &word, sizeof(word)) != sizeof(word))
		return false;
	hook = hook_of(address, word);
	if (hook.call)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, hook.call, QEMU_PLUGIN_CB_R_REGS,
						       hook.opaque);
	expect_return(address, word);
	count(insn, address, word);
	return hook.call;
}

void pgt_tcg_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), run = 0;
	uint64_t address = qemu_plugin_tb_vaddr(tb);
	struct qemu_plugin_insn *first = NULL;

	(void)id;
	pgt_tcg.executed = true;
	if (is_return(address))
		qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, pgt_tcg_on_return,
							  QEMU_PLUGIN_CB_R_REGS,
							  QEMU_PLUGIN_COND_EQ,
							  pgt_tcg_counter(watch), address,
							  (void *)(uintptr_t)address);
	if (pgt_tcg.model)
		pgt_model_translate(pgt_tcg.model, tb);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (translate_insn(insn) || !first) {
			count_run(first, run);
			first = insn;
			run = 0;
		}
		run++;
	}
	count_run(first, run);
}
