/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sysroot.h - headers and static libraries of the guest's architecture.
 */
#ifndef PGT_LAB_SYSROOT_H
#define PGT_LAB_SYSROOT_H

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

/* The directory to give to make as SYSROOT=, fetched where the cache does not have it. */
int pgt_sysroot_get(char **path, const struct pgt_lab *lab, const struct pgt_arch *arch,
		    struct pgt_diag *diag);

#endif /* PGT_LAB_SYSROOT_H */
