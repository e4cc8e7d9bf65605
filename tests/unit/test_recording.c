/* SPDX-License-Identifier: GPL-2.0-only */
/* recording_read.c, line.c and check.c: what is written comes back, and what is wrong is named. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#include "lines.h"

static void add_boot(struct lines *lines, const struct lines_host *host)
{
	lines_begin(lines, host);
	lines_add(lines, "{'type':'function','probe':'p','function':'f','mechanism':'fentry',"
		  "'partial_reason':'tail calls'}");
	lines_add(lines, "{'type':'function','probe':'p','function':'g','mechanism':null,"
		  "'reason':'inlined'}");
	lines_add(lines, "{'type':'unreached','function':'h','dsb':3,'isb':0,'tlbi':1,"
		  "'reason':'notrace'}");
	lines_add(lines, "{'type':'something newer','of':['any','shape',{}]}");
	lines_add(lines, "{'type':'work','workload':'w','repeat':1,'unit':'pages','asked':7,"
		  "'done':7}");
	lines_loss(lines, "w", 1, 2, 3);
	lines_value(lines, "p.calls", "calls", 1, 9007199254740992);
	lines_absent(lines, "p.pages", "pages", 1, "not supported");
	lines_end(lines);
}

Test(recording, comes_back)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	const struct pgt_boot *boot;

	add_boot(&lines, LINES_HOST(.boot_id = "1"));
	add_boot(&lines, LINES_HOST(.boot_id = "2"));
	recording = lines_recording(&lines, "two.jsonl");
	cr_expect(eq(str, recording.path, "two.jsonl"));
	cr_assert(eq(sz, recording.n_boots, 2));
	cr_expect(eq(str, recording.boots[0].host.boot_id, "1"));
	boot = &recording.boots[1];
	cr_expect(eq(str, boot->tool, "pgtrace 0"));
	cr_expect(eq(str, boot->host.boot_id, "2"));
	cr_expect(eq(str, boot->host.arch, "arm64"));
	cr_expect(zero(ptr, boot->host.config_digest));
	cr_expect(eq(i64, boot->host.page_size, 4096));
	cr_assert(eq(sz, boot->n_functions, 2));
	cr_expect(eq(str, boot->functions[0].mechanism, "fentry"));
	cr_expect(eq(str, boot->functions[0].partial_reason, "tail calls"));
	cr_expect(eq(str, boot->functions[1].reason, "inlined"));
	cr_assert(eq(sz, boot->n_unreached, 1));
	cr_expect(eq(i64, boot->unreached[0].dsb, 3));
	cr_assert(eq(sz, boot->n_works, 1));
	cr_expect(eq(i64, boot->works[0].done, 7));
	cr_assert(eq(sz, boot->n_losses, 1));
	cr_expect(eq(i64, boot->losses[0].missed, 2));
	cr_expect(eq(i64, boot->losses[0].unbalanced, 3));
	cr_assert(eq(sz, boot->n_values, 2));
	cr_expect(eq(i64, boot->values[0].value, 9007199254740992));
	cr_expect(eq(str, boot->values[1].reason, "not supported"));
	cr_expect(zero(ptr, boot->values[1].source));
	pgt_recording_release(&recording);
	pgt_recording_release(&recording);	/* harmless */
}

#define METRIC(value, rest) "{'type':'metric','workload':'w','repeat':1,'metric':'p.calls'," \
	"'unit':'calls','value':" value "," rest "}"
#define COUNTED "'source':'kprobe','lower_bound':false"

#define SITE(rest) "{'type':'site','workload':'w','repeat':1,'site':0,'function':'f','offset':4," \
	"'kind':'isb'," rest "}"
#define HITS(hits) "'hits':" hits ",'in_probe':" hits ",'outside':0,'interrupt':0"

