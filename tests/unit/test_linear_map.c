/* SPDX-License-Identifier: GPL-2.0-only */
/* linear_map.c on a core file that holds a kernel's page tables. */
#include <errno.h>
#include <string.h>

#include "trace/linear_map.h"

#include "kernel.h"
#include "tables.h"

#define LINEAR		UINT64_C(0xffff000000000000)
#define VOFFSET		UINT64_C(0xffff800040000000)	/* of the image, which is in the same memory */
#define STEXT		(TABLES_PHYSICAL + 0x100000 + VOFFSET)

/* What a test changes of a kernel that is in order; 0 and NULL: nothing. */
struct trouble {
	const char *info;		/* the note's text */
	uint64_t text_at;		/* physical, as the page tables say */
	uint64_t text_paddr;		/* as the core says */
	bool unmapped_text, other_machine;
};

static void put_info(struct pgt_buf *notes, const char *text)
{
	char info[512];

	snprintf(info, sizeof(info), "PAGESIZE=4096\nNUMBER(VA_BITS)=48\nNUMBER(TCR_EL1_T1SZ)=0x10\n"
		 "NUMBER(kimage_voffset)=%#" PRIx64 "\nSYMBOL(swapper_pg_dir)=%" PRIx64
		 "\nSYMBOL(_stext)=%" PRIx64 "\n", VOFFSET, TABLES_PHYSICAL + VOFFSET, STEXT);
	if (!text)
		text = info;
	kernel_note(notes, "CORE", "status", 6);
	kernel_note(notes, "VMCOREINFO", text, strlen(text));
}

/* 2 GiB of pages, blocks and a hole, in tables that the core holds. */
static struct kernel make_kernel(const struct trouble *trouble)
{
	struct tables tables = tables_make(4096, 48, 48);
	const Elf64_Phdr load[] = {
		{ .p_vaddr = STEXT, .p_offset = 0x100000, .p_filesz = 0x10000, .p_memsz = 0x10000,
		  .p_paddr = trouble->text_paddr ? trouble->text_paddr : TABLES_PHYSICAL + 0x100000 },
		{ .p_vaddr = LINEAR, .p_filesz = TABLES_BYTES, .p_memsz = TABLES_BYTES,
		  .p_paddr = TABLES_PHYSICAL },
	};
	uint64_t text_at = trouble->text_at ? trouble->text_at : TABLES_PHYSICAL + 0x100000;
	struct pgt_buf notes = PGT_BUF_INIT;
	struct kernel kernel;

	for (uint64_t i = 0; i < 512; i++)
		tables_put(&tables, LINEAR + i * 4096, 3,
			   (TABLES_PHYSICAL + i * 4096) | NORMAL | PAGE |
			   (i < 32 ? PGT_DESC_CONT : 0));
	tables_put(&tables, LINEAR + 0x200000, 2, (TABLES_PHYSICAL + 0x200000) | NORMAL);
	tables_put(&tables, LINEAR + 0x40000000, 1, 0x80000000 | NORMAL);
	if (!trouble->unmapped_text)
		tables_put(&tables, STEXT, 3, text_at | NORMAL_RO | PAGE);
	put_info(&notes, trouble->info);
	kernel_init(&kernel);
	kernel_write_core_notes(kernel.kcore, &notes, load, 2, tables.memory, TABLES_BYTES);
	if (trouble->other_machine) {
		FILE *stream = fopen(kernel.kcore, "r+e");

		cr_assert(ne(ptr, stream, NULL));
		fseek(stream, offsetof(Elf64_Ehdr, e_machine), SEEK_SET);
		cr_assert(eq(int, putc(EM_X86_64, stream), EM_X86_64));
		cr_assert(zero(int, fclose(stream)));
	}
	pgt_buf_release(&notes);
	tables_release(&tables);
	return kernel;
}

Test(linear_map, is_read)
{
	const struct trouble none = { .info = NULL };
	struct kernel kernel = make_kernel(&none);
	struct pgt_linear_map map = { .n_tables = 0 };
	struct pgt_diag diag = { "" };
	const struct pgt_page_sum *sum = map.regions.sum;

	cr_assert(zero(int, pgt_linear_map_read(&map, kernel.kcore, &diag)), "%s", diag.text);
	cr_expect(eq(u64, map.start, LINEAR));
	cr_expect(eq(u64, map.end, 0xffff800000000000));
	cr_expect(eq(u64, map.n_tables, 4), "the tables of the image are not the linear map's");
	cr_expect(eq(u64, sum[PGT_KIND_PTE].bytes, 480 * 4096));
	cr_expect(eq(u64, sum[PGT_KIND_CONT_PTE].translations, 2));
	cr_expect(eq(u64, sum[PGT_KIND_PMD].entries, 1));
	cr_expect(eq(u64, sum[PGT_KIND_PUD].bytes, 1 << 30));
	cr_assert(eq(sz, map.regions.n, 7));
	cr_expect(eq(u64, map.regions.at[6].end, 0xffff800000000000));
	pgt_linear_map_release(&map);
	kernel_release(&kernel);
}

Test(linear_map, is_refused)
{
	static const struct {
		struct trouble trouble;
		int err;
		const char *text;
	} cases[] = {
		{ { .other_machine = true }, -EOPNOTSUPP, ": not of an arm64 kernel" },
		{ { .info = "PAGESIZE=4096\n" }, -ENODATA, "VMCOREINFO has no NUMBER(VA_BITS)" },
		{ { .info = "PAGESIZE=4096\nNUMBER(VA_BITS)=48\nNUMBER(TCR_EL1_T1SZ)=99\n"
			    "NUMBER(kimage_voffset)=0\nSYMBOL(swapper_pg_dir)=0\nSYMBOL(_stext)=0\n" },
		  -EPROTO, "no arm64 kernel" },
		{ { .unmapped_text = true }, -EFAULT, "cannot be checked: page tables: 0x" },
		{ { .text_paddr = UINT64_MAX }, -EFAULT, "cannot be checked: " },
		{ { .text_at = 0x80000000 }, -EPROTO, "map _stext to 0x80000000, and /proc/kcore says" },
		{ { .text_paddr = 0x7fff0000 }, -EPROTO, "says that it is at 0x7fff0000" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel kernel = make_kernel(&cases[i].trouble);
		struct pgt_linear_map map = { .n_tables = 77 };
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_linear_map_read(&map, kernel.kcore, &diag), cases[i].err),
			  "case %zu: %s", i, diag.text);
		cr_expect(ne(ptr, strstr(diag.text, cases[i].text), NULL), "%s", diag.text);
		cr_expect(eq(u64, map.n_tables, 77));
		kernel_release(&kernel);
	}
}

Test(linear_map, of_no_core)
{
	struct pgt_linear_map map;
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_linear_map_read(&map, "/nonexistent/kcore", &diag), -ENOENT));
	cr_expect(ne(ptr, strstr(diag.text, "not there"), NULL));
}
