/* SPDX-License-Identifier: GPL-2.0-only */
/* plan.c: which of a small kernel's functions stand for which probe. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/plan.h"

#include "kernel.h"

enum { CREATE, VMAP, FLUSH, UNMAP };	/* as in pgt_probes[] */

#define ALL	(1u << CREATE | 1u << VMAP | 1u << FLUSH | 1u << UNMAP)

/* The text's functions, four bytes each; "a=b" gives an address two names. */
static struct pgt_ksyms kernel_of(const char *const *names, size_t n)
{
	struct kernel kernel;
	struct pgt_ksyms ksyms;

	kernel_init(&kernel);
	for (size_t i = 0; i < n; i++) {
		char name[64];
		char *twin;

		snprintf(name, sizeof(name), "%s", names[i]);
		twin = strchr(name, '=');
		if (twin) {
			*twin = '\0';
			kernel_symbol(&kernel, twin + 1);
		}
		kernel_symbol(&kernel, name);
		kernel_insn(&kernel, RET);
	}
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	ksyms = kernel.ksyms;
	kernel.ksyms = (struct pgt_ksyms){ 0 };
	kernel_release(&kernel);
	return ksyms;
}

#define KERNEL_OF(...) kernel_of((const char *const[]){ __VA_ARGS__ },		\
	sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static struct pgt_plan plan_of(const struct pgt_ksyms *ksyms, unsigned int probes)
{
	struct pgt_plan plan;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_plan_make(&plan, "arm64", ksyms, probes, &diag)), "%s", diag.text);
	return plan;
}

static const struct pgt_plan_func *planned(const struct pgt_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n; i++)
		if (!strcmp(plan->func[i].symbol->name, name))
			return &plan->func[i];
	cr_fail("%s is not planned", name);
	return NULL;
}

Test(plan, every_copy_by_its_address)
{
	struct pgt_ksyms ksyms = KERNEL_OF("start", "tlb_flush", "__flush_tlb_range.isra.0",
		"__flush_tlb_range.isra.0", "__flush_tlb_range.constprop.0", "vmap_range_noflush",
		"init_pte.constprop.0.cold", "vmap_range_noflushed", "try_to_unmap_one");
	struct pgt_plan plan = plan_of(&ksyms, ALL);

	cr_expect(eq(sz, plan.n, 6));
	cr_expect(eq(u32, plan.probes, ALL));
	cr_expect(eq(int, planned(&plan, "tlb_flush")->probe, FLUSH));
	cr_expect(eq(int, (int)planned(&plan, "tlb_flush")->row->pages, (int)PGT_PAGES_GATHER));
	cr_expect(planned(&plan, "tlb_flush")->unique);
	cr_expect(not(planned(&plan, "__flush_tlb_range.isra.0")->unique), "two have this name");
	cr_expect(planned(&plan, "__flush_tlb_range.constprop.0")->unique);
	cr_expect(eq(int, planned(&plan, "vmap_range_noflush")->probe, VMAP));
	cr_expect(eq(int, planned(&plan, "try_to_unmap_one")->probe, UNMAP));
	for (size_t i = 0; i < plan.n; i++) {
		cr_expect(eq(int, (int)plan.func[i].mechanism, (int)PGT_MECHANISM_NONE));
		cr_expect(eq(str, plan.func[i].reason, ""));
		cr_expect(eq(sz, plan.func[i].n_blind, 0));
		for (size_t k = 0; k < i; k++)
			cr_expect(ne(u64, plan.func[i].symbol->address, plan.func[k].symbol->address));
	}
	pgt_plan_release(&plan);
	pgt_plan_release(&plan);	/* harmless */
	pgt_ksyms_release(&ksyms);
}

/* By a name that is not the one shown, and once also where both names are in the catalogue. */
Test(plan, aliases_are_one_function)
{
	struct pgt_ksyms ksyms = KERNEL_OF("start", "__create_pgd_mapping_locked=Create_kpti_ng_temp_pgd",
					   "__create_pgd_mapping=early_create_pgd_mapping");
	struct pgt_plan plan = plan_of(&ksyms, 1u << CREATE);

	cr_assert(eq(sz, plan.n, 2));
	cr_expect(eq(u64, planned(&plan, "__create_pgd_mapping_locked")->symbol->address,
		     KERNEL_START + 4));
	cr_expect(eq(u64, planned(&plan, "__create_pgd_mapping")->symbol->address, KERNEL_START + 8));
	cr_expect(planned(&plan, "__create_pgd_mapping")->unique);
	pgt_plan_release(&plan);
	pgt_ksyms_release(&ksyms);
}

