/* SPDX-License-Identifier: GPL-2.0-only */
/* steps.c and its renderers: what becomes of a metric, oracles, what stands beside. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "report/oracle.h"
#include "report/steps.h"
#include "report/steps_list.h"

#define N_SIDES	4		/* base, noop, fewer, and stock beside them */

static const char *const releases[N_SIDES] = { "6.12-base", "6.12-noop", "6.12-fewer", "6.13" };

/* What differs between the sides; all else is as it always is. */
struct side {
	long long dsb[3];	/* making the linear map of 1, 2 and 4 GiB */
	long long work;		/* p.insn.dsb of the workload w */
	long long kind;		/* p.insn.dsb.ish */
	long long noise[4];	/* outside.insn.dsb in four boots */
};

static const struct side usual[N_SIDES] = {
	{ { 309903, 623347, 1250235 }, 100, 7, { 1, 2, 3, 4 } },
	{ { 309903, 623347, 1250235 }, 100, 7, { 1, 2, 3, 5 } },
	{ { 2540, 5105, 10235 }, 50, 3, { 6, 7, 8, 9 } },
	{ { 2540, 5105, 10235 }, 50, 0, { 6, 7, 8, 9 } },
};

struct fixture {
	struct pgt_recording recordings[N_SIDES], control;
	struct pgt_steps_list list;
	struct pgt_oracle oracle;
	struct pgt_steps steps;
};

static void add_boot(struct lines *lines, const char *release, const char *workload,
		     long long dsb)
{
	char boot_id[64];

	snprintf(boot_id, sizeof(boot_id), "%s-%s", release, workload);
	lines_begin(lines, LINES_HOST(.release = release, .build_id = release,
				      .boot_id = boot_id));
	lines_value_of(lines, workload, "linear_map.insn.dsb", "instructions", 1, dsb, "tcg:scope",
		       false);
	lines_value_of(lines, workload, "linear_map.pages", "pages", 1, 262144, "tcg:scope", false);
	lines_loss(lines, workload, 1, 0, 0);
	lines_end(lines);
}

static void add_work(struct lines *lines, const char *release, const struct side *side, int boot)
{
	char boot_id[64];

	snprintf(boot_id, sizeof(boot_id), "%s-w%d", release, boot);
	lines_begin(lines, LINES_HOST(.release = release, .build_id = release,
				      .boot_id = boot_id));
	lines_value(lines, "p.calls", "calls", 1, 12);
	lines_value(lines, "p.insn.dsb", "instructions", 1, side->work);
	if (side->kind)
		lines_value(lines, "p.insn.dsb.ish", "instructions", 1, side->kind);
	lines_value(lines, "p.insn.isb", "instructions", 1, 0);
	lines_value(lines, "outside.insn.dsb", "instructions", 1, side->noise[boot]);
	lines_absent(lines, "q.calls", "calls", 1, "no function of q is here");
	lines_loss(lines, "w", 1, 0, 0);
	lines_end(lines);
}

static struct pgt_recording record(const char *release, const struct side *side)
{
	static const char *const sizes[] = { "boot-1g", "boot-2g", "boot-4g" };
	struct lines lines = { PGT_BUF_INIT, 0 };

	for (size_t i = 0; i < 3; i++)
		if (side->dsb[i])
			add_boot(&lines, release, sizes[i], side->dsb[i]);
	for (int i = 0; i < 4; i++)
		add_work(&lines, release, side, i);
	return lines_recording(&lines, release);
}

/* oracle may be NULL. */
static int make(struct fixture *f, const struct side *sides, const char *oracle,
		struct pgt_diag *diag)
{
	struct pgt_steps_input input = { .alpha = 0.05 };

	*f = (struct fixture){ .control = record("6.12-base", &sides[0]) };
	cr_assert(zero(int, pgt_steps_list_parse(&f->list, "step base\nstep noop\nstep fewer\n"
						 "beside stock\n", "steps", diag)));
	for (size_t i = 0; i < N_SIDES; i++)
		f->recordings[i] = record(releases[i], &sides[i]);
	if (oracle)
		cr_assert(zero(int, pgt_oracle_parse(&f->oracle, oracle, "oracle", diag)), "%s",
			  diag->text);
	input.list = &f->list;
	input.recordings = f->recordings;
	input.control = &f->control;
	input.oracle = oracle ? &f->oracle : NULL;
	return pgt_steps_make(&f->steps, &input, diag);
}

static void make_usual(struct fixture *f, const char *oracle)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, make(f, usual, oracle, &diag)), "%s", diag.text);
}