/* One wrong line, between a good beginning of two lines and a good end. */
Test(recording, a_wrong_line_is_named_with_its_place)
{
	const struct {
		const char *line, *why;
	} cases[] = {
		{ "{'type':'metric'", "f:3: not a line of JSON: '}' expected near end of file" },
		{ "", "f:3: not a line of JSON: '[' or '{' expected near end of file" },
		{ "[1]", "f:3: not an object whose first member is \"type\"" },
		{ "{}", "f:3: not an object whose first member is \"type\"" },
		{ "{'a':1,'type':'work'}", "f:3: not an object whose first member is \"type\"" },
		{ "{'type':1}", "f:3: not an object whose first member is \"type\"" },
		{ "{'type':'x','a':1,'a':2}",
		  "f:3: not a line of JSON: duplicate object key near '\"a\"'" },
		{ METRIC("99999999999999999999", COUNTED),
		  "f:3: not a line of JSON: too big integer near '99999999999999999999'" },
		{ METRIC("9007199254740993", COUNTED),
		  "f:3: \"value\" is beyond 2^53, which no count reaches" },
		{ METRIC("-1", COUNTED), "f:3: \"value\" is -1: less than 0" },
		{ METRIC("1.5", COUNTED), "f:3: \"value\" is not an integer" },
		{ METRIC("'1'", COUNTED), "f:3: \"value\" is not an integer" },
		{ METRIC("null", COUNTED), "f:3: \"value\" is null without a \"reason\"" },
		{ METRIC("null", "'source':null,'lower_bound':false"),
		  "f:3: \"source\" is null without a \"reason\"" },
		{ METRIC("1", "'source':null,'lower_bound':false,'reason':'r'"),
		  "f:3: \"value\" and \"reason\" exclude each other" },
		{ METRIC("1", "'source':'k'"), "f:3: \"lower_bound\" is not true or false" },
		{ METRIC("1", "'source':'k','lower_bound':0"),
		  "f:3: \"lower_bound\" is not true or false" },
		{ METRIC("1", COUNTED),
		  "f:3: repeat 1 of workload \"w\" has no loss line, so it is not known whether this "
		  "value is complete" },
		{ "{'type':'metric','workload':'w','repeat':0,'metric':'p.calls','unit':'calls',"
		  "'value':1," COUNTED "}", "f:3: \"repeat\" is 0: less than 1" },
		{ "{'type':'metric','workload':'w','repeat':1,'metric':'p.cells','unit':'calls',"
		  "'value':1," COUNTED "}", "f:3: metric \"p.cells\" is not known to this pgtrace" },
		{ "{'type':'metric','workload':'w','repeat':1,'metric':'p.calls','unit':'pages',"
		  "'value':1," COUNTED "}",
		  "f:3: metric \"p.calls\" has unit \"calls\", not \"pages\"" },
		{ "{'type':'metric','repeat':1}", "f:3: \"workload\" is missing" },
		{ "{'type':'metric','workload':''}", "f:3: \"workload\" is empty" },
		{ "{'type':'metric','workload':7}", "f:3: \"workload\" is not a string" },
		{ "{'type':'function','probe':'p','function':'f','mechanism':null}",
		  "f:3: \"mechanism\" is null without a \"reason\"" },
		{ "{'type':'function','probe':'p','function':'f','mechanism':'m','reason':'r'}",
		  "f:3: a function has either a \"mechanism\" or, where that is null, a \"reason\"" },
		{ "{'type':'unreached','function':'h','dsb':-3,'isb':0,'tlbi':1,'reason':'n'}",
		  "f:3: \"dsb\" is -3: less than 0" },
		{ "{'type':'work','workload':'w','repeat':1,'unit':'pages','asked':8,'done':7}",
		  "f:3: workload \"w\" did 7 of 8 pages: its counts are of other work" },
		{ "{'type':'site','workload':'w'}", "f:3: \"repeat\" is missing" },
		{ SITE("'mechanism':null," HITS("null")),
		  "f:3: \"mechanism\" is null without a \"reason\"" },
		{ SITE("'mechanism':null,'reason':'r'," HITS("1")),
		  "f:3: a site has \"hits\" and a \"mechanism\", or both are null" },
		{ SITE("'mechanism':'kprobe'," HITS("null")),
		  "f:3: a site has \"hits\" and a \"mechanism\", or both are null" },
		{ SITE("'mechanism':'kprobe','window':0," HITS("1")),
		  "f:3: \"window\" is 0: less than 1" },
		{ SITE("'mechanism':'kprobe','address':'12'," HITS("1")),
		  "f:3: \"address\" is not a hexadecimal number, \"0x...\"" },
		{ SITE("'mechanism':'kprobe','address':'0x12g'," HITS("1")),
		  "f:3: \"address\" is not a hexadecimal number, \"0x...\"" },
		{ SITE("'mechanism':'kprobe','address':'0x10000000000000000'," HITS("1")),
		  "f:3: \"address\" is not a hexadecimal number, \"0x...\"" },
		{ SITE("'mechanism':'kprobe','address':18," HITS("1")),
		  "f:3: \"address\" is not a hexadecimal number, \"0x...\"" },
		{ "{'type':'truth','workload':'w','repeat':1,'sites':1,'hits':1}",
		  "f:3: \"differ\" is missing" },
		{ "{'type':'run','workload':'w','run':1,'pass':'counts','n_sites':1}",
		  "f:3: \"first_site\" is missing" },
		{ "{'type':'host','arch':'arm64'}", "f:3: a second \"host\" line in one recording" },
		{ "{'type':'end','lines':5}",
		  "f:3: the \"end\" line counts 5 lines, but there are 3: lines were lost or added" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lines lines = { PGT_BUF_INIT, 0 };
		struct pgt_recording out = { .n_boots = 77 };
		struct pgt_diag diag = { "" };

		lines_begin(&lines, LINES_HOST(.arch = NULL));
		lines_add(&lines, cases[i].line);
		lines_end(&lines);
		cr_expect(eq(int, lines_parse(&lines, &out, "f", &diag), -EPROTO), "%s",
			  cases[i].line);
		cr_expect(eq(str, diag.text, (char *)cases[i].why), "%s", cases[i].line);
		cr_expect(eq(sz, out.n_boots, 77), "*out must be untouched on failure");
	}
}

/* What is not counted is no 0, and what older recordings do not say is no window 0. */
Test(recording, sites_windows_and_truth)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	const struct pgt_boot *boot;

	lines_begin(&lines, LINES_HOST(.arch = NULL));
	lines_add(&lines, "{'type':'run','workload':'w','run':1,'pass':'counts',"
		  "'mechanism':'kprobe','n_sites':7,'first_site':null,'window_ns':1}");
	lines_add(&lines, "{'type':'run','workload':'w','run':2,'pass':'counts',"
		  "'mechanism':'breakpoint','n_sites':1,'first_site':3,'window':9,'window_ns':1}");
	lines_add(&lines, SITE("'mechanism':'kprobe'," HITS("5")));
	lines_add(&lines, SITE("'address':'0xffff800080012345','mechanism':'breakpoint',"
			       "'window':9," HITS("0")));
	lines_add(&lines, SITE("'mechanism':null,'window':null,'reason':'why'," HITS("null")));
	lines_add(&lines, "{'type':'truth','workload':'w','repeat':1,'sites':3,'hits':5,'differ':1}");
	lines_end(&lines);
	recording = lines_recording(&lines, "f");
	boot = &recording.boots[0];
	cr_assert(eq(sz, boot->n_runs, 2));
	cr_expect(eq(i64, boot->runs[0].window, 0));
	cr_expect(eq(i64, boot->runs[1].window, 9));
	cr_expect(eq(str, boot->runs[1].mechanism, (char *)"breakpoint"));
	cr_assert(eq(sz, boot->n_sites, 3));
	cr_expect(eq(i64, boot->sites[0].hits, 5));
	cr_expect(eq(i64, boot->sites[0].window, 0));
	cr_expect(eq(u64, boot->sites[0].address, 0));
	cr_expect(eq(i64, boot->sites[1].hits, 0));
	cr_expect(eq(u64, boot->sites[1].address, 0xffff800080012345));
	cr_expect(eq(i64, boot->sites[2].hits, -1));
	cr_expect(eq(str, boot->sites[2].reason, (char *)"why"));
	cr_assert(eq(sz, boot->n_truths, 1));
	cr_expect(eq(i64, boot->truths[0].sites, 3));
	cr_expect(eq(i64, boot->truths[0].differ, 1));
	pgt_recording_release(&recording);
}

