/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tcg/format.h"
#include "tcg/plugin.h"

uint64_t pgt_tcg_register_read(struct qemu_plugin_register *handle, GByteArray *scratch)
{
	uint64_t value = 0;
	int n;

	g_byte_array_set_size(scratch, 0);
	n = qemu_plugin_read_register(handle, scratch);
	if (n > 0)
		memcpy(&value, scratch->data, (size_t)n < sizeof(value) ? (size_t)n :
		       sizeof(value));
	return value;
}

static uint64_t read_register(struct pgt_tcg_cpu *cpu, struct qemu_plugin_register *handle)
{
	return pgt_tcg_register_read(handle, cpu->bytes);
}

struct qemu_plugin_register *pgt_tcg_register_find(const GArray *registers, const char *name)
{
	for (guint i = 0; i < registers->len; i++) {
		const qemu_plugin_reg_descriptor *known =
			&g_array_index(registers, qemu_plugin_reg_descriptor, i);

		if (!strcmp(known->name, name))
			return known->handle;
	}
	fprintf(stderr, "pgtrace-tcg: this QEMU has no register %s to read\n", name);
	exit(EXIT_FAILURE);	/* nothing has executed yet, so no result is written */
}

void pgt_tcg_on_cpu(qemu_plugin_id_t id, unsigned int vcpu)
{
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];
	GArray *registers = qemu_plugin_get_registers();
	char name[8];

	(void)id;
	for (unsigned int i = 0; i < 31; i++) {
		snprintf(name, sizeof(name), "x%u", i);
		cpu->x[i] = pgt_tcg_register_find(registers, name);
	}
	cpu->sp = pgt_tcg_register_find(registers, "sp");
	cpu->sp_el0 = pgt_tcg_register_find(registers, "SP_EL0");
	cpu->bytes = g_byte_array_new();
	if (pgt_tcg.model)
		pgt_model_on_cpu(pgt_tcg.model, vcpu, registers);
	g_array_free(registers, TRUE);
}

static struct pgt_tcg_now now_of(unsigned int vcpu)
{
	const struct pgt_tcg_cell *cell = pgt_tcg_cell_of(vcpu);

	return (struct pgt_tcg_now){ cell->instructions, cell->kinds };
}

static void update_watch(unsigned int vcpu)
{
	pgt_tcg_cell_of(vcpu)->watch = pgt_tcg_scopes_watch(&pgt_tcg.scopes, vcpu);
}

void pgt_tcg_on_entry(unsigned int vcpu, void *opaque)
{
	const struct pgt_tcg_entry *entry = opaque, *last;
	const struct pgt_tcg_plan *plan = &pgt_tcg.plan;
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];
	uint64_t ret = read_register(cpu, cpu->x[30]), sp = read_register(cpu, cpu->sp);
	uint64_t address = entry->address;
	bool again;

	last = plan->entries + plan->n_entries;
	pthread_mutex_lock(&pgt_tcg.lock);
	for (; entry < last && entry->address == address; entry++) {
		struct pgt_tcg_call call =
			pgt_tcg_call_of(entry->pages, read_register(cpu, cpu->x[entry->arg]),
					read_register(cpu, cpu->x[entry->arg + 1]));

		pgt_tcg_scopes_enter(&pgt_tcg.scopes, vcpu, entry->scope, ret, sp, call,
				     pgt_tcg_windows_current(&pgt_tcg.windows, vcpu),
				     now_of(vcpu));
	}
	update_watch(vcpu);
	again = pgt_tcg_returns_want(&pgt_tcg.returns, ret);
	pthread_mutex_unlock(&pgt_tcg.lock);
	if (again)
		pgt_tcg_retranslate();
}

void pgt_tcg_on_return(unsigned int vcpu, void *address)
{
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];
	uint64_t sp = read_register(cpu, cpu->sp);

	pthread_mutex_lock(&pgt_tcg.lock);
	pgt_tcg_scopes_return(&pgt_tcg.scopes, vcpu, (uintptr_t)address, sp,
			      pgt_tcg_windows_current(&pgt_tcg.windows, vcpu), now_of(vcpu));
	update_watch(vcpu);
	pthread_mutex_unlock(&pgt_tcg.lock);
}

