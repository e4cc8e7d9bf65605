// SPDX-License-Identifier: GPL-2.0-only
/*
 * A range mapped with the contiguous bit takes one entry where the structure holds its size:
 * with 4K pages a 64K or a 32M one.  Where it does not, fragments of the largest size that it
 * does hold are entered one by one, as the manuals say of larger mappings.
 *
 * What the manuals say beyond that is not modelled: the L2 TLBs of the Neoverse cores can keep
 * four neighbouring pages in one entry, walks are cached by level, and translations are
 * prefetched.  Each only lowers the misses of a real core below the model's.
 *
 * AmpereOne has no row: no public manual gives the sizes of its TLBs.
 */
#include "tcg/cores.h"

#include <string.h>

#define K4	(UINT64_C(1) << 12)
#define K16	(UINT64_C(1) << 14)
#define K64	(UINT64_C(1) << 16)
#define M1	(UINT64_C(1) << 20)
#define M2	(UINT64_C(1) << 21)
#define M32	(UINT64_C(1) << 25)
#define M512	(UINT64_C(1) << 29)
#define G1	(UINT64_C(1) << 30)

static const struct pgt_core neoverse_n1 = {
	.name = "neoverse-n1",
	.l1d = { 48, 48, K4 | K16 | K64 | M2 | M512 },
	.l1i = { 48, 48, K4 | K16 | K64 | M2 | M32 },
	.l2 = { 1280, 5, K4 | K16 | K64 | M2 | M32 | M512 | G1 },
	.source = "Arm Neoverse N1 Core Technical Reference Manual, 100616, \"TLB organization\"",
};

static const struct pgt_core neoverse_v2 = {
	.name = "neoverse-v2",
	.l1d = { 48, 48, K4 | K16 | K64 | M2 | M512 },
	.l1i = { 48, 48, K4 | K16 | K64 | M2 },
	.l2 = { 2048, 8, K4 | K16 | K64 | M2 | M32 | M512 | G1 },
	.source = "Arm Neoverse V2 Core Technical Reference Manual, 102375, "
		  "\"Translation Lookaside Buffers\"",
};

static const struct pgt_core cortex_a72 = {
	.name = "cortex-a72",
	.l1d = { 32, 32, K4 | K64 | M1 },
	.l1i = { 48, 48, K4 | K64 | M1 },
	.l2 = { 1024, 4, K4 | K64 | M2 | M512 | G1 },
	.source = "Arm Cortex-A72 MPCore Processor Technical Reference Manual, 100095, "
		  "5.2 \"TLB organization\"",
};

const struct pgt_core *const pgt_cores[] = { &neoverse_n1, &neoverse_v2, &cortex_a72, NULL };

const struct pgt_core *pgt_core_find(const char *name)
{
	for (const struct pgt_core *const *core = pgt_cores; *core; core++)
		if (!strcmp((*core)->name, name))
			return *core;
	return NULL;
}
