/* SPDX-License-Identifier: GPL-2.0-only */
/* catalogue.c: names of symbols, and rows that agree with each other. */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "probe/catalogue.h"
#include "probe/insn.h"

Test(catalogue, copies_of_a_function_are_the_function)
{
	const struct {
		const char *symbol, *function;
		bool is, is_part;
	} cases[] = {
		{ "init_pte", "init_pte", true, false },
		{ "init_pte.isra.0", "init_pte", true, false },
		{ "init_pte.constprop.0.isra.1", "init_pte", true, false },
		{ "init_pte.llvm.123", "init_pte", true, false },
		{ "init_pte.cold", "init_pte", true, true },
		{ "init_pte.constprop.0.cold", "init_pte", true, true },
		{ "init_pte.cold.7", "init_pte", true, true },
		{ "init_ptes", "init_pte", false, false },
		{ "init_pt", "init_pte", false, false },
		{ "__init_pte", "init_pte", false, false },
		{ "init_pte_cold", "init_pte", false, false },
		{ "", "init_pte", false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect(eq(int, pgt_symbol_is(cases[i].symbol, cases[i].function), cases[i].is), "%s",
			  cases[i].symbol);
		cr_expect(eq(int, pgt_symbol_is_part(cases[i].symbol), cases[i].is_part), "%s",
			  cases[i].symbol);
	}
}

Test(catalogue, probes_are_found_by_name)
{
	cr_assert(ge(sz, pgt_n_probes, 4));
	for (size_t i = 0; i < pgt_n_probes; i++) {
		cr_expect(eq(int, pgt_probe_find(pgt_probes[i].name), (int)i), "%s", pgt_probes[i].name);
		cr_expect(ne(sz, strlen(pgt_probes[i].help), 0), "%s", pgt_probes[i].name);
	}
	cr_expect(eq(int, pgt_probe_find("flush"), -1));
	cr_expect(eq(int, pgt_probe_find("flush_tlb_mm"), -1));
	cr_expect(eq(int, pgt_probe_find(""), -1));
}

/* In these names the recording and the report find the probe again. */
Test(catalogue, names_of_probes_can_stand_in_a_metric)
{
	for (size_t i = 0; i < pgt_n_probes; i++) {
		const char *name = pgt_probes[i].name;

		cr_expect(eq(sz, strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name)),
			  "%s", name);
		cr_expect(ne(str, (char *)name, "outside"));
		cr_expect(ne(str, (char *)name, "interrupt"));
		cr_expect(ne(str, (char *)name, "window"));
	}
}

Test(catalogue, every_row_is_sound)
{
	for (size_t i = 0; i < pgt_n_catalogue; i++) {
		const struct pgt_catalogue_row *row = &pgt_catalogue[i];

		cr_expect(ne(int, pgt_probe_find(row->probe), -1), "%s: no probe %s", row->function,
			  row->probe);
		cr_expect(not(zero(ptr, (void *)pgt_insn_decoder_find(row->arch))), "%s: %s",
			  row->function, row->arch);
		cr_expect(zero(ptr, strchr(row->function, '.')), "%s", row->function);
		cr_expect(le(int, row->arg + (row->pages == PGT_PAGES_RANGE), 4),
			  "%s: the programs read five arguments", row->function);
		for (size_t k = 0; k < i; k++)
			cr_expect(strcmp(row->arch, pgt_catalogue[k].arch) ||
				  strcmp(row->function, pgt_catalogue[k].function),
				  "%s is there twice", row->function);
	}
}

/* A probe with parts only could never count a call. */
Test(catalogue, every_probe_has_a_function_to_call)
{
	for (size_t p = 0; p < pgt_n_probes; p++) {
		size_t n = 0;

		for (size_t i = 0; i < pgt_n_catalogue; i++)
			n += !strcmp(pgt_catalogue[i].arch, "arm64") &&
			     !strcmp(pgt_catalogue[i].probe, pgt_probes[p].name) &&
			     pgt_catalogue[i].pages != PGT_PAGES_SPAN;
		cr_expect(gt(sz, n, 0), "%s", pgt_probes[p].name);
	}
}

static const char *probe_of(const char *arch, const char *symbol)
{
	const struct pgt_catalogue_row *row = pgt_catalogue_of(arch, symbol);

	return row ? row->probe : "none";
}

Test(catalogue, row_of_a_symbol)
{
	const struct {
		const char *arch, *symbol, *probe;
	} cases[] = {
		{ "arm64", "__create_pgd_mapping_locked", "create_pgd_mapping" },
		{ "arm64", "init_pte.constprop.0.cold", "create_pgd_mapping" },
		{ "arm64", "vmap_small_pages_range_noflush", "vmap_pte_range" },
		{ "arm64", "__flush_tlb_range_nosync.isra.0", "flush_tlb" },
		{ "arm64", "flush_tlb_kernel_range", "flush_tlb" },
		{ "arm64", "try_to_unmap_one", "try_to_unmap_one" },
		{ "arm64", "try_to_unmap", "none" },
		{ "arm64", "vmap_small_pages_range", "none" },
		{ "arm", "try_to_unmap_one", "none" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(str, (char *)probe_of(cases[i].arch, cases[i].symbol),
			     (char *)cases[i].probe), "%s", cases[i].symbol);
}

Test(catalogue, functions_entered_otherwise_than_by_a_call)
{
	const struct {
		const char *arch, *symbol;
		bool asynchronous, incidental;
	} cases[] = {
		{ "arm64", "vectors", true, false },
		{ "arm64", "el1h_64_irq", true, false },
		{ "arm64", "el1h_64_irq_handler", true, false },
		{ "arm64", "el1h", false, false },
		{ "arm64", "el2_setup", true, false },
		{ "arm64", "__kvm_hyp_vector", true, false },
		{ "arm64", "__kvm_hyp_vector_more", false, false },
		{ "arm64", "gic_handle_irq.isra.0", true, false },
		{ "arm64", "secondary_start_kernel", true, false },
		{ "arm64", "__schedule", false, true },
		{ "arm64", "__schedule_bug", false, false },
		{ "arm64", "finish_task_switch.isra.0", false, true },
		{ "arm64", "cpu_switch_to", false, true },
		{ "arm64", "arch_counter_get_cntvct", false, true },
		{ "arm64", "arch_counter_get_cntvct_mem", false, false },
		{ "arm64", "arch_timer_set_next_event_virt", false, true },
		{ "arm64", "schedule", false, false },
		{ "arm64", "vmap_range_noflush", false, false },
		{ "arm", "vectors", false, false },
		{ "arm", "__schedule", false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect(eq(int, pgt_symbol_is_asynchronous(cases[i].arch, cases[i].symbol),
			     cases[i].asynchronous), "%s", cases[i].symbol);
		cr_expect(eq(int, pgt_symbol_is_incidental(cases[i].arch, cases[i].symbol),
			     cases[i].incidental), "%s", cases[i].symbol);
	}
}

/* What belongs to a probe is called, and its work is the probe's. */
Test(catalogue, no_function_is_two_things)
{
	for (size_t i = 0; i < pgt_n_catalogue; i++) {
		const struct pgt_catalogue_row *row = &pgt_catalogue[i];

		cr_expect(not(pgt_symbol_is_asynchronous(row->arch, row->function)), "%s", row->function);
		cr_expect(not(pgt_symbol_is_incidental(row->arch, row->function)), "%s", row->function);
	}
}
