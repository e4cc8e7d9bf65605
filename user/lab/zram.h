/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * zram.h - a compressed RAM disk of our own, used as swap.
 */
#ifndef PGT_LAB_ZRAM_H
#define PGT_LAB_ZRAM_H

#include <stdbool.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_zram {
	int id;			/* N of /dev/zramN; -1 while there is none */
	bool swapping;
};

#define PGT_ZRAM_INIT	{ -1, false }

/*
 * Load zram, add a device of size bytes, and swap to it before any other swap of the
 * machine.  Returns 0 or -errno with what failed in diag; release undoes what was done.
 */
int pgt_zram_swap_on(struct pgt_zram *zram, uint64_t size, struct pgt_diag *diag);

/* Swap off and remove the device.  The module stays loaded. */
void pgt_zram_release(struct pgt_zram *zram);

#endif /* PGT_LAB_ZRAM_H */
