// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/model.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "tcg/accesses.h"
#include "tcg/cores.h"
#include "tcg/mmu.h"
#include "tcg/plugin.h"

#define RAM		UINT64_C(0x40000000)	/* where the memory of QEMU's "virt" begins */
#define QUEUE_SIZE	(1u << 16)		/* accesses that may wait for a walk */
#define CROSSES		UINT64_C(1)		/* in a block's address: it goes on in the next 4K */
#define PAGE_MASK	UINT64_C(0xfff)
#define COPY_MAX	(UINT64_C(1) << 32)	/* no kernel copies more at once */

struct cpu {
	struct pgt_mmu mmu;		/* used by this CPU's thread alone, as is what follows */
	struct qemu_plugin_register *x[31], *ttbr0, *ttbr1, *tcr;
	GByteArray *bytes;
	uint64_t window;
	atomic_bool active;		/* counting, or accesses still wait */
	/* Invalidations that other CPUs broadcast. */
	atomic_bool has_pending;
	pthread_mutex_t lock;
	GArray *pending;		/* struct pgt_tlbi */
};

struct pgt_model {
	const struct pgt_tcg_plan *plan;
	unsigned int n_cpus;
	struct cpu *cpus;
	pthread_mutex_t lock;		/* guards what follows */
	unsigned int n_active;
	atomic_bool planting;		/* new blocks get our callbacks */
	struct qemu_plugin_scoreboard *fetches;	/* struct pgt_mmu_fetches */
	GArray *windows;		/* struct pgt_mmu_counts, from window 1 */
	atomic_bool bad_linear_map;
};

/* ---- making ---- */

static int read_kernel(void *opaque, uint64_t va, uint64_t *value)
{
	struct cpu *cpu = opaque;

	if (!qemu_plugin_read_memory_vaddr(va, cpu->bytes, sizeof(*value)))
		return -EFAULT;
	memcpy(value, cpu->bytes->data, sizeof(*value));
	return 0;
}

static int make_cpu(struct cpu *cpu, const struct pgt_core *core, struct pgt_diag *diag)
{
	const struct pgt_mmu_memory memory = { .read = read_kernel, .context = cpu, .ram = RAM };
	int err = pgt_mmu_init(&cpu->mmu, core, &memory, QUEUE_SIZE, diag);

	if (err)
		return err;
	pthread_mutex_init(&cpu->lock, NULL);
	cpu->bytes = g_byte_array_new();
	cpu->pending = g_array_new(FALSE, FALSE, sizeof(struct pgt_tlbi));
	return 0;
}

int pgt_model_make(struct pgt_model **out, const char *name, const struct pgt_tcg_plan *plan,
		   struct pgt_diag *diag)
{
	const struct pgt_core *core = pgt_core_find(name);
	struct pgt_model *model;
	int err = 0;

	if (!core)
		return pgt_fail(diag, -EINVAL, "model=%s: there is no such core; there are "
				"neoverse-n1, neoverse-v2 and cortex-a72", name);
	model = calloc(1, sizeof(*model));
	if (!model)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	model->plan = plan;
	model->cpus = calloc(plan->vcpus, sizeof(*model->cpus));
	pthread_mutex_init(&model->lock, NULL);
	model->fetches = qemu_plugin_scoreboard_new(sizeof(struct pgt_mmu_fetches));
	model->windows = g_array_new(FALSE, TRUE, sizeof(struct pgt_mmu_counts));
	if (!model->cpus)
		err = pgt_fail(diag, -ENOMEM, "out of memory");
	while (!err && model->n_cpus < plan->vcpus) {
		err = make_cpu(&model->cpus[model->n_cpus], core, diag);
		model->n_cpus += !err;
	}
	if (err) {
		pgt_model_free(model);
		return err;
	}
	*out = model;
	return 0;
}

void pgt_model_free(struct pgt_model *model)
{
	if (!model)
		return;
	for (unsigned int i = 0; i < model->n_cpus; i++) {
		pgt_mmu_release(&model->cpus[i].mmu);
		g_byte_array_free(model->cpus[i].bytes, TRUE);
		g_array_free(model->cpus[i].pending, TRUE);
		pthread_mutex_destroy(&model->cpus[i].lock);
	}
	g_array_free(model->windows, TRUE);
	pthread_mutex_destroy(&model->lock);
	free(model->cpus);
	free(model);
}

void pgt_model_on_cpu(struct pgt_model *model, unsigned int vcpu, const GArray *registers)
{
	struct cpu *cpu = &model->cpus[vcpu];
	char name[8];

	for (unsigned int i = 0; i < 31; i++) {
		snprintf(name, sizeof(name), "x%u", i);
		cpu->x[i] = pgt_tcg_register_find(registers, name);
	}
	cpu->ttbr0 = pgt_tcg_register_find(registers, "TTBR0_EL1");
	cpu->ttbr1 = pgt_tcg_register_find(registers, "TTBR1_EL1");
	cpu->tcr = pgt_tcg_register_find(registers, "TCR_EL1");
}

