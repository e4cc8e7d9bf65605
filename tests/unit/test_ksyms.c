/* SPDX-License-Identifier: GPL-2.0-only */
/* ksyms.c on small lists of symbols. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"

static int read_list(struct pgt_ksyms *out, const char *list, struct pgt_diag *diag)
{
	struct kernel kernel;
	int err;

	kernel_init(&kernel);
	kernel_put(kernel.kallsyms, list, strlen(list));
	err = pgt_ksyms_read(out, kernel.kallsyms, diag);
	kernel_release(&kernel);
	return err;
}

static struct pgt_ksyms list_of(const char *list)
{
	struct pgt_ksyms ksyms;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, read_list(&ksyms, list, &diag)), "%s", diag.text);
	return ksyms;
}

static const char *name_at(const struct pgt_ksyms *ksyms, uint64_t address)
{
	const struct pgt_ksym *ksym = pgt_ksyms_at(ksyms, address);

	return ksym ? ksym->name : "none";
}

static void expect_at(const struct pgt_ksyms *ksyms, uint64_t address, const char *name)
{
	cr_expect(eq(str, (char *)name_at(ksyms, address), (char *)name), "%#llx",
		  (unsigned long long)address);
}

/* Not in order, with what is no text, and with names of modules and of BPF programs last. */
static const char list[] =
	"0000000000000000 A zero\n"
	"ffff800008000000 T _text\n"
	"ffff800008010000 T _stext\n"
	"ffff800008010000 t first\n"
	"ffff800008010000 T __irqentry_text_start\n"
	"ffff800008010040 T __pi_copy\n"
	"ffff800008010040 W copy\n"
	"ffff800008010040 t $x\n"
	"ffff800008010090 T last\n"
	"ffff800008010080 w third\n"
	"ffff800008010044 d data_within\n"
	"ffff800008010048 t $d\n"
	"ffff800008010100 R _etext\n"
	"ffff800008020000 T behind\n"
	"ffff800001000000 t of_module\t[virtio_mem]\n"
	"ffff800008010050 t of_bpf\t[bpf]\n";

Test(ksyms, core_text_in_order)
{
	struct pgt_ksyms ksyms = list_of(list);
	static const char *const want[] = {
		"first", "__irqentry_text_start", "_stext", "copy", "__pi_copy", "third", "last",
	};

	cr_expect(eq(u64, ksyms.start, 0xffff800008010000));
	cr_expect(eq(u64, ksyms.end, 0xffff800008010100));
	cr_assert(eq(sz, ksyms.n, sizeof(want) / sizeof(want[0])));
	for (size_t i = 0; i < ksyms.n; i++)
		cr_expect(eq(str, (char *)ksyms.at[i].name, (char *)want[i]));
	pgt_ksyms_release(&ksyms);
	pgt_ksyms_release(&ksyms);	/* harmless */
}

Test(ksyms, the_symbol_of_an_address)
{
	struct pgt_ksyms ksyms = list_of(list);

	expect_at(&ksyms, 0xffff80000800ffff, "none");
	expect_at(&ksyms, 0xffff800008010000, "first");
	expect_at(&ksyms, 0xffff80000801003f, "first");
	expect_at(&ksyms, 0xffff800008010040, "copy");
	expect_at(&ksyms, 0xffff800008010050, "copy");
	expect_at(&ksyms, 0xffff800008010080, "third");
	expect_at(&ksyms, 0xffff8000080100ff, "last");
	expect_at(&ksyms, 0xffff800008010100, "none");
	expect_at(&ksyms, 0, "none");
	expect_at(&ksyms, UINT64_MAX, "none");
	pgt_ksyms_release(&ksyms);
}

Test(ksyms, the_end_of_a_symbol)
{
	struct pgt_ksyms ksyms = list_of(list);
	const struct {
		const char *name;
		uint64_t end;
	} cases[] = {
		{ "first", 0xffff800008010040 }, { "_stext", 0xffff800008010040 },
		{ "copy", 0xffff800008010080 }, { "__pi_copy", 0xffff800008010080 },
		{ "third", 0xffff800008010090 }, { "last", 0xffff800008010100 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pgt_ksym *ksym = pgt_ksyms_find(&ksyms, cases[i].name);

		cr_assert(not(zero(ptr, (void *)ksym)), "%s", cases[i].name);
		cr_expect(eq(u64, pgt_ksyms_end(&ksyms, ksym), cases[i].end), "%s", cases[i].name);
	}
	pgt_ksyms_release(&ksyms);
}

Test(ksyms, names_that_are_not_there)
{
	static const char *const names[] = {
		"zero", "_text", "_etext", "behind", "of_module", "of_bpf", "$x", "data_within",
		"firs", "",
	};
	struct pgt_ksyms ksyms = list_of(list);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(zero(ptr, (void *)pgt_ksyms_find(&ksyms, names[i])), "%s", names[i]);
	pgt_ksyms_release(&ksyms);
}

/* More than the table first has room for. */
Test(ksyms, many_symbols)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_ksyms ksyms;

	cr_assert(zero(int, pgt_buf_addf(&text, "1000 T _stext\nfffff0 T _etext\n")));
	for (int i = 70000; i > 0; i--)
		cr_assert(zero(int, pgt_buf_addf(&text, "%x t f%d\n", 0x1000 + 16 * i, i)));
	ksyms = list_of(text.at);
	pgt_buf_release(&text);
	cr_expect(eq(sz, ksyms.n, 70001));
	expect_at(&ksyms, 0x1000 + 16 * 69999 + 15, "f69999");
	pgt_ksyms_release(&ksyms);
}

Test(ksyms, lists_that_tell_nothing)
{
	const struct {
		const char *name, *list;
		int err;
	} cases[] = {
		{ "hidden", "0000000000000000 T _stext\n0000000000000000 T _etext\n", -EPERM },
		{ "hidden but for a module",
		  "0 T _stext\n0 T _etext\nffff800001000000 t f\t[m]\n", -EPERM },
		{ "empty", "", -EPERM },
		{ "no _stext", "1000 T f\n2000 T _etext\n", -EPROTO },
		{ "no _etext", "1000 T _stext\n2000 T f\n", -EPROTO },
		{ "no text between them", "1000 T _stext\n1000 T _etext\n", -EPROTO },
		{ "the wrong way round", "2000 T _stext\n1000 T _etext\n", -EPROTO },
		{ "no lines of symbols", "_stext\n1000\n1000 T\nxyz T f\n1000 TT f\n", -EPERM },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_ksyms ksyms = { .n = 7 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, read_list(&ksyms, cases[i].list, &diag), cases[i].err), "%s",
			  cases[i].name);
		cr_expect(zero(int, strncmp(diag.text, "kallsyms: ", 10)), "%s: %s", cases[i].name,
			  diag.text);
		cr_expect(eq(sz, ksyms.n, 7), "%s", cases[i].name);
	}
}

Test(ksyms, no_list)
{
	struct pgt_ksyms ksyms;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_ksyms_read(&ksyms, "/nonexistent/kallsyms", &diag), -ENOENT));
	cr_expect(ne(str, diag.text, ""));
}
