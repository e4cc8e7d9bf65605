/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workload.h"

#include <string.h>

#include "lab/workload_kinds.h"

const struct pgt_workload *const pgt_workloads[] = {
	&pgt_workload_hotplug,
	&pgt_workload_hotremove,
	&pgt_workload_vmalloc,
	&pgt_workload_test_vmalloc,
	&pgt_workload_ioremap,
	&pgt_workload_module_loop,
	&pgt_workload_pageout_file,
	&pgt_workload_pageout_anon,
	&pgt_workload_munmap,
	&pgt_workload_tlb_walk,
	&pgt_workload_command,
	&pgt_workload_linear_map,
	NULL
};

const struct pgt_workload *pgt_workload_find(const char *name)
{
	for (const struct pgt_workload *const *one = pgt_workloads; *one; one++)
		if (!strcmp((*one)->name, name))
			return *one;
	return NULL;
}
