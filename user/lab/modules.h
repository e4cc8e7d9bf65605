/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modules.h - load a kernel module with what it depends on.
 */
#ifndef PGT_LAB_MODULES_H
#define PGT_LAB_MODULES_H

#include <stdbool.h>

struct pgt_diag;

/*
 * In a lab guest /lab/modules/<name>.list holds the paths of the module files in the order
 * to load them (none where the kernel has it built in); on any other machine modprobe(8)
 * knows them.  A module that is loaded already is no failure.
 * Returns 0, -ENOENT (no such file, or no modprobe), what finit_module(2) refused with, -ENODEV
 * where modprobe knows no such module, or -EIO where it failed, with its message in diag.
 */
int pgt_modules_load(const char *name, struct pgt_diag *diag);

/* Whether this is a lab guest that has a list of this name. */
bool pgt_modules_listed(const char *name);

#endif /* PGT_LAB_MODULES_H */
