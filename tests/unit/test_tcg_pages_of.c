/* SPDX-License-Identifier: GPL-2.0-only */
/* tcg/plan.c and tcg/scopes.c: the pages of a scope that calls of another name within it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "tcg/plan.h"
#include "tcg/scopes.h"

#define HEAD	"pgtrace-tcg 1\nbuild_id ab\nvcpus 1\ntext 0x1000 0x2000\nswitch 0x1100\n" \
		"scope outer 0x1200 0 0 f\nscope inner 0x1300 5 3 g\n"

static int parse(struct pgt_tcg_plan *plan, const char *rest, struct pgt_diag *diag)
{
	char text[512];

	snprintf(text, sizeof(text), HEAD "%s", rest);
	return pgt_tcg_plan_parse(plan, text, "plan", diag);
}

Test(tcg_pages_of, wrong_lines)
{
	const char *const cases[] = {
		"pages_of outer\nend\n", "pages_of outer outer\nend\n", "pages_of other inner\nend\n",
		"pages_of outer other\nend\n",
		"pages_of outer inner\npages_of outer inner\nend\n",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_tcg_plan plan;
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, parse(&plan, cases[i], &diag), -EPROTO), "%s", cases[i]);
	}
}

/* One call of the inner scope, from an address that has the stack below the outer's. */
static void call_inner(struct pgt_tcg_scopes *scopes, struct pgt_tcg_call call,
		       struct pgt_tcg_now now)
{
	pgt_tcg_scopes_enter(scopes, 0, 1, 0x1210, 0x7f00, call, 0, now);
	pgt_tcg_scopes_return(scopes, 0, 0x1210, 0x7f00, 0, now);
}

static struct pgt_tcg_total outer_total(bool with_unsized, bool pages_of)
{
	static const uint64_t kinds[PGT_TCG_KINDS_MAX];
	const struct pgt_tcg_now now = { 0, kinds };
	const struct pgt_tcg_call none = { PGT_TCG_UNSIZED, 0 };
	struct pgt_tcg_scopes scopes;
	struct pgt_tcg_plan plan;
	struct pgt_tcg_total total;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, parse(&plan, pages_of ? "pages_of outer inner\nend\n" : "end\n",
				  &diag)), "%s", diag.text);
	cr_assert(zero(int, pgt_tcg_scopes_init(&scopes, &plan, &diag)));
	call_inner(&scopes, (struct pgt_tcg_call){ PGT_TCG_SIZED, 1000 }, now);	/* not within it */
	pgt_tcg_scopes_enter(&scopes, 0, 0, 0x1800, 0x7f80, none, 0, now);
	call_inner(&scopes, (struct pgt_tcg_call){ PGT_TCG_SIZED, 5 }, now);
	call_inner(&scopes, (struct pgt_tcg_call){ PGT_TCG_SIZED, 7 }, now);
	call_inner(&scopes, (struct pgt_tcg_call){ PGT_TCG_SPAN, 0 }, now);
	if (with_unsized)
		call_inner(&scopes, none, now);
	pgt_tcg_scopes_return(&scopes, 0, 0x1800, 0x7f80, 0, now);
	total = pgt_tcg_scopes_total(&scopes, 0, 0);
	pgt_tcg_scopes_release(&scopes);
	pgt_tcg_plan_release(&plan);
	return total;
}

Test(tcg_pages_of, what_calls_within_name)
{
	struct pgt_tcg_total total = outer_total(false, true);

	cr_expect(eq(u64, total.calls, 1));
	cr_expect(eq(u64, total.pages, 12));
	cr_expect(zero(u64, total.unsized));
}

Test(tcg_pages_of, a_call_within_that_names_none)
{
	struct pgt_tcg_total total = outer_total(true, true);

	cr_expect(eq(u64, total.unsized, 1));
	cr_expect(zero(u64, total.pages), "a part of the pages is no number of pages");
}

Test(tcg_pages_of, not_asked_for)
{
	struct pgt_tcg_total total = outer_total(false, false);

	cr_expect(eq(u64, total.unsized, 1));
	cr_expect(zero(u64, total.pages));
}
