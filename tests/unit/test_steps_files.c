/* SPDX-License-Identifier: GPL-2.0-only */
/* The files beside the recordings of a topic: steps_list.c, oracle.c, published.c. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "lab/series.h"
#include "report/oracle.h"
#include "report/published.h"
#include "report/steps_list.h"

struct refusal {
	const char *text, *want;
};

#define N(array)	(sizeof(array) / sizeof((array)[0]))

/* ---- steps ---- */

Test(steps_list, sides_in_order)
{
	static const char text[] = "# what stands here\n\nstep  unbatched \t\r\n\tstep a-1\n"
				   "beside 6-12\n # beside nothing\nbeside stock";
	struct pgt_steps_list list = { .n = 0 };
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_steps_list_parse(&list, text, "s", &diag)), "%s", diag.text);
	cr_assert(eq(sz, list.n, 4));
	cr_expect(eq(sz, list.n_steps, 2));
	cr_expect(eq(str, list.entries[0].name, (char *)"unbatched"));
	cr_expect(eq(str, list.entries[1].name, (char *)"a-1"));
	cr_expect(not(list.entries[1].is_beside));
	cr_expect(list.entries[2].is_beside);
	cr_expect(eq(sz, pgt_steps_list_find(&list, "stock"), 3));
	cr_expect(eq(sz, pgt_steps_list_find(&list, "nobody"), 4));
	pgt_steps_list_release(&list);
	cr_expect(zero(sz, list.n));
}

Test(steps_list, says_which_line_is_wrong)
{
	static const struct refusal cases[] = {
		{ "", "s: nothing in it: a report needs two sides or more" },
		{ "# step a\n", "s: nothing in it: a report needs two sides or more" },
		{ "step a\n", "s: only one side in it: a report needs two sides or more" },
		{ "step a\nsteps b\n", "s:2: neither 'step NAME' nor 'beside NAME'" },
		{ "step a\nb\n", "s:2: neither 'step NAME' nor 'beside NAME'" },
		{ "step\n", "s:1: a side has a name of up to 22 of a-z, 0-9 and '-'" },
		{ "step a b\n", "s:1: a side has a name of up to 22 of a-z, 0-9 and '-'" },
		{ "step a\nstep a\n", "s:2: a second side of that name" },
		{ "step a\nbeside a\n", "s:2: a second side of that name" },
		{ "beside a\nstep b\n", "s:1: what stands beside comes after the steps" },
		{ "step a\nbeside b\n\nstep c\n",
		  "s:4: a step after what stands beside the steps" },
		{ "step control\n",
		  "s:1: a side is not named 'control': control.jsonl is the first step again" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct pgt_steps_list list = { .n = 77 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_steps_list_parse(&list, cases[i].text, "s", &diag), -EINVAL));
		cr_expect(eq(str, diag.text, (char *)cases[i].want));
		cr_expect(eq(sz, list.n, 77), "out is written only on success");
	}
}

/* A step of a series is a side, and no side is what cannot be a step. */
Test(steps_list, names_are_those_of_a_series)
{
	static const char *const names[] = {
		"a", "0", "a-b", "-a", "a-", "A", "a.b", "a_b", "a/b", "abcdefghijklmnopqrstuv",
		"abcdefghijklmnopqrstuvw", "\303\244",
	};

	for (size_t i = 0; i < N(names); i++) {
		struct pgt_steps_list list;
		struct pgt_diag diag = { "" };
		char text[80];
		bool is_side;

		snprintf(text, sizeof(text), "step first\nstep %s\n", names[i]);
		is_side = !pgt_steps_list_parse(&list, text, "s", &diag);
		cr_expect(eq(int, is_side, pgt_patch_series_is_name(names[i], strlen(names[i]))),
			  "%s", names[i]);
		if (is_side)
			pgt_steps_list_release(&list);
	}
	cr_expect(eq(int, PGT_SIDE_NAME_MAX, PGT_TOPIC_NAME_MAX));
}

/* ---- oracle ---- */

