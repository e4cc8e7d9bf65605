/* SPDX-License-Identifier: GPL-2.0-only */
/* tcg_result.c and tcg_line.c: what the plugin wrote comes back, and what is wrong is named. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/tcg_result.h"

#include "lines.h"

#define FIRST	"{'type':'tcg','schema':1,'qemu_api':4,'vcpus':2,'build_id':'ab12'," \
		"'instructions':true,'model':'neoverse-n1','windows':2,'open':false}"
#define WINDOW(n) "{'type':'window','window':" n ",'vcpus':2,'instructions':1000}"
#define SITE(window, address, hits, stepped) "{'type':'site','window':" window \
		",'address':'" address "','word':'0xd5033a9f','kind':'dsb.ishst','hits':" hits \
		",'stepped':" stepped "}"
#define SCOPE(window, name, calls) "{'type':'scope','window':" window ",'scope':'" name "'," \
		"'functions':['paging_init','map_mem'],'calls':" calls ",'full':1,'unsized':1," \
		"'pages':512,'instructions':9000,'unfinished':0}"

/* Write the lines and read them back; the text of a failure is in diag. */
static int read_back(struct pgt_tcg_result *result, struct lines *lines, struct pgt_diag *diag)
{
	char path[] = "/tmp/pgtrace-test-XXXXXX";
	int fd = mkstemp(path), err;

	cr_assert(ge(int, fd, 0));
	cr_assert(eq(sz, (size_t)write(fd, lines->text.at, lines->text.len), lines->text.len));
	close(fd);
	err = pgt_tcg_result_read(result, path, diag);
	unlink(path);
	pgt_buf_release(&lines->text);
	return err;
}

static void add_rest(struct lines *lines)
{
	lines_add(lines, WINDOW("2"));
	lines_add(lines, WINDOW("1"));
	lines_add(lines, SITE("1", "0xffff800080012345", "3", "3"));
	lines_add(lines, SITE("null", "0xffff800080012345", "10", "4"));
	lines_add(lines, SITE("null", "0xffff800080000000", "7", "0"));
	lines_add(lines, SCOPE("null", "linear_map", "2"));
	lines_add(lines, "{'type':'scope_insn','window':null,'scope':'linear_map',"
		  "'kind':'dsb.ishst','count':4096}");
	lines_add(lines, "{'type':'scope_pages','window':null,'scope':'linear_map','pages':256,"
		  "'calls':50}");
	lines_add(lines, "{'type':'slot','window':null,'word':'0xd5033a9f','kind':'isb','hits':1}");
	lines_add(lines, "{'type':'model','window':1,'structure':'dtlb.l1','where':'linear_map',"
		  "'accesses':1000,'misses':12}");
	lines_add(lines, "{'type':'model_left_out','window':1,'what':'overflow','n':0}");
	lines_add(lines, "{'type':'something newer','of':[1]}");
}

Test(lab_tcg_result, comes_back)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_tcg_result result = { 0 };
	struct pgt_diag diag = { "" };

	lines_add(&lines, FIRST);
	add_rest(&lines);
	lines_end(&lines);
	cr_assert(zero(int, read_back(&result, &lines, &diag)), "%s", diag.text);
	cr_expect(eq(str, result.build_id, "ab12"));
	cr_expect(eq(str, result.model, "neoverse-n1"));
	cr_expect(eq(i64, result.vcpus, 2));
	cr_expect(eq(i64, result.n_opened, 2));
	cr_expect(not(result.open));
	cr_expect(result.instructions);
	cr_assert(eq(sz, result.n_windows, 2));
	cr_expect(eq(i64, result.windows[0].window, 1), "in order");
	cr_assert(eq(sz, result.n_sites, 3));
	cr_expect(eq(u64, result.sites[0].address, 0xffff800080000000), "in order");
	cr_expect(eq(u32, result.sites[0].word, 0xd5033a9f));
	cr_assert(eq(sz, result.n_scopes, 1));
	cr_expect(eq(str, result.scopes[0].functions, "paging_init, map_mem"));
	cr_expect(eq(i64, result.scopes[0].instructions, 9000));
	cr_expect(eq(i64, result.scope_insns[0].count, 4096));
	cr_expect(eq(i64, result.scope_pages[0].pages, 256));
	cr_expect(eq(i64, result.slots[0].hits, 1));
	cr_expect(eq(i64, result.models[0].misses, 12));
	cr_expect(eq(str, result.left_out[0].what, "overflow"));
	cr_expect(eq(i64, pgt_tcg_result_site(&result, 1, 0xffff800080012345)->hits, 3));
	cr_expect(eq(i64, pgt_tcg_result_site(&result, PGT_TCG_BOOT, 0xffff800080012345)->stepped,
		     4));
	cr_expect(zero(ptr, (void *)pgt_tcg_result_site(&result, 2, 0xffff800080012345)));
	pgt_tcg_result_release(&result);
	pgt_tcg_result_release(&result);	/* harmless */
}

