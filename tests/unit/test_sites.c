/* SPDX-License-Identifier: GPL-2.0-only */
/* sites.c on a small kernel: sites, whose they are, what reaches them, calls and returns. */
#include <errno.h>

#include "probe/catalogue.h"

#include "kernel.h"

static struct pgt_sites sites_of(struct kernel *kernel)
{
	struct pgt_diag diag = { "" };
	struct pgt_sites sites;

	kernel_read(kernel);
	cr_assert(zero(int, pgt_sites_find(&sites, &kernel->text, &diag)), "%s", diag.text);
	return sites;
}

static void expect_site(const struct pgt_sites *sites, size_t i, uint64_t address,
			const char *function, const char *kind, const char *owner)
{
	const struct pgt_site *site = &sites->at[i];

	cr_assert(lt(sz, i, sites->n));
	cr_expect(eq(u64, site->address, address), "site %zu", i);
	cr_expect(eq(str, (char *)site->function->name, (char *)function), "site %zu", i);
	cr_expect(eq(str, (char *)site->insn.kind, (char *)kind), "site %zu", i);
	cr_expect(eq(int, site->owner, owner ? pgt_probe_find(owner) : -1), "site %zu: owner", i);
}

Test(sites, are_found_in_order_with_their_function_and_owner)
{
	struct kernel kernel;
	struct pgt_sites sites;
	uint64_t first;

	kernel_init(&kernel);
	first = kernel_symbol(&kernel, "vmap_range_noflush");
	kernel_insns(&kernel, DSB_ISHST, ISB, RET);
	kernel_symbol(&kernel, "vmap_range_noflushed");		/* a longer name is another */
	kernel_insns(&kernel, ISB, RET);
	kernel_symbol(&kernel, "flush_tlb_mm.isra.0");
	kernel_insns(&kernel, NOP, TLBI_VMALLE1IS, RET);
	kernel_symbol(&kernel, "init_pte.constprop.0.cold");
	kernel_insns(&kernel, DSB_ISH);
	kernel_symbol(&kernel, "other");
	kernel_insns(&kernel, 0xd5033bbf /* dmb ish */, ISB);	/* the last word of the text */
	kernel_end_text(&kernel);
	kernel_pointer(&kernel, ISB);				/* data is no text */
	sites = sites_of(&kernel);
	cr_assert(eq(sz, sites.n, 6));
	expect_site(&sites, 0, first, "vmap_range_noflush", "dsb.ishst", "vmap_pte_range");
	expect_site(&sites, 1, first + 4, "vmap_range_noflush", "isb", "vmap_pte_range");
	expect_site(&sites, 2, first + 12, "vmap_range_noflushed", "isb", NULL);
	expect_site(&sites, 3, first + 24, "flush_tlb_mm.isra.0", "tlbi.vmalle1is", "flush_tlb");
	expect_site(&sites, 4, first + 32, "init_pte.constprop.0.cold", "dsb.ish",
		    "create_pgd_mapping");
	expect_site(&sites, 5, first + 40, "other", "isb", NULL);
	for (size_t i = 0; i < sites.n; i++) {
		cr_expect(eq(int, (int)sites.at[i].reach, (int)PGT_REACH_UNTRIED));
		cr_expect(eq(int, sites.at[i].inlined_flush, false));
	}
	pgt_sites_release(&sites);
	pgt_sites_release(&sites);	/* harmless */
	kernel_release(&kernel);
}

/* The name that is shown of an address need not be the one that the catalogue knows. */
Test(sites, an_alias_gives_its_owner_too)
{
	struct kernel kernel;
	struct pgt_sites sites;

	kernel_init(&kernel);
	kernel_symbol(&kernel, "first");
	kernel_insns(&kernel, RET);
	kernel_symbol(&kernel, "flush_tlb_mm");
	kernel_symbol(&kernel, "a_twin_that_the_compiler_folded");
	kernel_insns(&kernel, DSB_ISH, RET);
	kernel_symbol(&kernel, "cpu_switch_to");
	kernel_symbol(&kernel, "another_name");
	kernel_insns(&kernel, ISB, RET);
	kernel_end_text(&kernel);
	sites = sites_of(&kernel);
	cr_assert(eq(sz, sites.n, 2));
	expect_site(&sites, 0, KERNEL_START + 4, "a_twin_that_the_compiler_folded", "dsb.ish", "flush_tlb");
	expect_site(&sites, 1, KERNEL_START + 12, "another_name", "isb", NULL);
	cr_expect(eq(int, sites.at[1].incidental, true));
	pgt_sites_release(&sites);
	kernel_release(&kernel);
}

