/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_index.h - the package index that has stock kernels and their sources.
 */
#ifndef PGT_LAB_KERNEL_INDEX_H
#define PGT_LAB_KERNEL_INDEX_H

struct pgt_apt;
struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

#define PGT_KERNEL_INDEX_SUITES	"Debian 12 and 13 and their backports"

int pgt_kernel_index_open(struct pgt_apt *apt, const struct pgt_lab *lab,
			  const struct pgt_arch *arch, struct pgt_diag *diag);

#endif /* PGT_LAB_KERNEL_INDEX_H */
