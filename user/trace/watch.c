/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../bpf/pgtrace_abi.h"
#include "base/diag.h"
#include "base/progress.h"
#include "probe/catalogue.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/pointers.h"
#include "probe/sites.h"
#include "trace/tracefs.h"

/*
 * A notrace function that half the kernel calls is not worth watching, nor are the callers of
 * the callers of one without end: breakpoints are cheaper.
 */
#define CALLS_MAX	200
#define FUNCS_MAX	512

struct planting {
	struct pgt_watch *watch;
	const struct pgt_sites *sites;
	const struct pgt_text *text;
	struct pgt_event *event;
	struct pgt_diag *diag;
};

static void *grow(void *at, size_t n, size_t size)
{
	/* powers of two: n is where the next element goes */
	return n & (n - 1) && n ? at : realloc(at, (n ? n * 2 : 1) * size);
}

static size_t find(const struct pgt_watch *watch, uint64_t address)
{
	for (size_t i = 0; i < watch->n_funcs; i++)
		if (watch->func[i].symbol->address == address)
			return i;
	return watch->n_funcs;
}

/* The number of a function, which is added where it is new. */
static int number_of(struct planting *p, const struct pgt_ksym *symbol, size_t *out)
{
	struct pgt_watch *watch = p->watch;
	struct pgt_watch_func *func;

	*out = find(watch, symbol->address);
	if (*out < watch->n_funcs)
		return 0;
	func = grow(watch->func, watch->n_funcs, sizeof(*func));
	if (!func)
		return pgt_fail(p->diag, -ENOMEM, "watched functions: out of memory");
	watch->func = func;
	watch->func[watch->n_funcs++] = (struct pgt_watch_func){
		.symbol = symbol,
		.asynchronous = pgt_symbol_is_asynchronous(p->text->decoder->arch, symbol->name),
	};
	return 0;
}

static bool is_site(const struct pgt_sites *sites, uint64_t address)
{
	for (size_t i = 0; i < sites->n; i++)
		if (sites->at[i].address == address)
			return true;
	return false;
}

/* Returns 1 where planted, 0 where the kernel refuses, or a failure. */
static int plant(struct planting *p, uint64_t address, size_t func)
{
	struct pgt_watch *watch = p->watch;
	struct pgt_watch_point *point;
	int err;

	if (is_site(p->sites, address))	/* one address can mean one thing only */
		return 0;
	p->diag->text[0] = '\0';
	err = pgt_event_add(p->event, 'p', address - p->text->ksyms->start, p->diag);
	if (err)
		return p->diag->text[0] ? err : 0;
	point = grow(watch->point, watch->n_points, sizeof(*point));
	if (!point)
		return pgt_fail(p->diag, -ENOMEM, "watched functions: out of memory");
	watch->point = point;
	watch->point[watch->n_points++] = (struct pgt_watch_point){ address, func };
	return 1;
}

static int add_caller(struct planting *p, size_t callee, size_t caller)
{
	struct pgt_watch_func *func = &p->watch->func[callee];
	size_t *at;

	for (size_t i = 0; i < func->n_callers; i++)
		if (func->caller[i] == caller)
			return 0;
	at = grow(func->caller, func->n_callers, sizeof(*at));
	if (!at)
		return pgt_fail(p->diag, -ENOMEM, "watched functions: out of memory");
	func->caller = at;
	func->caller[func->n_callers++] = caller;
	return 0;
}

/* Watch one call; where that is refused, watch the function that the call is in. */
static int watch_call(struct planting *p, const struct pgt_call *call)
{
	const struct pgt_ksym *from = pgt_ksyms_at(p->text->ksyms, call->address);
	size_t callee = find(p->watch, call->target), caller;
	int planted = plant(p, call->address, callee), err;

	if (planted)
		return planted < 0 ? planted : 0;
	if (!from || p->watch->n_funcs >= FUNCS_MAX) {
		p->watch->func[callee].unseen = true;
		return 0;
	}
	err = number_of(p, from, &caller);
	return err ? err : add_caller(p, callee, caller);
}

static bool holds(const uint64_t *at, size_t n, uint64_t value)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] == value)
			return true;
	return false;
}

