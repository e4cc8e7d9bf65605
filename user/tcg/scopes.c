/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/scopes.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define PAGE_SHIFT	12
#define PMD_PAGES	512	/* of 4 KiB in what one PMD entry maps */
#define STACK_SHIFT	14	/* kernel stacks are 16 KiB, and aligned to more */

struct frame {
	size_t scope, window;
	uint64_t ret, sp;
	struct pgt_tcg_call call;
	uint64_t instructions;		/* executed, less the counter when the task last ran */
	uint64_t kinds[PGT_TCG_KINDS_MAX];	/* likewise */
};

/* A scope is on a stack once at most. */
struct pgt_tcg_stack {
	size_t n;
	struct frame *at[PGT_TCG_SCOPES_MAX];
};

struct parked {
	uint64_t task;
	struct pgt_tcg_stack stack;
};

int pgt_tcg_scopes_init(struct pgt_tcg_scopes *out, const struct pgt_tcg_plan *plan,
			struct pgt_diag *diag)
{
	struct pgt_tcg_stack *running = calloc(plan->vcpus, sizeof(*running));

	if (!running)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	*out = (struct pgt_tcg_scopes){
		.n_scopes = plan->n_scopes, .n_vcpus = plan->vcpus, .running = running,
	};
	memcpy(out->pages_of, plan->pages_of, sizeof(out->pages_of));
	return 0;
}

static void drop(struct pgt_tcg_stack *stack)
{
	free(stack->at[--stack->n]);
}

static void free_parked(void *node)
{
	struct parked *parked = node;

	while (parked->stack.n)
		drop(&parked->stack);
	free(parked);
}

void pgt_tcg_scopes_release(struct pgt_tcg_scopes *scopes)
{
	for (unsigned int i = 0; scopes->running && i < scopes->n_vcpus; i++)
		while (scopes->running[i].n)
			drop(&scopes->running[i]);
	tdestroy(scopes->parked, free_parked);
	free(scopes->running);
	free(scopes->totals);
	*scopes = (struct pgt_tcg_scopes){ .running = NULL };
}

struct pgt_tcg_call pgt_tcg_call_of(enum pgt_pages pages, uint64_t argument, uint64_t next)
{
	const uint64_t round = (UINT64_C(1) << PAGE_SHIFT) - 1;

	switch (pages) {
	case PGT_PAGES_SPAN:
		return (struct pgt_tcg_call){ PGT_TCG_SPAN, 0 };
	case PGT_PAGES_ONE:
		return (struct pgt_tcg_call){ PGT_TCG_SIZED, 1 };
	case PGT_PAGES_PMD:
		return (struct pgt_tcg_call){ PGT_TCG_SIZED, PMD_PAGES };
	case PGT_PAGES_FULL:
		return (struct pgt_tcg_call){ PGT_TCG_FULL, 0 };
	case PGT_PAGES_BYTES:
		return (struct pgt_tcg_call){ PGT_TCG_SIZED, (argument + round) >> PAGE_SHIFT };
	case PGT_PAGES_RANGE:
		if (next < argument)	/* a whole address space, in the shape of a range */
			return (struct pgt_tcg_call){ PGT_TCG_FULL, 0 };
		return (struct pgt_tcg_call){ PGT_TCG_SIZED,
					      (next - argument + round) >> PAGE_SHIFT };
	default:	/* in a structure of the guest's, or nowhere */
		return (struct pgt_tcg_call){ PGT_TCG_UNSIZED, 0 };
	}
}

/* The totals of a scope in a window; NULL without memory. */
static struct pgt_tcg_total *total_of(struct pgt_tcg_scopes *scopes, size_t window, size_t scope)
{
	size_t n = scopes->n_windows;
	struct pgt_tcg_total *totals = scopes->totals;

	if (window >= n) {
		totals = reallocarray(totals, (window + 1) * scopes->n_scopes, sizeof(*totals));
		if (!totals) {
			scopes->out_of_memory = true;
			return NULL;
		}
		memset(totals + n * scopes->n_scopes, 0,
		       (window + 1 - n) * scopes->n_scopes * sizeof(*totals));
		scopes->totals = totals;
		scopes->n_windows = window + 1;
	}
	return &totals[window * scopes->n_scopes + scope];
}

/* Stacks grow down; a function entered on an empty one has its top as stack pointer. */
static bool is_on_one_stack(uint64_t sp, uint64_t other)
{
	return (sp - 1) >> STACK_SHIFT == (other - 1) >> STACK_SHIFT;
}

/* No frame is active that lies below the stack pointer of its own stack. */
static void drop_dead(struct pgt_tcg_stack *stack, uint64_t sp)
{
	while (stack->n && stack->at[stack->n - 1]->sp < sp &&
	       is_on_one_stack(stack->at[stack->n - 1]->sp, sp))
		drop(stack);
}

/* Let the frame's counts begin to run with a CPU's counters, or stop doing so. */
static void run(struct frame *frame, struct pgt_tcg_now now)
{
	frame->instructions -= now.instructions;
	for (size_t i = 0; i < PGT_TCG_KINDS_MAX; i++)
		frame->kinds[i] -= now.kinds[i];
}

static void stop(struct frame *frame, struct pgt_tcg_now now)
{
	frame->instructions += now.instructions;
	for (size_t i = 0; i < PGT_TCG_KINDS_MAX; i++)
		frame->kinds[i] += now.kinds[i];
}

static void count_entry(struct pgt_tcg_scopes *scopes, size_t window, size_t scope)
{
	struct pgt_tcg_total *total = total_of(scopes, window, scope);

	if (total)
		total->entered++;
}

