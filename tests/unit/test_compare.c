/* SPDX-License-Identifier: GPL-2.0-only */
/* compare.c, judge.c and warn.c against the rules in compare.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "lines.h"

#define MANY	8

struct side {			/* what one side recorded of one metric */
	long long value[MANY];	/* one a boot */
	size_t n;
	const char *reason;	/* for each boot, instead of values */
	const char *source;	/* kprobe where NULL */
	bool lower_bound;
	int missed, unbalanced;
};

#define VALUES(...)	.value = { __VA_ARGS__ }, \
			.n = sizeof((long long[]){ __VA_ARGS__ }) / sizeof(long long)

static struct pgt_recording record(const struct side *side, const char *metric, const char *unit,
				   const char *name)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	for (size_t i = 0; i < side->n; i++) {
		char boot_id[32];

		snprintf(boot_id, sizeof(boot_id), "%s%zu", name, i);
		lines_begin(&lines, LINES_HOST(.boot_id = boot_id, .release = name));
		lines_loss(&lines, "w", 1, side->missed, side->unbalanced);
		if (side->reason)
			lines_absent(&lines, metric, unit, 1, side->reason);
		else
			lines_value_of(&lines, "w", metric, unit, 1, side->value[i],
				       side->source ? side->source : "kprobe", side->lower_bound);
		lines_end(&lines);
	}
	return lines_recording(&lines, name);
}

struct expected {
	enum pgt_verdict verdict;
	uint32_t notes;
	double ratio, p;	/* NAN: none */
};

static bool same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) < 1e-9;
}

static void expect(const char *what, const char *metric, const char *unit,
		   const struct side *base, const struct side *test, struct expected want)
{
	struct pgt_recording left = record(base, metric, unit, "base");
	struct pgt_recording right = record(test, metric, unit, "test");
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };
	int err = pgt_compare(&comparison, &left, &right, 0.05, &diag);

	cr_assert(zero(int, err), "%s: %s", what, diag.text);
	cr_assert(eq(sz, comparison.n_rows, 1), "%s", what);
	cr_expect(eq(int, (int)comparison.rows[0].verdict, (int)want.verdict), "%s", what);
	cr_expect(eq(u32, comparison.rows[0].notes, want.notes), "%s", what);
	cr_expect(same_number(comparison.rows[0].ratio, want.ratio), "%s: ratio %g", what,
		  comparison.rows[0].ratio);
	cr_expect(same_number(comparison.rows[0].p, want.p), "%s: p %g", what,
		  comparison.rows[0].p);
	pgt_comparison_release(&comparison);
	pgt_recording_release(&left);
	pgt_recording_release(&right);
}

