/* SPDX-License-Identifier: GPL-2.0-only */
/* cpus.c: the kernel's lists of CPUs, and how many are too many. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "../bpf/pgtrace_abi.h"
#include "base/diag.h"
#include "trace/cpus.h"

static char dir[] = "/tmp/pgtrace-test-cpus.XXXXXX";

static void enter(void)
{
	cr_assert(not(zero(ptr, mkdtemp(dir))));
	cr_assert(zero(int, chdir(dir)));
}

static void leave(void)
{
	unlink("online");
	unlink("possible");
	cr_expect(zero(int, rmdir(dir)));
}

TestSuite(cpus, .init = enter, .fini = leave);

static void write_list(const char *name, const char *list)
{
	FILE *file = fopen(name, "w");

	cr_assert(not(zero(ptr, file)));
	cr_assert(ge(int, fprintf(file, "%s\n", list), 0));
	cr_assert(zero(int, fclose(file)));
}

static int read_lists(struct pgt_cpus *cpus, const char *online, const char *possible,
		      struct pgt_diag *diag)
{
	write_list("online", online);
	write_list("possible", possible);
	return pgt_cpus_read(cpus, ".", diag);
}

Test(cpus, online_ones_are_not_the_possible_ones)
{
	static const int online[] = { 0, 2, 3, 4, 7 };
	struct pgt_diag diag = { "" };
	struct pgt_cpus cpus;

	cr_assert(zero(int, read_lists(&cpus, "0,2-4,7", "0-7", &diag)), "%s", diag.text);
	cr_assert(eq(sz, cpus.n, 5));
	cr_expect(zero(int, memcmp(cpus.online, online, sizeof(online))));
	cr_assert(eq(sz, cpus.n_possible, 8));
	for (int i = 0; i < 8; i++)
		cr_expect(eq(int, cpus.possible[i], i));
	pgt_cpus_release(&cpus);
	cr_assert(zero(int, read_lists(&cpus, "0", "0", &diag)), "%s", diag.text);
	cr_expect(eq(sz, cpus.n, 1));
	cr_expect(eq(sz, cpus.n_possible, 1));
	pgt_cpus_release(&cpus);
}

/* The programs index an array of PGT_CPU_MAX windows by the number, and would take one for another. */
Test(cpus, with_numbers_beyond_the_windows_are_refused)
{
	struct pgt_diag diag = { "" };
	struct pgt_cpus cpus;
	char list[32], words[64];

	snprintf(list, sizeof(list), "0-%d", PGT_CPU_MAX - 1);
	cr_assert(zero(int, read_lists(&cpus, "0-1", list, &diag)), "%s", diag.text);
	cr_expect(eq(sz, cpus.n_possible, PGT_CPU_MAX));
	pgt_cpus_release(&cpus);

	snprintf(list, sizeof(list), "0-1,%d", PGT_CPU_MAX);
	snprintf(words, sizeof(words), "may have a CPU %d, and pgtrace counts on CPUs 0 to %d",
		 PGT_CPU_MAX, PGT_CPU_MAX - 1);
	cr_expect(eq(int, read_lists(&cpus, "0-1", list, &diag), -E2BIG), "few, but one far out");
	cr_expect(not(zero(ptr, strstr(diag.text, words))), "%s", diag.text);
}

Test(cpus, a_wrong_list_is_named)
{
	static const char *const wrong[] = { "", "a", "0-", "3-1", "-1", "0;1", "0,,1", "0-1x" };
	struct pgt_cpus cpus;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, read_lists(&cpus, wrong[i], "0-7", &diag), -EPROTO), "%s", wrong[i]);
		cr_expect(not(zero(ptr, strstr(diag.text, "/online: \""))), "%s", diag.text);
	}
}

Test(cpus, no_list)
{
	struct pgt_diag diag = { "" };
	struct pgt_cpus cpus;

	cr_expect(eq(int, pgt_cpus_read(&cpus, "absent", &diag), -ENOENT));
	cr_expect(not(zero(ptr, strstr(diag.text, "absent/possible"))), "%s", diag.text);
}
