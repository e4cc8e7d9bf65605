/* SPDX-License-Identifier: GPL-2.0-only */
/* watch.c: what the points' hits tell, of watched functions put together by hand. */
#include <stdint.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "../bpf/pgtrace_abi.h"
#include "base/diag.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "trace/watch.h"

#define FUNCS	4
#define POINTS	4

#define NOWHERE	(PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_INTERRUPT)

/* Functions 0..3 with one site each that needs a breakpoint, and a plan of two functions. */
struct watched {
	struct pgt_ksym symbol[FUNCS], planned[2];
	struct pgt_watch_func func[FUNCS];
	size_t caller[FUNCS][FUNCS];
	struct pgt_watch_point point[POINTS];
	struct pgt_watch watch;
	struct pgt_site site[FUNCS];
	struct pgt_sites sites;
	struct pgt_plan_func plan_func[2];
	struct pgt_plan plan;
	struct pgt_site_cell cell[POINTS];
	uint16_t known[FUNCS];
	unsigned char missed[2];
};

static void watched_init(struct watched *w)
{
	*w = (struct watched){
		.watch = { .func = w->func, .n_funcs = FUNCS, .point = w->point },
		.sites = { w->site, FUNCS },
		.plan = { .func = w->plan_func, .n = 2 },
	};
	for (size_t i = 0; i < FUNCS; i++) {
		w->symbol[i] = (struct pgt_ksym){ 0x1000 * (i + 1), "f" };
		w->func[i] = (struct pgt_watch_func){ .symbol = &w->symbol[i], .caller = w->caller[i] };
		w->site[i] = (struct pgt_site){ .address = 0x1000 * (i + 1) + 8,
			.function = &w->symbol[i], .reach = PGT_REACH_BREAKPOINT };
		w->known[i] = 0x5a5a;		/* must be set, or left alone */
	}
	for (size_t i = 0; i < 2; i++) {
		w->planned[i] = (struct pgt_ksym){ 0x100000 * (i + 1), "planned" };
		w->plan_func[i] = (struct pgt_plan_func){ .symbol = &w->planned[i],
			.mechanism = PGT_MECHANISM_KPROBE };
		w->missed[i] = 0x5a;
	}
}

static struct pgt_site_cell *add_point(struct watched *w, size_t func)
{
	size_t i = w->watch.n_points++;

	w->point[i] = (struct pgt_watch_point){ 0x9000 + 4 * i, func };
	return &w->cell[i];
}

static void add_caller(struct watched *w, size_t callee, size_t caller)
{
	w->caller[callee][w->func[callee].n_callers++] = caller;
}

static void judge(struct watched *w)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_watch_judge(&w->watch, &w->sites, &w->plan, w->cell, w->known,
					    w->missed, &diag)), "%s", diag.text);
}

static void expect_known(const struct watched *w, size_t i, unsigned int not_known)
{
	cr_expect(eq(u32, w->known[i], NOWHERE & ~not_known), "site %zu", i);
}

Test(watch, what_was_not_entered_was_not_executed)
{
	struct watched w;

	watched_init(&w);
	add_point(&w, 0);
	judge(&w);
	for (size_t i = 0; i < FUNCS; i++)
		expect_known(&w, i, 0);
	cr_expect(eq(int, w.missed[0], 0));
	cr_expect(eq(int, w.missed[1], 0));
}

Test(watch, each_context_by_itself)
{
	struct watched w;
	struct pgt_site_cell *cell;

	watched_init(&w);
	add_point(&w, 0)->innermost[PGT_IN_OUTSIDE] = 1;
	add_point(&w, 1)->innermost[PGT_IN_INTERRUPT] = 1;
	cell = add_point(&w, 2);
	cell->innermost[3] = 2;		/* probe 3 within probe 0, once within the last one too */
	cell->inclusive[3] = 2;
	cell->inclusive[0] = 2;
	cell->inclusive[PGT_PROBE_MAX - 1] = 1;
	judge(&w);
	expect_known(&w, 0, PGT_KNOWN_NOT_OUTSIDE);
	expect_known(&w, 1, PGT_KNOWN_NOT_IN_INTERRUPT);
	expect_known(&w, 2, PGT_KNOWN_NOT_IN_PROBE(0) | PGT_KNOWN_NOT_IN_PROBE(3) |
		     PGT_KNOWN_NOT_IN_PROBE(PGT_PROBE_MAX - 1));
	expect_known(&w, 3, 0);
}

/* Several points of one function, one of them hit; and a count beyond 32 bits. */
Test(watch, any_point_of_a_function_is_an_entry)
{
	struct watched w;

	watched_init(&w);
	add_point(&w, 1);
	add_point(&w, 1)->innermost[PGT_IN_OUTSIDE] = UINT64_C(1) << 32;
	add_point(&w, 1);
	judge(&w);
	expect_known(&w, 1, PGT_KNOWN_NOT_OUTSIDE);
	expect_known(&w, 0, 0);
}

