/* SPDX-License-Identifier: GPL-2.0-only */
/* ab_plan.c: which sides a topic has, and which of them are booted. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "lab/ab_plan.h"

static struct pgt_patch_series series;

static void make_series(void)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_patch_series_parse(&series, "step stock\nstep map\nstep off\n", "s",
						   &diag)));
}

static void free_series(void)
{
	pgt_patch_series_release(&series);
}

TestSuite(lab_ab_plan, .init = make_series, .fini = free_series);

static void parse(struct pgt_ab_plan *plan, const char *text)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_ab_plan_parse(plan, text, "f", &series, &diag)), "%s", diag.text);
}

/* "name=kernel parameters|" of each side. */
static char *sides(const struct pgt_ab_plan_sides *of, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < of->n; i++) {
		const struct pgt_ab_plan_side *side = &of->at[i];

		used += (size_t)snprintf(out + used, size - used, "%s=%s %s|", side->name,
					 side->kernel, side->parameters ? side->parameters : "-");
	}
	return out;
}

Test(lab_ab_plan, without_a_file_the_steps)
{
	struct pgt_ab_plan plan;
	char text[200];

	parse(&plan, "");
	cr_expect(eq(str, sides(&plan.sides, text, sizeof(text)),
		     (char *)"stock=stock -|map=map -|off=off -|"));
	cr_expect(zero(sz, plan.beside.n));
	cr_expect(zero(sz, plan.options.n));
	cr_expect(zero(sz, plan.workloads.n));
	pgt_ab_plan_release(&plan);
}

Test(lab_ab_plan, all_kinds_of_lines)
{
	static const char file[] =
		"# a comment\n\n"
		"side stock\n"
		"side\tblocks  map\targ.x=on  quiet \r\n"
		"side off arm64.bbml2=off\n"
		"side map off nokaslr\n"
		"  beside stock-6-18 6.18\n"
		"beside own ./Image quiet a=b\n"
		"workloads vmalloc:size=1M hotplug\n"
		"options --boot --boots=3";
	struct pgt_ab_plan plan;
	char text[200];

	parse(&plan, file);
	cr_expect(eq(str, sides(&plan.sides, text, sizeof(text)),
		     (char *)"stock=stock -|blocks=map arg.x=on quiet|"
			     "off=off arm64.bbml2=off|map=off nokaslr|"));
	cr_expect(eq(str, sides(&plan.beside, text, sizeof(text)),
		     (char *)"stock-6-18=6.18 -|own=./Image quiet a=b|"));
	cr_assert(eq(sz, plan.options.n, 2));
	cr_expect(eq(str, plan.options.at[0], (char *)"--boot"));
	cr_expect(eq(str, plan.options.at[1], (char *)"--boots=3"));
	cr_expect(eq(ptr, plan.options.at[2], NULL));
	cr_expect(eq(sz, plan.options.line, 10));
	cr_assert(eq(sz, plan.workloads.n, 2));
	cr_expect(eq(str, plan.workloads.at[0], (char *)"vmalloc:size=1M"));
	cr_expect(eq(str, plan.workloads.at[1], (char *)"hotplug"));
	cr_expect(eq(ptr, plan.workloads.at[2], NULL));
	cr_expect(eq(sz, plan.workloads.line, 9));
	pgt_ab_plan_drop_beside(&plan);
	cr_expect(zero(sz, plan.beside.n));
	pgt_ab_plan_release(&plan);
	cr_expect(zero(sz, plan.sides.n));
}

Test(lab_ab_plan, beside_alone_leaves_the_steps)
{
	struct pgt_ab_plan plan;
	char text[200];

	parse(&plan, "beside stock-6-12 6.12\n");
	cr_expect(eq(str, sides(&plan.sides, text, sizeof(text)),
		     (char *)"stock=stock -|map=map -|off=off -|"));
	cr_expect(eq(sz, plan.beside.n, 1));
	pgt_ab_plan_release(&plan);
}

#define A_NAME	"it has a name of up to 22 of a-z, 0-9 and '-'"
#define AN_OPTION	"an option is written --NAME or --NAME=VALUE"