Test(oracle, sums_up_what_a_gib_takes)
{
	static const char text[] = "page 4096\n# the linear map\n"
				   "linear_map unbatched dsb 1 3 4 3 4\n"
				   "linear_map batched tlbi 0 0 1 0 1\n"
				   "count batched vmalloc vmap_pte_range.insn.dsb 12850\n";
	struct pgt_oracle oracle = { .n = 0 };
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_oracle_parse(&oracle, text, "o", &diag)), "%s", diag.text);
	cr_assert(eq(sz, oracle.n, 3));
	cr_expect(eq(i64, oracle.page_size, 4096));
	cr_expect(eq(i64, oracle.entries[0].expected, 313444));
	cr_expect(eq(str, oracle.entries[0].metric, (char *)"linear_map.insn.dsb"));
	cr_expect(zero(ptr, oracle.entries[0].workload));
	cr_expect(eq(sz, oracle.entries[0].line, 3));
	cr_expect(eq(i64, oracle.entries[1].expected, 513));
	cr_expect(eq(str, oracle.entries[2].step, (char *)"batched"));
	cr_expect(eq(str, oracle.entries[2].workload, (char *)"vmalloc"));
	cr_expect(eq(i64, oracle.entries[2].expected, 12850));
	pgt_oracle_release(&oracle);
	cr_expect(zero(sz, oracle.n));
}

Test(oracle, says_which_line_is_wrong)
{
	static const char usage[] = "o:2: not 'linear_map STEP INSN PER_PTE PER_CONT_PTE "
				    "PER_PTE_TABLE PER_CONT_PMD PER_PMD_TABLE'";
	static const struct refusal cases[] = {
		{ "", "o: nothing is expected in it: a file without expectations would seem to be "
		      "checked" },
		{ "page 4096\n", "o: nothing is expected in it: a file without expectations would "
				 "seem to be checked" },
		{ "\npages 4096\n", "o:2: 'pages' is none of page, linear_map, count" },
		{ "page\n", "o:1: only pages of 4096 bytes: of others 1 GiB is no whole number of "
			    "tables" },
		{ "page 16384\n", "o:1: only pages of 4096 bytes: of others 1 GiB is no whole "
				  "number of tables" },
		{ "page 4096\npage 4096\n", "o:2: a second line 'page'" },
		{ "linear_map a dsb 1 1 1 1 1\n", "o:1: 'page 4096' comes before 'linear_map'" },
		{ "page 4096\nlinear_map a dsb 1 1 1 1\n", usage },
		{ "page 4096\nlinear_map a dsb 1 1 1 1 1 1\n", usage },
		{ "page 4096\nlinear_map\n", usage },
		{ "page 4096\nlinear_map a dmb 1 1 1 1 1\n",
		  "o:2: 'dmb' is none of dsb, isb, tlbi" },
		{ "page 4096\nlinear_map a dsb 1 -1 1 1 1\n",
		  "o:2: '-1' is neither a whole number from 0 to 1000000 nor "
		  "a fraction of them that comes to a whole number in 1 GiB" },
		{ "page 4096\nlinear_map a dsb 1 1 33/0 1 1\n",
		  "o:2: '33/0' is neither a whole number from 0 to 1000000 nor "
		  "a fraction of them that comes to a whole number in 1 GiB" },
		{ "page 4096\nlinear_map a dsb 1 1 33/7 1 1\n",
		  "o:2: '33/7' is neither a whole number from 0 to 1000000 nor "
		  "a fraction of them that comes to a whole number in 1 GiB" },
		{ "page 4096\nlinear_map a dsb 1 1 1.5 1 1\n",
		  "o:2: '1.5' is neither a whole number from 0 to 1000000 nor "
		  "a fraction of them that comes to a whole number in 1 GiB" },
		{ "page 4096\nlinear_map a dsb 1 1 1 1 1000001\n",
		  "o:2: '1000001' is neither a whole number from 0 to 1000000 nor "
		  "a fraction of them that comes to a whole number in 1 GiB" },
		{ "page 4096\nlinear_map a dsb 1 1 1 1 1\nlinear_map b dsb 0 0 0 0 0\n"
		  "linear_map a dsb 2 1 1 1 1\n", "o:4: expected already in line 2" },
		{ "count a w p.calls\n", "o:1: not 'count STEP WORKLOAD METRIC N'" },
		{ "count a w p.calls 1 2\n", "o:1: not 'count STEP WORKLOAD METRIC N'" },
		{ "count a w p.called 1\n", "o:1: metric 'p.called' is not known" },
		{ "count a w p.calls 9007199254740993\n",
		  "o:1: '9007199254740993' is not a whole number from 0 to 2^53" },
		{ "count a w p.calls 99999999999999999999\n",
		  "o:1: '99999999999999999999' is not a whole number from 0 to 2^53" },
		{ "count a w p.calls 1\ncount a v p.calls 1\ncount a w p.calls 1\n",
		  "o:3: expected already in line 1" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct pgt_oracle oracle = { .n = 77 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_oracle_parse(&oracle, cases[i].text, "o", &diag), -EINVAL));
		cr_expect(eq(str, diag.text, (char *)cases[i].want));
		cr_expect(eq(sz, oracle.n, 77), "out is written only on success");
	}
}