Test(compare, exact_metrics)
{
	const uint32_t X = PGT_NOTE_EXACT, V = PGT_NOTE_VARIES, D = PGT_NOTE_DISJOINT;
	const uint32_t F = PGT_NOTE_TOO_FEW_BOOTS, L = PGT_NOTE_LOST, B = PGT_NOTE_LOWER_BOUND;
	const struct {
		const char *what;
		struct side base, test;
		struct expected want;
	} cases[] = {
		{ "one boot suffices", { VALUES(131329) }, { VALUES(514) },
		  { PGT_BETTER, X, 514.0 / 131329, NAN } },
		{ "more is worse", { VALUES(5, 5) }, { VALUES(6, 6) }, { PGT_WORSE, X, 1.2, NAN } },
		{ "the same number", { VALUES(5, 5) }, { VALUES(5) },
		  { PGT_NO_DIFFERENCE, X, 1, NAN } },
		{ "a zero base has no ratio", { VALUES(0) }, { VALUES(4) },
		  { PGT_WORSE, X, NAN, NAN } },
		{ "down to zero has one", { VALUES(4) }, { VALUES(0) }, { PGT_BETTER, X, 0, NAN } },
		{ "zero twice", { VALUES(0) }, { VALUES(0) }, { PGT_NO_DIFFERENCE, X, NAN, NAN } },
		{ "varies, too few boots", { VALUES(5, 6) }, { VALUES(6, 6) },
		  { PGT_UNDECIDED, V | F, 6 / 5.5, 1 } },
		{ "varies, ranges apart, too few boots", { VALUES(4103, 4105) }, { VALUES(136, 136) },
		  { PGT_UNDECIDED, V | D | F, 136.0 / 4104, 2.0 / 6 } },
		{ "varies, ranges apart, enough boots", { VALUES(1, 2, 3, 4) },
		  { VALUES(6, 7, 8, 9) }, { PGT_WORSE, V | D, 3, 2.0 / 70 } },
		{ "varies, enough boots, nothing detected", { VALUES(1, 3, 5, 7) },
		  { VALUES(2, 4, 6, 8) }, { PGT_NO_DIFFERENCE, V, 1.25, 48.0 / 70 } },
		{ "test may be larger still: worse stands", { VALUES(5) },
		  { VALUES(6), .lower_bound = true }, { PGT_WORSE, X | B, 1.2, NAN } },
		{ "test may be larger: better does not stand", { VALUES(5) },
		  { VALUES(4), .lower_bound = true }, { PGT_UNDECIDED, X | B, 0.8, NAN } },
		{ "test may be larger: the same number is no verdict", { VALUES(5) },
		  { VALUES(5), .lower_bound = true }, { PGT_UNDECIDED, X | B, 1, NAN } },
		{ "base may be larger still: better stands", { VALUES(5), .lower_bound = true },
		  { VALUES(4) }, { PGT_BETTER, X | B, 0.8, NAN } },
		{ "base may be larger: worse does not stand", { VALUES(5), .lower_bound = true },
		  { VALUES(6) }, { PGT_UNDECIDED, X | B, 1.2, NAN } },
		{ "both may be larger", { VALUES(5), .lower_bound = true },
		  { VALUES(500), .lower_bound = true }, { PGT_UNDECIDED, X | B, 100, NAN } },
		{ "a loss makes a lower bound", { VALUES(5) }, { VALUES(4), .missed = 1 },
		  { PGT_UNDECIDED, X | L | B, 0.8, NAN } },
		{ "a loss that cannot overturn it", { VALUES(5) }, { VALUES(6), .missed = 1 },
		  { PGT_WORSE, X | L | B, 1.2, NAN } },
		{ "what does not pair may count too much", { VALUES(5) },
		  { VALUES(6), .unbalanced = 1 }, { PGT_UNDECIDED, X | L | B, 1.2, NAN } },
		{ "mechanisms differ", { VALUES(5) }, { VALUES(5), .source = "fentry" },
		  { PGT_NO_DIFFERENCE, X | PGT_NOTE_MECHANISM_DIFFERS, 1, NAN } },
		{ "not counted in test", { VALUES(5) }, { VALUES(0), .reason = "r" },
		  { PGT_ONE_SIDE_ONLY, PGT_NOTE_ONE_SIDED, NAN, NAN } },
		{ "not counted at all", { VALUES(0), .reason = "q" }, { VALUES(0), .reason = "r" },
		  { PGT_UNDECIDED, PGT_NOTE_NOT_COUNTED, NAN, NAN } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i].what, "p.calls", "calls", &cases[i].base, &cases[i].test,
		       cases[i].want);
}

