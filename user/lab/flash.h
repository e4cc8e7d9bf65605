/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flash.h - this machine's flash memory: physical addresses that are not RAM.
 */
#ifndef PGT_LAB_FLASH_H
#define PGT_LAB_FLASH_H

#include "lab/flash_text.h"

struct pgt_diag;

/*
 * The last bank of the flash (CFI) that the device tree has, as QEMU's machine "virt" has
 * two of 64 MiB, checked against the RAM of /proc/iomem.  Returns 0, -EACCES (the addresses
 * are hidden), or -ENODEV where there is none, or none that is not RAM.
 */
int pgt_flash_find(struct pgt_range *out, struct pgt_diag *diag);

#endif /* PGT_LAB_FLASH_H */
