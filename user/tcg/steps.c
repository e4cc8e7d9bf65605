/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/steps.h"

#include <string.h>

/* Where the innermost one with this stack pointer is; n without any. */
static size_t find(const struct pgt_tcg_steps *steps, uint64_t sp)
{
	for (size_t i = steps->n; i > 0; i--)
		if (steps->at[i - 1].sp == sp)
			return i - 1;
	return steps->n;
}

void pgt_tcg_steps_brk(struct pgt_tcg_steps *steps, uint64_t address, uint64_t sp)
{
	/* One that never reached a slot was simulated, as branches are: it is over. */
	steps->n = find(steps, sp);
	if (steps->n == PGT_TCG_STEPS_MAX) {
		steps->n--;
		memmove(&steps->at[0], &steps->at[1], steps->n * sizeof(steps->at[0]));
	}
	steps->at[steps->n].address = address;
	steps->at[steps->n++].sp = sp;
}

bool pgt_tcg_steps_take(struct pgt_tcg_steps *steps, uint64_t sp, uint64_t *address)
{
	size_t i = find(steps, sp);

	if (i == steps->n)
		return false;
	*address = steps->at[i].address;
	steps->n = i;
	return true;
}
