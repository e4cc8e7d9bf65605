/* SPDX-License-Identifier: GPL-2.0-only */
/* scope_plan.c: which functions are watched, and the text that the plugin reads. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "lab/scope_plan.h"
#include "probe/ksyms.h"
#include "tcg/plan.h"

#define CORE	"ffff800080010000 T _stext\n"					\
		"ffff800080011000 T cpu_switch_to\n"				\
		"ffff800080020000 R _etext\n"

struct made {
	struct pgt_ksyms ksyms;
	struct pgt_scope_plan plan;
	struct pgt_buf text;
	struct pgt_diag diag;
	int err;
};

static struct made make(const char *symbols)
{
	struct made made = { .text = PGT_BUF_INIT, .diag = { "" } };

	cr_assert(zero(int, pgt_ksyms_parse(&made.ksyms, symbols, true, &made.diag)), "%s",
		  made.diag.text);
	cr_assert(zero(int, pgt_scope_plan_make(&made.plan, "arm64", &made.ksyms, &made.diag)));
	made.err = pgt_scope_plan_text(&made.text, &made.plan, "arm64", &made.ksyms,
				       UINT64_C(0x500000), "abcd", 2, &made.diag);
	return made;
}

static void release(struct made *made)
{
	pgt_scope_plan_release(&made->plan);
	pgt_scope_plan_release(&made->plan);	/* harmless */
	pgt_ksyms_release(&made->ksyms);
	pgt_buf_release(&made->text);
}

/* The kernel's code that is freed after booting lies behind the core text. */
Test(lab_scope_plan, text)
{
	struct made made = make(CORE
		"ffff800080012000 t __create_pgd_mapping_locked\n"
		"ffff800080012000 t create_kpti_ng_temp_pgd\n"
		"ffff800080013000 t vmap_range_noflush.isra.0\n"
		"ffff800080013800 t vmap_range_noflush.cold\n"
		"ffff800080014000 t try_to_unmap_one\n"
		"ffff800080015000 t arch_add_memory\n"
		"ffff800080500000 t paging_init\n"
		"ffff800080501000 t early_create_pgd_mapping\n");
	const char *want =
		"pgtrace-tcg 1\nbuild_id abcd\nvcpus 2\n"
		"text 0xffff800080010000 0xffff800080020000\n"
		"image 0xffff800080000000 0xffff800080500000\n"
		"switch 0xffff800080011000\n"
		"scope linear_map 0xffff800080500000 0 0 paging_init\n"
		"scope add_memory 0xffff800080015000 5 2 arch_add_memory\n"
		"scope create_pgd_mapping 0xffff800080012000 5 3 __create_pgd_mapping_locked\n"
		"scope create_pgd_mapping 0xffff800080501000 5 3 early_create_pgd_mapping\n"
		"scope vmap_pte_range 0xffff800080013000 6 0 vmap_range_noflush.isra.0\n"
		"scope try_to_unmap_one 0xffff800080014000 7 0 try_to_unmap_one\n"
		"pages_of linear_map create_pgd_mapping\n"
		"end\n";

	cr_assert(zero(int, made.err), "%s", made.diag.text);
	cr_expect(eq(str, made.text.at, (char *)want));
	cr_expect(pgt_scope_plan_has(&made.plan, "linear_map"));
	cr_expect(not(pgt_scope_plan_has(&made.plan, "flush_tlb")));
	release(&made);
}

Test(lab_scope_plan, no_image_where_its_size_is_not_known)
{
	struct made made = make(CORE);
	struct pgt_buf text = PGT_BUF_INIT;

	cr_expect(not(zero(ptr, strstr(made.text.at, "\nimage "))));
	cr_assert(zero(int, pgt_scope_plan_text(&text, &made.plan, "arm64", &made.ksyms, 0, "abcd", 2,
						&made.diag)));
	cr_expect(zero(ptr, strstr(text.at, "image")));
	cr_expect(not(zero(ptr, strstr(text.at, "\nswitch "))));
	pgt_buf_release(&text);
	release(&made);
}

Test(lab_scope_plan, the_plugin_accepts_it)
{
	struct made made = make(CORE "ffff800080500000 t paging_init\n"
				"ffff800080012000 t __create_pgd_mapping\n");
	struct pgt_tcg_plan plan;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, made.err));
	cr_assert(zero(int, pgt_tcg_plan_parse(&plan, made.text.at, "plan", &diag)), "%s",
		  diag.text);
	cr_expect(eq(sz, plan.n_scopes, 2));
	cr_expect(eq(str, plan.scopes[0], "linear_map"));
	cr_expect(eq(sz, plan.pages_of[0], 2), "1 + the number of create_pgd_mapping");
	pgt_tcg_plan_release(&plan);
	release(&made);
}

/* Names of one address that are functions of one scope are one entry of it. */
Test(lab_scope_plan, aliases)
{
	struct made made = make(CORE "ffff800080012000 t __create_pgd_mapping\n"
				"ffff800080012000 t __create_pgd_mapping_locked\n");

	cr_assert(eq(sz, made.plan.n, 1));
	cr_expect(eq(str, (char *)made.plan.entries[0].function, "__create_pgd_mapping"));
	release(&made);
}

/* What is only a part of a probe's work is watched, but is no call of it. */
Test(lab_scope_plan, a_part_is_no_call)
{
	struct made made = make(CORE "ffff800080012000 t init_pmd\n");

	cr_assert(eq(sz, made.plan.n, 1));
	cr_expect(not(pgt_scope_plan_has(&made.plan, "create_pgd_mapping")));
	cr_expect(eq(ptr, strstr(made.text.at, "pages_of"), NULL));
	release(&made);
}

Test(lab_scope_plan, no_task_switch)
{
	struct made made = make("ffff800080010000 T _stext\nffff800080011000 t paging_init\n"
				"ffff800080020000 R _etext\n");

	cr_expect(eq(int, made.err, -ENOENT));
	cr_expect(ne(ptr, strstr(made.diag.text, "cpu_switch_to"), NULL));
	release(&made);
}

Test(lab_scope_plan, candidates)
{
	struct pgt_buf text = PGT_BUF_INIT;

	cr_assert(zero(int, pgt_scope_candidates(&text, "arm64", "linear_map")));
	cr_expect(eq(str, text.at, "paging_init"));
	pgt_buf_release(&text);
	cr_assert(zero(int, pgt_scope_candidates(&text, "arm64", "create_pgd_mapping")));
	cr_expect(eq(str, text.at, "__create_pgd_mapping, __create_pgd_mapping_locked, "
		     "early_create_pgd_mapping"));
	pgt_buf_release(&text);
}
