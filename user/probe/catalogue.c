/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/catalogue.h"

#include <string.h>

const struct pgt_probe pgt_probes[] = {
	{ "create_pgd_mapping", "linear-map page tables are written (boot, memory hot-add)" },
	{ "vmap_pte_range", "kernel pages are mapped (vmalloc, vmap, ioremap, modules)" },
	{ "flush_tlb", "TLB entries are invalidated, for user or kernel addresses" },
	{ "try_to_unmap_one", "one folio's mapping is removed (reclaim, migration)" },
};
const size_t pgt_n_probes = sizeof(pgt_probes) / sizeof(pgt_probes[0]);

_Static_assert(sizeof(pgt_probes) / sizeof(pgt_probes[0]) <= PGT_PROBE_MAX, "bits of a mask");

/*
 * Arguments are those of Linux 6.1 to 7.3.  Where a function of a probe calls another of
 * the same probe, only the outermost call counts, so a row more can never count twice.
 */
const struct pgt_catalogue_row pgt_catalogue[] = {
	/* arch/arm64/mm/mmu.c: (pgdir, phys, virt, size, ...) */
	{ "arm64", "create_pgd_mapping", "__create_pgd_mapping", PGT_PAGES_BYTES, 3 },
	{ "arm64", "create_pgd_mapping", "__create_pgd_mapping_locked", PGT_PAGES_BYTES, 3 },
	{ "arm64", "create_pgd_mapping", "early_create_pgd_mapping", PGT_PAGES_BYTES, 3 },
	{ "arm64", "create_pgd_mapping", "alloc_init_pud", PGT_PAGES_SPAN, 0 },
	{ "arm64", "create_pgd_mapping", "alloc_init_cont_pmd", PGT_PAGES_SPAN, 0 },
	{ "arm64", "create_pgd_mapping", "alloc_init_cont_pte", PGT_PAGES_SPAN, 0 },
	{ "arm64", "create_pgd_mapping", "init_pmd", PGT_PAGES_SPAN, 0 },
	{ "arm64", "create_pgd_mapping", "init_pte", PGT_PAGES_SPAN, 0 },

	/* mm/vmalloc.c: (addr, end, ...); the tables' own levels: (table, addr, end, ...) */
	{ "arm64", "vmap_pte_range", "vmap_range_noflush", PGT_PAGES_RANGE, 0 },
	{ "arm64", "vmap_pte_range", "vmap_small_pages_range_noflush", PGT_PAGES_RANGE, 0 },
	{ "arm64", "vmap_pte_range", "vmap_pte_range", PGT_PAGES_RANGE, 1 },
	{ "arm64", "vmap_pte_range", "vmap_pages_pte_range", PGT_PAGES_RANGE, 1 },

	/* arch/arm64/include/asm/tlbflush.h, as far as the compiler kept copies of it */
	{ "arm64", "flush_tlb", "flush_tlb_all", PGT_PAGES_FULL, 0 },
	{ "arm64", "flush_tlb", "local_flush_tlb_all", PGT_PAGES_FULL, 0 },
	{ "arm64", "flush_tlb", "flush_tlb_mm", PGT_PAGES_FULL, 0 },
	{ "arm64", "flush_tlb", "flush_tlb_page", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "flush_tlb_page_nosync", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "__flush_tlb_page_nosync", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "__flush_tlb_page", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "flush_tlb_range", PGT_PAGES_RANGE, 1 },
	{ "arm64", "flush_tlb", "__flush_tlb_range", PGT_PAGES_RANGE, 1 },
	{ "arm64", "flush_tlb", "__flush_tlb_range_nosync", PGT_PAGES_RANGE, 1 },
	{ "arm64", "flush_tlb", "__do_flush_tlb_range", PGT_PAGES_RANGE, 1 },
	{ "arm64", "flush_tlb", "flush_tlb_kernel_range", PGT_PAGES_RANGE, 0 },
	{ "arm64", "flush_tlb", "__flush_tlb_kernel_pgtable", PGT_PAGES_NONE, 0 },
	{ "arm64", "flush_tlb", "arch_tlbbatch_add_pending", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "arch_tlbbatch_flush", PGT_PAGES_NONE, 0 },
	/* arch/arm64/include/asm/tlb.h, inlined into or copied beside mm/mmu_gather.c */
	{ "arm64", "flush_tlb", "tlb_flush", PGT_PAGES_GATHER, 0 },
	/* mm/pgtable-generic.c and mm/rmap.c: functions whose whole purpose is a flush */
	{ "arm64", "flush_tlb", "ptep_clear_flush", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "pmdp_huge_clear_flush", PGT_PAGES_PMD, 0 },
	{ "arm64", "flush_tlb", "pmdp_collapse_flush", PGT_PAGES_PMD, 0 },
	{ "arm64", "flush_tlb", "pmdp_invalidate", PGT_PAGES_PMD, 0 },
	{ "arm64", "flush_tlb", "set_tlb_ubc_flush_pending", PGT_PAGES_ONE, 0 },
	{ "arm64", "flush_tlb", "try_to_unmap_flush", PGT_PAGES_NONE, 0 },
	/* flush only where something is pending: part of the work, not always a flush */
	{ "arm64", "flush_tlb", "try_to_unmap_flush_dirty", PGT_PAGES_SPAN, 0 },
	{ "arm64", "flush_tlb", "flush_tlb_batched_pending", PGT_PAGES_SPAN, 0 },

	/* mm/rmap.c: (folio, vma, address, arg) */
	{ "arm64", "try_to_unmap_one", "try_to_unmap_one", PGT_PAGES_FOLIO, 0 },
};
const size_t pgt_n_catalogue = sizeof(pgt_catalogue) / sizeof(pgt_catalogue[0]);