static void release(struct fixture *f)
{
	pgt_steps_release(&f->steps);
	pgt_oracle_release(&f->oracle);
	pgt_steps_list_release(&f->list);
	for (size_t i = 0; i < N_SIDES; i++)
		pgt_recording_release(&f->recordings[i]);
	pgt_recording_release(&f->control);
}

static const struct pgt_steps_row *row_of(const struct fixture *f, const char *workload,
					  const char *metric)
{
	for (size_t i = 0; i < f->steps.n_rows; i++)
		if (!strcmp(f->steps.rows[i].workload, workload) &&
		    !strcmp(f->steps.rows[i].metric, metric))
			return &f->steps.rows[i];
	cr_assert(false, "no row of %s: %s", workload, metric);
	return NULL;
}

/* To be freed. */
static char *render(const struct pgt_steps *steps, const char *format)
{
	const struct pgt_steps_renderer *renderer = pgt_steps_renderer_find(format);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	cr_assert(not(zero(ptr, (void *)renderer)), "%s", format);
	cr_assert(zero(int, renderer->render(steps, out)));
	fclose(out);
	return text;
}

static void expect_in(const char *text, const char *what)
{
	cr_expect(strstr(text, what) != NULL, "not there: %s\nin %s", what, text);
}

/* ---- rows ---- */

Test(steps, what_becomes_of_a_metric)
{
	static const struct {
		const char *metric;
		enum pgt_steps_class class;
		bool shown;
	} cases[] = {
		{ "p.calls", PGT_STEPS_SAME, false },
		{ "p.insn.dsb", PGT_STEPS_DIFFERS, true },
		{ "p.insn.dsb.ish", PGT_STEPS_DIFFERS, true },
		{ "p.insn.isb", PGT_STEPS_ZERO, false },
		{ "q.calls", PGT_STEPS_NOT_COUNTED, false },
		{ "outside.insn.dsb", PGT_STEPS_DIFFERS, true },
	};
	struct fixture f;

	make_usual(&f, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pgt_steps_row *row = row_of(&f, "w", cases[i].metric);

		cr_expect(eq(int, (int)row->class, (int)cases[i].class), "%s", cases[i].metric);
		cr_expect(eq(int, row->shown, cases[i].shown), "%s", cases[i].metric);
	}
	cr_expect(zero(ptr, (void *)row_of(&f, "w", "p.insn.dsb")->cells[0].row));
	cr_expect(eq(dbl, row_of(&f, "w", "p.insn.dsb")->cells[2].value->median, 50));
	cr_expect(eq(int, (int)row_of(&f, "w", "p.insn.dsb")->cells[1].row->verdict,
		     PGT_NO_DIFFERENCE), "a step that does nothing");
	cr_expect(eq(dbl, row_of(&f, "w", "p.insn.dsb.ish")->cells[3].value->median, 0),
		  "implied by its total");
	cr_expect(eq(sz, f.steps.n_reasons, 1));
	release(&f);
}

/* A side that lacks a workload has a reason, not 0, and nothing is said to differ. */
Test(steps, a_workload_that_only_some_have)
{
	struct side sides[N_SIDES];
	const struct pgt_steps_row *row;
	struct pgt_diag diag = { "" };
	struct fixture f;
	char *text;

	memcpy(sides, usual, sizeof(sides));
	sides[2].dsb[2] = 0;
	cr_assert(zero(int, make(&f, sides, NULL, &diag)), "%s", diag.text);
	row = row_of(&f, "boot-4g", "linear_map.pages");
	cr_expect(eq(int, (int)row->class, PGT_STEPS_ONE_SIDED));
	cr_expect(zero(sz, row->cells[2].value->n));
	text = render(&f.steps, "text");
	expect_in(text, "1 metric has a value in some recordings only, and differs in none of ");
	expect_in(text, "[1] the recording does not have this workload");
	free(text);
	release(&f);
}

Test(steps, the_linear_map_is_a_table)
{
	struct fixture f;
	const struct pgt_steps_map *map;

	make_usual(&f, NULL);
	map = &f.steps.map;
	cr_assert(eq(sz, map->n_sizes, 3));
	cr_assert(eq(sz, map->n_lines, (size_t)(4 * 3 * N_SIDES)));
	cr_expect(map->exact);
	cr_expect(eq(str, (char *)map->lines[2].name, (char *)"DSB"));
	cr_expect(eq(sz, map->lines[2].side, 2));
	cr_expect(eq(dbl, map->lines[2].cells[0].value, 2540));
	cr_expect(eq(dbl, map->lines[2].cells[0].ratio, 2540 / 309903.0));
	cr_expect(eq(dbl, map->lines[N_SIDES].cells[0].value, 309903 / 262144.0), "a page");
	cr_expect(not(row_of(&f, "boot-1g", "linear_map.insn.dsb")->shown));
	release(&f);
}