Test(plan, only_what_was_asked_for_and_is_there)
{
	struct pgt_ksyms ksyms = KERNEL_OF("start", "tlb_flush", "try_to_unmap_one");
	struct pgt_plan plan = plan_of(&ksyms, 1u << FLUSH | 1u << VMAP);

	cr_expect(eq(sz, plan.n, 1));
	cr_expect(pgt_plan_has(&plan, FLUSH));
	cr_expect(not(pgt_plan_has(&plan, VMAP)), "not there");
	cr_expect(not(pgt_plan_has(&plan, UNMAP)), "not asked for");
	pgt_plan_release(&plan);
	plan = plan_of(&ksyms, 0);
	cr_expect(eq(sz, plan.n, 0));
	cr_expect(not(pgt_plan_has(&plan, FLUSH)));
	pgt_plan_release(&plan);
	pgt_ksyms_release(&ksyms);
}

/* Functions that are only part of a probe's work cannot say how often the probe was called. */
Test(plan, parts_alone_are_no_probe)
{
	struct pgt_ksyms ksyms = KERNEL_OF("start", "alloc_init_pud", "init_pte");
	struct pgt_plan plan = plan_of(&ksyms, ALL);

	cr_expect(eq(sz, plan.n, 2));
	cr_expect(not(pgt_plan_has(&plan, CREATE)));
	pgt_plan_release(&plan);
	pgt_ksyms_release(&ksyms);
}

Test(plan, another_architecture_has_other_rows)
{
	struct pgt_ksyms ksyms = KERNEL_OF("start", "tlb_flush");
	struct pgt_plan plan;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_plan_make(&plan, "none", &ksyms, ALL, &diag)));
	cr_expect(eq(sz, plan.n, 0));
	pgt_plan_release(&plan);
	pgt_ksyms_release(&ksyms);
}

static int plan_copies(size_t n, struct pgt_plan *plan, struct pgt_diag *diag)
{
	const char *names[PGT_FUNC_MAX + 1];
	struct pgt_ksyms ksyms;
	int err;

	for (size_t i = 0; i < n; i++)
		names[i] = "tlb_flush.isra.0";
	ksyms = kernel_of(names, n);
	err = pgt_plan_make(plan, "arm64", &ksyms, ALL, diag);
	pgt_ksyms_release(&ksyms);
	return err;
}

Test(plan, as_many_copies_as_fit)
{
	struct pgt_plan plan = { .n = 7 };
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, plan_copies(PGT_FUNC_MAX + 1, &plan, &diag), -E2BIG));
	cr_expect(eq(str, diag.text, "tlb_flush.isra.0: more than 96 functions to probe: "
		     "name fewer with --probes"));
	cr_expect(eq(sz, plan.n, 7), "*out must be untouched on failure");
	cr_assert(zero(int, plan_copies(PGT_FUNC_MAX, &plan, &diag)));
	cr_expect(eq(sz, plan.n, PGT_FUNC_MAX));
	pgt_plan_release(&plan);
}

Test(plan, names_of_mechanisms)
{
	cr_expect(zero(ptr, (void *)pgt_mechanism_name(PGT_MECHANISM_NONE)));
	cr_expect(eq(str, (char *)pgt_mechanism_name(PGT_MECHANISM_FENTRY), "fentry"));
	cr_expect(eq(str, (char *)pgt_mechanism_name(PGT_MECHANISM_KPROBE), "kprobe"));
	cr_expect(eq(str, (char *)pgt_mechanism_name(PGT_MECHANISM_KRETPROBE), "kretprobe"));
	cr_expect(eq(str, (char *)pgt_mechanism_name(PGT_MECHANISM_CALL_SITE), "call-site"));
}
