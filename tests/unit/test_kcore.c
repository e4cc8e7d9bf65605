/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore.c on small ELF core files. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "probe/kcore.h"

#include "kernel.h"

#define LOW	UINT64_C(0xffff000000000000)
#define HIGH	UINT64_C(0xffff800008000000)
#define TOP	(UINT64_MAX - 15)	/* a segment that ends with the address space */

/* Three segments, not in order of address: 32 bytes at HIGH, 16 at LOW, 15 at TOP. */
static const char bytes[] = "high-high-high-high-high-high---" "low-low-low-low-" "top-top-top-to";

static struct kernel core(void)
{
	const Elf64_Phdr load[] = {
		{ .p_vaddr = HIGH, .p_offset = 0, .p_filesz = 32, .p_memsz = 32 },
		{ .p_vaddr = LOW, .p_offset = 32, .p_filesz = 16, .p_memsz = 16 },
		{ .p_vaddr = TOP, .p_offset = 48, .p_filesz = 15, .p_memsz = 15 },
	};
	struct kernel kernel;

	kernel_init(&kernel);
	kernel_write_core(kernel.kcore, load, 3, bytes, sizeof(bytes));
	return kernel;
}

Test(kcore, what_a_segment_holds)
{
	const struct {
		uint64_t address;
		size_t len;
		const char *want;
	} cases[] = {
		{ HIGH, 4, "high" }, { HIGH + 5, 9, "high-high" }, { HIGH + 29, 3, "---" },
		{ LOW, 16, "low-low-low-low-" }, { LOW + 15, 1, "-" }, { TOP, 14, "top-top-top-to" },
	};
	struct kernel kernel = core();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char got[33] = "";
		struct pgt_diag diag = { "" };
		int err = pgt_kcore_read(kernel.kcore, cases[i].address, got, cases[i].len, &diag);

		cr_expect(zero(int, err), "%s: %s", cases[i].want, diag.text);
		cr_expect(eq(str, got, (char *)cases[i].want));
	}
	kernel_release(&kernel);
}

Test(kcore, what_no_segment_holds)
{
	const struct {
		uint64_t address;
		size_t len;
	} cases[] = {
		{ HIGH - 1, 1 }, { HIGH - 1, 8 }, { HIGH + 32, 1 }, { HIGH + 31, 2 }, { HIGH, 33 },
		{ LOW + 16, 1 }, { 0, 8 }, { HIGH + 8, SIZE_MAX }, { UINT64_MAX, 1 },
		{ TOP + 8, 8 },
	};
	struct kernel kernel = core();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char got[64] = "untouched";
		struct pgt_diag diag = { "" };

		cr_expect(eq(int, pgt_kcore_read(kernel.kcore, cases[i].address, got, cases[i].len, &diag),
			     -EFAULT), "%#llx", (unsigned long long)cases[i].address);
		cr_expect(not(zero(ptr, strstr(diag.text, ": no segment holds "))), "%s", diag.text);
		cr_expect(eq(str, got, "untouched"));
	}
	kernel_release(&kernel);
}

Test(kcore, the_end_of_a_segment)
{
	struct kernel kernel = core();
	struct pgt_diag diag = { "" };
	uint64_t end = 7;

	cr_expect(zero(int, pgt_kcore_segment_end(kernel.kcore, HIGH + 31, &end, &diag)));
	cr_expect(eq(u64, end, HIGH + 32));
	cr_expect(zero(int, pgt_kcore_segment_end(kernel.kcore, LOW, &end, &diag)));
	cr_expect(eq(u64, end, LOW + 16));
	end = 7;
	cr_expect(eq(int, pgt_kcore_segment_end(kernel.kcore, HIGH + 32, &end, &diag), -EFAULT));
	cr_expect(eq(u64, end, 7), "*out must be untouched on failure");
	kernel_release(&kernel);
}