/* Functions whose calls are watched, because their entry cannot be and they may matter. */
static bool by_calls(const struct pgt_watch_func *func)
{
	return !func->entry && !func->asynchronous;
}

/* Watch the calls of functions first..n-1 whose entry cannot be; callers may be added. */
static int watch_calls(struct planting *p, size_t first, size_t n)
{
	uint64_t *target = calloc(n - first + 1, sizeof(*target));
	struct pgt_call *call = NULL;
	size_t n_targets = 0, n_calls = 0;
	int err;

	if (!target)
		return pgt_fail(p->diag, -ENOMEM, "watched functions: out of memory");
	for (size_t i = first; i < n; i++)
		if (by_calls(&p->watch->func[i]))
			target[n_targets++] = p->watch->func[i].symbol->address;
	pgt_targets_sort(target, n_targets);
	err = pgt_text_calls(p->text, target, n_targets, &call, &n_calls, p->diag);
	for (size_t i = 0; i < n_calls; i++)
		p->watch->func[find(p->watch, call[i].target)].n_calls++;
	for (size_t i = 0; i < n_calls && !err; i++)
		if (p->watch->func[find(p->watch, call[i].target)].n_calls <= CALLS_MAX)
			err = watch_call(p, &call[i]);
	free(call);
	free(target);
	return err;
}

/* A function that nothing calls directly, or whose address is taken, is entered unseen. */
static int mark_unseen(struct planting *p)
{
	struct pgt_watch *watch = p->watch;
	uint64_t *target = calloc(watch->n_funcs + 1, sizeof(*target));
	size_t n = 0;
	int err;

	if (!target)
		return pgt_fail(p->diag, -ENOMEM, "watched functions: out of memory");
	for (size_t i = 0; i < watch->n_funcs; i++)
		if (by_calls(&watch->func[i]))
			target[n++] = watch->func[i].symbol->address;
	pgt_targets_sort(target, n);
	err = pgt_pointers_strike(p->text, target, n, p->diag);
	for (size_t i = 0; i < watch->n_funcs && !err; i++) {
		struct pgt_watch_func *func = &watch->func[i];

		if (!func->entry)
			func->unseen |= func->asynchronous || !func->n_calls ||
					func->n_calls > CALLS_MAX ||
					!holds(target, n, func->symbol->address);
	}
	free(target);
	return err;
}

static int watch_entries(struct planting *p, size_t first, size_t n)
{
	for (size_t i = first; i < n; i++) {
		int planted = p->watch->func[i].asynchronous ? 0 :
			      plant(p, p->watch->func[i].symbol->address, i);

		if (planted < 0)
			return planted;
		p->watch->func[i].entry = planted;
	}
	return 0;
}

/* What is incidental is no probe's work wherever it is entered from. */
static bool needs_watch(const struct pgt_site *site)
{
	return site->reach == PGT_REACH_BREAKPOINT && !site->incidental;
}

static int add_blind(struct planting *p, const struct pgt_plan *plan)
{
	size_t number;
	int err = 0;

	for (size_t i = 0; i < plan->n; i++)
		for (size_t k = 0; k < plan->func[i].n_blind && k < PGT_BLIND_MAX && !err; k++)
			if (plan->func[i].blind[k])
				err = number_of(p, plan->func[i].blind[k], &number);
	return err;
}

int pgt_watch_plant(struct pgt_watch *out, const struct pgt_sites *sites,
		    const struct pgt_plan *plan, const struct pgt_text *text,
		    struct pgt_event *event, struct pgt_progress *progress,
		    struct pgt_diag *diag)
{
	struct pgt_watch watch = { 0 };
	struct planting p = { &watch, sites, text, event, diag };
	size_t first = 0, number;
	int err = 0;