static uint64_t read_register(struct cpu *cpu, struct qemu_plugin_register *handle)
{
	return pgt_tcg_register_read(handle, cpu->bytes);
}

/* Register 31 reads as 0. */
static uint64_t read_x(struct cpu *cpu, unsigned int n)
{
	return n < 31 ? read_register(cpu, cpu->x[n]) : 0;
}

static struct cpu *active_cpu(unsigned int vcpu)
{
	struct cpu *cpu = &pgt_tcg.model->cpus[vcpu];

	return atomic_load_explicit(&cpu->active, memory_order_relaxed) ? cpu : NULL;
}

/* ---- windows ---- */

/* One CPU more, or less, has a window; blocks are translated anew for the first and the last. */
static void change_active(struct pgt_model *model, int by)
{
	bool before, after;

	pthread_mutex_lock(&model->lock);
	before = model->n_active;
	model->n_active = (unsigned int)((int)model->n_active + by);
	after = model->n_active;
	pthread_mutex_unlock(&model->lock);
	if (before != after)
		pgt_tcg_retranslate();
}

static void add_counts(struct pgt_mmu_counts *to, const struct pgt_mmu_counts *counts)
{
	for (int s = 0; s < PGT_N_MMU_STRUCTURES; s++) {
		for (int w = 0; w < PGT_N_WHERE; w++) {
			to->cells[s][w].accesses += counts->cells[s][w].accesses;
			to->cells[s][w].misses += counts->cells[s][w].misses;
		}
	}
	for (int i = 0; i < PGT_N_LEFT_OUT; i++)
		to->left_out[i] += counts->left_out[i];
}

/* Nothing of the CPU's window waits any more. */
static void finish_cpu(struct pgt_model *model, struct cpu *cpu)
{
	atomic_store(&cpu->active, false);
	if (cpu->mmu.bad_linear_map)
		atomic_store(&model->bad_linear_map, true);
	pthread_mutex_lock(&model->lock);
	if (model->windows->len < cpu->window)
		g_array_set_size(model->windows, (guint)cpu->window);
	add_counts(&g_array_index(model->windows, struct pgt_mmu_counts, cpu->window - 1),
		   &cpu->mmu.counts);
	pthread_mutex_unlock(&model->lock);
}

void pgt_model_open(struct pgt_model *model, unsigned int vcpu, uint64_t window)
{
	struct cpu *cpu = &model->cpus[vcpu];
	const struct pgt_regime regime = {
		.ttbr0 = read_register(cpu, cpu->ttbr0), .ttbr1 = read_register(cpu, cpu->ttbr1),
		.tcr = read_register(cpu, cpu->tcr),
	};

	if (atomic_load(&cpu->active)) {
		pgt_mmu_give_up(&cpu->mmu);
		finish_cpu(model, cpu);
		change_active(model, -1);
	}
	cpu->mmu.fetches = qemu_plugin_scoreboard_find(model->fetches, vcpu);
	pgt_mmu_start(&cpu->mmu, &regime, model->plan->image_start, model->plan->image_end);
	cpu->window = window;
	pthread_mutex_lock(&cpu->lock);
	g_array_set_size(cpu->pending, 0);
	atomic_store(&cpu->has_pending, false);
	atomic_store(&cpu->active, true);
	pthread_mutex_unlock(&cpu->lock);
	change_active(model, 1);
}

void pgt_model_close(struct pgt_model *model, unsigned int vcpu)
{
	struct cpu *cpu = active_cpu(vcpu);

	if (!cpu)
		return;
	pgt_mmu_stop(&cpu->mmu);
	if (pgt_mmu_is_done(&cpu->mmu)) {
		finish_cpu(model, cpu);
		change_active(model, -1);
	}
}

void pgt_model_on_reset(struct pgt_model *model)
{
	pthread_mutex_lock(&model->lock);
	atomic_store(&model->planting, model->n_active > 0);
	pthread_mutex_unlock(&model->lock);
}

void pgt_model_finish(struct pgt_model *model)
{
	for (unsigned int i = 0; i < model->n_cpus; i++) {
		struct cpu *cpu = &model->cpus[i];

		if (!atomic_load(&cpu->active))
			continue;
		pgt_mmu_stop(&cpu->mmu);
		pgt_mmu_give_up(&cpu->mmu);
		finish_cpu(model, cpu);
	}
}

/* ---- what executes ---- */