Test(compare, noisy_metrics)
{
	const uint32_t F = PGT_NOTE_TOO_FEW_BOOTS;
	const struct {
		const char *what;
		struct side base, test;
		struct expected want;
	} cases[] = {
		{ "three boots cannot reach 0.05", { VALUES(1, 2, 3) }, { VALUES(7, 8, 9) },
		  { PGT_UNDECIDED, F, 4, 0.1 } },
		{ "four fully separated boots can", { VALUES(1, 2, 3, 4) }, { VALUES(6, 7, 8, 9) },
		  { PGT_WORSE, 0, 3, 2.0 / 70 } },
		{ "the same, the other way round", { VALUES(6, 7, 8, 9) }, { VALUES(1, 2, 3, 4) },
		  { PGT_BETTER, 0, 1.0 / 3, 2.0 / 70 } },
		{ "interleaved", { VALUES(1, 3, 5, 7) }, { VALUES(2, 4, 6, 8) },
		  { PGT_NO_DIFFERENCE, 0, 1.25, 48.0 / 70 } },
		{ "the same number is no exact comparison", { VALUES(5, 5) }, { VALUES(5, 5) },
		  { PGT_UNDECIDED, F, 1, 1 } },
		{ "lower bounds", { VALUES(6, 7, 8, 9) }, { VALUES(1, 2, 3, 4), .missed = 1 },
		  { PGT_UNDECIDED, PGT_NOTE_LOST | PGT_NOTE_LOWER_BOUND, 1.0 / 3, 2.0 / 70 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i].what, "outside.insn.dsb", "instructions", &cases[i].base,
		       &cases[i].test, cases[i].want);
}

/* Boots of three kinds of TLBI; their total is the sum of them. */
static struct pgt_recording record_kinds(const int (*boots)[3], size_t n, const char *name)
{
	static const char *const kinds[] = { "a.insn.tlbi.vaale1is", "a.insn.tlbi.vae1is",
					     "a.insn.tlbi.vmalle1is" };
	struct lines lines = { PGT_BUF_INIT, 0 };

	for (size_t i = 0; i < n; i++) {
		char boot_id[32];
		int total = 0;

		snprintf(boot_id, sizeof(boot_id), "%s%zu", name, i);
		lines_begin(&lines, LINES_HOST(.boot_id = boot_id));
		lines_loss(&lines, "w", 1, 0, 0);
		lines_value(&lines, "a.insn.dsb", "instructions", 1, 7 + *name);
		for (size_t j = 0; j < 3; j++) {
			lines_value(&lines, kinds[j], "instructions", 1, boots[i][j]);
			total += boots[i][j];
		}
		lines_value(&lines, "a.insn.tlbi", "instructions", 1, total);
		lines_end(&lines);
	}
	return lines_recording(&lines, name);
}

/* A kind that is the same in all boots of a side, while others are not, is so by chance. */
Test(compare, a_kind_of_what_varies_is_not_compared_exactly)
{
	static const int base_boots[][3] = { { 3, 9, 5 }, { 4, 9, 5 } };
	static const int test_boots[][3] = { { 4, 9, 6 }, { 4, 9, 6 } };
	static const struct {
		const char *metric;
		enum pgt_verdict verdict;
		uint32_t notes;
	} want[] = {
		{ "a.insn.dsb", PGT_WORSE, PGT_NOTE_EXACT },
		{ "a.insn.tlbi", PGT_UNDECIDED,
		  PGT_NOTE_VARIES | PGT_NOTE_DISJOINT | PGT_NOTE_TOO_FEW_BOOTS },
		{ "a.insn.tlbi.vaale1is", PGT_UNDECIDED, PGT_NOTE_VARIES | PGT_NOTE_TOO_FEW_BOOTS },
		{ "a.insn.tlbi.vae1is", PGT_NO_DIFFERENCE, PGT_NOTE_EXACT },
		{ "a.insn.tlbi.vmalle1is", PGT_UNDECIDED,
		  PGT_NOTE_KIN_VARIES | PGT_NOTE_TOO_FEW_BOOTS },
	};
	struct pgt_recording base = record_kinds(base_boots, 2, "a");
	struct pgt_recording test = record_kinds(test_boots, 2, "b");
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_compare(&comparison, &base, &test, 0.05, &diag)), "%s", diag.text);
	cr_assert(eq(sz, comparison.n_rows, 5));
	for (size_t i = 0; i < 5; i++) {
		const struct pgt_row *row = &comparison.rows[i];

		cr_expect(eq(str, (char *)row->metric, (char *)want[i].metric));
		cr_expect(eq(int, (int)row->verdict, (int)want[i].verdict), "%s", row->metric);
		cr_expect(eq(u32, row->notes, want[i].notes), "%s", row->metric);
	}
	pgt_comparison_release(&comparison);
	pgt_recording_release(&base);
	pgt_recording_release(&test);
}

Test(compare, metrics_of_which_neither_is_better)
{
	const struct side few = { VALUES(1, 2, 3, 4) }, many = { VALUES(6, 7, 8, 9) };
	const struct expected more = { PGT_DIFFERENT, 0, 3, 2.0 / 70 };
	const struct expected less = { PGT_DIFFERENT, 0, 1.0 / 3, 2.0 / 70 };
	const struct expected worse = { PGT_WORSE, 0, 3, 2.0 / 70 };
	const struct expected same = { PGT_NO_DIFFERENCE, 0, 1, 1 };

	expect("more", "linear_map.bytes.pmd", "bytes", &few, &many, more);
	expect("less", "linear_map.bytes.pmd", "bytes", &many, &few, less);
	expect("the same", "linear_map.entries.pud", "entries", &few, &few, same);
	expect("more pages are worse", "linear_map.bytes.pte", "bytes", &few, &many, worse);
}