	for (size_t i = 0; i < sites->n && !err; i++)
		if (needs_watch(&sites->at[i]))
			err = number_of(&p, sites->at[i].function, &number);
	if (!err)
		err = add_blind(&p, plan);
	pgt_progress_begin(progress, 0, "watching functions whose sites need breakpoints");
	while (!err && first < watch.n_funcs) {	/* each round watches the callers of the last */
		size_t n = watch.n_funcs;

		err = watch_entries(&p, first, n);
		if (!err)
			err = watch_calls(&p, first, n);
		first = n;
		pgt_progress_update(progress, n);
	}
	if (!err)
		err = mark_unseen(&p);
	pgt_progress_end(progress);
	if (err) {
		pgt_watch_release(&watch);
		return err;
	}
	*out = watch;
	return 0;
}

void pgt_watch_release(struct pgt_watch *watch)
{
	for (size_t i = 0; i < watch->n_funcs; i++)
		free(watch->func[i].caller);
	free(watch->func);
	free(watch->point);
	*watch = (struct pgt_watch){ 0 };
}

bool pgt_watch_can_see(const struct pgt_watch *watch, const struct pgt_ksym *function)
{
	size_t i = find(watch, function->address);

	return i < watch->n_funcs && (!watch->func[i].unseen || watch->func[i].asynchronous);
}

/* In which of the contexts the points of a function were hit. */
static unsigned int contexts_of(const struct pgt_site_cell *cell)
{
	unsigned int contexts = 0;

	for (int i = 0; i < PGT_PROBE_MAX; i++)
		if (cell->inclusive[i])
			contexts |= PGT_KNOWN_NOT_IN_PROBE(i);
	if (cell->innermost[PGT_IN_OUTSIDE])
		contexts |= PGT_KNOWN_NOT_OUTSIDE;
	if (cell->innermost[PGT_IN_INTERRUPT])
		contexts |= PGT_KNOWN_NOT_IN_INTERRUPT;
	return contexts;
}

#define EVERYWHERE	(PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_INTERRUPT)

/* Where a function may be entered without a point that sees it. */
static unsigned int possible(const struct pgt_watch_func *func)
{
	return func->asynchronous ? EVERYWHERE & ~PGT_KNOWN_NOT_IN_PROBES : EVERYWHERE;
}

/*
 * Where each function may have been entered: where its points were hit, and where a caller
 * with calls that cannot be watched was entered, until nothing changes.
 */
static void spread(const struct pgt_watch *watch, const struct pgt_site_cell *cell,
		   unsigned int *entered)
{
	bool changed = true;

	for (size_t i = 0; i < watch->n_funcs; i++)
		entered[i] = watch->func[i].unseen ? possible(&watch->func[i]) : 0;
	for (size_t i = 0; i < watch->n_points; i++)
		entered[watch->point[i].func] |= contexts_of(&cell[i]);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < watch->n_funcs; i++) {
			unsigned int before = entered[i];

			for (size_t k = 0; k < watch->func[i].n_callers; k++)
				entered[i] |= entered[watch->func[i].caller[k]] &
					      possible(&watch->func[i]);
			changed |= entered[i] != before;
		}
	}
}

/* Were there calls of a function that nobody saw: was one of its blind callers entered? */
static bool may_miss(const struct pgt_watch *watch, const struct pgt_plan_func *func,
		     const unsigned int *entered)
{
	if (func->mechanism == PGT_MECHANISM_NONE || func->n_blind > PGT_BLIND_MAX)
		return true;
	for (size_t k = 0; k < func->n_blind; k++)
		if (!func->blind[k] || entered[find(watch, func->blind[k]->address)])
			return true;
	return false;
}

int pgt_watch_judge(const struct pgt_watch *watch, const struct pgt_sites *sites,
		    const struct pgt_plan *plan, const struct pgt_site_cell *cell,
		    uint16_t *known, unsigned char *missed, struct pgt_diag *diag)
{
	unsigned int *entered = calloc(watch->n_funcs + 1, sizeof(*entered));

	if (!entered)
		return pgt_fail(diag, -ENOMEM, "watched functions: out of memory");
	spread(watch, cell, entered);
	for (size_t i = 0; i < sites->n; i++)
		if (needs_watch(&sites->at[i]))
			known[i] = (uint16_t)(EVERYWHERE &
				~entered[find(watch, sites->at[i].function->address)]);
	for (size_t i = 0; i < plan->n; i++)
		missed[i] = may_miss(watch, &plan->func[i], entered);
	free(entered);
	return 0;
}