Test(lab_tcg_result, an_instruction_that_was_changed)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_tcg_result result = { 0 };
	const struct pgt_tcg_site *site;
	struct pgt_diag diag = { "" };

	lines_add(&lines, FIRST);
	add_rest(&lines);
	lines_add(&lines, "{'type':'site','window':null,'address':'0xffff800080012345',"
		  "'word':'0xd5033b9f','kind':'dsb.ish','hits':2,'stepped':0}");
	lines_end(&lines);
	cr_assert(zero(int, read_back(&result, &lines, &diag)), "%s", diag.text);
	site = pgt_tcg_result_site(&result, PGT_TCG_BOOT, 0xffff800080012345);
	cr_expect(eq(i64, site[0].hits, 10));
	cr_expect(eq(i64, site[1].hits, 2));
	pgt_tcg_result_release(&result);
}

Test(lab_tcg_result, nothing_executed_is_no_site)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_tcg_result result = { 0 };
	struct pgt_diag diag = { "" };

	lines_add(&lines, "{'type':'tcg','schema':1,'qemu_api':4,'vcpus':1,'build_id':'a',"
		  "'instructions':false,'model':null,'windows':1,'open':true}");
	lines_end(&lines);
	cr_assert(zero(int, read_back(&result, &lines, &diag)), "%s", diag.text);
	cr_expect(zero(ptr, result.model));
	cr_expect(zero(ptr, (void *)pgt_tcg_result_site(&result, PGT_TCG_BOOT, 4)));
	pgt_tcg_result_release(&result);
}

/* Read a good file with one line put in after the first; the failure says why. */
static void expect_refused(const char *first, const char *line, const char *why)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_tcg_result result = { .vcpus = 77 };
	struct pgt_diag diag = { "" };

	lines_add(&lines, first);
	if (line)
		lines_add(&lines, line);
	add_rest(&lines);
	lines_end(&lines);
	cr_expect(eq(int, read_back(&result, &lines, &diag), -EPROTO), "%s", line);
	cr_expect(ne(ptr, strstr(diag.text, why), NULL), "'%s' is not in '%s'", why, diag.text);
	cr_expect(eq(i64, result.vcpus, 77), "*out must be untouched on failure");
}

