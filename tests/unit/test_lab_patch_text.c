/* SPDX-License-Identifier: GPL-2.0-only */
/* patch_text.c and kconfig.c: what patches, configurations and build logs say. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "lab/kconfig.h"
#include "lab/patch_text.h"

Test(lab_patch_text, paths)
{
	static const char text[] =
		"Subject: about --- a/no/such/path\n"
		"---\n a/b.c | 2 +-\n\n"
		"diff --git a/a/b.c b/a/b.c\n"
		"--- a/a/b.c\n+++ b/a/b.c\n@@ -1 +1 @@\n-x\n+y\n"
		"--- /dev/null\n+++ b/new.c\t2026-11-30\n@@ -0,0 +1 @@\n+x\n"
		"--- a/old..c\r\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
		"--- a/a/b.c\n+++ b/a/b.c\n";
	struct pgt_buf paths = PGT_BUF_INIT;

	cr_assert(zero(int, pgt_patch_paths(text, &paths)));
	cr_expect(eq(str, paths.at, (char *)"a/b.c\nnew.c\nold..c\n"));
	/* Each call looks for doubles among its own only. */
	cr_assert(zero(int, pgt_patch_paths("+++ b/new.c\n", &paths)));
	cr_expect(eq(str, paths.at, (char *)"a/b.c\nnew.c\nold..c\nnew.c\n"));
	pgt_buf_release(&paths);
}

Test(lab_patch_text, paths_that_leave_the_tree)
{
	static const char *const cases[] = {
		"+++ b//etc/passwd\n", "+++ b/../x\n", "+++ b/a/../../x\n", "+++ b/a/..\n",
		"--- a/..\n", "", "no patch\n", "+++ b/\n", "--- /dev/null\n",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_buf paths = PGT_BUF_INIT;

		cr_expect(eq(int, pgt_patch_paths(cases[i], &paths), -EINVAL), "%s", cases[i]);
		pgt_buf_release(&paths);
	}
}

static void expect_line(char *got, const char *want)
{
	if (want)
		cr_expect(eq(str, got, (char *)want));
	else
		cr_expect(eq(ptr, got, NULL));
	free(got);
}

Test(lab_patch_text, why_a_patch_does_not_apply)
{
	expect_line(pgt_patch_telling_line("patching file a.c\nHunk #1 succeeded at 3\n"
					   "Hunk #2 FAILED at 40.\n1 out of 2 hunks FAILED\n"),
		    "Hunk #2 FAILED at 40.");
	expect_line(pgt_patch_telling_line("can't find file to patch at input line 3\nPerhaps\n"),
		    "can't find file to patch at input line 3");
	expect_line(pgt_patch_telling_line("patching file a.c\n"), NULL);
	expect_line(pgt_patch_telling_line(""), NULL);
}

Test(lab_patch_text, why_a_kernel_does_not_build)
{
	expect_line(pgt_build_telling_line("  CC      a.o\na.c:3:1: warning: not yet an error\n"
					   "a.c:7:2: error: expected ';'\nb.c:1:1: error: later\n"
					   "make[2]: *** [Makefile:1: a.o] Error 1\n"),
		    "a.c:7:2: error: expected ';'");
	expect_line(pgt_build_telling_line("a.c:1:1: fatal error: x.h: no such file\n"),
		    "a.c:1:1: fatal error: x.h: no such file");
	expect_line(pgt_build_telling_line("ld: a.o: undefined reference to `f'\nmake: *** [x] Error 1\n"),
		    "ld: a.o: undefined reference to `f'");
	expect_line(pgt_build_telling_line("ERROR: modpost: \"f\" [a.ko] undefined!\nmake: *** x\n"),
		    "ERROR: modpost: \"f\" [a.ko] undefined!");
	expect_line(pgt_build_telling_line("make: *** No rule to make target 'x'.  Stop.\n"),
		    "make: *** No rule to make target 'x'.  Stop.");
	expect_line(pgt_build_telling_line("  CC      a.o\n"), NULL);
}

Test(lab_kconfig, unmet)
{
	static const char config[] =
		"# a comment\nCONFIG_A=y\nCONFIG_AB=m\n# CONFIG_OFF is not set\n"
		"CONFIG_S=\"a b\"\nCONFIG_N=64\n";
	static const struct {
		const char *wanted, *unmet;	/* unmet NULL: all hold */
	} cases[] = {
		{ "", NULL },
		{ "# CONFIG_A is in a comment\nnothing\n", NULL },
		{ "CONFIG_A=y\nCONFIG_AB=m\nCONFIG_S=\"a b\"\nCONFIG_N=64\n", NULL },
		{ "# CONFIG_OFF is not set\nCONFIG_OFF=n\n# CONFIG_NONE is not set\n", NULL },
		{ "CONFIG_A=m\n", "CONFIG_A=m" },
		{ "CONFIG_AB=y\n", "CONFIG_AB=y" },
		{ "CONFIG_B=y\n", "CONFIG_B=y" },
		{ "CONFIG_OFF=y", "CONFIG_OFF=y" },
		{ "CONFIG_A=y\nCONFIG_N=6\nCONFIG_B=y\n", "CONFIG_N=6" },
		{ "# CONFIG_A is not set\n", "# CONFIG_A is not set" },
		{ "CONFIG_A=n\n", "CONFIG_A=n" },
		{ "CONFIG_A=n\nCONFIG_A=y\n", NULL },
		{ "CONFIG_A=y\n# CONFIG_A is not set\n", "# CONFIG_A is not set" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = 0;
		const char *at = pgt_kconfig_unmet(cases[i].wanted, config, &len);

		if (!cases[i].unmet) {
			cr_expect(eq(ptr, (void *)at, NULL), "%s", cases[i].wanted);
			continue;
		}
		cr_assert(not(eq(ptr, (void *)at, NULL)), "%s", cases[i].wanted);
		cr_expect(eq(sz, len, strlen(cases[i].unmet)));
		cr_expect(zero(int, strncmp(at, cases[i].unmet, len)), "%s", cases[i].wanted);
	}
}
