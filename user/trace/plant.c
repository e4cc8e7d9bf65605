/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/plant.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/progress.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "trace/tracefs.h"

#define RETURNS_MAX	32	/* return instructions of one function */

struct planting {
	struct pgt_plan *plan;
	const struct pgt_text *text;
	struct pgt_event *entries;
	struct pgt_planted_list *out;
	struct pgt_diag *diag;
};

void pgt_planted_release(struct pgt_planted_list *list)
{
	free(list->at);
	*list = (struct pgt_planted_list){ 0 };
}

static int add(struct planting *p, uint64_t address, size_t func, enum pgt_event_kind kind)
{
	struct pgt_planted_list *list = p->out;

	if (list->n == list->size) {
		size_t size = list->size ? list->size * 2 : 64;
		struct pgt_planted *at = realloc(list->at, size * sizeof(*at));

		if (!at)
			return pgt_fail(p->diag, -ENOMEM, "probes: out of memory");
		list->at = at;
		list->size = size;
	}
	list->at[list->n++] = (struct pgt_planted){ address, (uint32_t)func, kind };
	return 0;
}

/* Returns 1 where planted, 0 where the kernel refuses this address, or a failure. */
static int try_plant(struct planting *p, struct pgt_event *event, char type, uint64_t address)
{
	int err;

	p->diag->text[0] = '\0';
	err = pgt_event_add(event, type, address - p->text->ksyms->start, p->diag);
	if (!err)
		return 1;
	return p->diag->text[0] ? err : 0;
}

/*
 * Kprobes on every return instruction.  Unlike a kretprobe's handler they run with interrupts
 * masked: an interrupt within a BPF program would find that no other may run on its CPU,
 * and lose the hits of its own sites.  Returns 1 where all are planted, 0 where the function
 * leaves otherwise too, or a failure.
 */
static int plant_returns(struct planting *p, size_t i)
{
	uint64_t at[RETURNS_MAX];
	size_t n;
	int err = 0;

	if (pgt_text_returns(p->text, p->plan->func[i].symbol, at, RETURNS_MAX, &n))
		return 0;
	for (size_t k = 0; k < n; k++) {
		int planted = try_plant(p, p->entries, 'p', at[k]);

		/* those that were planted already stay without a meaning, and count nothing */
		if (planted <= 0)
			return planted;
	}
	for (size_t k = 0; k < n && !err; k++)
		err = add(p, at[k], i, PGT_EVENT_RETURN);
	return err ? err : 1;
}

static int plant_kretprobe(struct planting *p, size_t i, struct pgt_event *returns)
{
	char suffix[32];

	snprintf(suffix, sizeof(suffix), "return%zu", i);
	pgt_event_init(returns, suffix);
	return try_plant(p, returns, 'r', p->plan->func[i].symbol->address);
}

static int plant_kprobe(struct planting *p, size_t i, struct pgt_event *returns)
{
	struct pgt_plan_func *func = &p->plan->func[i];
	int planted = try_plant(p, p->entries, 'p', func->symbol->address), err;

	if (planted <= 0)
		return planted;
	err = add(p, func->symbol->address, i, PGT_EVENT_CALL);
	if (err)
		return err;
	func->mechanism = PGT_MECHANISM_KPROBE;
	planted = plant_returns(p, i);
	if (planted)
		return planted < 0 ? planted : 0;
	func->mechanism = PGT_MECHANISM_KRETPROBE;
	planted = plant_kretprobe(p, i, returns);
	if (!planted)
		return pgt_fail(p->diag, -EINVAL, "%s: the kernel takes a kprobe but no kretprobe",
				func->symbol->name);
	return planted < 0 ? planted : 0;
}

/* A call from within the same probe would not count: the outer one does. */
static bool within_probe(const struct planting *p, uint64_t address, size_t i)
{
	const struct pgt_ksym *from = pgt_ksyms_at(p->text->ksyms, address);

	for (size_t k = 0; from && k < p->plan->n; k++)
		if (p->plan->func[k].symbol->address == from->address)
			return p->plan->func[k].probe == p->plan->func[i].probe;
	return false;
}

struct call_count {
	size_t planted, refused;
};

/* A call that cannot be probed; one more than fit makes the list useless, which n_blind says. */
static void note_blind(struct planting *p, uint64_t address, size_t i)
{
	struct pgt_plan_func *func = &p->plan->func[i];

	if (func->n_blind < PGT_BLIND_MAX)
		func->blind[func->n_blind] = pgt_ksyms_at(p->text->ksyms, address);
	func->n_blind++;
}

