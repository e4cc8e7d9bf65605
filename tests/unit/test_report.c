/* SPDX-License-Identifier: GPL-2.0-only */
/* words.c, report.c and the renderers: formats, what is shown, and that all of them agree. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "report/report.h"
#include "report/words.h"

/* ---- words ---- */

#define expect_text(wanted, call)						\
	do {									\
		struct pgt_buf out = PGT_BUF_INIT;				\
										\
		cr_assert(zero(int, call));					\
		cr_expect(eq(str, out.at, wanted));				\
		pgt_buf_release(&out);						\
	} while (0)

Test(words, counts)
{
	expect_text("0", pgt_format_count(&out, 0));
	expect_text("999", pgt_format_count(&out, 999));
	expect_text("1,000", pgt_format_count(&out, 1000));
	expect_text("131,329", pgt_format_count(&out, 131329));
	expect_text("-1,234", pgt_format_count(&out, -1234));
	expect_text("-123", pgt_format_count(&out, -123));
	expect_text("9,223,372,036,854,775,807", pgt_format_count(&out, INT64_MAX));
	expect_text("9,007,199,254,740,992", pgt_format_value(&out, 9007199254740992.0));
	expect_text("80.5", pgt_format_value(&out, 80.5));
	expect_text("1,234.75", pgt_format_value(&out, 1234.75));
}

Test(words, changes_never_read_none_or_all)
{
	expect_text("-99.6 % (/255.5)", pgt_format_change(&out, 514.0 / 131329));
	expect_text("0 %", pgt_format_change(&out, 1));
	expect_text("?", pgt_format_change(&out, NAN));
	expect_text("-100.0 %", pgt_format_change(&out, 0));
	expect_text("-99.999 % (/131,329)", pgt_format_change(&out, 1.0 / 131329));
	expect_text("+0.001 %", pgt_format_change(&out, 1.00001));
	expect_text("+1199900.0 % (x12,000)", pgt_format_change(&out, 12000));
	expect_text("+150.0 % (x2.5)", pgt_format_change(&out, 2.5));
	expect_text("-50.0 % (/2.0)", pgt_format_change(&out, 0.5));
	expect_text("-16.7 %", pgt_format_change(&out, 5.0 / 6));
}

Test(words, bins_and_memory)
{
	expect_text("0", pgt_format_bin(&out, 0));
	expect_text("1", pgt_format_bin(&out, 1));
	expect_text("2-3", pgt_format_bin(&out, 2));
	expect_text("1,024-2,047", pgt_format_bin(&out, 1024));
	expect_text("2,048 MiB", pgt_format_memory(&out, 2147483648));
	expect_text("2,029,440 KiB", pgt_format_memory(&out, 2029440 * 1024LL));
	expect_text("1,048,577 bytes", pgt_format_memory(&out, 1048577));
}

Test(words, values_in_their_unit)
{
	expect_text("2,097,152K", pgt_format_in_unit(&out, 2147483648.0, "bytes"));
	expect_text("0K", pgt_format_in_unit(&out, 0, "bytes"));
	expect_text("1,025B", pgt_format_in_unit(&out, 1025, "bytes"));
	expect_text("1,024.5B", pgt_format_in_unit(&out, 1024.5, "bytes"));
	expect_text("2,048", pgt_format_in_unit(&out, 2048, "entries"));
}

Test(words, quotients_and_sizes)
{
	expect_text("0", pgt_format_quotient(&out, 0));
	expect_text("0.009738", pgt_format_quotient(&out, 5105 / 524288.0 + 0.000001));
	expect_text("0.0000001000", pgt_format_quotient(&out, 1e-7));
	expect_text("1.150", pgt_format_quotient(&out, 1.15));
	expect_text("37.50", pgt_format_quotient(&out, 37.5));
	expect_text("588.7", pgt_format_quotient(&out, 588.72));
	expect_text("40,123", pgt_format_quotient(&out, 40122.6));
	expect_text("2 GiB", pgt_format_size(&out, INT64_C(2) << 30));
	expect_text("1536 MiB", pgt_format_size(&out, INT64_C(1536) << 20));
}