/* Of two recordings of one line each: what is wrong, or the first warning. */
static int compare_hosts(const struct lines_host *base, const struct lines_host *test,
			 double alpha, struct pgt_diag *diag)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording left, right;
	struct pgt_comparison comparison;
	int err;

	lines_begin(&lines, base);
	lines_end(&lines);
	left = lines_recording(&lines, "base.jsonl");
	lines_begin(&lines, test);
	lines_end(&lines);
	right = lines_recording(&lines, "test.jsonl");
	err = pgt_compare(&comparison, &left, &right, alpha, diag);
	if (!err) {
		if (comparison.n_warnings)
			pgt_fail(diag, -1, "%s", comparison.warnings[0]);
		else if (comparison.same_kernel)
			pgt_fail(diag, -1, "same kernel");
		pgt_comparison_release(&comparison);
	}
	pgt_recording_release(&left);
	pgt_recording_release(&right);
	return err;
}

#define TEST_HOST(...) LINES_HOST(.release = "6.12", .build_id = "bb", .boot_id = "c", __VA_ARGS__)

Test(compare, hosts)
{
	const struct {
		const struct lines_host *test;
		double alpha;
		int err;
		const char *text;
	} cases[] = {
		{ TEST_HOST(.page_size = 0), 0.05, 0, "" },
		{ TEST_HOST(.arch = "ppc64le"), 0.05, -EXDEV, "base.jsonl is of architecture arm64, "
		  "test.jsonl of ppc64le: their counts cannot be compared" },
		{ TEST_HOST(.page_size = 65536), 0.05, 0,
		  "the page size differs: base 4096, test 65536" },
		{ TEST_HOST(.accelerator = "tcg"), 0.05, 0,
		  "the accelerator differs: base kvm, test tcg" },
		{ LINES_HOST(.release = "6.12", .build_id = "bb"), 0.05, 0, "boot b is there twice (in "
		  "base and in test): its values are no independent samples" },
		{ LINES_HOST(.boot_id = "c"), 0.05, 0, "same kernel" },
		{ TEST_HOST(.page_size = 0), 0, -EINVAL, "alpha is 0: it must be between 0 and 1" },
		{ TEST_HOST(.page_size = 0), NAN, -EINVAL,
		  "alpha is nan: it must be between 0 and 1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, compare_hosts(LINES_HOST(.arch = NULL), cases[i].test, cases[i].alpha, &diag),
			     cases[i].err));
		cr_expect(eq(str, diag.text, (char *)cases[i].text));
	}
}

Test(compare, one_side_is_one_kernel)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording mixed;
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };

	lines_begin(&lines, LINES_HOST(.release = "6.1"));
	lines_end(&lines);
	lines_begin(&lines, LINES_HOST(.release = "6.2"));
	lines_end(&lines);
	mixed = lines_recording(&lines, "f");
	cr_expect(eq(int, pgt_compare(&comparison, &mixed, &mixed, 0.05, &diag), -EINVAL));
	cr_expect(eq(str, diag.text, "f: boot 1 is of kernel 6.1, boot 2 of 6.2: one side of a "
		     "comparison is one kernel"));
	pgt_recording_release(&mixed);
}

static struct pgt_recording record_many(const char *const *metrics, size_t n, long long done)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	lines_begin(&lines, LINES_HOST(.boot_id = done ? "1" : "2"));
	for (size_t i = 0; i < n; i++) {
		struct pgt_metric metric;

		cr_assert(zero(int, pgt_metric_lookup(metrics[i], &metric)), "%s", metrics[i]);
		lines_value(&lines, metrics[i], metric.unit, 1, 1);
	}
	lines_loss(&lines, "w", 1, 0, 0);
	lines_addf(&lines, "{'type':'work','workload':'w','repeat':1,'unit':'pages','asked':%lld,"
		   "'done':%lld}", done, done);
	lines_end(&lines);
	return lines_recording(&lines, "f");
}