/*
 * Plant a kprobe on one call of function i, and on the instruction that it returns to.  A
 * jump returns to wherever its caller was called from: only the call can be counted, and
 * what the function itself executes is known by its place.
 */
static int plant_call(struct planting *p, const struct pgt_call *call, size_t i,
		      struct call_count *count)
{
	uint64_t behind = call->address + p->text->decoder->step;
	int planted = 1, err;

	if (!call->tail)
		planted = try_plant(p, p->entries, 'p', behind);
	if (planted > 0)
		planted = try_plant(p, p->entries, 'p', call->address);
	if (planted < 0)
		return planted;
	if (!planted) {
		if (!within_probe(p, call->address, i)) {
			count->refused++;
			note_blind(p, call->address, i);
		}
		return 0;
	}
	count->planted++;
	err = add(p, call->address, i, call->tail ? PGT_EVENT_JUMP : PGT_EVENT_CALL);
	return err || call->tail ? err : add(p, behind, i, PGT_EVENT_BEHIND_CALL);
}

static void describe_calls(struct pgt_plan_func *func, const struct call_count *count)
{
	if (count->planted)
		func->mechanism = PGT_MECHANISM_CALL_SITE;
	if (!count->planted && !count->refused)
		snprintf(func->reason, sizeof(func->reason), "notrace, and nothing calls it directly");
	else if (count->refused)
		snprintf(func->reason, sizeof(func->reason),
			 "notrace, and %zu of its %zu direct calls cannot be probed: in %s%s",
			 count->refused, count->planted + count->refused,
			 func->blind[0] ? func->blind[0]->name : "no function",
			 count->refused > 1 ? " and others" : "");
}

/* For functions that take neither fentry nor kprobe: probe the calls of them. */
static int plant_calls(struct planting *p)
{
	struct call_count count[PGT_FUNC_MAX] = { 0 };
	uint64_t target[PGT_FUNC_MAX];
	struct pgt_call *call = NULL;
	size_t n = 0, n_calls = 0;
	int err;

	for (size_t i = 0; i < p->plan->n; i++)
		if (p->plan->func[i].mechanism == PGT_MECHANISM_NONE)
			target[n++] = p->plan->func[i].symbol->address;
	if (!n)
		return 0;
	pgt_targets_sort(target, n);
	err = pgt_text_calls(p->text, target, n, &call, &n_calls, p->diag);
	for (size_t k = 0; k < n_calls && !err; k++)
		for (size_t i = 0; i < p->plan->n && !err; i++)
			if (p->plan->func[i].symbol->address == call[k].target)
				err = plant_call(p, &call[k], i, &count[i]);
	free(call);
	for (size_t i = 0; i < p->plan->n && !err; i++)
		if (p->plan->func[i].mechanism == PGT_MECHANISM_NONE)
			describe_calls(&p->plan->func[i], &count[i]);
	return err;
}

int pgt_plant_functions(struct pgt_plan *plan, const struct pgt_text *text,
			struct pgt_event *entries, struct pgt_event *returns,
			struct pgt_planted_list *out, struct pgt_progress *progress,
			struct pgt_diag *diag)
{
	struct planting p = { plan, text, entries, out, diag };
	int err = 0;

	pgt_progress_begin(progress, plan->n, "attaching to functions");
	for (size_t i = 0; i < plan->n && !err; i++) {
		if (plan->func[i].mechanism == PGT_MECHANISM_NONE)
			err = plant_kprobe(&p, i, &returns[i]);
		pgt_progress_update(progress, i + 1);
	}
	if (!err)
		err = plant_calls(&p);
	pgt_progress_end(progress);
	return err;
}

int pgt_plant_sites(struct pgt_sites *sites, const struct pgt_text *text, struct pgt_event *event,
		    struct pgt_progress *progress, struct pgt_diag *diag)
{
	struct planting p = { NULL, text, NULL, NULL, diag };
	int planted = 0;

	pgt_progress_begin(progress, sites->n, "planting instruction sites");
	for (size_t i = 0; i < sites->n && planted >= 0; i++) {
		struct pgt_site *site = &sites->at[i];

		pgt_progress_update(progress, i + 1);
		if (site->reach != PGT_REACH_UNTRIED)
			continue;
		planted = try_plant(&p, event, 'p', site->address);
		site->reach = planted ? PGT_REACH_KPROBE : PGT_REACH_BREAKPOINT;
	}
	pgt_progress_end(progress);
	return planted < 0 ? planted : 0;
}
