/* SPDX-License-Identifier: GPL-2.0-only */
/* metric.c: every pattern of metric.h, and names that are none. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "recording/metric.h"

Test(metric, properties_follow_from_the_name)
{
	const struct {
		const char *name, *unit;
		bool exact, of_kind;
		enum pgt_view view;
		size_t scope_len;
		int64_t pages;
		enum pgt_better better;
	} cases[] = {
		{ "p.calls", "calls", true, false, PGT_VIEW_CALLS, 1, 0, PGT_BETTER_LOWER },
		{ "p.full", "calls", true, false, PGT_VIEW_CALLS, 1, 0, PGT_BETTER_LOWER },
		{ "p.unsized", "calls", true, false, PGT_VIEW_CALLS, 1, 0, PGT_BETTER_LOWER },
		{ "p.interrupt_calls", "calls", false, false, PGT_VIEW_CALLS, 1, 0,
		  PGT_BETTER_LOWER },
		{ "any_probe_2.pages", "pages", true, false, PGT_VIEW_PAGES, 11, 0,
		  PGT_BETTER_LOWER },
		{ "p.pages_per_call.0", "calls", true, false, PGT_VIEW_PAGES_PER_CALL, 1, 0,
		  PGT_BETTER_LOWER },
		{ "p.pages_per_call.4096", "calls", true, false, PGT_VIEW_PAGES_PER_CALL, 1, 4096,
		  PGT_BETTER_LOWER },
		{ "p.insn.dsb", "instructions", true, false, PGT_VIEW_INSN, 1, 0,
		  PGT_BETTER_LOWER },
		{ "p.insn.dsb.ishst", "instructions", true, true, PGT_VIEW_INSN, 1, 0,
		  PGT_BETTER_LOWER },
		{ "p.self.tlbi.vae1is", "instructions", true, true, PGT_VIEW_SELF, 1, 0,
		  PGT_BETTER_LOWER },
		{ "p.innermost.isb", "instructions", true, false, PGT_VIEW_INNERMOST, 1, 0,
		  PGT_BETTER_LOWER },
		{ "outside.insn.isb", "instructions", false, false, PGT_VIEW_OUTSIDE, 7, 0,
		  PGT_BETTER_LOWER },
		{ "interrupt.insn.dsb.sy", "instructions", false, true, PGT_VIEW_INTERRUPT, 9, 0,
		  PGT_BETTER_LOWER },
		{ "linear_map.instructions", "instructions", true, false, PGT_VIEW_INSTRUCTIONS, 10, 0,
		  PGT_BETTER_LOWER },
		{ "unseen.insn.dsb.ish", "instructions", false, true, PGT_VIEW_UNSEEN, 6, 0,
		  PGT_BETTER_LOWER },
		{ "model.dtlb.l1.miss", "misses", false, false, PGT_VIEW_MODEL, 5, 0,
		  PGT_BETTER_LOWER },
		{ "model.tlb.l2.access.user", "accesses", false, true, PGT_VIEW_MODEL, 5, 0,
		  PGT_BETTER_LOWER },
		{ "model.left_out.vector", "instructions", false, false, PGT_VIEW_MODEL, 5, 0,
		  PGT_BETTER_NEITHER },
		{ "model.left_out.unmapped", "accesses", false, false, PGT_VIEW_MODEL, 5, 0,
		  PGT_BETTER_NEITHER },
		{ "linear_map.bytes.pte", "bytes", false, false, PGT_VIEW_TABLES, 10, 0,
		  PGT_BETTER_LOWER },
		{ "linear_map.bytes.cont_pmd", "bytes", false, false, PGT_VIEW_TABLES, 10, 0,
		  PGT_BETTER_NEITHER },
		{ "linear_map.entries.pte", "entries", false, false, PGT_VIEW_TABLES, 10, 0,
		  PGT_BETTER_LOWER },
		{ "linear_map.entries.pud", "entries", false, false, PGT_VIEW_TABLES, 10, 0,
		  PGT_BETTER_NEITHER },
		{ "linear_map.tables", "pages", false, false, PGT_VIEW_TABLES, 10, 0,
		  PGT_BETTER_LOWER },
		{ "linear_map.translations", "entries", false, false, PGT_VIEW_TABLES, 10, 0,
		  PGT_BETTER_LOWER },
		{ "window.ns", "ns", false, false, PGT_VIEW_TIME, 6, 0, PGT_BETTER_LOWER },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_metric got = { .unit = NULL };

		cr_assert(zero(int, pgt_metric_lookup(cases[i].name, &got)), "%s", cases[i].name);
		cr_expect(eq(str, (char *)got.unit, (char *)cases[i].unit), "%s", cases[i].name);
		cr_expect(eq(int, got.exact, cases[i].exact), "%s", cases[i].name);
		cr_expect(eq(int, got.of_kind, cases[i].of_kind), "%s", cases[i].name);
		cr_expect(eq(int, (int)got.view, (int)cases[i].view), "%s", cases[i].name);
		cr_expect(eq(int, (int)got.better, (int)cases[i].better), "%s", cases[i].name);
		cr_expect(eq(sz, got.scope_len, cases[i].scope_len), "%s", cases[i].name);
		cr_expect(eq(i64, got.pages, cases[i].pages), "%s", cases[i].name);
	}
}

Test(metric, other_names_are_unknown)
{
	const char *const names[] = {
		"", ".", "calls", ".calls", "p.", "p.calls.", "p.call", "P.calls", "p calls",
		"p.pages_per_call.", "p.pages_per_call.3", "p.pages_per_call.01",
		"p.pages_per_call.9999999999999999999", "p.pages_per_call.-1", "p.insn", "p.insn.",
		"p.insn.dsb.", "p.insn.dsb.a.b", "outside.calls", "interrupt.pages", "window.calls",
		"outside.self.dsb", "outside.insn", "window.ms", "model.calls", "unseen.pages",
		"model.dtlb.l1", "model.left_out", "linear_map.bytes",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct pgt_metric got = { .unit = "untouched" };

		cr_expect(eq(int, pgt_metric_lookup(names[i], &got), -ENOENT), "%s", names[i]);
		cr_expect(eq(str, (char *)got.unit, "untouched"), "%s", names[i]);
	}
}

Test(metric, parent)
{
	const struct {
		const char *name, *parent;
		bool implied;
	} cases[] = {
		{ "p.self.dsb.ish", "p.self.dsb", true },
		{ "outside.insn.dsb.ish", "outside.insn.dsb", true },
		{ "p.pages_per_call.1", "p.calls", true },
		{ "p.self.dsb", "p.calls", false },
		{ "p.pages", "p.calls", false },
		{ "p.calls", NULL, false },
		{ "outside.insn.dsb", NULL, false },
		{ "window.ns", NULL, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_buf parent = PGT_BUF_INIT;
		struct pgt_metric metric;

		cr_assert(zero(int, pgt_metric_lookup(cases[i].name, &metric)));
		cr_expect(eq(int, pgt_metric_is_implied(&metric), cases[i].implied));
		cr_expect(eq(int, pgt_metric_parent(cases[i].name, &metric, &parent),
			     cases[i].parent ? 0 : -ENOENT));
		if (cases[i].parent)
			cr_expect(eq(str, parent.at, (char *)cases[i].parent));
		pgt_buf_release(&parent);
	}
}
