/* SPDX-License-Identifier: GPL-2.0-only */
/* symbols_text.c: a kernel's own words about its symbols, believed only where they fit. */
#include <errno.h>
#include <string.h>

#include "lab/symbols.h"

#include "lines.h"

#define HOST(cmdline, build_id)							\
	"{'type':'host','arch':'arm64','kernel_release':'6.1','kernel_version':'v'," build_id \
	",'config_digest':null,'config_digest_reason':'none','cpu':'c','n_cpus':2,"	\
	"'page_size':4096,'memory_bytes':1048576,'accelerator':'tcg','cmdline':'" cmdline "'," \
	"'boot_id':'b'}"
#define GOOD_HOST	HOST("panic=-1 nokaslr loglevel=4", "'build_id':'ab12'")
#define SYMBOLS(stext)								\
	"{'type':'kallsyms','text':'" stext " T _stext\\nffff800080010800 t f\\n"	\
	"ffff800080400000 R _etext\\nffff800080500000 t paging_init\\n'}"
#define GOOD_SYMBOLS	SYMBOLS("ffff800080010000")

static int parse(struct pgt_symbols *out, const char *host, const char *symbols,
		 struct pgt_diag *diag)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	int err;

	lines_add(&lines, "{'type':'recording','schema':1,'tool':'pgtrace 0','started_at':'T'}");
	lines_add(&lines, host);
	if (symbols)
		lines_add(&lines, symbols);
	lines_end(&lines);
	err = pgt_symbols_parse(out, "file", &lines.text, diag);
	pgt_buf_release(&lines.text);
	return err;
}

Test(lab_symbols, good)
{
	struct pgt_symbols symbols;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, parse(&symbols, GOOD_HOST, GOOD_SYMBOLS, &diag)), "%s", diag.text);
	cr_expect(eq(str, symbols.build_id, "ab12"));
	cr_expect(eq(u64, pgt_ksyms_find(&symbols.ksyms, "paging_init")->address,
		     0xffff800080500000), "also behind the core text");
	cr_expect(eq(str, (char *)pgt_ksyms_at(&symbols.ksyms, 0xffff800080010900)->name, "f"));
	cr_expect(eq(ptr, (void *)pgt_ksyms_at(&symbols.ksyms, 0xffff800080500000), NULL));
	pgt_symbols_release(&symbols);
	pgt_symbols_release(&symbols);	/* harmless */
}

Test(lab_symbols, refused)
{
	const struct {
		const char *host, *symbols;
		int err;
		const char *why;
	} cases[] = {
		{ GOOD_HOST, NULL, -EPROTO, "file: it has no symbols" },
		{ GOOD_HOST, "{'type':'kallsyms','text':7}", -EPROTO, "file: it has no symbols" },
		{ HOST("panic=-1", "'build_id':'ab12'"), GOOD_SYMBOLS, -EPROTO, "without nokaslr" },
		{ HOST("xnokaslr nokaslry", "'build_id':'ab12'"), GOOD_SYMBOLS, -EPROTO,
		  "without nokaslr" },
		{ HOST("nokaslr", "'build_id':null,'build_id_reason':'none'"), GOOD_SYMBOLS,
		  -EPROTO, "no build id" },
		{ GOOD_HOST, SYMBOLS("ffff800080210000"), -EPROTO,
		  "moved to 0xffff800080210000 although it was booted with nokaslr" },
		{ GOOD_HOST, "{'type':'kallsyms','text':'0 T _stext\\n0 R _etext\\n'}", -EPERM,
		  "hides its addresses" },
		{ "{'type':'end','lines':2}", NULL, -EPROTO, "file:2: " },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_symbols symbols = { .build_id = NULL };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, parse(&symbols, cases[i].host, cases[i].symbols, &diag),
			     cases[i].err), "%zu: %s", i, diag.text);
		cr_expect(ne(ptr, strstr(diag.text, cases[i].why), NULL), "'%s' is not in '%s'",
			  cases[i].why, diag.text);
		cr_expect(eq(ptr, symbols.build_id, NULL));
	}
}

Test(lab_symbols, truncated)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_symbols symbols;
	struct pgt_diag diag = { "" };

	lines_add(&lines, "{'type':'recording','schema':1,'tool':'pgtrace 0','started_at':'T'}");
	lines_add(&lines, GOOD_HOST);
	lines_add(&lines, GOOD_SYMBOLS);
	cr_expect(eq(int, pgt_symbols_parse(&symbols, "file", &lines.text, &diag), -ENODATA));
	pgt_buf_release(&lines.text);
}
