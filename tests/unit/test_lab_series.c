/* SPDX-License-Identifier: GPL-2.0-only */
/* series.c and build_name.c: the steps of a topic, and which of their kernels is meant. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "lab/build_name.h"
#include "lab/series.h"

Test(lab_series, steps_add_up)
{
	static const char text[] =
		"# first a comment\n\n"
		"step stock\n"
		"step a-1 \t\r\n"
		"\t0001-a.patch\n"
		"  0002-b.patch  \n"
		"  # not a patch\n"
		"step\tb\n"
		"\t0003-c.patch";
	struct pgt_patch_series series = { .steps = NULL };
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_patch_series_parse(&series, text, "s", &diag)), "%s", diag.text);
	cr_assert(eq(sz, series.n_steps, 3));
	cr_assert(eq(sz, series.n_patches, 3));
	cr_expect(eq(str, series.steps[0].name, (char *)"stock"));
	cr_expect(eq(sz, series.steps[0].n_patches, 0));
	cr_expect(eq(str, series.steps[1].name, (char *)"a-1"));
	cr_expect(eq(sz, series.steps[1].n_patches, 2));
	cr_expect(eq(str, series.patches[1], (char *)"0002-b.patch"));
	cr_expect(eq(sz, pgt_patch_series_find(&series, "b")->n_patches, 3));
	cr_expect(eq(ptr, (void *)pgt_patch_series_find(&series, "c"), NULL));
	pgt_patch_series_release(&series);
	cr_expect(zero(sz, series.n_steps));
}

Test(lab_series, says_which_line_is_wrong)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "s: no step in it" },
		{ "# nothing\n", "s: no step in it" },
		{ "\ta.patch\n", "s:1: a patch before the first step" },
		{ "step a\nb.patch\n", "s:2: neither 'step NAME' nor the indented name of a patch" },
		{ "steps a\n", "s:1: neither 'step NAME' nor the indented name of a patch" },
		{ "step a\n\tx.patch\nstep a\n", "s:3: a second step of that name" },
		{ "step a\n\tx.patch\nstep b\n\tx.patch\n", "s:4: that patch again" },
		{ "step a\n\t../x.patch\n", "s:2: a patch is the name of one file beside the series" },
		{ "step a\n\tx y\n", "s:2: a patch is the name of one file beside the series" },
		{ "step\n", "s:1: neither 'step NAME' nor the indented name of a patch" },
		{ "step a b\n", "s:1: a step has a name of up to 22 of a-z, 0-9 and '-'" },
		{ "step A\n", "s:1: a step has a name of up to 22 of a-z, 0-9 and '-'" },
		{ "step -a\n", "s:1: a step has a name of up to 22 of a-z, 0-9 and '-'" },
		{ "step a2345678901234567890123\n",
		  "s:1: a step has a name of up to 22 of a-z, 0-9 and '-'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_patch_series series = { .n_steps = 77 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_patch_series_parse(&series, cases[i].text, "s", &diag),
			     -EINVAL));
		cr_expect(eq(str, diag.text, (char *)cases[i].want));
		cr_expect(eq(sz, series.n_steps, 77), "out is written only on success");
	}
}

Test(lab_build_name, parts)
{
	static const struct {
		const char *spec, *step, *suffix;
		enum pgt_build_config config;
		enum pgt_build_pages pages;
	} cases[] = {
		{ "t/s", "s", "-t-s", PGT_BUILD_MEASURED, PGT_BUILD_4K },
		{ "t/s:4K:measured", "s", "-t-s", PGT_BUILD_MEASURED, PGT_BUILD_4K },
		{ "t/s-2:debug", "s-2", "-t-s-2-debug", PGT_BUILD_DEBUG, PGT_BUILD_4K },
		{ "t/s:16K", "s", "-t-s-16k", PGT_BUILD_MEASURED, PGT_BUILD_16K },
		{ "t/s:64K:debug", "s", "-t-s-debug-64k", PGT_BUILD_DEBUG, PGT_BUILD_64K },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_diag diag = { "" };
		struct pgt_build_name name;
		char suffix[80];

		cr_assert(zero(int, pgt_build_name_parse(&name, cases[i].spec, &diag)), "%s",
			  diag.text);
		pgt_build_name_suffix(&name, suffix, sizeof(suffix));
		cr_expect(eq(str, name.topic, (char *)"t"));
		cr_expect(eq(str, name.step, (char *)cases[i].step));
		cr_expect(eq(str, suffix, (char *)cases[i].suffix));
		cr_expect(eq(int, (int)name.config, (int)cases[i].config));
		cr_expect(eq(int, (int)name.pages, (int)cases[i].pages));
	}
}

Test(lab_build_name, refusals)
{
	static const struct {
		const char *spec, *want;
	} cases[] = {
		{ "t", "t: not TOPIC/STEP" },
		{ "", ": not TOPIC/STEP" },
		{ "t/", "t/: topics and steps have names of up to 22 of a-z, 0-9 and '-'" },
		{ "/s", "/s: topics and steps have names of up to 22 of a-z, 0-9 and '-'" },
		{ "./s", "./s: topics and steps have names of up to 22 of a-z, 0-9 and '-'" },
		{ "t/s/u", "t/s/u: topics and steps have names of up to 22 of a-z, 0-9 and '-'" },
		{ "t/s:", "t/s:: '' is none of measured, debug, 4K, 16K, 64K" },
		{ "t/s:8K", "t/s:8K: '8K' is none of measured, debug, 4K, 16K, 64K" },
		{ "t/s:4K:x", "t/s:4K:x: 'x' is none of measured, debug, 4K, 16K, 64K" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_diag diag = { "" };
		struct pgt_build_name name;

		cr_expect(eq(int, pgt_build_name_parse(&name, cases[i].spec, &diag), -EINVAL));
		cr_expect(eq(str, diag.text, (char *)cases[i].want));
	}
}

/* A release has 64 characters at most, of which the version takes 8. */
Test(lab_build_name, longest_release_fits)
{
	struct pgt_build_name name = { .config = PGT_BUILD_DEBUG, .pages = PGT_BUILD_64K };
	char suffix[80];

	memset(name.topic, 'a', PGT_TOPIC_NAME_MAX);
	memset(name.step, 'b', PGT_TOPIC_NAME_MAX);
	pgt_build_name_suffix(&name, suffix, sizeof(suffix));
	cr_expect(eq(sz, strlen(suffix), 64 - strlen("6.12.118")));
}
