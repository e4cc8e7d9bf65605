/* SPDX-License-Identifier: GPL-2.0-only */
/* vmcoreinfo.c on the text of a note. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "probe/vmcoreinfo.h"

/* Lines as 6.12 writes them, and some that only look like what is sought. */
static const char note[] =
	"OSRELEASE=6.12.118+deb13-arm64\n"
	"BUILD-ID=ef7912f8fb28885e9f78762111a33ff9c7d77574\n"
	"PAGESIZE=4096\n"
	"SYMBOL(init_uts_ns)=ffff800082b9f3c0\n"
	"SYMBOL(swapper_pg_dir)=ffff800081f3a000\n"
	"SYMBOL(_stext)=ffff800080010000\n"
	"NUMBER(VA_BITS_MAX)=99\n"
	"XNUMBER(VA_BITS)=98\n"
	"NUMBER(VA_BITS)=52\n"
	"NUMBER(kimage_voffset)=0xffff800040000000\n"
	"NUMBER(PHYS_OFFSET)=0x40000000\n"
	"NUMBER(TCR_EL1_T1SZ)=0xc\n"
	"KERNELOFFSET=0";

Test(vmcoreinfo, a_note)
{
	struct pgt_vmcoreinfo info = { 0 };
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_vmcoreinfo_parse(&info, note, sizeof(note) - 1, &diag)), "%s",
		  diag.text);
	cr_expect(eq(u64, info.page_size, 4096));
	cr_expect(eq(u64, info.va_bits, 52));
	cr_expect(eq(u64, info.t1sz, 12));
	cr_expect(eq(u64, info.kimage_voffset, 0xffff800040000000));
	cr_expect(eq(u64, info.swapper_pg_dir, 0xffff800081f3a000));
	cr_expect(eq(u64, info.stext, 0xffff800080010000));
}

/* Each of the six is needed: the note ends before it, or has another name in its place. */
Test(vmcoreinfo, a_value_is_missing)
{
	static const char *const names[] = {
		"PAGESIZE", "NUMBER(VA_BITS)", "NUMBER(TCR_EL1_T1SZ)", "NUMBER(kimage_voffset)",
		"SYMBOL(swapper_pg_dir)", "SYMBOL(_stext)",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct pgt_vmcoreinfo info = { .page_size = 77 };
		struct pgt_diag diag = { "" };
		char text[sizeof(note)], line[64];

		memcpy(text, note, sizeof(note));
		snprintf(line, sizeof(line), "\n%s=", names[i]);
		strstr(text, line)[1] = '?';
		cr_expect(eq(int, pgt_vmcoreinfo_parse(&info, text, sizeof(text) - 1, &diag), -ENODATA));
		snprintf(line, sizeof(line), "VMCOREINFO has no %s:", names[i]);
		cr_expect(ne(ptr, strstr(diag.text, line), NULL), "%s", diag.text);
		cr_expect(eq(u64, info.page_size, 77));
	}
}

Test(vmcoreinfo, a_value_is_no_number)
{
	static const char *const values[] = {
		"", "x", "-1", "4096 ", "4k", "99999999999999999999999",
		"0000000000000000000000000000000000004096",
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct pgt_vmcoreinfo info;
		struct pgt_diag diag = { "" };
		char text[128];
		int n = snprintf(text, sizeof(text), "PAGESIZE=%s\n", values[i]);

		cr_expect(eq(int, pgt_vmcoreinfo_parse(&info, text, (size_t)n, &diag), -EPROTO),
			  "\"%s\"", values[i]);
		cr_expect(ne(ptr, strstr(diag.text, "PAGESIZE="), NULL), "%s", diag.text);
		cr_expect(ne(ptr, strstr(diag.text, "no number"), NULL), "%s", diag.text);
	}
}

Test(vmcoreinfo, nothing)
{
	struct pgt_vmcoreinfo info;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_vmcoreinfo_parse(&info, "", 0, &diag), -ENODATA));
}
