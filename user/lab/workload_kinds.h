/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload_kinds.h - the workloads there are, one in each workload_<name>.c.
 */
#ifndef PGT_LAB_WORKLOAD_KINDS_H
#define PGT_LAB_WORKLOAD_KINDS_H

#include "lab/workload.h"

extern const struct pgt_workload pgt_workload_hotplug;
extern const struct pgt_workload pgt_workload_hotremove;
extern const struct pgt_workload pgt_workload_vmalloc;
extern const struct pgt_workload pgt_workload_test_vmalloc;
extern const struct pgt_workload pgt_workload_ioremap;
extern const struct pgt_workload pgt_workload_module_loop;
extern const struct pgt_workload pgt_workload_pageout_file;
extern const struct pgt_workload pgt_workload_pageout_anon;
extern const struct pgt_workload pgt_workload_munmap;
extern const struct pgt_workload pgt_workload_tlb_walk;
extern const struct pgt_workload pgt_workload_command;
extern const struct pgt_workload pgt_workload_linear_map;

#endif /* PGT_LAB_WORKLOAD_KINDS_H */
