/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pointers.h - which functions can be reached otherwise than by a direct call.
 */
#ifndef PGT_PROBE_POINTERS_H
#define PGT_PROBE_POINTERS_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_text;

/*
 * Of n targets in ascending order, set those to 0 whose address is taken: computed by
 * the kernel's text, or stored as a pointer in its image's data.  Addresses that only
 * modules or the heap hold come from one of these.
 */
int pgt_pointers_strike(const struct pgt_text *text, uint64_t *target, size_t n,
			struct pgt_diag *diag);

#endif /* PGT_PROBE_POINTERS_H */