/* ---- oracles ---- */

static void expect_oracle(const struct side *sides, const char *text,
			  enum pgt_oracle_verdict verdict, const char *reason)
{
	struct pgt_diag diag = { "" };
	struct fixture f;

	cr_assert(zero(int, make(&f, sides, text, &diag)), "%s", diag.text);
	cr_assert(eq(sz, f.steps.n_oracles, 1));
	cr_expect(eq(int, (int)f.steps.oracles[0].verdict, (int)verdict), "%s", text);
	cr_expect(eq(sz, f.steps.n_violated, (size_t)(verdict == PGT_ORACLE_VIOLATED)));
	if (reason)
		cr_expect(eq(str, f.steps.oracles[0].reason, (char *)reason));
	else
		cr_expect(zero(ptr, f.steps.oracles[0].reason), "%s", f.steps.oracles[0].reason);
	release(&f);
}

#define MAP(rest)	"page 4096\nlinear_map " rest

Test(steps, oracles_of_the_linear_map)
{
	struct side sides[N_SIDES];

	expect_oracle(usual, MAP("base dsb 1 3 4 3 4"), PGT_ORACLE_HOLDS, NULL);
	expect_oracle(usual, MAP("fewer dsb 0 0 5 0 5"), PGT_ORACLE_HOLDS, NULL);
	expect_oracle(usual, MAP("base dsb 1 3 4 3 5"), PGT_ORACLE_VIOLATED, NULL);
	expect_oracle(usual, MAP("base isb 0 0 0 0 0"), PGT_ORACLE_NOT_CHECKED,
		      "measured at no size of memory, and two are needed");
	memcpy(sides, usual, sizeof(sides));
	sides[0].dsb[2]++;
	expect_oracle(sides, MAP("base dsb 1 3 4 3 4"), PGT_ORACLE_VIOLATED, NULL);
	expect_oracle(sides, MAP("noop dsb 1 3 4 3 4"), PGT_ORACLE_HOLDS, NULL);
	sides[0].dsb[2] = sides[0].dsb[1] = 0;
	expect_oracle(sides, MAP("base dsb 1 3 4 3 4"), PGT_ORACLE_NOT_CHECKED,
		      "measured at one size of memory, and two are needed");
}

Test(steps, oracles_of_a_value)
{
	struct side sides[N_SIDES];

	expect_oracle(usual, "count fewer w p.insn.dsb 50", PGT_ORACLE_HOLDS, NULL);
	expect_oracle(usual, "count fewer w p.insn.dsb 51", PGT_ORACLE_VIOLATED, NULL);
	expect_oracle(usual, "count fewer w p.insn.dsb.sy 0", PGT_ORACLE_HOLDS, NULL);
	expect_oracle(usual, "count fewer w p.insn.dsb.sy 1", PGT_ORACLE_VIOLATED, NULL);
	expect_oracle(usual, "count fewer w q.calls 0", PGT_ORACLE_NOT_CHECKED,
		      "no function of q is here");
	expect_oracle(usual, "count fewer v p.calls 0", PGT_ORACLE_NOT_CHECKED,
		      "no recording has this metric of this workload");
	expect_oracle(usual, "count best w p.calls 0", PGT_ORACLE_NOT_CHECKED,
		      "no side is named so");
	memcpy(sides, usual, sizeof(sides));
	expect_oracle(sides, "count base w outside.insn.dsb 1", PGT_ORACLE_VIOLATED,
		      "w: not the same in all boots, 1 to 4");
}