static int parse_text(const char *text, struct pgt_diag *diag)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording out;
	int err;

	for (; *text; text++)
		cr_assert(zero(int, pgt_buf_add(&lines.text, *text == '\'' ? "\"" : text, 1)));
	err = lines_parse(&lines, &out, "f", diag);
	if (!err)
		pgt_recording_release(&out);
	return err;
}

#define BEGIN "{'type':'recording','schema':1,'tool':'t','started_at':'s'}\n"
#define HOST "{'type':'host','arch':'arm64','kernel_release':'r','kernel_version':'v'," \
	"'build_id':'b','config_digest':'d','cpu':'c','n_cpus':1,'page_size':1,'memory_bytes':1," \
	"'accelerator':'a','cmdline':'','boot_id':'i'}\n"
#define END "{'type':'end','lines':3}\n"

Test(recording, a_wrong_file_is_told_apart)
{
	const struct {
		const char *text;
		int err;
		const char *why;
	} cases[] = {
		{ BEGIN HOST END, 0, "" },
		{ "", -ENODATA, "f: the file is empty" },
		{ BEGIN HOST, -ENODATA,
		  "f: the recording that starts at line 1 has no \"end\" line: it is truncated" },
		{ BEGIN HOST "{'type':'end','lines':3}", -ENODATA,
		  "f:3: the last line is cut off: the file is truncated" },
		{ BEGIN HOST BEGIN, -ENODATA, "f:3: a recording starts, but the one that started at "
		  "line 1 has no \"end\" line: it is truncated" },
		{ BEGIN "{'type':'end','lines':2}\n", -EPROTO,
		  "f:2: the recording that ends here has no \"host\" line" },
		{ BEGIN HOST "{'type':'end','lines':4}\n", -EPROTO,
		  "f:3: the \"end\" line counts 4 lines, but there are 3: lines were lost or added" },
		{ BEGIN HOST "{'type':'end'}\n", -EPROTO, "f:3: \"lines\" is missing" },
		{ HOST END, -EPROTO,
		  "f:1: a line of type \"host\" stands where a \"recording\" line must" },
		{ BEGIN HOST END "{'type':'x'}\n", -EPROTO,
		  "f:4: a line of type \"x\" stands where a \"recording\" line must" },
		{ "{'type':'recording','schema':2}\n", -EPROTONOSUPPORT, "f:1: the recording has "
		  "schema 2, this pgtrace reads schema 1: use the pgtrace that wrote it" },
		{ "{'type':'recording'}\n", -EPROTO, "f:1: \"schema\" is missing" },
		{ "{'type':'recording','schema':1,'tool':'t'}\n", -EPROTO,
		  "f:1: \"started_at\" is missing or not a string" },
		{ "\x7f" "ELF\n", -EPROTO,
		  "f:1: not a line of JSON: '[' or '{' expected near '\x7f'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, parse_text(cases[i].text, &diag), cases[i].err), "%s",
			  cases[i].text);
		cr_expect(eq(str, diag.text, (char *)cases[i].why), "%s", cases[i].text);
	}
}

