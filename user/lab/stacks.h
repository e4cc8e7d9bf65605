/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - keep the kernel from mapping stacks for new threads within a window.
 */
#ifndef PGT_LAB_STACKS_H
#define PGT_LAB_STACKS_H

struct pgt_diag;

/*
 * Start and end a few threads on each CPU, so that the kernel has stacks left over: it keeps
 * two for each CPU (kernel/fork.c, NR_CACHED_STACKS) and maps new ones, by vmalloc, only when
 * a new thread, such as a worker of its own, finds none.  Takes about a tenth of a second.
 * Returns 0 or -errno.
 */
int pgt_stacks_stock_up(struct pgt_diag *diag);

#endif /* PGT_LAB_STACKS_H */