Test(words, are_ascii)
{
	expect_text("a?b??c", pgt_format_ascii(&out, "a\033b\303\244c"));
	expect_text("", pgt_format_ascii(&out, ""));
}

Test(words, every_note_has_its_own_mark_and_name)
{
	uint32_t all = 0;

	for (size_t i = 0; i < pgt_n_note_words; i++) {
		cr_expect(zero(u32, all & pgt_note_words[i].note));
		all |= pgt_note_words[i].note;
		for (size_t j = 0; j < i; j++)
			cr_expect(ne(chr, pgt_note_words[i].mark, pgt_note_words[j].mark));
	}
	cr_expect(eq(u32, all, 2 * PGT_NOTE_KIN_VARIES - 1), "a note without words");
	expect_text("xlb", pgt_format_marks(&out, PGT_NOTE_LOST | PGT_NOTE_EXACT |
					    PGT_NOTE_LOWER_BOUND));
}

/* ---- a report ---- */

struct fixture {
	struct pgt_recording base, test, again;
	struct pgt_comparison comparison, control;
	struct pgt_report report;
};

static void add_probe(struct lines *lines, const char *workload, long long calls,
		      long long barriers)
{
	lines_loss(lines, workload, 1, 0, 0);
	lines_value_of(lines, workload, "p.calls", "calls", 1, calls, "kprobe", false);
	lines_value_of(lines, workload, "p.pages_per_call.4", "calls", 1, calls, "kprobe", false);
	lines_value_of(lines, workload, "p.self.dsb", "instructions", 1, barriers, "kprobe", false);
	lines_value_of(lines, workload, "p.self.dsb.ishst", "instructions", 1, barriers, "kprobe",
		       false);
	lines_value_of(lines, workload, "p.self.isb", "instructions", 1, 0, "kprobe", false);
	lines_value_of(lines, workload, "p.innermost.dsb", "instructions", 1, barriers, "kprobe",
		       false);
}

static struct pgt_recording record(const char *release, const char *build_id,
				   const char *boot_id, long long barriers)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	lines_begin(&lines, LINES_HOST(.release = release, .build_id = build_id,
				       .boot_id = boot_id));
	lines_add(&lines, "{'type':'function','probe':'p','function':'f\\u001b|`','mechanism':null,"
		  "'reason':'a <reason> | with *markup*'}");
	for (int i = 0; i < 12; i++)
		lines_addf(&lines, "{'type':'unreached','function':'h%d','dsb':%d,'isb':1,'tlbi':0,"
			   "'reason':'notrace'}", i, i);
	add_probe(&lines, "w", 7, barriers);
	lines_absent(&lines, "q.calls", "calls", 1, "not supported: no function of q is here");
	lines_end(&lines);
	return lines_recording(&lines, release);
}

static void make(struct fixture *f, long long control_barriers)
{
	struct pgt_diag diag = { "" };

	f->base = record("6.1", "aa", "1", 131329);
	f->test = record("6.12", "bb", "2", 514);
	f->again = record("6.1", "aa", "3", control_barriers);
	cr_assert(zero(int, pgt_compare(&f->comparison, &f->base, &f->test, 0.05, &diag)));
	cr_assert(zero(int, pgt_compare(&f->control, &f->base, &f->again, 0.05, &diag)));
	cr_assert(zero(int, pgt_report_make(&f->report, &f->comparison, &f->control, &diag)), "%s",
		  diag.text);
}

static void release(struct fixture *f)
{
	pgt_report_release(&f->report);
	pgt_comparison_release(&f->control);
	pgt_comparison_release(&f->comparison);
	pgt_recording_release(&f->again);
	pgt_recording_release(&f->test);
	pgt_recording_release(&f->base);
}