Test(lab_tcg_result, a_wrong_line_is_named_with_its_place)
{
	const struct {
		const char *line, *why;
	} cases[] = {
		{ "{'type':'site'", ":2: not a line of JSON" },
		{ "[]", ":2: not an object with a \"type\"" },
		{ "{'window':null}", ":2: not an object with a \"type\"" },
		{ FIRST, ":2: a second line of type \"tcg\"" },
		{ "{'type':'end','lines':2}", ":3: a line after the end" },
		{ "{'type':'end','lines':3}", "counts 3 lines, but there are 2" },
		{ "{'type':'end'}", ":2: \"lines\" is missing" },
		{ SITE("3", "0x4", "1", "0"), "window 3, but the first line says that 2" },
		{ SITE("0", "0x4", "1", "0"), "\"window\" is 0: less than 1" },
		{ SITE("null", "4", "1", "0"), "\"address\" is not a string with a hexadecimal" },
		{ SITE("null", "0x", "1", "0"), "\"address\" is not a string with a hexadecimal" },
		{ SITE("null", "0x4g", "1", "0"), "of at most 64 bits" },
		{ SITE("null", "0x11112222333344445", "1", "0"), "of at most 64 bits" },
		{ SITE("null", "0x4", "0", "0"), "\"hits\" is 0: less than 1" },
		{ SITE("null", "0x4", "2", "3"), "3 of 2 hits were stepped" },
		{ SITE("null", "0xffff800080012345", "1", "0"), "is there twice for one window" },
		{ SITE("2", "0xffff800080012345", "11", "0"), "more hits in window 2 than in the" },
		{ SITE("2", "0x4", "1", "0"), "more hits in window 2 than in the whole boot" },
		{ "{'type':'site','window':null,'address':'0x4','word':'0x1d5033a9f','kind':'isb',"
		  "'hits':1,'stepped':0}", "of at most 32 bits" },
		{ "{'type':'site','window':null,'address':'0x4','word':'0x1','kind':'','hits':1,"
		  "'stepped':0}", "\"kind\" is missing, empty or not a string" },
		{ "{'type':'window','window':null,'vcpus':1,'instructions':1}",
		  "the whole boot is no window" },
		{ "{'type':'window','window':1,'vcpus':3,'instructions':1}",
		  "3 vCPUs opened window 1, but there are 2" },
		{ "{'type':'window','window':1,'vcpus':2,'instructions':null}",
		  "\"instructions\" is null, but the first line says that they were counted" },
		{ WINDOW("1"), "window 1 is there twice" },
		{ SCOPE("null", "linear_map", "2"), "the scope \"linear_map\" is there twice" },
		{ SCOPE("null", "b", "1"), "scope \"b\" has more full and unsized calls than calls" },
		{ "{'type':'scope','window':null,'scope':'b','functions':[],'calls':1}",
		  "\"functions\" is not a list of names" },
		{ "{'type':'scope','window':null,'scope':'b','functions':['a',1],'calls':1}",
		  "\"functions\" is not a list of names" },
		{ "{'type':'scope','window':null,'scope':'b','functions':'a','calls':1}",
		  "\"functions\" is not a list of names" },
		{ "{'type':'scope_insn','window':null,'scope':'b','kind':'isb','count':1}",
		  "instructions of a scope \"b\" that has no line" },
		{ "{'type':'scope_insn','window':1,'scope':'linear_map','kind':'isb','count':1}",
		  "instructions of a scope \"linear_map\" that has no line" },
		{ "{'type':'scope_insn','window':null,'scope':'linear_map','kind':'isb','count':-1}",
		  "\"count\" is -1: less than 0" },
		{ "{'type':'scope_pages','window':null,'scope':'b','pages':1,'calls':1}",
		  "pages of a scope \"b\" that has no line" },
		{ "{'type':'scope_pages','window':null,'scope':'linear_map','pages':3,'calls':1}",
		  "\"pages\" is 3: neither 0 nor a power of two" },
		{ "{'type':'slot','window':null,'kind':'isb','hits':'1'}",
		  "\"hits\" is not an integer" },
		{ "{'type':'model','window':1,'structure':'dtlb.l1','where':'user','accesses':1,"
		  "'misses':2}", "dtlb.l1 has 2 misses in 1 accesses" },
		{ "{'type':'model_left_out','window':1,'what':'w'}", "\"n\" is missing" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(FIRST, cases[i].line, cases[i].why);
}

Test(lab_tcg_result, a_wrong_first_line)
{
#define OTHER(rest) "{'type':'tcg','schema':1,'qemu_api':4,'vcpus':2,'build_id':'a'," rest "}"
	const struct {
		const char *first, *why;
	} cases[] = {
		{ WINDOW("1"), ":1: the first line is not of type \"tcg\"" },
		{ "{'type':'tcg'}", ":1: \"schema\" is missing" },
		{ "{'type':'tcg','schema':1,'vcpus':0}", "\"vcpus\" is 0: less than 1" },
		{ OTHER("'instructions':1"), "\"instructions\" is not true or false" },
		{ OTHER("'instructions':true,'model':1"), "\"model\" is missing, empty or not" },
		{ OTHER("'instructions':true,'model':null,'windows':2,'open':false"),
		  "counts of a model, but the first line says that there was none" },
		{ OTHER("'instructions':false,'model':'m','windows':2,'open':false"),
		  "\"instructions\" is a number, but the first line says that they were not" },
		{ OTHER("'instructions':true,'model':'m','windows':4,'open':true"),
		  "4 windows were opened, but 2 have lines" },
		{ OTHER("'instructions':true,'model':'m','windows':3,'open':false"),
		  "3 windows were opened, but 2 have lines" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(cases[i].first, NULL, cases[i].why);
}

Test(lab_tcg_result, another_schema)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_tcg_result result;
	struct pgt_diag diag = { "" };

	lines_add(&lines, "{'type':'tcg','schema':2}");
	cr_expect(eq(int, read_back(&result, &lines, &diag), -EPROTONOSUPPORT));
	cr_expect(ne(ptr, strstr(diag.text, "schema 2, this pgtrace reads schema 1"), NULL));
}

Test(lab_tcg_result, truncated)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_tcg_result result;
	struct pgt_diag diag = { "" };

	lines_add(&lines, FIRST);
	add_rest(&lines);
	cr_expect(eq(int, read_back(&result, &lines, &diag), -ENODATA));
	cr_expect(ne(ptr, strstr(diag.text, "no \"end\" line"), NULL));

	lines_add(&lines, FIRST);
	lines.text.len -= 3;
	cr_expect(eq(int, read_back(&result, &lines, &diag), -ENODATA));
	cr_expect(ne(ptr, strstr(diag.text, ":1: the last line is cut off"), NULL));

	cr_assert(zero(int, pgt_buf_add(&lines.text, "", 0)));
	cr_expect(eq(int, read_back(&result, &lines, &diag), -ENODATA), "empty");
}

Test(lab_tcg_result, no_file)
{
	struct pgt_tcg_result result;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_tcg_result_read(&result, "/nonexistent", &diag), -ENOENT));
}

Test(lab_tcg_result, kinds_that_guests_count)
{
	cr_expect(pgt_tcg_is_probed("dsb.ishst"));
	cr_expect(pgt_tcg_is_probed("isb"));
	cr_expect(pgt_tcg_is_probed("tlbi.vae1is"));
	cr_expect(not(pgt_tcg_is_probed("dmb.ish")));
	cr_expect(not(pgt_tcg_is_probed("sb")));
}