void pgt_tcg_scopes_enter(struct pgt_tcg_scopes *scopes, unsigned int vcpu, size_t scope,
			  uint64_t ret, uint64_t sp, struct pgt_tcg_call call, size_t window,
			  struct pgt_tcg_now now)
{
	struct pgt_tcg_stack *stack = &scopes->running[vcpu];
	struct frame *frame;

	drop_dead(stack, sp);
	for (size_t i = 0; i < stack->n; i++)
		if (stack->at[i]->scope == scope)
			return;
	frame = calloc(1, sizeof(*frame));
	if (!frame) {
		scopes->out_of_memory = true;
		return;
	}
	frame->scope = scope;
	frame->window = window;
	frame->ret = ret;
	frame->sp = sp;
	frame->call = call;
	if (scopes->pages_of[scope])
		frame->call = (struct pgt_tcg_call){ PGT_TCG_SIZED, 0 };
	run(frame, now);
	stack->at[stack->n++] = frame;
	count_entry(scopes, 0, scope);
	if (window)
		count_entry(scopes, window, scope);
}

static void count_call(struct pgt_tcg_total *total, struct pgt_tcg_call call)
{
	size_t bucket = 0;

	if (call.size == PGT_TCG_SPAN) {
		total->spans++;
		return;
	}
	total->calls++;
	if (call.size == PGT_TCG_FULL)
		total->full++;
	if (call.size == PGT_TCG_UNSIZED)
		total->unsized++;
	if (call.size != PGT_TCG_SIZED)
		return;
	for (uint64_t rest = call.pages; rest && bucket < PGT_BUCKETS - 1; rest >>= 1)
		bucket++;
	total->pages += call.pages;
	total->bucket[bucket]++;
}

static void count_frame(struct pgt_tcg_scopes *scopes, size_t window, const struct frame *frame)
{
	struct pgt_tcg_total *total = total_of(scopes, window, frame->scope);

	if (!total)
		return;
	count_call(total, frame->call);
	total->instructions += frame->instructions;
	for (size_t i = 0; i < PGT_TCG_KINDS_MAX; i++)
		total->kinds[i] += frame->kinds[i];
}

/* A call has returned: its pages are those of the scopes around it that say so. */
static void hand_pages(const struct pgt_tcg_scopes *scopes, struct pgt_tcg_stack *stack,
		       const struct frame *inner)
{
	for (size_t i = 0; i < stack->n; i++) {
		struct pgt_tcg_call *call = &stack->at[i]->call;

		if (scopes->pages_of[stack->at[i]->scope] != inner->scope + 1 ||
		    inner->call.size == PGT_TCG_SPAN)
			continue;
		if (inner->call.size != PGT_TCG_SIZED)
			call->size = PGT_TCG_UNSIZED;
		call->pages += inner->call.pages;
	}
}

void pgt_tcg_scopes_return(struct pgt_tcg_scopes *scopes, unsigned int vcpu, uint64_t address,
			   uint64_t sp, size_t window, struct pgt_tcg_now now)
{
	struct pgt_tcg_stack *stack = &scopes->running[vcpu];
	struct frame *top;

	drop_dead(stack, sp);
	while (stack->n) {
		top = stack->at[stack->n - 1];
		if (top->ret != address || top->sp != sp)
			break;
		stop(top, now);
		count_frame(scopes, 0, top);
		if (window && top->window == window)
			count_frame(scopes, window, top);
		hand_pages(scopes, stack, top);
		drop(stack);
	}
}

static int by_task(const void *a, const void *b)
{
	const struct parked *x = a, *y = b;

	return x->task < y->task ? -1 : x->task > y->task;
}

static void park(struct pgt_tcg_scopes *scopes, struct pgt_tcg_stack *stack, uint64_t task,
		 struct pgt_tcg_now now)
{
	struct parked *parked = malloc(sizeof(*parked)), **found = NULL;

	if (parked) {
		parked->task = task;
		found = tsearch(parked, &scopes->parked, by_task);
	}
	if (!found) {
		free(parked);
		scopes->out_of_memory = true;
		while (stack->n)
			drop(stack);
		return;
	}
	/* One of that name died while it was parked. */
	if (*found != parked) {
		free_parked(*found);
		*found = parked;
	}
	for (size_t i = 0; i < stack->n; i++)
		stop(stack->at[i], now);
	parked->stack = *stack;
	stack->n = 0;
}

static void unpark(struct pgt_tcg_scopes *scopes, struct pgt_tcg_stack *stack, uint64_t task,
		   struct pgt_tcg_now now)
{
	const struct parked key = { .task = task };
	struct parked **found = tfind(&key, &scopes->parked, by_task), *parked;

	if (!found)
		return;
	parked = *found;
	tdelete(parked, &scopes->parked, by_task);
	*stack = parked->stack;
	free(parked);
	for (size_t i = 0; i < stack->n; i++)
		run(stack->at[i], now);
}

void pgt_tcg_scopes_switch(struct pgt_tcg_scopes *scopes, unsigned int vcpu, uint64_t previous,
			   uint64_t next, struct pgt_tcg_now now)
{
	struct pgt_tcg_stack *stack = &scopes->running[vcpu];

	if (stack->n)
		park(scopes, stack, previous, now);
	if (scopes->parked)
		unpark(scopes, stack, next, now);
}

uint64_t pgt_tcg_scopes_watch(const struct pgt_tcg_scopes *scopes, unsigned int vcpu)
{
	const struct pgt_tcg_stack *stack = &scopes->running[vcpu];

	return stack->n ? stack->at[stack->n - 1]->ret : 0;
}

struct pgt_tcg_total pgt_tcg_scopes_total(const struct pgt_tcg_scopes *scopes, size_t window,
					  size_t scope)
{
	if (window >= scopes->n_windows)
		return (struct pgt_tcg_total){ .calls = 0 };
	return scopes->totals[window * scopes->n_scopes + scope];
}