static void take_pending(struct cpu *cpu)
{
	pthread_mutex_lock(&cpu->lock);
	for (guint i = 0; i < cpu->pending->len; i++)
		pgt_mmu_invalidate(&cpu->mmu, &g_array_index(cpu->pending, struct pgt_tlbi, i));
	g_array_set_size(cpu->pending, 0);
	atomic_store(&cpu->has_pending, false);
	pthread_mutex_unlock(&cpu->lock);
}

/* A block of another page than the one before, or one that goes on in the next page. */
static void on_block(unsigned int vcpu, void *address_and_crosses)
{
	uint64_t first = (uintptr_t)address_and_crosses & ~CROSSES;
	struct cpu *cpu = active_cpu(vcpu);

	if (!cpu)
		return;
	if (atomic_load_explicit(&cpu->has_pending, memory_order_relaxed))
		take_pending(cpu);
	if ((uintptr_t)address_and_crosses & CROSSES)
		pgt_mmu_fetch_across(&cpu->mmu, first, (first | PAGE_MASK) + 1);
	else
		pgt_mmu_fetch(&cpu->mmu, first);
	if (pgt_mmu_is_done(&cpu->mmu)) {
		finish_cpu(pgt_tcg.model, cpu);
		change_active(pgt_tcg.model, -1);
	}
}

static void on_data(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t va, void *unused)
{
	struct cpu *cpu = active_cpu(vcpu);

	(void)unused;
	if (cpu)
		pgt_mmu_data(&cpu->mmu, va, UINT64_C(1) << qemu_plugin_mem_size_shift(info));
}

/* DC or IC by address. */
static void on_cache(unsigned int vcpu, void *word)
{
	struct cpu *cpu = active_cpu(vcpu);

	if (cpu)
		pgt_mmu_data(&cpu->mmu, read_x(cpu, (uintptr_t)word & 31), 1);
}

static void access_all(struct cpu *cpu, unsigned int start, uint64_t n)
{
	if (n && n <= COPY_MAX)
		pgt_mmu_data(&cpu->mmu, read_x(cpu, start), n);
}

/* The first of the three instructions of a memory copy or set. */
static void on_copy(unsigned int vcpu, void *opaque)
{
	uint32_t word = (uint32_t)(uintptr_t)opaque;
	struct cpu *cpu = active_cpu(vcpu);
	uint64_t n;

	if (!cpu)
		return;
	n = read_x(cpu, pgt_access_rn(word));
	if (pgt_access_of(word) == PGT_ACCESS_COPY)
		access_all(cpu, pgt_access_rs(word), n);
	access_all(cpu, pgt_access_rd(word), n);
}

static void on_unseen(unsigned int vcpu, void *unused)
{
	struct cpu *cpu = active_cpu(vcpu);

	(void)unused;
	if (cpu && cpu->mmu.counting)
		cpu->mmu.counts.left_out[PGT_LEFT_OUT_UNSEEN]++;
}

/* The register will hold the value before anything else is accessed. */
static void on_msr(unsigned int vcpu, void *opaque)
{
	uint32_t word = (uint32_t)(uintptr_t)opaque;
	struct cpu *cpu = active_cpu(vcpu);
	struct pgt_regime regime;
	uint64_t value;

	if (!cpu)
		return;
	regime = cpu->mmu.regime;
	value = read_x(cpu, word & 31);
	switch (pgt_access_of(word)) {
	case PGT_ACCESS_TTBR0:
		regime.ttbr0 = value;
		break;
	case PGT_ACCESS_TTBR1:
		regime.ttbr1 = value;
		break;
	default:
		regime.tcr = value;
	}
	pgt_mmu_set_regime(&cpu->mmu, &regime);
}