Test(recording, every_truncation_is_refused)
{
	const char whole[] = BEGIN HOST END;

	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		struct pgt_diag diag = { "" };
		char part[sizeof(whole)];

		memcpy(part, whole, n);
		part[n] = '\0';
		cr_expect(eq(int, parse_text(part, &diag), -ENODATA), "%zu bytes: %s", n, diag.text);
	}
}

Test(recording, holds_one_architecture)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording out;
	struct pgt_diag diag = { "" };

	add_boot(&lines, LINES_HOST(.arch = NULL));
	add_boot(&lines, LINES_HOST(.arch = "ppc64le"));
	cr_expect(eq(int, lines_parse(&lines, &out, "f", &diag), -EPROTO));
	cr_expect(eq(str, diag.text, "f: recording 2 is of architecture ppc64le, the first of arm64: "
		     "a file holds one architecture"));
}

Test(recording, holds_each_value_once)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording out;
	struct pgt_diag diag = { "" };

	lines_begin(&lines, LINES_HOST(.arch = NULL));
	lines_loss(&lines, "w", 1, 0, 0);
	lines_value(&lines, "p.calls", "calls", 1, 5);
	lines_value(&lines, "p.pages", "pages", 1, 5);
	lines_absent(&lines, "p.calls", "calls", 1, "why");
	lines_end(&lines);
	cr_expect(eq(int, lines_parse(&lines, &out, "f", &diag), -EPROTO));
	cr_expect(eq(str, diag.text,
		     "f:6: a second value of \"p.calls\" for repeat 1 of workload \"w\""));
	lines_begin(&lines, LINES_HOST(.arch = NULL));
	lines_loss(&lines, "w", 1, 0, 0);
	lines_loss(&lines, "w", 1, 0, 0);
	lines_end(&lines);
	cr_expect(eq(int, lines_parse(&lines, &out, "f", &diag), -EPROTO));
	cr_expect(eq(str, diag.text, "f:4: a second loss line for repeat 1 of workload \"w\""));
}