/* To be freed. */
static char *render(const struct pgt_report *report, const char *format)
{
	const struct pgt_renderer *renderer = pgt_renderer_find(format);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	cr_assert(not(zero(ptr, (void *)renderer)), "%s", format);
	cr_assert(zero(int, renderer->render(report, out)));
	fclose(out);
	return text;
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

Test(report, counts_what_is_shown)
{
	struct fixture f;
	char *text;

	make(&f, 131329);
	cr_assert(eq(sz, f.report.n_workloads, 1));
	cr_expect(eq(sz, f.report.n_rows, 7));
	cr_expect(eq(sz, f.report.workloads[0].n_rows, 7));
	cr_expect(eq(sz, f.report.workloads[0].n_zero, 1), "p.self.isb");
	cr_expect(eq(i64, f.report.base.unreached.dsb, 66));
	cr_expect(eq(sz, f.report.base.unreached.n_top, PGT_UNREACHED_SHOWN));
	cr_expect(eq(str, f.report.base.unreached.top[0]->function, "h11"));
	cr_expect(zero(sz, f.report.control->n_differ));
	cr_expect(eq(sz, f.report.control->n_exact, 6));
	cr_expect(eq(sz, f.report.n_reasons, 3));
	text = render(&f.report, "text");
	cr_expect(zero(sz, count(text, "innermost")));
	free(text);
	release(&f);
}

static void add_map(struct lines *lines, const char *boot_id, long long pte, long long pud)
{
	lines_begin(lines, LINES_HOST(.boot_id = boot_id));
	lines_loss(lines, "w", 1, 0, 0);
	lines_value(lines, "linear_map.bytes.pte", "bytes", 1, pte * 4096);
	lines_value(lines, "linear_map.bytes.cont_pte", "bytes", 1, 0);
	lines_value(lines, "linear_map.bytes.pud", "bytes", 1, pud << 30);
	lines_value(lines, "linear_map.tables", "pages", 1, pte / 512);
	lines_end(lines);
}

/* Page tables are shown: bytes in KiB, kinds that neither side has not at all; a TiB fits. */
Test(report, shows_page_tables)
{
	struct lines base_lines = { PGT_BUF_INIT, 0 }, test_lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording base, test;
	struct pgt_comparison comparison;
	struct pgt_report report;
	struct pgt_diag diag = { "" };
	char boot_id[] = "a", *text, *markdown, *json;

	for (int i = 0; i < 4; i++, boot_id[0]++) {
		add_map(&base_lines, boot_id, INT64_C(268435456), 0);
		add_map(&test_lines, boot_id, 512, 1023);
	}
	base = lines_recording(&base_lines, "base");
	test = lines_recording(&test_lines, "test");
	cr_assert(zero(int, pgt_compare(&comparison, &base, &test, 0.05, &diag)));
	cr_assert(zero(int, pgt_report_make(&report, &comparison, NULL, &diag)), "%s", diag.text);
	text = render(&report, "text");
	cr_expect(eq(sz, count(text, "bytes.pte          1,073,741,824K        2,048K"), 1), "%s", text);
	cr_expect(eq(sz, count(text, "  different\n"), 1), "%s", text);
	cr_expect(eq(sz, count(text, "1,072,693,248K"), 2), "%s", text);
	cr_expect(eq(sz, count(text, "\n    tables "), 1), "%s", text);
	cr_expect(zero(sz, count(text, "cont_pte")), "%s", text);
	cr_expect(eq(sz, count(text, ": not looked for: no probe was planted\n"), 2), "%s", text);
	cr_expect(eq(sz, count(text, "translations: TLB entries"), 1), "%s", text);
	cr_expect(eq(sz, report.workloads[0].n_zero, 1));
	markdown = render(&report, "markdown");
	cr_expect(eq(sz, count(markdown, "| 0K | 1,072,693,248K | ? | different |"), 1), "%s", markdown);
	json = render(&report, "json");
	cr_expect(eq(sz, count(json, "\"better\":\"neither\""), 2), "%s", json);
	cr_expect(eq(sz, count(json, "\"test\":1098437885952,"), 1), "%s", json);
	free(text);
	free(markdown);
	free(json);
	pgt_report_release(&report);
	pgt_comparison_release(&comparison);
	pgt_recording_release(&base);
	pgt_recording_release(&test);
}

Test(report, the_control_lists_what_it_finds)
{
	struct fixture f;
	char *text;

	make(&f, 131330);
	cr_expect(eq(sz, f.report.control->n_differ, 3));
	text = render(&f.report, "text");
	cr_expect(strstr(text, "A/A: control FOUND 3 differences") != NULL);
	free(text);
	release(&f);
}

/* Two boots, with so many barriers. */
static struct pgt_recording record_two(const char *boot_id, const long long barriers[2])
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	for (int i = 0; i < 2; i++) {
		char id[8];

		snprintf(id, sizeof(id), "%s%d", boot_id, i);
		lines_begin(&lines, LINES_HOST(.boot_id = id));
		add_probe(&lines, "w", 7, barriers[i]);
		lines_end(&lines);
	}
	return lines_recording(&lines, boot_id);
}

