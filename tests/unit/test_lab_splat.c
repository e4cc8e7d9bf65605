/* SPDX-License-Identifier: GPL-2.0-only */
/* splat.c: planted complaints are found, and what every boot says is none. */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "lab/splat.h"

#define QUIET									\
	"<6>[    0.000000] Booting Linux on physical CPU 0x0000000000 [0x000f0510]\n"	\
	"<5>[    0.000000] Linux version 6.12.118 (pgtrace@pgtrace) #1 SMP\n"	\
	"<6>[    0.000000] software IO TLB: area num 2.\n"			\
	"<6>[    0.081522] debug_vm_pgtable: [debug_vm_pgtable         ]: Validating architecture page table helpers\n" \
	"<6>[    0.100000] rcu: Hierarchical SRCU implementation.\n"		\
	"<4>[    0.120000] cacheinfo: Unable to detect cache hierarchy for CPU 0\n"	\
	"<6>[    0.400000] Checked W+X mappings: passed, no W+X pages found\n"	\
	"<6>[    0.400100] rodata_test: all tests were successful\n"

Test(lab_splat, quiet)
{
	size_t len;

	cr_expect(eq(ptr, (void *)pgt_splat_find(QUIET, &len), NULL));
	cr_expect(eq(ptr, (void *)pgt_splat_find("", &len), NULL));
	cr_expect(eq(ptr, (void *)pgt_splat_find("\n\nno newline at the end", &len), NULL));
}

Test(lab_splat, planted)
{
	static const char *const lines[] = {
		"<4>[    0.5] WARNING: CPU: 0 PID: 1 at arch/arm64/mm/mmu.c:190 init_pte+0x40/0x90",
		"<4>[    0.5] WARNING: possible circular locking dependency detected",
		"<4>[    0.5] WARNING: suspicious RCU usage",
		"<3>[    0.5] BUG: sleeping function called from invalid context at mm/page_alloc.c:4",
		"<1>[    0.5] BUG: Bad page state in process swapper/0  pfn:48000",
		"<0>[    0.5] watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [insmod:71]",
		"<2>[    0.5] kernel BUG at arch/arm64/mm/mmu.c:191!",
		"<1>[    0.5] Unable to handle kernel paging request at virtual address fff000",
		"<0>[    0.5] Internal error: Oops: 0000000096000007 [#1] SMP",
		"<0>[    0.5] Kernel panic - not syncing: Attempted to kill init!",
		"<3>[    0.5] INFO: task kworker/0:1:8 blocked for more than 120 seconds.",
		"<3>[    0.5] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:",
		"<3>[    0.5] Checked W+X mappings: FAILED, 3 W+X pages found",
		"<3>[    0.5] rodata_test: test data was not read only",
		"<4>[    0.5] Call trace:",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char log[4096];
		const char *at;
		size_t len = 0;

		strcpy(log, QUIET);
		strcat(log, "<4>[    0.5] ------------[ cut here ]------------\n");
		strcat(log, lines[i]);
		strcat(log, "\n<4>[    0.6] Modules linked in:\n<4>[    0.6] Call trace:\n");
		at = pgt_splat_find(log, &len);
		cr_assert(not(eq(ptr, (void *)at, NULL)), "%s", lines[i]);
		cr_expect(eq(sz, len, strlen(lines[i])));
		cr_expect(zero(int, strncmp(at, lines[i], len)), "%s", lines[i]);
	}
}