/* A kernel beside the steps that cannot do a workload: the reason is in its cells and oracles. */
Test(steps, a_workload_that_a_side_cannot_do)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_steps_list list;
	struct pgt_oracle oracle;
	struct pgt_recording all[3];
	struct pgt_steps steps;
	struct pgt_diag diag = { "" };
	struct pgt_steps_input input = { .list = &list, .recordings = all, .oracle = &oracle,
					 .alpha = 0.05 };
	char *text;

	all[0] = record(releases[0], &usual[0]);
	all[1] = record(releases[2], &usual[2]);
	lines_begin(&lines, LINES_HOST(.release = "6.13", .build_id = "cc", .boot_id = "n"));
	lines_unsupported(&lines, "w", "p", "no module m");
	lines_unsupported(&lines, "v", "p", "no module n");
	lines_end(&lines);
	all[2] = lines_recording(&lines, "stock");
	cr_assert(zero(int, pgt_steps_list_parse(&list, "step base\nstep fewer\nbeside stock\n", "s",
						 &diag)));
	cr_assert(zero(int, pgt_oracle_parse(&oracle, "count stock w p.insn.dsb 50\n"
		"count stock w p.insn.dsb.ish 0\ncount stock w p.insn.dsb.sy 0\n"
		"count stock v p.insn.dsb 7\ncount fewer w p.insn.dsb 50\n", "o", &diag)));
	cr_assert(zero(int, pgt_steps_make(&steps, &input, &diag)), "%s", diag.text);
	for (size_t i = 0; i < 4; i++) {
		cr_expect(eq(int, (int)steps.oracles[i].verdict, PGT_ORACLE_NOT_CHECKED), "%zu", i);
		cr_expect(eq(str, steps.oracles[i].reason, (char *)(i < 3 ?
			     "not supported here: no module m" : "not supported here: no module n")));
	}
	cr_expect(eq(int, (int)steps.oracles[4].verdict, PGT_ORACLE_HOLDS));
	cr_expect(zero(sz, steps.n_violated));
	text = render(&steps, "text");
	expect_in(text, "] not supported here: no module m\n");
	expect_in(text, "] not supported here: no module n\n");
	free(text);
	pgt_steps_release(&steps);
	pgt_oracle_release(&oracle);
	pgt_steps_list_release(&list);
	for (size_t i = 0; i < 3; i++)
		pgt_recording_release(&all[i]);
}

/* An oracle holds of counts in full, and of every boot: a lower bound and a gap do not do. */
Test(steps, lost_and_partial_values_do_not_hold)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_steps_list list;
	struct pgt_oracle oracle;
	struct pgt_recording all[2];
	struct pgt_steps steps;
	struct pgt_diag diag = { "" };
	struct pgt_steps_input input = { .list = &list, .recordings = all, .oracle = &oracle,
					 .alpha = 0.05 };

	for (int i = 0; i < 2; i++) {
		lines_begin(&lines, LINES_HOST(.boot_id = i ? "a" : "b"));
		lines_value_of(&lines, "lossy", "p.insn.dsb", "instructions", 1, 5, "kprobe", true);
		lines_loss(&lines, "lossy", 1, 0, 0);
		if (i)
			lines_value(&lines, "p.insn.dsb", "instructions", 1, 5);
		else
			lines_absent(&lines, "p.insn.dsb", "instructions", 1, "not now");
		lines_loss(&lines, "w", 1, 0, 0);
		lines_end(&lines);
	}
	all[0] = lines_recording(&lines, "one");
	lines_begin(&lines, LINES_HOST(.boot_id = "c"));
	lines_end(&lines);
	all[1] = lines_recording(&lines, "two");
	cr_assert(zero(int, pgt_steps_list_parse(&list, "step one\nstep two\n", "s", &diag)));
	cr_assert(zero(int, pgt_oracle_parse(&oracle, "count one lossy p.insn.dsb 5\n"
					     "count one w p.insn.dsb 5\n", "o", &diag)));
	cr_assert(zero(int, pgt_steps_make(&steps, &input, &diag)), "%s", diag.text);
	cr_expect(eq(sz, steps.n_violated, 2));
	cr_expect(eq(str, steps.oracles[0].reason, (char *)"lossy: events were lost, so that 5 is "
		     "not what was executed"));
	cr_expect(eq(str, steps.oracles[1].reason, (char *)"w: only 1 of 2 boots have a value"));
	pgt_steps_release(&steps);
	pgt_oracle_release(&oracle);
	pgt_steps_list_release(&list);
	pgt_recording_release(&all[0]);
	pgt_recording_release(&all[1]);
}

/* ---- beside ---- */