/* A file that is cut off in a segment, in the program headers, or in the ELF header. */
Test(kcore, truncated)
{
	const size_t lengths[] = {
		sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Phdr) + 8,
		sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 8,
		sizeof(Elf64_Ehdr) - 1,
		0,
	};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct kernel kernel = core();
		struct pgt_diag diag = { "" };
		char got[32];

		cr_assert(zero(int, truncate(kernel.kcore, (off_t)lengths[i])));
		cr_expect(eq(int, pgt_kcore_read(kernel.kcore, HIGH, got, 32, &diag), -EIO), "%zu bytes",
			  lengths[i]);
		cr_expect(not(zero(ptr, strstr(diag.text, "end of file"))), "%s", diag.text);
		kernel_release(&kernel);
	}
}

Test(kcore, not_a_core_file)
{
	const struct {
		const char *name;
		size_t offset;
		unsigned char byte;
	} cases[] = {
		{ "not ELF", EI_MAG1, 'F' },
		{ "32 bits", EI_CLASS, ELFCLASS32 },
		{ "an executable", offsetof(Elf64_Ehdr, e_type), ET_EXEC },
		{ "other program headers", offsetof(Elf64_Ehdr, e_phentsize), 32 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel kernel = core();
		struct pgt_diag diag = { "" };
		FILE *stream = fopen(kernel.kcore, "r+e");
		uint64_t end;
		char got[8];

		cr_assert(not(zero(ptr, stream)));
		cr_assert(zero(int, fseek(stream, (long)cases[i].offset, SEEK_SET)));
		cr_assert(ne(int, putc(cases[i].byte, stream), EOF));
		cr_assert(zero(int, fclose(stream)));
		cr_expect(eq(int, pgt_kcore_read(kernel.kcore, HIGH, got, 8, &diag), -EPROTO), "%s",
			  cases[i].name);
		cr_expect(not(zero(ptr, strstr(diag.text, "not a 64-bit ELF core file"))), "%s", diag.text);
		cr_expect(eq(int, pgt_kcore_segment_end(kernel.kcore, HIGH, &end, &diag), -EPROTO), "%s",
			  cases[i].name);
		kernel_release(&kernel);
	}
}

Test(kcore, no_file)
{
	struct pgt_diag diag = { "" };
	uint64_t end;
	char got[8];

	cr_expect(eq(int, pgt_kcore_read("/nonexistent/kcore", HIGH, got, 8, &diag), -ENOENT));
	cr_expect(eq(str, diag.text, "/nonexistent/kcore: not there: the kernel needs "
		     "CONFIG_PROC_KCORE, and /proc mounted"));
	cr_expect(eq(int, pgt_kcore_segment_end("/nonexistent/kcore", HIGH, &end, &diag), -ENOENT));
}

/* ---- kept open ---- */

#define PHYSICAL	UINT64_C(0x40000000)

/* 32 bytes at HIGH, which are at PHYSICAL too; 16 at LOW, of which nobody knows where they are. */
static struct pgt_kcore *open_core(struct kernel *kernel, const struct pgt_buf *notes)
{
	const Elf64_Phdr load[] = {
		{ .p_vaddr = LOW, .p_paddr = UINT64_MAX, .p_offset = 32, .p_filesz = 16,
		  .p_memsz = 16 },
		{ .p_vaddr = HIGH, .p_paddr = PHYSICAL, .p_filesz = 32, .p_memsz = 32 },
	};
	struct pgt_kcore *kcore = NULL;
	struct pgt_diag diag = { "" };

	kernel_init(kernel);
	kernel_write_core_notes(kernel->kcore, notes, load, 2, bytes, sizeof(bytes));
	cr_assert(zero(int, pgt_kcore_open(&kcore, kernel->kcore, &diag)), "%s", diag.text);
	return kcore;
}

Test(kcore, physical_addresses)
{
	struct pgt_buf notes = PGT_BUF_INIT;
	struct kernel kernel;
	struct pgt_kcore *kcore = open_core(&kernel, &notes);
	struct pgt_diag diag = { "" };
	char got[16] = "untouched";
	uint64_t physical = 7;

	cr_expect(eq(uint, pgt_kcore_machine(kcore), EM_AARCH64));
	cr_expect(eq(int, pgt_kcore_read_physical(kcore, PHYSICAL + 32, got, 1, &diag), -EFAULT));
	cr_expect(not(zero(ptr, strstr(diag.text, "no segment holds physical address 0x40000020"))));
	cr_expect(eq(int, pgt_kcore_read_physical(kcore, PHYSICAL + 31, got, 2, &diag), -EFAULT));
	cr_expect(eq(int, pgt_kcore_read_physical(kcore, UINT64_MAX, got, 1, &diag), -EFAULT));
	cr_expect(eq(str, got, "untouched"));
	cr_expect(zero(int, pgt_kcore_read_physical(kcore, PHYSICAL + 5, got, 9, &diag)));
	cr_expect(zero(int, memcmp(got, "high-high", 9)));
	cr_expect(eq(int, pgt_kcore_physical(kcore, LOW, &physical, &diag), -EFAULT));
	cr_expect(not(zero(ptr, strstr(diag.text, "does not say where"))), "%s", diag.text);
	cr_expect(eq(int, pgt_kcore_physical(kcore, LOW + 16, &physical, &diag), -EFAULT));
	cr_expect(eq(u64, physical, 7));
	cr_expect(zero(int, pgt_kcore_physical(kcore, HIGH + 31, &physical, &diag)));
	cr_expect(eq(u64, physical, PHYSICAL + 31));
	pgt_kcore_free(kcore);
	pgt_kcore_free(NULL);
	kernel_release(&kernel);
}

Test(kcore, notes)
{
	struct pgt_buf notes = PGT_BUF_INIT, got = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };
	struct pgt_kcore *kcore;
	struct kernel kernel;

	kernel_note(&notes, "CORE", "12345", 5);
	kernel_note(&notes, "VMCOREINFOS", "no", 2);
	kernel_note(&notes, "VMCOREINFO", "yes", 3);
	kcore = open_core(&kernel, &notes);
	cr_assert(zero(int, pgt_kcore_note(kcore, "VMCOREINFO", &got, &diag)), "%s", diag.text);
	cr_expect(eq(str, got.at, "yes"));
	cr_assert(zero(int, pgt_kcore_note(kcore, "CORE", &got, &diag)), "%s", diag.text);
	cr_expect(eq(str, got.at, "yes12345"));
	cr_expect(eq(int, pgt_kcore_note(kcore, "VMCORE", &got, &diag), -ENODATA));
	cr_expect(not(zero(ptr, strstr(diag.text, ": no note VMCORE: the kernel needs CONFIG_"))));
	pgt_kcore_free(kcore);
	kernel_release(&kernel);
	pgt_buf_release(&notes);
	pgt_buf_release(&got);
}