/*
 * paging_init() maps all memory, and the kernel's own image besides.  map_mem(), the part of it
 * that maps memory, is a function of its own in none of Debian's kernels.
 */
const struct pgt_scope_row pgt_scopes[] = {
	/* arch/arm64/mm/mmu.c */
	{ "arm64", "linear_map", "paging_init", PGT_PAGES_NONE, 0, "create_pgd_mapping", true },
	/* the same: (nid, start, size, ...) */
	{ "arm64", "add_memory", "arch_add_memory", PGT_PAGES_BYTES, 2, NULL, false },
};
const size_t pgt_n_scopes = sizeof(pgt_scopes) / sizeof(pgt_scopes[0]);

int pgt_probe_find(const char *name)
{
	for (size_t i = 0; i < pgt_n_probes; i++)
		if (!strcmp(pgt_probes[i].name, name))
			return (int)i;
	return -1;
}

bool pgt_symbol_is(const char *symbol, const char *function)
{
	size_t n = strlen(function);

	return !strncmp(symbol, function, n) && (symbol[n] == '\0' || symbol[n] == '.');
}

bool pgt_symbol_is_part(const char *symbol)
{
	return strstr(symbol, ".cold") != NULL;
}

const struct pgt_catalogue_row *pgt_catalogue_of(const char *arch, const char *symbol)
{
	for (size_t i = 0; i < pgt_n_catalogue; i++)
		if (!strcmp(pgt_catalogue[i].arch, arch) &&
		    pgt_symbol_is(symbol, pgt_catalogue[i].function))
			return &pgt_catalogue[i];
	return NULL;
}