/* Probes in the order of first mention, totals above kinds, everything outside last. */
Test(compare, rows_have_an_order)
{
	static const char *const base_has[] = { "window.ns", "outside.insn.dsb", "z.calls",
		"z.self.dsb.ish", "z.self.dsb", "a.insn.isb", "a.pages_per_call.16",
		"a.pages_per_call.4", "a.calls" };
	static const char *const test_has[] = { "b.calls", "z.self.dsb.ishst" };
	static const char *const order[] = { "z.calls", "z.self.dsb", "z.self.dsb.ish",
		"z.self.dsb.ishst", "a.calls", "a.pages_per_call.4", "a.pages_per_call.16",
		"a.insn.isb", "b.calls", "outside.insn.dsb", "window.ns" };
	struct pgt_recording base = record_many(base_has, 9, 7), test = record_many(test_has, 2, 0);
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_compare(&comparison, &base, &test, 0.05, &diag)), "%s", diag.text);
	cr_assert(eq(sz, comparison.n_rows, sizeof(order) / sizeof(order[0])));
	for (size_t i = 0; i < comparison.n_rows; i++)
		cr_expect(eq(str, (char *)comparison.rows[i].metric, (char *)order[i]));
	cr_expect(eq(str, (char *)comparison.rows[0].test.reason,
		     "the recording does not have this metric"));
	cr_assert(eq(sz, comparison.n_works, 1));
	cr_assert(eq(sz, comparison.n_warnings, 1));
	cr_expect(eq(str, comparison.warnings[0],
		     "w: the work differs: base 7 pages, test 0 pages"));
	pgt_comparison_release(&comparison);
	pgt_recording_release(&base);
	pgt_recording_release(&test);
}

/* A time under TCG is marked; a count is not. */
Test(compare, emulation_matters_for_time)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };

	lines_begin(&lines, LINES_HOST(.accelerator = "tcg"));
	lines_loss(&lines, "w", 1, 1, 0);
	lines_value(&lines, "p.calls", "calls", 1, 1);
	lines_value(&lines, "window.ns", "ns", 1, 1);
	lines_end(&lines);
	recording = lines_recording(&lines, "f");
	cr_assert(zero(int, pgt_compare(&comparison, &recording, &recording, 0.05, &diag)));
	cr_expect(zero(u32, comparison.rows[0].notes & PGT_NOTE_EMULATED));
	cr_expect(comparison.rows[0].base.lower_bound);
	cr_expect(not(zero(u32, comparison.rows[1].notes & PGT_NOTE_EMULATED)));
	cr_expect(not(comparison.rows[1].base.lower_bound), "losing a hit does not shorten time");
	pgt_comparison_release(&comparison);
	pgt_recording_release(&recording);
}

/* Two boots a side, of pages of 4 and of 64 KiB; the first warning, or "" where there is none. */
static void first_warning(char *out, size_t size, const char *workload, const char *other)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording side[2];
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };

	for (int i = 0; i < 2; i++) {
		for (int boot = 0; boot < 2; boot++) {
			lines_begin(&lines, LINES_HOST(.release = i ? "6.12" : "6.1",
						       .boot_id = i ? boot ? "a" : "b" :
						       boot ? "c" : "d",
						       .page_size = boot ? 65536 : 4096));
			lines_loss(&lines, boot ? other : workload, 1, 0, 0);
			lines_value_of(&lines, boot ? other : workload, "p.calls", "calls", 1, 5,
				       "kprobe", false);
			lines_end(&lines);
		}
		side[i] = lines_recording(&lines, i ? "test" : "base");
	}
	cr_assert(zero(int, pgt_compare(&comparison, &side[0], &side[1], 0.05, &diag)));
	snprintf(out, size, "%s", comparison.n_warnings ? comparison.warnings[0] : "");
	pgt_comparison_release(&comparison);
	pgt_recording_release(&side[0]);
	pgt_recording_release(&side[1]);
}

Test(compare, boots_that_do_other_work_may_differ)
{
	char text[256];

	first_warning(text, sizeof(text), "boot-1g", "boot-2g");
	cr_expect(eq(str, text, ""));
	first_warning(text, sizeof(text), "boot-1g", "boot-1g");
	cr_expect(eq(str, text, "the page size differs: base boot 1 4096, base boot 2 65536"));
}

/* Three recordings: two of p.self.dsb alone, a third with a kind, a metric and a workload more. */
static struct pgt_recording record_third(const char *release, long long dsb, bool more)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	lines_begin(&lines, LINES_HOST(.boot_id = release, .release = release));
	lines_loss(&lines, "w", 1, 0, 0);
	lines_value(&lines, "p.self.dsb", "instructions", 1, dsb);
	if (more) {
		lines_value(&lines, "p.self.dsb.ish", "instructions", 1, 3);
		lines_value(&lines, "p.self.isb", "instructions", 1, 4);
		lines_loss(&lines, "v", 1, 0, 0);
		lines_value_of(&lines, "v", "p.self.dsb", "instructions", 1, 5, "kprobe", false);
	}
	lines_end(&lines);
	return lines_recording(&lines, release);
}

