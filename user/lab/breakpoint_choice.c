/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/breakpoint_choice.h"

#include <stdbool.h>

#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "trace/watch.h"

size_t pgt_choose_needed(const struct pgt_sites *sites, const uint16_t *known, uint32_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < sites->n; i++) {
		const struct pgt_site *site = &sites->at[i];

		if (site->reach != PGT_REACH_BREAKPOINT || known[i] & PGT_KNOWN_COUNTED)
			continue;
		if ((!site->incidental && ~known[i] & PGT_KNOWN_NOT_IN_PROBES) ||
		    (site->owner >= 0 && !(known[i] & PGT_KNOWN_NOT_OUTSIDE)))
			out[n++] = (uint32_t)i;
	}
	return n;
}

/* Does a function of the plan call the function that the site is in? */
static bool called_by_probe(const struct pgt_plan *plan, const struct pgt_ksyms *ksyms,
			    const struct pgt_call *call, size_t n_calls,
			    const struct pgt_site *site)
{
	for (size_t i = 0; i < n_calls; i++) {
		const struct pgt_ksym *from = pgt_ksyms_at(ksyms, call[i].address);

		for (size_t k = 0; from && k < plan->n; k++)
			if (call[i].target == site->function->address &&
			    plan->func[k].symbol->address == from->address)
				return true;
	}
	return false;
}

size_t pgt_choose_blind(const struct pgt_sites *sites, const struct pgt_plan *plan,
			const struct pgt_ksyms *ksyms, const struct pgt_watch *watch,
			const struct pgt_call *call, size_t n_calls, uint32_t *out)
{
	size_t n = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < sites->n; i++) {
			const struct pgt_site *site = &sites->at[i];
			bool seen;

			if (site->reach != PGT_REACH_BREAKPOINT || site->incidental)
				continue;
			seen = pgt_watch_can_see(watch, site->function);
			if (pass ? seen && called_by_probe(plan, ksyms, call, n_calls, site) : !seen)
				out[n++] = (uint32_t)i;
		}
	}
	return n;
}