Test(recording, that_is_not_there)
{
	struct pgt_recording out;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_recording_read(&out, "/no/such/file", &diag), -ENOENT));
	cr_expect(eq(str, diag.text, "/no/such/file: cannot open: No such file or directory"));
}

/* ---- writing ---- */

static char dir[] = "/tmp/pgtrace-test-recording.XXXXXX";

static void enter(void)
{
	cr_assert(not(zero(ptr, mkdtemp(dir))));
	cr_assert(zero(int, chdir(dir)));
}

static void leave(void)
{
	unlink("out.jsonl");
	cr_expect(zero(int, rmdir(dir)), "a partial file was left");
}

static json_t *pack_host(void)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:s}",
			 "type", "host", "arch", "arm64", "kernel_release", "r",
			 "kernel_version", "v", "build_id", "b", "config_digest", "d", "cpu", "c",
			 "n_cpus", 1, "page_size", 4096, "memory_bytes", 1, "accelerator", "a",
			 "cmdline", "", "boot_id", "i");
}

Test(recording_write, is_read_again, .init = enter, .fini = leave)
{
	struct pgt_recording recording;
	struct pgt_writer *writer;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_writer_open(&writer, "out.jsonl", &diag)), "%s", diag.text);
	cr_assert(zero(int, pgt_writer_line(writer, json_pack("{s:s, s:i, s:s, s:s}",
		"type", "recording", "schema", PGT_RECORDING_SCHEMA, "tool", "t", "started_at",
		"s"), &diag)), "%s", diag.text);
	cr_assert(zero(int, pgt_writer_line(writer, pack_host(), &diag)));
	cr_expect(not(zero(int, access("out.jsonl", F_OK))), "no file before it is finished");
	cr_assert(zero(int, pgt_writer_finish(writer, &diag)), "%s", diag.text);
	pgt_writer_free(writer);
	cr_assert(zero(int, pgt_recording_read(&recording, "out.jsonl", &diag)), "%s", diag.text);
	cr_expect(eq(str, recording.boots[0].host.cpu, "c"));
	pgt_recording_release(&recording);
}

Test(recording_write, is_compact_and_in_order, .init = enter, .fini = leave)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_writer *writer;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_writer_open(&writer, "out.jsonl", &diag)));
	cr_assert(zero(int, pgt_writer_line(writer, json_pack("{s:s, s:i, s:n}", "type", "x", "b",
							      2, "a"), &diag)));
	cr_assert(zero(int, pgt_writer_finish(writer, &diag)));
	pgt_writer_free(writer);
	cr_assert(zero(int, pgt_file_read("out.jsonl", &text, &diag)));
	cr_expect(eq(str, text.at, "{\"type\":\"x\",\"b\":2,\"a\":null}\n"
		     "{\"type\":\"end\",\"lines\":2}\n"));
	pgt_buf_release(&text);
}

Test(recording_write, never_finishes_after_a_lost_line, .init = enter, .fini = leave)
{
	struct pgt_writer *writer;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_writer_open(&writer, "out.jsonl", &diag)));
	cr_expect(eq(int, pgt_writer_line(writer, NULL, &diag), -ENOMEM));
	cr_expect(eq(int, pgt_writer_line(writer, json_pack("{s:i, s:s}", "a", 1, "type", "x"),
					  &diag), -EINVAL));
	cr_expect(eq(str, diag.text,
		     "out.jsonl: line 1 is not an object that starts with \"type\""));
	cr_expect(lt(int, pgt_writer_finish(writer, &diag), 0));
	pgt_writer_free(writer);
	pgt_writer_free(NULL);
	cr_expect(not(zero(int, access("out.jsonl", F_OK))));
}

Test(recording_write, that_fills_the_disk_fails)
{
	struct pgt_writer *writer;
	struct pgt_diag diag = { "" };

	cr_assert(not(zero(ptr, freopen("/dev/full", "w", stdout))));
	cr_assert(zero(int, pgt_writer_open(&writer, "-", &diag)));
	cr_assert(zero(int, pgt_writer_line(writer, json_pack("{s:s}", "type", "x"), &diag)));
	cr_expect(lt(int, pgt_writer_finish(writer, &diag), 0));
	cr_expect(eq(str, diag.text, "standard output: cannot write: No space left on device"));
	pgt_writer_free(writer);
}
