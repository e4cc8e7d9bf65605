/* SPDX-License-Identifier: GPL-2.0-only */
/* What counts as executed within a function: nesting, recursion, tail calls, other tasks. */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "tcg/scopes.h"

#define STACK	UINT64_C(0xffff800082004000)	/* the top of one kernel stack */
#define OTHER	UINT64_C(0xffff800082014000)	/* and of another */
#define RET	UINT64_C(0xffff800080020000)

enum { OUTER, INNER };		/* the two scopes */

struct guest {
	struct pgt_tcg_scopes scopes;
	uint64_t instructions[2];		/* by CPU */
	uint64_t kinds[2][PGT_TCG_KINDS_MAX];
	size_t window;
};

static const struct pgt_tcg_call unsized = { PGT_TCG_UNSIZED, 0 };

static struct guest guest_of(void)
{
	struct pgt_tcg_plan plan = { .vcpus = 2, .n_scopes = 2 };
	struct guest guest = { .window = 0 };
	struct pgt_diag diag;

	cr_assert(zero(int, pgt_tcg_scopes_init(&guest.scopes, &plan, &diag)));
	return guest;
}

static void work(struct guest *guest, unsigned int cpu, uint64_t n)
{
	guest->instructions[cpu] += 10 * n;
	guest->kinds[cpu][0] += n;
	guest->kinds[cpu][PGT_TCG_KINDS_MAX - 1] += 2 * n;
}

static struct pgt_tcg_now now(const struct guest *guest, unsigned int cpu)
{
	return (struct pgt_tcg_now){ guest->instructions[cpu], guest->kinds[cpu] };
}

static void enter(struct guest *guest, unsigned int cpu, size_t scope, uint64_t ret, uint64_t sp)
{
	pgt_tcg_scopes_enter(&guest->scopes, cpu, scope, ret, sp, unsized, guest->window,
			     now(guest, cpu));
}

/* Execute an address: as in the plugin, only the one waited for is looked at. */
static void execute(struct guest *guest, unsigned int cpu, uint64_t address, uint64_t sp)
{
	if (pgt_tcg_scopes_watch(&guest->scopes, cpu) == address)
		pgt_tcg_scopes_return(&guest->scopes, cpu, address, sp, guest->window,
				      now(guest, cpu));
}

static void switch_to(struct guest *guest, unsigned int cpu, uint64_t from, uint64_t to)
{
	pgt_tcg_scopes_switch(&guest->scopes, cpu, from, to, now(guest, cpu));
}

static void assert_total(const struct guest *guest, size_t window, size_t scope, uint64_t calls,
			 uint64_t count, uint64_t unfinished)
{
	struct pgt_tcg_total total = pgt_tcg_scopes_total(&guest->scopes, window, scope);

	cr_expect(eq(u64, total.calls, calls));
	cr_expect(eq(u64, total.entered - total.calls - total.spans, unfinished));
	cr_expect(eq(u64, total.instructions, 10 * count));
	cr_expect(eq(u64, total.kinds[0], count));
	cr_expect(eq(u64, total.kinds[1], 0));
	cr_expect(eq(u64, total.kinds[PGT_TCG_KINDS_MAX - 1], 2 * count));
}