/* One function's sites and, by position, which are flush_tlb's ('f'), which begin one ('F'). */
Test(sites, inlined_flushes_belong_to_flush_tlb)
{
	const struct {
		const char *name, *function;
		uint32_t insn[10];
		const char *want;
	} cases[] = {
		{ "user range", "unmap_it", { DSB_ISHST, TLBI_VAE1IS, NOP, DSB_ISH }, "Fff" },
		{ "kernel range", "f", { DSB_ISHST, TLBI_VAALE1IS, DSB_ISH, ISB }, "Ffff" },
		{ "local", "f", { DSB_NSHST, TLBI_VMALLE1IS, DSB_NSH, ISB }, "Ffff" },
		{ "an ISB further on is another's", "f",
		  { DSB_ISHST, TLBI_VAE1IS, DSB_ISH, NOP, ISB }, "Fff-" },
		{ "two operations", "f", { DSB_ISHST, TLBI_VAE1IS, NOP, TLBI_VAALE1IS, DSB_ISH },
		  "Ffff" },
		{ "not waited for", "f", { DSB_ISHST, TLBI_VAE1IS, RET }, "Ff" },
		{ "two flushes", "f",
		  { DSB_ISHST, TLBI_VAE1IS, DSB_ISH, DSB_ISHST, TLBI_VAE1IS, DSB_ISH }, "FffFff" },
		{ "two, the first not waited for", "f",
		  { DSB_ISHST, TLBI_VAE1IS, DSB_ISHST, TLBI_VAE1IS, DSB_ISH }, "FfFff" },
		{ "barriers of table entries before it", "f",
		  { DSB_ISHST, ISB, DSB_ISHST, TLBI_VAE1IS, DSB_ISH }, "--Fff" },
		{ "no store barrier", "f", { TLBI_VAE1IS, DSB_ISH }, "f-" },
		{ "barriers only", "f", { DSB_ISHST, ISB, DSB_ISH }, "---" },
		{ "a store barrier at the end", "f", { ISB, DSB_ISHST }, "--" },
		{ "a CPU comes up", "secondary_start_kernel",
		  { DSB_NSHST, TLBI_VMALLE1IS, DSB_NSH, ISB }, "----" },
		{ "a task is switched to", "check_and_switch_context",
		  { DSB_ISHST, TLBI_VMALLE1IS, DSB_ISH }, "---" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel kernel;
		struct pgt_sites sites;
		char got[16] = "";

		kernel_init(&kernel);
		kernel_symbol(&kernel, cases[i].function);
		for (size_t k = 0; cases[i].insn[k]; k++)
			kernel_insn(&kernel, cases[i].insn[k]);
		kernel_symbol(&kernel, "the_next");
		kernel_insns(&kernel, RET);
		kernel_end_text(&kernel);
		sites = sites_of(&kernel);
		for (size_t k = 0; k < sites.n; k++)
			got[k] = sites.at[k].inlined_flush ? 'F' :
				 sites.at[k].owner == pgt_probe_find("flush_tlb") ? 'f' : '-';
		cr_expect(eq(str, got, (char *)cases[i].want), "%s", cases[i].name);
		pgt_sites_release(&sites);
		kernel_release(&kernel);
	}
}

/* A flush does not go on into the next function, and a probe's own function has none inlined. */
Test(sites, a_flush_ends_with_its_function)
{
	struct kernel kernel;
	struct pgt_sites sites;

	kernel_init(&kernel);
	kernel_symbol(&kernel, "one");
	kernel_insns(&kernel, DSB_ISHST, TLBI_VAE1IS);
	kernel_symbol(&kernel, "two");
	kernel_insns(&kernel, DSB_ISH);
	kernel_symbol(&kernel, "try_to_unmap_one");
	kernel_insns(&kernel, DSB_ISHST, TLBI_VAE1IS, DSB_ISH);
	kernel_end_text(&kernel);
	sites = sites_of(&kernel);
	cr_assert(eq(sz, sites.n, 6));
	expect_site(&sites, 0, KERNEL_START, "one", "dsb.ishst", "flush_tlb");
	expect_site(&sites, 2, KERNEL_START + 8, "two", "dsb.ish", NULL);
	expect_site(&sites, 3, KERNEL_START + 12, "try_to_unmap_one", "dsb.ishst", "try_to_unmap_one");
	expect_site(&sites, 4, KERNEL_START + 16, "try_to_unmap_one", "tlbi.vae1is", "try_to_unmap_one");
	cr_expect(eq(int, sites.at[3].inlined_flush, false));
	pgt_sites_release(&sites);
	kernel_release(&kernel);
}

Test(sites, what_no_probe_reaches_says_why)
{
	struct kernel kernel;
	struct pgt_sites sites;

	kernel_init(&kernel);
	kernel_symbol(&kernel, "before");
	kernel_insns(&kernel, ISB);
	kernel_symbol(&kernel, "__hyp_text_start");
	kernel_symbol(&kernel, "__kvm_hyp");
	kernel_insns(&kernel, ISB, ISB);
	kernel_symbol(&kernel, "__hyp_text_end");
	kernel_insns(&kernel, ISB);
	kernel_symbol(&kernel, "__idmap_text_start");
	kernel_insns(&kernel, ISB);
	kernel_symbol(&kernel, "__idmap_text_end");
	kernel_symbol(&kernel, "__entry_text_start");
	kernel_insns(&kernel, ISB);
	kernel_symbol(&kernel, "__entry_text_end");
	kernel_symbol(&kernel, "__hyp_idmap_text_start");	/* without its end */
	kernel_insns(&kernel, ISB);
	kernel_end_text(&kernel);
	sites = sites_of(&kernel);
	cr_assert(eq(sz, sites.n, 7));
	for (size_t i = 0; i < sites.n; i++) {
		bool reachable = i == 0 || i == 3 || i == 6;

		cr_expect(eq(int, (int)sites.at[i].reach,
			     (int)(reachable ? PGT_REACH_UNTRIED : PGT_REACH_NONE)), "site %zu", i);
		cr_expect(eq(int, !sites.at[i].reason, reachable), "site %zu", i);
	}
	cr_expect(eq(str, (char *)sites.at[1].reason,
		     "hypervisor text: runs at EL2, where no probe can be set"));
	cr_expect(eq(str, (char *)sites.at[4].reason,
		     "identity-mapped text: runs at its physical address"));
	cr_expect(eq(str, (char *)sites.at[5].reason,
		     "exception entry: runs with debug exceptions masked"));
	pgt_sites_release(&sites);
	kernel_release(&kernel);
}

Test(sites, more_than_fit_are_refused)
{
	struct kernel kernel;
	struct pgt_sites sites = { NULL, 7 };
	struct pgt_diag diag = { "" };

	kernel_init(&kernel);
	kernel_symbol(&kernel, "f");
	for (int i = 0; i <= PGT_SITE_MAX; i++)
		kernel_insn(&kernel, ISB);
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	cr_expect(eq(int, pgt_sites_find(&sites, &kernel.text, &diag), -E2BIG));
	cr_expect(eq(str, diag.text, "kernel text: more than 2048 sites: raise PGT_SITE_MAX"));
	cr_expect(eq(sz, sites.n, 7));
	kernel_release(&kernel);
}

Test(sites, calls_and_jumps_from_other_functions)
{
	struct kernel kernel;
	struct pgt_diag diag = { "" };
	struct pgt_call *call = NULL;
	uint64_t target[2], from[5];
	size_t n = 0;

	kernel_init(&kernel);
	target[0] = kernel_symbol(&kernel, "callee");
	kernel_insns(&kernel, NOP);
	kernel_branch(&kernel, B, target[0]);			/* a loop, not a call */
	from[0] = kernel_branch(&kernel, BL, target[0]);	/* recursion is a call */
	kernel_symbol(&kernel, "caller");
	from[1] = kernel_branch(&kernel, BL, target[0]);
	kernel_branch(&kernel, BL, target[0] + 4);		/* not its entry */
	from[2] = kernel_branch(&kernel, B, target[0]);
	from[3] = kernel_branch(&kernel, BL, kernel_here(&kernel) + 12);	/* forwards */
	kernel_insns(&kernel, RET, 0xb4000000 | 1 << 5 /* cbz x0, .+4 */);
	target[1] = kernel_symbol(&kernel, "later");
	kernel_insns(&kernel, RET);
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	cr_assert(zero(int, pgt_text_calls(&kernel.text, target, 2, &call, &n, &diag)));
	cr_assert(eq(sz, n, 4));
	for (size_t i = 0; i < n; i++) {
		cr_expect(eq(u64, call[i].address, from[i]), "call %zu", i);
		cr_expect(eq(u64, call[i].target, target[i == 3]), "call %zu", i);
		cr_expect(eq(int, call[i].tail, i == 2), "call %zu", i);
	}
	free(call);
	cr_assert(zero(int, pgt_text_calls(&kernel.text, target, 0, &call, &n, &diag)));
	cr_expect(eq(sz, n, 0));
	free(call);
	kernel_release(&kernel);
}

/* More calls than the list first has room for. */
Test(sites, many_calls)
{
	struct kernel kernel;
	struct pgt_diag diag = { "" };
	struct pgt_call *call = NULL;
	uint64_t target;
	size_t n = 0;

	kernel_init(&kernel);
	target = kernel_symbol(&kernel, "callee");
	kernel_insns(&kernel, RET);
	kernel_symbol(&kernel, "caller");
	for (int i = 0; i < 200; i++)
		kernel_branch(&kernel, BL, target);
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	cr_assert(zero(int, pgt_text_calls(&kernel.text, &target, 1, &call, &n, &diag)));
	cr_assert(eq(sz, n, 200));
	cr_expect(eq(u64, call[199].address, target + 4 + 4 * 199));
	free(call);
	kernel_release(&kernel);
}

#define CBZ_X0_NEXT	0xb4000020	/* cbz x0, .+4 */
#define CBZ_X0_FAR	0xb4000400	/* cbz x0, .+0x80 */
#define BL_FAR		0x94000020	/* bl .+0x80 */
#define B_FAR		0x14000020
#define B_BACK		0x17ffffff	/* b .-4 */
#define RETAA		0xd65f0bff

Test(sites, returns_of_a_function_that_only_returns)
{
	const struct {
		const char *name;
		uint32_t insn[8];
		int err;
		size_t n, at[3];	/* words */
	} cases[] = {
		{ "plain", { NOP, RET }, 0, 1, { 1 } },
		{ "two, and a branch within", { CBZ_X0_NEXT, RET, NOP, RETAA, NOP }, 0, 2, { 1, 3 } },
		{ "a loop", { NOP, B_BACK, RET }, 0, 1, { 2 } },
		{ "a call is no way out", { BL_FAR, RET }, 0, 1, { 1 } },
		{ "a tail call", { CBZ_X0_NEXT, RET, B_FAR }, -EXDEV, 0, { 0 } },
		{ "a conditional jump out", { CBZ_X0_FAR, RET }, -EXDEV, 0, { 0 } },
		{ "a jump to the function before", { RET, B_BACK - 1 }, -EXDEV, 0, { 0 } },
		{ "a jump to the function behind", { RET, B | 1 }, -EXDEV, 0, { 0 } },
		{ "a computed jump", { BR_X16, RET }, -EXDEV, 0, { 0 } },
		{ "none", { NOP, NOP }, -EXDEV, 0, { 0 } },
		{ "as many as fit", { RET, RET, RET }, 0, 3, { 0, 1, 2 } },
		{ "more than fit", { RET, RET, RET, RET }, -E2BIG, 0, { 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel kernel;
		uint64_t at[3] = { 0 }, start;
		size_t n = 99;

		kernel_init(&kernel);
		kernel_symbol(&kernel, "before");
		kernel_insns(&kernel, RET);
		start = kernel_symbol(&kernel, "function");
		for (size_t k = 0; cases[i].insn[k]; k++)
			kernel_insn(&kernel, cases[i].insn[k]);
		kernel_symbol(&kernel, "behind");
		for (int k = 0; k < 64; k++)
			kernel_insn(&kernel, RET);
		kernel_end_text(&kernel);
		kernel_read(&kernel);
		cr_expect(eq(int, pgt_text_returns(&kernel.text, pgt_ksyms_find(&kernel.ksyms, "function"),
						   at, 3, &n), cases[i].err), "%s", cases[i].name);
		for (size_t k = 0; k < cases[i].n; k++)
			cr_expect(eq(u64, at[k], start + 4 * cases[i].at[k]), "%s", cases[i].name);
		if (!cases[i].err)
			cr_expect(eq(sz, n, cases[i].n), "%s", cases[i].name);
		kernel_release(&kernel);
	}
}

/* The last function of the text ends where the text does. */
Test(sites, returns_of_the_last_function)
{
	struct kernel kernel;
	uint64_t at[1], start;
	size_t n = 0;

	kernel_init(&kernel);
	kernel_symbol(&kernel, "before");
	kernel_insns(&kernel, NOP);
	start = kernel_symbol(&kernel, "last");
	kernel_insns(&kernel, NOP, RET);
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	cr_assert(zero(int, pgt_text_returns(&kernel.text, pgt_ksyms_find(&kernel.ksyms, "last"), at, 1,
					     &n)));
	cr_assert(eq(sz, n, 1));
	cr_expect(eq(u64, at[0], start + 4));
	kernel_release(&kernel);
}

Test(sites, text_that_cannot_be_read)
{
	const struct pgt_insn_decoder *decoder = pgt_insn_decoder_find("arm64");
	struct kernel kernel;
	struct pgt_text text;
	struct pgt_diag diag = { "" };
	char path[128];

	kernel_init(&kernel);
	kernel_symbol(&kernel, "f");
	kernel_insns(&kernel, RET);
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	snprintf(path, sizeof(path), "%s/none", kernel.dir);
	cr_expect(eq(int, pgt_text_read(&text, decoder, &kernel.ksyms, path, &diag), -ENOENT));
	kernel_release(&kernel);
}