/* ---- published ---- */

Test(published, each_against_the_first_row)
{
	static const char text[] = "unit ms\nsource who, \"what\" \ncolumns a VM|b|c\n"
				   "step x 168 0 -\nstep y 84 3 1.25\n";
	struct pgt_published published = { .unit = NULL };
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_published_parse(&published, text, "p", &diag)), "%s", diag.text);
	cr_expect(eq(str, published.unit, (char *)"ms"));
	cr_expect(eq(str, published.source, (char *)"who, \"what\""));
	cr_assert(eq(sz, published.n_columns, 3));
	cr_expect(eq(str, published.columns[0], (char *)"a VM"));
	cr_assert(eq(sz, published.n_rows, 2));
	cr_expect(eq(dbl, published.rows[1].ratio[0], 0.5));
	cr_expect(isnan(published.rows[1].ratio[1]), "the first is 0");
	cr_expect(isnan(published.rows[1].ratio[2]), "the first has none");
	cr_expect(isnan(published.rows[0].value[2]));
	cr_expect(eq(dbl, published.rows[1].value[2], 1.25));
	pgt_published_release(&published);
	cr_expect(zero(sz, published.n_rows));
}

Test(published, says_which_line_is_wrong)
{
#define HEAD	"unit ms\nsource s\ncolumns a|b\n"
	static const char column[] = "p:1: a column has a name of up to 24 characters, without "
				     "blanks around it";
	static const struct refusal cases[] = {
		{ "", "p: no step in it" },
		{ HEAD, "p: no step in it" },
		{ "unit\n", "p:1: 'unit' of nothing" },
		{ "unit ms\nunit s\n", "p:2: a second line 'unit'" },
		{ "source a\nsource b\n", "p:2: a second line 'source'" },
		{ "columns a|b\ncolumns c\n", "p:2: a second line 'columns'" },
		{ "columns a||b\n", column },
		{ "columns a| b\n", column },
		{ "columns\n", column },
		{ "columns abcdefghijklmnopqrstuvwxy\n", column },
		{ "columns a|b|c|d|e|f|g|h|i\n", "p:1: more than 8 columns" },
		{ "unit ms\nsource s\nstep x 1\n",
		  "p:3: unit, source and columns come before the first step" },
		{ "title x\n", "p:1: 'title' is none of unit, source, columns, step" },
		{ HEAD "step x 1\n", "p:4: not 'step NAME' and 2 values, one a column" },
		{ HEAD "step x 1 2 3\n", "p:4: not 'step NAME' and 2 values, one a column" },
		{ HEAD "step x 1 2\nstep x 1 2\n", "p:5: a second step of that name" },
		{ HEAD "step x 1 +2\n",
		  "p:4: '+2' is neither a number with up to two places nor '-'" },
		{ HEAD "step x 1 2.\n",
		  "p:4: '2.' is neither a number with up to two places nor '-'" },
		{ HEAD "step x 1 2.125\n",
		  "p:4: '2.125' is neither a number with up to two places nor '-'" },
		{ HEAD "step x 1e3 2\n",
		  "p:4: '1e3' is neither a number with up to two places nor '-'" },
		{ HEAD "step x nan 2\n",
		  "p:4: 'nan' is neither a number with up to two places nor '-'" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct pgt_published published = { .n_rows = 77 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_published_parse(&published, cases[i].text, "p", &diag),
			     -EINVAL));
		cr_expect(eq(str, diag.text, (char *)cases[i].want));
		cr_expect(eq(sz, published.n_rows, 77), "out is written only on success");
	}
}