void pgt_tcg_on_switch(unsigned int vcpu, void *unused)
{
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];
	uint64_t previous = read_register(cpu, cpu->x[0]), next = read_register(cpu, cpu->x[1]);

	(void)unused;
	pthread_mutex_lock(&pgt_tcg.lock);
	/* The kernel keeps the address of the running task in SP_EL0. */
	pgt_tcg.switched = true;
	if (previous != read_register(cpu, cpu->sp_el0))
		pgt_tcg.lost = "something else than cpu_switch_to() is at the plan's address of "
			       "it: the plan is of another kernel";
	pgt_tcg_scopes_switch(&pgt_tcg.scopes, vcpu, previous, next, now_of(vcpu));
	update_watch(vcpu);
	pthread_mutex_unlock(&pgt_tcg.lock);
}

/* The CPU's hits of all places that there are; false without memory.  Locked. */
static bool take_hits(struct pgt_tcg_cpu *cpu, unsigned int vcpu)
{
	size_t n = pgt_tcg.places.n;
	uint64_t *hits = cpu->hits;

	if (pgt_tcg.lost)
		return false;
	if (n > cpu->n_hits) {
		hits = reallocarray(hits, n, sizeof(*hits));
		if (!hits) {
			pgt_tcg.lost = "out of memory";
			return false;
		}
		cpu->hits = hits;
		cpu->n_hits = n;
	}
	pgt_tcg_hits_copy(hits, vcpu, n);
	return true;
}

static void tell_model(unsigned int vcpu, bool was_open)
{
	size_t window = pgt_tcg_windows_current(&pgt_tcg.windows, vcpu);

	if (!pgt_tcg.model || was_open == (bool)window)
		return;
	if (window)
		pgt_model_open(pgt_tcg.model, vcpu, window);
	else
		pgt_model_close(pgt_tcg.model, vcpu);
}

void pgt_tcg_on_hint(unsigned int vcpu, void *number)
{
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];
	uint64_t instructions = pgt_tcg_cell_of(vcpu)->instructions;

	bool was_open;

	pthread_mutex_lock(&pgt_tcg.lock);
	was_open = pgt_tcg_windows_current(&pgt_tcg.windows, vcpu);
	if (take_hits(cpu, vcpu)) {
		if ((uintptr_t)number == PGT_TCG_HINT_OPEN)
			pgt_tcg_windows_open(&pgt_tcg.windows, vcpu, cpu->hits,
					     pgt_tcg.places.n, instructions);
		else
			pgt_tcg_windows_close(&pgt_tcg.windows, vcpu, cpu->hits,
					      pgt_tcg.places.n, instructions);
	}
	tell_model(vcpu, was_open);
	pthread_mutex_unlock(&pgt_tcg.lock);
}

void pgt_tcg_on_brk(unsigned int vcpu, void *address)
{
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];

	pgt_tcg_steps_brk(&cpu->steps, (uintptr_t)address, read_register(cpu, cpu->sp));
}

void pgt_tcg_on_slot(unsigned int vcpu, void *kind_and_word)
{
	uint32_t word = (uint32_t)(uintptr_t)kind_and_word;
	size_t kind = (uintptr_t)kind_and_word >> 32;
	struct pgt_tcg_cpu *cpu = &pgt_tcg.cpu[vcpu];
	const struct pgt_tcg_place *place;
	uint64_t address = 0;
	bool known = pgt_tcg_steps_take(&cpu->steps, read_register(cpu, cpu->sp), &address);

	pthread_mutex_lock(&pgt_tcg.lock);
	place = pgt_tcg_place_get(address, word, known ? PGT_TCG_STEPPED : PGT_TCG_SLOT, kind);
	if (place)
		pgt_tcg_count(vcpu, pgt_tcg_place_counter(place), 1);
	pthread_mutex_unlock(&pgt_tcg.lock);
}
