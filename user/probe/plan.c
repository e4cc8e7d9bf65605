/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "probe/ksyms.h"

const char *pgt_mechanism_name(enum pgt_mechanism mechanism)
{
	static const char *const names[] = { NULL, "fentry", "kprobe", "kretprobe", "call-site" };

	return names[mechanism];
}

static bool planned(const struct pgt_plan *plan, uint64_t address)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->func[i].symbol->address == address)
			return true;
	return false;
}

static bool is_unique(const struct pgt_ksyms *ksyms, const struct pgt_ksym *symbol)
{
	for (size_t i = 0; i < ksyms->n; i++)
		if (ksyms->at[i].address != symbol->address && !strcmp(ksyms->at[i].name, symbol->name))
			return false;
	return true;
}

static int add_symbol(struct pgt_plan *plan, const struct pgt_ksyms *ksyms,
		      const struct pgt_catalogue_row *row, const struct pgt_ksym *symbol,
		      struct pgt_diag *diag)
{
	if (planned(plan, symbol->address))
		return 0;
	if (plan->n == PGT_FUNC_MAX)
		return pgt_fail(diag, -E2BIG, "%s: more than %d functions to probe: name fewer with --probes",
				symbol->name, PGT_FUNC_MAX);
	plan->func[plan->n++] = (struct pgt_plan_func){
		.row = row,
		.symbol = symbol,
		.probe = pgt_probe_find(row->probe),
		.unique = is_unique(ksyms, symbol),
	};
	return 0;
}

static int add_row(struct pgt_plan *plan, const struct pgt_ksyms *ksyms,
		   const struct pgt_catalogue_row *row, struct pgt_diag *diag)
{
	for (size_t i = 0; i < ksyms->n; i++) {
		const struct pgt_ksym *symbol = &ksyms->at[i];
		int err;

		if (!pgt_symbol_is(symbol->name, row->function) || pgt_symbol_is_part(symbol->name))
			continue;
		err = add_symbol(plan, ksyms, row, symbol, diag);
		if (err)
			return err;
	}
	return 0;
}

int pgt_plan_make(struct pgt_plan *out, const char *arch, const struct pgt_ksyms *ksyms,
		  unsigned int probes, struct pgt_diag *diag)
{
	struct pgt_plan plan = { calloc(PGT_FUNC_MAX, sizeof(*plan.func)), 0, probes };
	int err = 0;

	if (!plan.func)
		return pgt_fail(diag, -ENOMEM, "plan: out of memory");
	for (size_t i = 0; i < pgt_n_catalogue && !err; i++) {
		const struct pgt_catalogue_row *row = &pgt_catalogue[i];

		if (!strcmp(row->arch, arch) && probes & 1u << pgt_probe_find(row->probe))
			err = add_row(&plan, ksyms, row, diag);
	}
	if (err) {
		pgt_plan_release(&plan);
		return err;
	}
	*out = plan;
	return 0;
}

void pgt_plan_release(struct pgt_plan *plan)
{
	free(plan->func);
	*plan = (struct pgt_plan){ 0 };
}

bool pgt_plan_has(const struct pgt_plan *plan, int probe)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->func[i].probe == probe && plan->func[i].row->pages != PGT_PAGES_SPAN)
			return true;
	return false;
}
