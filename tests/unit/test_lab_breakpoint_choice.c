/* SPDX-License-Identifier: GPL-2.0-only */
/* breakpoint_choice.c: who gets a breakpoint, and in which order. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "../bpf/pgtrace_abi.h"
#include "lab/breakpoint_choice.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "trace/watch.h"

#define NOWHERE	(PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_INTERRUPT)

Test(breakpoint_choice, what_may_have_been_executed)
{
	const struct {
		const char *name;
		struct pgt_site site;
		uint16_t known;
		size_t chosen;
	} cases[] = {
		{ "nothing is known", { .reach = PGT_REACH_BREAKPOINT, .owner = -1 }, 0, 1 },
		{ "a kprobe counts it", { .reach = PGT_REACH_KPROBE, .owner = -1 }, 0, 0 },
		{ "out of reach", { .reach = PGT_REACH_NONE, .owner = -1 }, 0, 0 },
		{ "counted already", { .reach = PGT_REACH_BREAKPOINT, .owner = 1 },
		  PGT_KNOWN_COUNTED, 0 },
		{ "not entered", { .reach = PGT_REACH_BREAKPOINT, .owner = 1 }, NOWHERE, 0 },
		{ "entered within no probe", { .reach = PGT_REACH_BREAKPOINT, .owner = -1 },
		  PGT_KNOWN_NOT_IN_PROBES, 0 },
		{ "within no probe, but its own", { .reach = PGT_REACH_BREAKPOINT, .owner = 1 },
		  PGT_KNOWN_NOT_IN_PROBES, 1 },
		{ "within one probe", { .reach = PGT_REACH_BREAKPOINT, .owner = -1 },
		  NOWHERE & ~PGT_KNOWN_NOT_IN_PROBE(3), 1 },
		{ "a context switch", { .reach = PGT_REACH_BREAKPOINT, .owner = -1,
					.incidental = true }, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_site site = cases[i].site;
		const struct pgt_sites sites = { &site, 1 };
		uint32_t out = 77;

		cr_expect(eq(sz, pgt_choose_needed(&sites, &cases[i].known, &out),
			     cases[i].chosen), "%s", cases[i].name);
		cr_expect(eq(u32, out, cases[i].chosen ? 0 : 77), "%s", cases[i].name);
	}
}

/* Of functions 0x100, 0x200, 0x300 the first is seen, the second is not, and probe 0x400 calls
 * the first and not the third. */
Test(breakpoint_choice, first_what_nothing_else_tells)
{
	struct pgt_ksym symbol[] = { { 0x100, "a" }, { 0x200, "b" }, { 0x300, "c" }, { 0x400, "p" } };
	const struct pgt_ksyms ksyms = { symbol, 4, 0x100, 0x500, NULL };
	struct pgt_site site[] = {
		{ .address = 0x104, .function = &symbol[0], .reach = PGT_REACH_BREAKPOINT },
		{ .address = 0x204, .function = &symbol[1], .reach = PGT_REACH_BREAKPOINT },
		{ .address = 0x208, .function = &symbol[1], .reach = PGT_REACH_BREAKPOINT,
		  .incidental = true },
		{ .address = 0x304, .function = &symbol[2], .reach = PGT_REACH_BREAKPOINT },
		{ .address = 0x404, .function = &symbol[3], .reach = PGT_REACH_KPROBE },
	};
	const struct pgt_sites sites = { site, 5 };
	struct pgt_plan_func planned = { .symbol = &symbol[3] };
	const struct pgt_plan plan = { &planned, 1, 1 };
	struct pgt_watch_func watched[] = { { .symbol = &symbol[0], .entry = true },
					    { .symbol = &symbol[1], .unseen = true },
					    { .symbol = &symbol[2], .entry = true } };
	const struct pgt_watch watch = { watched, 3, NULL, 0 };
	const struct pgt_call calls[] = { { 0x410, 0x100, false }, { 0x210, 0x300, false } };
	uint32_t out[5];

	cr_assert(eq(sz, pgt_choose_blind(&sites, &plan, &ksyms, &watch, calls, 2, out), 2));
	cr_expect(eq(u32, out[0], 1));
	cr_expect(eq(u32, out[1], 0));
}
