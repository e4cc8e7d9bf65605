/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cores.h - the TLBs of some cores, as their manuals give them.
 */
#ifndef PGT_TCG_CORES_H
#define PGT_TCG_CORES_H

#include "tcg/tlb.h"

struct pgt_core {
	const char *name;
	struct pgt_tlb_shape l1d, l1i, l2;	/* l2 serves both sides */
	const char *source;			/* of every number in the row */
};

extern const struct pgt_core *const pgt_cores[];	/* NULL-terminated */

/* By name; NULL where there is none. */
const struct pgt_core *pgt_core_find(const char *name);

#endif /* PGT_TCG_CORES_H */