Test(lab_ab_plan, says_which_line_is_wrong)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "sides stock\n", "f:1: it starts with none of side, beside, options, workloads" },
		{ "side stock\nstock\n",
		  "f:2: it starts with none of side, beside, options, workloads" },
		{ "side\n", "f:1: " A_NAME },
		{ "side Stock\n", "f:1: " A_NAME },
		{ "side -stock\n", "f:1: " A_NAME },
		{ "side ../x stock\n", "f:1: " A_NAME },
		{ "side a2345678901234567890123 stock\n", "f:1: " A_NAME },
		{ "beside stock-6.12 6.12\n", "f:1: " A_NAME },
		{ "side control stock\n",
		  "f:1: base, control and test are the names of other recordings" },
		{ "beside base 6.12\n",
		  "f:1: base, control and test are the names of other recordings" },
		{ "side stock\nside stock map\n", "f:2: a second side of that name" },
		{ "side stock\nbeside stock 6.12\n", "f:2: a second side of that name" },
		{ "side new\n", "f:1: the series has no step of that name" },
		{ "side new x=y\n", "f:1: the series has no step of that name" },
		{ "side stock blocks x=y\n", "f:1: the series has no step of that name" },
		{ "side stock # why\n", "f:1: the series has no step of that name" },
		{ "side stock x=\a\n", "f:1: kernel parameters are printable ASCII" },
		{ "beside stock-6-18\n", "f:1: no kernel behind the name" },
		{ "options --boot\n\noptions --boots=2\n", "f:3: a second line of that kind" },
		{ "workloads a\nworkloads b\n", "f:2: a second line of that kind" },
		{ "options\n", "f:1: nothing behind the first word" },
		{ "workloads \n", "f:1: nothing behind the first word" },
		{ "options --boots 2\n", "f:1: " AN_OPTION },
		{ "options -o x\n", "f:1: " AN_OPTION },
		{ "options -- x\n", "f:1: " AN_OPTION },
		{ "beside map 6.12\n", "f: a second side of that name" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_ab_plan plan = { .sides = { NULL, 77 } };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_ab_plan_parse(&plan, cases[i].text, "f", &series, &diag),
			     -EINVAL), "%s", cases[i].text);
		cr_expect(eq(str, diag.text, (char *)cases[i].want));
		cr_expect(eq(sz, plan.sides.n, 77), "out is written only on success");
	}
}

/* n sides, of 0 to 9 and then of a. */
static void make_sides(char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text += sprintf(text, "side %c stock\n", "0123456789abcdefghij"[i]);
}

Test(lab_ab_plan, as_many_sides_and_parameters_as_there_is_room_for)
{
	char text[PGT_AB_PLAN_MAX_PARAMETERS + 100];
	struct pgt_diag diag = { "" };
	struct pgt_ab_plan plan;

	make_sides(text, PGT_AB_PLAN_MAX_SIDES);
	parse(&plan, text);
	cr_expect(eq(sz, plan.sides.n, PGT_AB_PLAN_MAX_SIDES));
	pgt_ab_plan_release(&plan);
	strcat(text, "beside x 6.12\n");
	cr_expect(eq(int, pgt_ab_plan_parse(&plan, text, "f", &series, &diag), -EINVAL));
	cr_expect(eq(str, diag.text, (char *)"f: more than 16 sides"));

	sprintf(text, "side stock x=%0*d", PGT_AB_PLAN_MAX_PARAMETERS - 2, 0);
	parse(&plan, text);
	cr_expect(eq(sz, strlen(plan.sides.at[0].parameters), PGT_AB_PLAN_MAX_PARAMETERS));
	pgt_ab_plan_release(&plan);
	strcat(text, "0");
	cr_expect(eq(int, pgt_ab_plan_parse(&plan, text, "f", &series, &diag), -EINVAL));
	cr_expect(eq(str, diag.text,
		     (char *)"f:1: more than 512 characters of kernel parameters"));
}

Test(lab_ab_plan, some_of_the_sides)
{
	static const char *const chosen[] = { "off", "stock" }, *const unknown[] = { "off", "on" };
	struct pgt_diag diag = { "" };
	struct pgt_ab_plan plan;
	char text[200];

	parse(&plan, "beside stock-6-18 6.18\n");
	cr_expect(eq(int, pgt_ab_plan_choose(&plan, unknown, 2, &diag), -ENOENT));
	cr_expect(eq(str, diag.text, (char *)"no side on: there are stock, map, off"));
	cr_expect(eq(sz, plan.sides.n, 3), "nothing is dropped then");
	cr_expect(zero(int, pgt_ab_plan_choose(&plan, chosen, 2, &diag)));
	cr_expect(eq(str, sides(&plan.sides, text, sizeof(text)),
		     (char *)"stock=stock -|off=off -|"));
	cr_expect(eq(sz, plan.beside.n, 1));
	pgt_ab_plan_release(&plan);
}