/* 2 calls 1 calls 0, and no call can be watched: entering 2 may mean entering all. */
Test(watch, callers_stand_for_calls_that_cannot_be_watched)
{
	struct watched w;

	watched_init(&w);
	add_caller(&w, 0, 1);
	add_caller(&w, 1, 2);
	add_point(&w, 2)->inclusive[2] = 1;
	add_point(&w, 1)->innermost[PGT_IN_OUTSIDE] = 1;
	judge(&w);
	expect_known(&w, 0, PGT_KNOWN_NOT_IN_PROBE(2) | PGT_KNOWN_NOT_OUTSIDE);
	expect_known(&w, 1, PGT_KNOWN_NOT_IN_PROBE(2) | PGT_KNOWN_NOT_OUTSIDE);
	expect_known(&w, 2, PGT_KNOWN_NOT_IN_PROBE(2));
	expect_known(&w, 3, 0);
}

/* Whatever the order of the functions, and where one calls itself. */
Test(watch, a_cycle_of_callers_ends)
{
	struct watched w;

	watched_init(&w);
	add_caller(&w, 0, 1);
	add_caller(&w, 1, 2);
	add_caller(&w, 2, 0);
	add_caller(&w, 2, 2);
	add_point(&w, 0)->inclusive[1] = 1;
	judge(&w);
	for (size_t i = 0; i < 3; i++)
		expect_known(&w, i, PGT_KNOWN_NOT_IN_PROBE(1));
	expect_known(&w, 3, 0);
}

Test(watch, what_can_be_entered_unseen_may_have_been)
{
	struct watched w;

	watched_init(&w);
	w.func[0].unseen = true;
	w.func[1].unseen = true;
	w.func[1].asynchronous = true;		/* unseen, but never by a probe's doing */
	add_caller(&w, 2, 0);
	add_caller(&w, 3, 1);
	judge(&w);
	expect_known(&w, 0, NOWHERE);
	expect_known(&w, 1, PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_INTERRUPT);
	expect_known(&w, 2, NOWHERE);
	expect_known(&w, 3, PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_INTERRUPT);
}

/* A caller within a probe does not make it the probe's doing; a point that saw it does. */
Test(watch, an_asynchronous_function_is_no_probes_work_unless_seen)
{
	struct watched w;

	watched_init(&w);
	w.func[0].asynchronous = true;
	add_caller(&w, 0, 1);
	add_point(&w, 1)->inclusive[2] = 1;
	judge(&w);
	expect_known(&w, 0, 0);
	expect_known(&w, 1, PGT_KNOWN_NOT_IN_PROBE(2));
	add_point(&w, 0)->inclusive[3] = 1;
	judge(&w);
	expect_known(&w, 0, PGT_KNOWN_NOT_IN_PROBE(3));
}

Test(watch, only_sites_that_need_a_breakpoint_are_judged)
{
	struct watched w;

	watched_init(&w);
	w.site[0].reach = PGT_REACH_KPROBE;
	w.site[1].reach = PGT_REACH_NONE;
	w.site[2].reach = PGT_REACH_SKIPPED;
	judge(&w);
	for (size_t i = 0; i < 3; i++)
		cr_expect(eq(u32, w.known[i], 0x5a5a), "site %zu", i);
	expect_known(&w, 3, 0);
}

Test(watch, calls_are_missed_where_a_blind_caller_was_entered)
{
	struct watched w;

	watched_init(&w);
	w.plan_func[0].blind[0] = &w.symbol[0];
	w.plan_func[0].blind[1] = &w.symbol[1];
	w.plan_func[0].n_blind = 2;
	w.plan_func[1].blind[0] = &w.symbol[2];
	w.plan_func[1].n_blind = 1;
	add_point(&w, 1)->innermost[PGT_IN_INTERRUPT] = 1;
	judge(&w);
	cr_expect(eq(int, w.missed[0], 1));
	cr_expect(eq(int, w.missed[1], 0));
}

Test(watch, calls_are_missed_where_nothing_tells)
{
	struct watched w;

	watched_init(&w);
	w.plan_func[0].mechanism = PGT_MECHANISM_NONE;
	w.plan_func[1].n_blind = 1;		/* a call in no function */
	judge(&w);
	cr_expect(eq(int, w.missed[0], 1));
	cr_expect(eq(int, w.missed[1], 1));

	watched_init(&w);
	for (size_t i = 0; i < PGT_BLIND_MAX; i++)
		w.plan_func[0].blind[i] = w.plan_func[1].blind[i] = &w.symbol[3];
	w.plan_func[0].n_blind = PGT_BLIND_MAX;
	w.plan_func[1].n_blind = PGT_BLIND_MAX + 1;	/* more than the list holds */
	judge(&w);
	cr_expect(eq(int, w.missed[0], 0));
	cr_expect(eq(int, w.missed[1], 1));
}

Test(watch, what_can_be_seen)
{
	struct pgt_ksym stranger = { 0x77000, "stranger" };
	struct watched w;

	watched_init(&w);
	w.func[1].unseen = true;
	w.func[2].unseen = true;
	w.func[2].asynchronous = true;
	cr_expect(pgt_watch_can_see(&w.watch, &w.symbol[0]));
	cr_expect(not(pgt_watch_can_see(&w.watch, &w.symbol[1])));
	cr_expect(pgt_watch_can_see(&w.watch, &w.symbol[2]));
	cr_expect(not(pgt_watch_can_see(&w.watch, &stranger)));
}

Test(watch, release_of_nothing)
{
	struct pgt_watch watch = { 0 };

	pgt_watch_release(&watch);
	pgt_watch_release(&watch);
	cr_expect(zero(sz, watch.n_funcs));
}