static const struct {
	const char *arch, *function;
} incidental[] = {
	/* switching from one task to another */
	{ "arm64", "__schedule" },
	{ "arm64", "__switch_to" },
	{ "arm64", "cpu_switch_to" },
	{ "arm64", "cpu_do_switch_mm" },
	{ "arm64", "check_and_switch_context" },
	{ "arm64", "finish_task_switch" },
	/*
	 * drivers/clocksource/arm_arch_timer.c: the clock, which the scheduler reads before it
	 * switches.  With FEAT_ECV that takes no ISB.
	 */
	{ "arm64", "arch_counter_get_cntpct" },
	{ "arm64", "arch_counter_get_cntpct_stable" },
	{ "arm64", "arch_counter_get_cntvct" },
	{ "arm64", "arch_counter_get_cntvct_stable" },
	{ "arm64", "raw_counter_get_cntpct_stable" },
	{ "arm64", "raw_counter_get_cntvct_stable" },
	/* the same: the timer, which it may set */
	{ "arm64", "arch_timer_set_next_event_phys" },
	{ "arm64", "arch_timer_set_next_event_virt" },
	{ "arm64", "erratum_set_next_event_phys" },
	{ "arm64", "erratum_set_next_event_virt" },
};

bool pgt_symbol_is_incidental(const char *arch, const char *symbol)
{
	for (size_t i = 0; i < sizeof(incidental) / sizeof(incidental[0]); i++)
		if (!strcmp(incidental[i].arch, arch) &&
		    pgt_symbol_is(symbol, incidental[i].function))
			return true;
	return false;
}

/* Names, or with a '*' at the end the beginnings of names. */
static const struct {
	const char *arch, *pattern;
} asynchronous[] = {
	/* arch/arm64/kernel/entry.S: the vectors and what they branch to */
	{ "arm64", "vectors" },
	{ "arm64", "el0t_*" },
	{ "arm64", "el1t_*" },
	{ "arm64", "el1h_*" },
	{ "arm64", "__bad_stack" },
	{ "arm64", "__sdei_*" },
	{ "arm64", "__bp_harden_el1_vectors" },
	/* handlers called by way of a table of pointers: interrupts and debug exceptions */
	{ "arm64", "gic_handle_irq" },
	{ "arm64", "breakpoint_handler" },
	{ "arm64", "watchpoint_handler" },
	{ "arm64", "single_step_handler" },
	/* bringing a CPU up, idling it and waking it */
	{ "arm64", "secondary_start_kernel" },
	{ "arm64", "__secondary_switched" },
	{ "arm64", "_cpu_resume" },
	{ "arm64", "cpu_do_resume" },
	{ "arm64", "psci_enter_idle_state" },
	{ "arm64", "acpi_idle_lpi_enter" },
	/* a KVM host's own vectors and the world switch of its vCPU threads */
	{ "arm64", "__kvm_hyp_vector" },
	{ "arm64", "kvm_hyp_*" },
	{ "arm64", "abort_guest_exit_*" },
	{ "arm64", "el1_trap" },
	{ "arm64", "el1_sync" },
	{ "arm64", "el2_*" },
	/* callbacks of stop_machine(), of an IPI, of a sysctl: on other tasks */
	{ "arm64", "aarch64_insn_patch_text_cb" },
	{ "arm64", "__ftrace_modify_code" },
	{ "arm64", "rb_flush_buffer_cb" },
	{ "arm64", "ftrace_enable_sysctl" },
	/* constants written into the text, at boot and when a module is loaded */
	{ "arm64", "__runtime_fixup_*" },
	/* ftrace rewriting functions' entries, when tracing is switched on or off */
	{ "arm64", "ftrace_modify_all_code" },
};

bool pgt_symbol_is_asynchronous(const char *arch, const char *symbol)
{
	for (size_t i = 0; i < sizeof(asynchronous) / sizeof(asynchronous[0]); i++) {
		const char *pattern = asynchronous[i].pattern;
		size_t n = strcspn(pattern, "*");

		if (strcmp(asynchronous[i].arch, arch))
			continue;
		if (pattern[n] ? !strncmp(symbol, pattern, n) : pgt_symbol_is(symbol, pattern))
			return true;
	}
	return false;
}