/* What varies is apart in two boots and two others by chance often enough. */
Test(report, a_control_of_few_boots_finds_no_difference_in_what_varies)
{
	static const long long some[2] = { 1, 2 }, others[2] = { 4, 5 };
	struct pgt_recording base = record_two("a", some), again = record_two("b", others);
	struct pgt_comparison comparison, control;
	struct pgt_report report;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_compare(&comparison, &base, &base, 0.05, &diag)));
	cr_assert(zero(int, pgt_compare(&control, &base, &again, 0.05, &diag)));
	cr_assert(zero(int, pgt_report_make(&report, &comparison, &control, &diag)));
	cr_expect(zero(sz, report.control->n_differ));
	cr_expect(eq(sz, report.control->n_undecided, 3));
	pgt_report_release(&report);
	pgt_comparison_release(&control);
	pgt_comparison_release(&comparison);
	pgt_recording_release(&again);
	pgt_recording_release(&base);
}

/* Four boots with so many calls each, or more. */
static struct pgt_recording record_calls(const char *boot_id, int first, bool lower_bound)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	for (int i = 0; i < 4; i++) {
		char id[8];

		snprintf(id, sizeof(id), "%s%d", boot_id, i);
		lines_begin(&lines, LINES_HOST(.boot_id = id));
		lines_loss(&lines, "w", 1, 0, 0);
		lines_value_of(&lines, "w", "p.calls", "calls", 1, first + i, "kprobe", lower_bound);
		lines_end(&lines);
	}
	return lines_recording(&lines, boot_id);
}

/* Boots enough to tell, and only the loss leaves it undecided: that is worth a look. */
Test(report, a_control_shows_ranges_apart_that_a_loss_leaves_undecided)
{
	struct pgt_recording base = record_calls("a", 1, true), again = record_calls("b", 6, true);
	struct pgt_comparison comparison, control;
	struct pgt_report report;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_compare(&comparison, &base, &base, 0.05, &diag)));
	cr_assert(zero(int, pgt_compare(&control, &base, &again, 0.05, &diag)));
	cr_assert(zero(int, pgt_report_make(&report, &comparison, &control, &diag)));
	cr_expect(eq(sz, report.control->n_undecided, 1));
	cr_expect(eq(sz, report.control->n_differ, 1));
	pgt_report_release(&report);
	pgt_comparison_release(&control);
	pgt_comparison_release(&comparison);
	pgt_recording_release(&again);
	pgt_recording_release(&base);
}