Test(tcg_scopes, counts_from_entry_to_return)
{
	struct guest guest = guest_of();

	work(&guest, 0, 1000);
	enter(&guest, 0, OUTER, RET, STACK - 64);
	work(&guest, 0, 7);
	work(&guest, 1, 500);			/* another CPU's */
	execute(&guest, 0, RET, STACK - 64);
	work(&guest, 0, 1000);
	cr_assert(zero(u64, pgt_tcg_scopes_watch(&guest.scopes, 0)));
	assert_total(&guest, 0, OUTER, 1, 7, 0);
	assert_total(&guest, 0, INNER, 0, 0, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

Test(tcg_scopes, nested_scopes_count_in_both)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	work(&guest, 0, 1);
	enter(&guest, 0, INNER, RET + 8, STACK - 128);
	cr_assert(eq(u64, pgt_tcg_scopes_watch(&guest.scopes, 0), RET + 8));
	work(&guest, 0, 10);
	execute(&guest, 0, RET + 8, STACK - 128);
	work(&guest, 0, 100);
	execute(&guest, 0, RET, STACK - 64);
	assert_total(&guest, 0, OUTER, 1, 111, 0);
	assert_total(&guest, 0, INNER, 1, 10, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

/* The inner call returns to the same address, on a deeper stack. */
Test(tcg_scopes, recursion_counts_once)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	work(&guest, 0, 1);
	enter(&guest, 0, OUTER, RET, STACK - 128);
	work(&guest, 0, 10);
	execute(&guest, 0, RET, STACK - 128);
	work(&guest, 0, 100);
	execute(&guest, 0, RET, STACK - 64);
	work(&guest, 0, 1000);
	assert_total(&guest, 0, OUTER, 1, 111, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

/* An outer scope entered again below an inner one does not count there either. */
Test(tcg_scopes, mutual_recursion_counts_the_outermost)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	enter(&guest, 0, INNER, RET + 8, STACK - 128);
	enter(&guest, 0, OUTER, RET + 16, STACK - 192);
	work(&guest, 0, 1);
	execute(&guest, 0, RET + 16, STACK - 192);
	execute(&guest, 0, RET + 8, STACK - 128);
	work(&guest, 0, 10);
	execute(&guest, 0, RET, STACK - 64);
	assert_total(&guest, 0, OUTER, 1, 11, 0);
	assert_total(&guest, 0, INNER, 1, 1, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

/* One function jumps to the other: both return to the first one's caller. */
Test(tcg_scopes, a_tail_call_ends_both)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	work(&guest, 0, 1);
	enter(&guest, 0, INNER, RET, STACK - 64);
	work(&guest, 0, 10);
	execute(&guest, 0, RET, STACK - 64);
	work(&guest, 0, 100);
	assert_total(&guest, 0, OUTER, 1, 11, 0);
	assert_total(&guest, 0, INNER, 1, 10, 0);
	cr_assert(zero(u64, pgt_tcg_scopes_watch(&guest.scopes, 0)));
	pgt_tcg_scopes_release(&guest.scopes);
}

/* The innermost frame never returns; the outer one's caller enters another scope. */
Test(tcg_scopes, what_never_returns_is_unfinished_and_in_nobodys_way)
{
	struct guest guest = guest_of();

	enter(&guest, 0, INNER, RET + 8, STACK - 256);
	work(&guest, 0, 1);
	enter(&guest, 0, OUTER, RET, STACK - 64);
	work(&guest, 0, 10);
	execute(&guest, 0, RET, STACK - 64);
	enter(&guest, 0, INNER, RET + 8, STACK - 64);
	work(&guest, 0, 100);
	execute(&guest, 0, RET + 8, STACK - 64);
	assert_total(&guest, 0, OUTER, 1, 10, 0);
	assert_total(&guest, 0, INNER, 1, 100, 1);
	pgt_tcg_scopes_release(&guest.scopes);
}

/* An interrupt handler has a stack of its own, which may lie above the task's. */
Test(tcg_scopes, an_interrupt_ends_nothing)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	enter(&guest, 0, INNER, RET + 8, OTHER);
	work(&guest, 0, 1);
	execute(&guest, 0, RET + 8, OTHER);
	work(&guest, 0, 10);
	execute(&guest, 0, RET, STACK - 64);
	assert_total(&guest, 0, OUTER, 1, 11, 0);
	assert_total(&guest, 0, INNER, 1, 1, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

Test(tcg_scopes, other_tasks_do_not_count)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	work(&guest, 0, 1);
	switch_to(&guest, 0, 0x1000, 0x2000);
	cr_assert(zero(u64, pgt_tcg_scopes_watch(&guest.scopes, 0)));
	work(&guest, 0, 10);
	execute(&guest, 0, RET, STACK - 64);	/* not this task's */
	enter(&guest, 0, OUTER, RET, OTHER - 64);
	work(&guest, 0, 100);
	execute(&guest, 0, RET, OTHER - 64);
	switch_to(&guest, 0, 0x2000, 0x1000);
	cr_assert(eq(u64, pgt_tcg_scopes_watch(&guest.scopes, 0), RET));
	work(&guest, 0, 1000);
	execute(&guest, 0, RET, STACK - 64);
	assert_total(&guest, 0, OUTER, 2, 1101, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

Test(tcg_scopes, a_task_takes_its_frames_to_another_cpu)
{
	struct guest guest = guest_of();

	work(&guest, 0, 5000);
	work(&guest, 1, 70);
	enter(&guest, 0, OUTER, RET, STACK - 64);
	enter(&guest, 0, INNER, RET + 8, STACK - 128);
	work(&guest, 0, 1);
	switch_to(&guest, 0, 0x1000, 0x2000);
	work(&guest, 0, 300);
	work(&guest, 1, 400);
	switch_to(&guest, 1, 0x3000, 0x1000);
	work(&guest, 1, 10);
	execute(&guest, 1, RET + 8, STACK - 128);
	work(&guest, 1, 100);
	execute(&guest, 1, RET, STACK - 64);
	assert_total(&guest, 0, OUTER, 1, 111, 0);
	assert_total(&guest, 0, INNER, 1, 11, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

Test(tcg_scopes, a_task_that_died_switched_out_is_unfinished)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);
	switch_to(&guest, 0, 0x1000, 0x2000);
	enter(&guest, 0, INNER, RET, OTHER - 64);
	switch_to(&guest, 0, 0x2000, 0x3000);
	enter(&guest, 0, OUTER, RET, STACK - 64);
	switch_to(&guest, 0, 0x1000, 0x2000);	/* the first one's name again */
	execute(&guest, 0, RET, OTHER - 64);
	assert_total(&guest, 0, INNER, 1, 0, 0);
	assert_total(&guest, 0, OUTER, 0, 0, 2);
	pgt_tcg_scopes_release(&guest.scopes);
}

Test(tcg_scopes, a_window_has_the_calls_that_lie_in_it)
{
	struct guest guest = guest_of();

	enter(&guest, 0, OUTER, RET, STACK - 64);	/* entered before it */
	guest.window = 1;
	enter(&guest, 0, INNER, RET + 8, STACK - 128);	/* whole */
	work(&guest, 0, 1);
	execute(&guest, 0, RET + 8, STACK - 128);
	execute(&guest, 0, RET, STACK - 64);
	enter(&guest, 0, INNER, RET, STACK - 64);	/* returns behind it */
	work(&guest, 0, 10);
	guest.window = 0;
	execute(&guest, 0, RET, STACK - 64);
	guest.window = 2;
	enter(&guest, 0, INNER, RET, STACK - 64);
	guest.window = 3;				/* returns in the next one */
	execute(&guest, 0, RET, STACK - 64);
	assert_total(&guest, 0, OUTER, 1, 1, 0);
	assert_total(&guest, 0, INNER, 3, 11, 0);
	assert_total(&guest, 1, OUTER, 0, 0, 0);
	assert_total(&guest, 1, INNER, 1, 1, 1);
	assert_total(&guest, 2, INNER, 0, 0, 1);
	assert_total(&guest, 3, INNER, 0, 0, 0);
	assert_total(&guest, 9, INNER, 0, 0, 0);
	pgt_tcg_scopes_release(&guest.scopes);
}

static void call(struct guest *guest, enum pgt_pages pages, uint64_t argument, uint64_t next)
{
	pgt_tcg_scopes_enter(&guest->scopes, 0, OUTER, RET, STACK - 64,
			     pgt_tcg_call_of(pages, argument, next), 0, now(guest, 0));
	execute(guest, 0, RET, STACK - 64);
}

Test(tcg_scopes, pages_are_those_of_the_arguments)
{
	struct guest guest = guest_of();
	struct pgt_tcg_total total;

	call(&guest, PGT_PAGES_BYTES, 0, 99);			/* none */
	call(&guest, PGT_PAGES_BYTES, 1, 0);			/* one */
	call(&guest, PGT_PAGES_BYTES, 4097, 0);			/* two */
	call(&guest, PGT_PAGES_RANGE, 0x5000, 0x8000);		/* three */
	call(&guest, PGT_PAGES_RANGE, 0x5000, 0x9000);		/* four */
	call(&guest, PGT_PAGES_RANGE, 0x5001, 0x9002);		/* five */
	call(&guest, PGT_PAGES_RANGE, 1, 0);			/* all */
	call(&guest, PGT_PAGES_RANGE, 0, UINT64_MAX);		/* wraps to none, as in BPF */
	call(&guest, PGT_PAGES_ONE, 0, 0);
	call(&guest, PGT_PAGES_PMD, 0, 0);
	call(&guest, PGT_PAGES_FULL, 0, 0);
	call(&guest, PGT_PAGES_NONE, 0, 0);
	call(&guest, PGT_PAGES_FOLIO, 0, 0);
	call(&guest, PGT_PAGES_GATHER, 0, 0);
	call(&guest, PGT_PAGES_SPAN, 0, 0);
	total = pgt_tcg_scopes_total(&guest.scopes, 0, OUTER);
	cr_expect(eq(u64, total.calls, 14));
	cr_expect(eq(u64, total.spans, 1));
	cr_expect(eq(u64, total.full, 2));
	cr_expect(eq(u64, total.unsized, 3));
	cr_expect(eq(u64, total.pages, 0 + 1 + 2 + 3 + 4 + 5 + 0 + 1 + 512));
	cr_expect(eq(u64, total.bucket[0], 2));
	cr_expect(eq(u64, total.bucket[1], 2));
	cr_expect(eq(u64, total.bucket[2], 2));
	cr_expect(eq(u64, total.bucket[3], 2));
	cr_expect(eq(u64, total.bucket[10], 1));
	pgt_tcg_scopes_release(&guest.scopes);
}