static const struct pgt_row *row_of(const struct pgt_comparison *comparison,
				    const char *workload, const char *metric)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (!strcmp(comparison->rows[i].workload, workload) &&
		    !strcmp(comparison->rows[i].metric, metric))
			return &comparison->rows[i];
	cr_assert(false, "no row of %s: %s", workload, metric);
	return NULL;
}

Test(compare, among_others_all_have_the_same_rows)
{
	struct pgt_recording all[] = { record_third("a", 7, false), record_third("b", 8, false),
				       record_third("c", 9, true) };
	struct pgt_comparison ab, ac;
	struct pgt_diag diag = { "" };
	const struct pgt_row *row;

	cr_assert(zero(int, pgt_compare_among(&ab, &all[0], &all[1], all, 3, 0.05, &diag)));
	cr_assert(zero(int, pgt_compare_among(&ac, &all[0], &all[2], all, 3, 0.05, &diag)));
	cr_assert(eq(sz, ab.n_rows, 4));
	cr_assert(eq(sz, ac.n_rows, 4));
	for (size_t i = 0; i < ab.n_rows; i++)
		row_of(&ac, ab.rows[i].workload, ab.rows[i].metric);
	cr_expect(eq(int, (int)row_of(&ab, "w", "p.self.dsb")->verdict, PGT_WORSE));
	row = row_of(&ab, "w", "p.self.dsb.ish");
	cr_expect(eq(int, (int)row->verdict, PGT_NO_DIFFERENCE));
	cr_expect(eq(sz, row->base.n, 1), "implied by its total");
	cr_expect(zero(dbl, row->test.median));
	row = row_of(&ab, "w", "p.self.isb");
	cr_expect(eq(u32, row->notes, PGT_NOTE_NOT_COUNTED));
	cr_expect(eq(str, (char *)row->test.reason,
		     (char *)"the recording does not have this metric"));
	row = row_of(&ab, "v", "p.self.dsb");
	cr_expect(eq(str, (char *)row->base.reason,
		     (char *)"the recording does not have this workload"));
	cr_expect(eq(str, (char *)ab.rows[3].workload, (char *)"v"), "last, being in neither");
	pgt_comparison_release(&ab);
	pgt_comparison_release(&ac);
	for (size_t i = 0; i < 3; i++)
		pgt_recording_release(&all[i]);
}

/* ---- a workload that one side cannot do ---- */

static const char *const its_metrics[] = { "p.calls", "p.insn.dsb", "p.insn.dsb.ish",
	"p.pages_per_call.4", "outside.insn.dsb", "outside.insn.dsb.ish", "window.ns",
	"unseen.insn.dsb", "unseen.insn.dsb.ish", "model.dtlb.l1.miss", "add_memory.pages" };

#define N_ITS_METRICS	(sizeof(its_metrics) / sizeof(its_metrics[0]))

/* The reason is that of whatever the other side has, what only a plugin counts included. */
Test(compare, a_workload_that_one_side_cannot_do)
{
	struct pgt_recording can = record_many(its_metrics, N_ITS_METRICS, 7), cannot;
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_comparison comparison;
	struct pgt_diag diag = { "" };

	lines_begin(&lines, LINES_HOST(.boot_id = "n"));
	lines_unsupported(&lines, "w", "p", "no module m");
	lines_end(&lines);
	cannot = lines_recording(&lines, "n");
	for (int swapped = 0; swapped < 2; swapped++) {
		cr_assert(zero(int, pgt_compare(&comparison, swapped ? &cannot : &can,
						swapped ? &can : &cannot, 0.05, &diag)));
		for (size_t i = 0; i < N_ITS_METRICS; i++) {
			const struct pgt_row *row = row_of(&comparison, "w", its_metrics[i]);
			const struct pgt_side *side = swapped ? &row->base : &row->test;

			cr_expect(eq(int, (int)row->verdict, PGT_ONE_SIDE_ONLY), "%s", row->metric);
			cr_expect(zero(sz, side->n));
			cr_expect(eq(str, (char *)side->reason,
				     (char *)"not supported here: no module m"), "%s", row->metric);
		}
		cr_expect(eq(int, (int)row_of(&comparison, "w", "interrupt.insn.tlbi")->notes,
			     PGT_NOTE_NOT_COUNTED), "in neither");
		cr_expect(zero(sz, comparison.n_warnings), "no work, which could differ");
		pgt_comparison_release(&comparison);
	}
	pgt_recording_release(&can);
	pgt_recording_release(&cannot);
}