Test(steps, what_the_last_step_executes_more)
{
	struct side sides[N_SIDES];
	struct pgt_diag diag = { "" };
	struct fixture f;

	make_usual(&f, NULL);
	cr_assert(eq(sz, f.steps.n_beside, 1));
	cr_expect(eq(sz, f.steps.beside[0].n_totals, 6));
	cr_assert(eq(sz, f.steps.beside[0].n_excesses, 1));
	cr_expect(f.steps.beside[0].excesses[0].is_new_kind);
	cr_expect(eq(str, (char *)f.steps.beside[0].excesses[0].row->metric,
		     (char *)"p.insn.dsb.ish"));
	release(&f);
	memcpy(sides, usual, sizeof(sides));
	sides[3] = (struct side){ { 2539, 5106, 10235 }, 50, 3, { 1, 2, 3, 4 } };
	cr_assert(zero(int, make(&f, sides, NULL, &diag)), "%s", diag.text);
	cr_assert(eq(sz, f.steps.beside[0].n_excesses, 2));
	cr_expect(eq(str, (char *)f.steps.beside[0].excesses[0].row->workload, (char *)"boot-1g"));
	cr_expect(eq(str, (char *)f.steps.beside[0].excesses[1].row->metric,
		     (char *)"outside.insn.dsb"), "by the test");
	release(&f);
	memcpy(&sides[3], &sides[2], sizeof(sides[3]));
	cr_assert(zero(int, make(&f, sides, NULL, &diag)), "%s", diag.text);
	cr_expect(zero(sz, f.steps.beside[0].n_excesses));
	release(&f);
}

/* ---- renderers ---- */

Test(steps, text_is_ascii_of_100_columns)
{
	struct fixture f;
	size_t column = 0;
	char *text;

	make_usual(&f, MAP("base dsb 1 3 4 3 5\ncount noop w p.insn.dsb 100"));
	text = render(&f.steps, "text");
	for (const char *c = text; *c; c++) {
		bool printable = *c == '\n' || (*c >= 0x20 && *c <= 0x7e);

		column = *c == '\n' ? 0 : column + 1;
		cr_assert(le(sz, column, 100));
		cr_assert(printable, "%#x", (unsigned int)*c);
		cr_assert(not(c[0] == ' ' && c[1] == '\n'), "trailing space");
	}
	expect_in(text, "A/A: control found nothing");
	expect_in(text, "Ground truth: no count was held against an emulator's");
	expect_in(text, "DOES NOT HOLD");
	expect_in(text, "expected 100, measured 100: holds");
	expect_in(text, " 0 % = ");
	expect_in(text, " +200.0 % (x3.0) t\n");
	expect_in(text, "fewer: base 1..4, test 6..9, p 0.0286");
	free(text);
	release(&f);
}

Test(steps, all_formats_have_the_same_numbers)
{
	struct fixture f;
	json_t *document, *row, *cell;
	char *text;

	make_usual(&f, MAP("base dsb 1 3 4 3 5"));
	text = render(&f.steps, "markdown");
	expect_in(text, "| `p.insn.dsb` | 100 | 100 | 0 % | 50 | -50.0 % (/2.0) | 50 | "
		  "-50.0 % (/2.0) |");
	expect_in(text, "| `fewer` | 2,540 | -99.2 % (/122.0) | 5,105 |");
	free(text);
	text = render(&f.steps, "json");
	document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	cr_assert(not(zero(ptr, document)), "%s", text);
	cr_expect(eq(sz, json_array_size(json_object_get(document, "sides")), N_SIDES));
	cr_expect(eq(sz, json_array_size(json_object_get(document, "rows")), f.steps.n_rows));
	row = json_array_get(json_object_get(document, "oracles"), 0);
	cr_expect(eq(str, (char *)json_string_value(json_object_get(row, "verdict")),
		     (char *)"DOES NOT HOLD"));
	row = json_array_get(json_object_get(document, "rows"),
			     (size_t)(row_of(&f, "w", "p.insn.dsb") - f.steps.rows));
	cell = json_array_get(json_object_get(row, "steps"), 2);
	cr_expect(eq(i64, json_integer_value(json_object_get(cell, "value")), 50));
	cr_expect(eq(str, (char *)json_string_value(json_object_get(cell, "verdict")),
		     (char *)"better"));
	json_decref(document);
	free(text);
	release(&f);
}

/* What the control finds is listed, and so is what makes the sides hard to compare. */
Test(steps, the_control_lists_what_it_finds)
{
	struct pgt_diag diag = { "" };
	struct fixture f;
	struct pgt_steps again;
	struct pgt_steps_input input = { .alpha = 0.05 };
	struct side odd = usual[0];
	char *text;

	make_usual(&f, NULL);
	odd.work = 101;
	pgt_recording_release(&f.control);
	f.control = record("6.12-base", &odd);
	input.list = &f.list;
	input.recordings = f.recordings;
	input.control = &f.control;
	pgt_steps_release(&f.steps);
	cr_assert(zero(int, pgt_steps_make(&again, &input, &diag)), "%s", diag.text);
	f.steps = again;
	text = render(&f.steps, "text");
	expect_in(text, "A/A: control FOUND 1 difference");
	expect_in(text, "w: p.insn.dsb: 100, and again 101: +1.0 %, worse");
	free(text);
	release(&f);
}