Test(report, a_control_is_of_the_base_kernel)
{
	struct fixture f;
	struct pgt_report report;
	struct pgt_diag diag = { "" };

	make(&f, 1);
	cr_expect(eq(int, pgt_report_make(&report, &f.comparison, &f.comparison, &diag), -EINVAL));
	cr_expect(eq(str, diag.text, "6.12: the control is of kernel 6.12 (build id bb), base of 6.1 "
		     "(build id aa): a control is a second recording of base"));
	release(&f);
}

Test(report, text_is_ascii_of_100_columns)
{
	struct fixture f;
	char *text;
	size_t column = 0;

	make(&f, 131330);
	text = render(&f.report, "text");
	for (const char *c = text; *c; c++) {
		bool printable = *c == '\n' || (*c >= 0x20 && *c <= 0x7e);

		column = *c == '\n' ? 0 : column + 1;
		cr_assert(le(sz, column, 100));
		cr_assert(printable, "%#x", (unsigned int)*c);
		cr_assert(not(c[0] == ' ' && c[1] == '\n'), "trailing space");
	}
	cr_expect(eq(sz, count(text, "\nLoss: "), 1));
	cr_expect(strstr(text, "1 metric is 0 on both sides: not shown") != NULL);
	cr_expect(strstr(text, "1 metric of q has no value on either side") != NULL);
	free(text);
	release(&f);
}

Test(report, markdown_escapes_what_recordings_say)
{
	struct fixture f;
	char *text;

	make(&f, 131329);
	text = render(&f.report, "markdown");
	cr_expect(strstr(text, "| `p` | `f?\\|'` |") != NULL);
	cr_expect(strstr(text, "a \\<reason\\> \\| with \\*markup\\*") != NULL);
	cr_expect(strstr(text, "| `p.self.dsb` | 131,329 | 514 | -99.6 % (/255.5) | better | x |") !=
		  NULL);
	free(text);
	release(&f);
}

Test(report, json_is_one_document_with_every_row)
{
	struct fixture f;
	json_t *document, *row;
	char *text;

	make(&f, 131330);
	text = render(&f.report, "json");
	document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	cr_assert(not(zero(ptr, document)));
	cr_expect(eq(i64, json_integer_value(json_object_get(document, "schema")), 1));
	cr_expect(eq(sz, json_array_size(json_object_get(document, "rows")), 7));
	row = json_array_get(json_object_get(document, "rows"), 2);
	cr_expect(eq(str, (char *)json_string_value(json_object_get(row, "metric")), "p.self.dsb"));
	cr_expect(eq(i64, json_integer_value(json_object_get(row, "base")), 131329));
	cr_expect(eq(i64, json_integer_value(json_object_get(row, "test")), 514));
	cr_expect(eq(int, json_typeof(json_object_get(row, "p")), JSON_NULL));
	cr_expect(eq(str, (char *)json_string_value(json_object_get(row, "verdict")), "better"));
	row = json_array_get(json_object_get(document, "rows"), 6);
	cr_expect(eq(int, json_typeof(json_object_get(row, "base")), JSON_NULL));
	cr_expect(eq(str, (char *)json_string_value(json_object_get(row, "base_reason")),
		     "not supported: no function of q is here"));
	cr_expect(eq(sz, json_array_size(json_object_get(json_object_get(document, "control"),
							 "differ")), 3));
	json_decref(document);
	free(text);
	release(&f);
}

Test(report, is_the_same_every_time)
{
	struct fixture f;

	make(&f, 131329);
	for (size_t i = 0; pgt_renderers[i]; i++) {
		char *once = render(&f.report, pgt_renderers[i]->name);
		char *again = render(&f.report, pgt_renderers[i]->name);

		cr_expect(eq(str, once, again), "%s", pgt_renderers[i]->name);
		free(once);
		free(again);
	}
	cr_expect(zero(ptr, (void *)pgt_renderer_find("html")));
	release(&f);
}