/* Lengths in a note that lead out of the notes: the end, and nothing is read there. */
Test(kcore, damaged_notes)
{
	static const Elf64_Word lengths[][2] = {
		{ 5, 6 }, { 100, 0 }, { UINT32_MAX, 0 }, { 5, UINT32_MAX }, { UINT32_MAX, UINT32_MAX },
		{ 5, 5 },
	};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct pgt_buf notes = PGT_BUF_INIT, got = PGT_BUF_INIT;
		struct pgt_diag diag = { "" };
		struct pgt_kcore *kcore;
		struct kernel kernel;
		Elf64_Nhdr note = { lengths[i][0], lengths[i][1], 0 };

		cr_assert(zero(int, pgt_buf_add(&notes, &note, sizeof(note))));
		cr_assert(zero(int, pgt_buf_add(&notes, "CORE\0\0\0\0" "12345", 13)));
		kcore = open_core(&kernel, &notes);
		cr_expect(eq(int, pgt_kcore_note(kcore, "OTHER", &got, &diag), -ENODATA), "%zu", i);
		pgt_kcore_free(kcore);
		kernel_release(&kernel);
		pgt_buf_release(&notes);
		pgt_buf_release(&got);
	}
}

Test(kcore, no_notes)
{
	struct pgt_buf notes = PGT_BUF_INIT, got = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };
	struct kernel kernel;
	struct pgt_kcore *kcore = open_core(&kernel, &notes);

	cr_expect(eq(int, pgt_kcore_note(kcore, "VMCOREINFO", &got, &diag), -ENODATA));
	cr_expect(not(zero(ptr, strstr(diag.text, ": no notes: "))), "%s", diag.text);
	pgt_kcore_free(kcore);
	kernel_release(&kernel);
	pgt_buf_release(&got);
}