static void send(struct cpu *cpu, const struct pgt_tlbi *tlbi)
{
	pthread_mutex_lock(&cpu->lock);
	if (atomic_load(&cpu->active)) {
		g_array_append_val(cpu->pending, *tlbi);
		atomic_store(&cpu->has_pending, true);
		/* Its next block calls, unless it is writing this itself: then the next page's. */
		__atomic_store_n(&cpu->mmu.fetches->page, UINT64_MAX, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&cpu->lock);
}

/* Also executed by CPUs that have no window open, for those that have. */
static void on_tlbi(unsigned int vcpu, void *opaque)
{
	uint32_t word = (uint32_t)(uintptr_t)opaque;
	struct pgt_model *model = pgt_tcg.model;
	struct cpu *own = &model->cpus[vcpu];
	struct pgt_regime regime = { .tcr = read_register(own, own->tcr) };
	struct pgt_tlbi tlbi = pgt_tlbi_decode(word, read_x(own, pgt_tlbi_register(word)),
					       pgt_regime_is_wide(&regime));

	if (tlbi.what == PGT_TLBI_NOTHING)
		return;
	if (atomic_load(&own->active))
		pgt_mmu_invalidate(&own->mmu, &tlbi);
	for (unsigned int i = 0; tlbi.broadcast && i < model->n_cpus; i++)
		if (i != vcpu)
			send(&model->cpus[i], &tlbi);
}

/* ---- translation ---- */

/* What is called before an instruction of a kind. */
static qemu_plugin_vcpu_udata_cb_t callback_of(enum pgt_access access)
{
	switch (access) {
	case PGT_ACCESS_CACHE:
		return on_cache;
	case PGT_ACCESS_COPY:
	case PGT_ACCESS_SET:
		return on_copy;
	case PGT_ACCESS_UNSEEN:
		return on_unseen;
	case PGT_ACCESS_TLBI:
		return on_tlbi;
	case PGT_ACCESS_TTBR0:
	case PGT_ACCESS_TTBR1:
	case PGT_ACCESS_TCR:
		return on_msr;
	case PGT_ACCESS_NONE:
	case PGT_ACCESS_SHOWN:
		break;
	}
	return NULL;
}

static void translate_insn(struct qemu_plugin_insn *insn)
{
	qemu_plugin_vcpu_udata_cb_t call;
	enum pgt_access access;
	uint32_t word;

	if (qemu_plugin_insn_data(insn, &word, sizeof(word)) != sizeof(word))
		return;
	access = pgt_access_of(word);
	call = callback_of(access);
	if (call)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, call, QEMU_PLUGIN_CB_R_REGS,
						       (void *)(uintptr_t)word);
	if (access == PGT_ACCESS_SHOWN)
		qemu_plugin_register_vcpu_mem_cb(insn, on_data, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_RW, NULL);
}

static void translate_block(struct pgt_model *model, struct qemu_plugin_tb *tb, uint64_t first,
			    uint64_t last)
{
	const qemu_plugin_u64 page = { model->fetches, offsetof(struct pgt_mmu_fetches, page) };
	const qemu_plugin_u64 n = { model->fetches, offsetof(struct pgt_mmu_fetches, n) };

	if ((first | PAGE_MASK) < last) {
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS,
						     (void *)(uintptr_t)(first | CROSSES));
		return;
	}
	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS,
						  QEMU_PLUGIN_COND_NE, page,
						  pgt_mmu_page_of(first),
						  (void *)(uintptr_t)first);
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64, n, 1);
}

void pgt_model_translate(struct pgt_model *model, struct qemu_plugin_tb *tb)
{
	uint64_t first = qemu_plugin_tb_vaddr(tb);
	size_t n = qemu_plugin_tb_n_insns(tb);

	if (!atomic_load(&model->planting))
		return;
	translate_block(model, tb, first, first + 4 * (n - 1));
	for (size_t i = 0; i < n; i++)
		translate_insn(qemu_plugin_tb_get_insn(tb, i));
}

/* ---- the result ---- */

const char *pgt_model_lost(const struct pgt_model *model)
{
	return atomic_load(&model->bad_linear_map) ?
		"the TLB model found no linear map of the memory at 0x40000000 where the kernel's "
		"TCR says: boot with nokaslr on the machine \"virt\"" : NULL;
}

static uint64_t print_window(const struct pgt_mmu_counts *counts, unsigned int window, FILE *stream)
{
	uint64_t lines = 0;

	for (int s = 0; s < PGT_N_MMU_STRUCTURES; s++) {
		for (int w = 0; w < PGT_N_WHERE; w++, lines++) {
			const struct pgt_mmu_cell *cell = &counts->cells[s][w];

			fprintf(stream, "{\"type\":\"model\",\"window\":%u,\"structure\":\"%s\","
				"\"where\":\"%s\",\"accesses\":%" PRIu64 ",\"misses\":%" PRIu64
				"}\n", window, pgt_mmu_structure_name((enum pgt_mmu_structure)s),
				pgt_where_name((enum pgt_where)w), cell->accesses, cell->misses);
		}
	}
	for (int i = 0; i < PGT_N_LEFT_OUT; i++, lines++)
		fprintf(stream, "{\"type\":\"model_left_out\",\"window\":%u,\"what\":\"%s\","
			"\"n\":%" PRIu64 "}\n", window,
			pgt_mmu_left_out_name((enum pgt_mmu_left_out)i), counts->left_out[i]);
	return lines;
}

void pgt_model_print(const struct pgt_model *model, FILE *stream, uint64_t *lines)
{
	for (guint i = 0; i < model->windows->len; i++)
		*lines += print_window(&g_array_index(model->windows, struct pgt_mmu_counts, i),
				       i + 1, stream);
}
