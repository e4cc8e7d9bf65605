/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.h - an arm64 kernel for tests, built instruction by instruction.
 *
 * It ends up in two files, a list of symbols like /proc/kallsyms and an ELF core file like
 * /proc/kcore, and is read from these as a real one is.
 */
#ifndef PGT_TESTS_KERNEL_H
#define PGT_TESTS_KERNEL_H

#include <elf.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "probe/insn.h"
#include "probe/ksyms.h"
#include "probe/sites.h"

#define KERNEL_START	UINT64_C(0xffff800008010000)

/* As aarch64-linux-gnu-as writes them. */
#define NOP		0xd503201f
#define RET		0xd65f03c0
#define BR_X16		0xd61f0200
#define BL		0x94000000	/* kernel_branch() adds where to */
#define B		0x14000000
#define ISB		0xd5033fdf
#define DSB_ISHST	0xd5033a9f
#define DSB_NSHST	0xd503369f
#define DSB_ISH		0xd5033b9f
#define DSB_NSH		0xd503379f
#define TLBI_VMALLE1IS	0xd508831f
#define TLBI_VAE1IS	0xd508832b	/* x11 */
#define TLBI_VAALE1IS	0xd50883ef	/* x15 */

struct kernel {
	char dir[64], kallsyms[96], kcore[96];
	struct pgt_buf symbols, image;
	size_t text_len;	/* bytes of the image that are text; the rest is data */
	struct pgt_ksyms ksyms;
	struct pgt_text text;
};

static inline void kernel_init(struct kernel *kernel)
{
	*kernel = (struct kernel){ .symbols = PGT_BUF_INIT, .image = PGT_BUF_INIT };
	snprintf(kernel->dir, sizeof(kernel->dir), "/tmp/pgtrace-test.XXXXXX");
	cr_assert(ne(ptr, mkdtemp(kernel->dir), NULL));
	snprintf(kernel->kallsyms, sizeof(kernel->kallsyms), "%s/kallsyms", kernel->dir);
	snprintf(kernel->kcore, sizeof(kernel->kcore), "%s/kcore", kernel->dir);
}

static inline void kernel_release(struct kernel *kernel)
{
	unlink(kernel->kallsyms);
	unlink(kernel->kcore);
	rmdir(kernel->dir);
	pgt_buf_release(&kernel->symbols);
	pgt_buf_release(&kernel->image);
	pgt_text_release(&kernel->text);
	pgt_ksyms_release(&kernel->ksyms);
}

static inline void kernel_put(const char *path, const void *bytes, size_t n)
{
	FILE *stream = fopen(path, "we");

	cr_assert(ne(ptr, stream, NULL));
	cr_assert(eq(sz, fwrite(bytes, 1, n, stream), n));
	cr_assert(zero(int, fclose(stream)));
}

/* The address of the next instruction. */
static inline uint64_t kernel_here(const struct kernel *kernel)
{
	return KERNEL_START + kernel->image.len;
}

/* One more name for the next instruction. */
static inline uint64_t kernel_symbol(struct kernel *kernel, const char *name)
{
	cr_assert(zero(int, pgt_buf_addf(&kernel->symbols, "%016" PRIx64 " T %s\n",
					 kernel_here(kernel), name)));
	return kernel_here(kernel);
}

static inline uint64_t kernel_insn(struct kernel *kernel, uint32_t word)
{
	uint64_t at = kernel_here(kernel);

	cr_assert(zero(int, pgt_buf_add(&kernel->image, &word, sizeof(word))));
	return at;
}

#define kernel_insns(kernel, ...)						\
	do {									\
		const uint32_t words_[] = { __VA_ARGS__ };			\
										\
		for (size_t i_ = 0; i_ < sizeof(words_) / sizeof(words_[0]); i_++)	\
			kernel_insn(kernel, words_[i_]);			\
	} while (0)

/* B or BL to an address. */
static inline uint64_t kernel_branch(struct kernel *kernel, uint32_t opcode, uint64_t target)
{
	uint64_t words = (target - kernel_here(kernel)) / 4;

	return kernel_insn(kernel, opcode | (uint32_t)(words & 0x3ffffff));
}

static inline void kernel_end_text(struct kernel *kernel)
{
	kernel_symbol(kernel, "_etext");
	kernel->text_len = kernel->image.len;
}

static inline void kernel_pointer(struct kernel *kernel, uint64_t value)
{
	cr_assert(zero(int, pgt_buf_add(&kernel->image, &value, sizeof(value))));
}

/* One ELF note, behind those that are in the buffer. */
static inline void kernel_note(struct pgt_buf *notes, const char *name, const void *content,
			       size_t len)
{
	Elf64_Nhdr note = { (Elf64_Word)strlen(name) + 1, (Elf64_Word)len, 0 };

	cr_assert(zero(int, pgt_buf_add(notes, &note, sizeof(note))));
	cr_assert(zero(int, pgt_buf_add(notes, name, strlen(name) + 1)));
	cr_assert(zero(int, pgt_buf_add(notes, "\0\0\0", -notes->len % 4)));
	cr_assert(zero(int, pgt_buf_add(notes, content, len)));
	cr_assert(zero(int, pgt_buf_add(notes, "\0\0\0", -notes->len % 4)));
}

/* A core file with notes and n_loads segments; a segment's p_offset is from the first byte. */
static inline void kernel_write_core_notes(const char *path, const struct pgt_buf *notes,
					   const Elf64_Phdr *load, size_t n_loads,
					   const void *bytes, size_t len)
{
	size_t head = sizeof(Elf64_Ehdr) + (n_loads + 1) * sizeof(Elf64_Phdr) + notes->len;
	Elf64_Phdr phdr = { .p_type = PT_NOTE, .p_offset = head - notes->len,
			    .p_filesz = notes->len };
	struct pgt_buf file = PGT_BUF_INIT;
	Elf64_Ehdr ehdr = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = EM_AARCH64,
		.e_phoff = sizeof(ehdr),
		.e_phentsize = sizeof(phdr),
		.e_phnum = (Elf64_Half)(n_loads + 1),
	};

	cr_assert(zero(int, pgt_buf_add(&file, &ehdr, sizeof(ehdr))));
	cr_assert(zero(int, pgt_buf_add(&file, &phdr, sizeof(phdr))));
	for (size_t i = 0; i < n_loads; i++) {
		phdr = load[i];
		phdr.p_type = PT_LOAD;
		phdr.p_offset += head;
		cr_assert(zero(int, pgt_buf_add(&file, &phdr, sizeof(phdr))));
	}
	if (notes->len)
		cr_assert(zero(int, pgt_buf_add(&file, notes->at, notes->len)));
	cr_assert(zero(int, pgt_buf_add(&file, bytes, len)));
	kernel_put(path, file.at, file.len);
	pgt_buf_release(&file);
}

static inline void kernel_write_core(const char *path, const Elf64_Phdr *load, size_t n_loads,
				     const void *bytes, size_t len)
{
	struct pgt_buf none = PGT_BUF_INIT;

	kernel_write_core_notes(path, &none, load, n_loads, bytes, len);
}

/* Write both files and read them: fills ksyms and text. */
static inline void kernel_read(struct kernel *kernel)
{
	const struct pgt_insn_decoder *decoder = pgt_insn_decoder_find("arm64");
	Elf64_Phdr load = { .p_vaddr = KERNEL_START, .p_filesz = kernel->image.len,
			    .p_memsz = kernel->image.len };
	struct pgt_diag diag = { "" };
	char stext[64];

	snprintf(stext, sizeof(stext), "%016" PRIx64 " T _stext\n", KERNEL_START);
	cr_assert(zero(int, pgt_buf_add(&kernel->symbols, stext, strlen(stext))));
	kernel_put(kernel->kallsyms, kernel->symbols.at, kernel->symbols.len);
	kernel_write_core(kernel->kcore, &load, 1, kernel->image.at, kernel->image.len);
	cr_assert(zero(int, pgt_ksyms_read(&kernel->ksyms, kernel->kallsyms, &diag)), "%s", diag.text);
	cr_assert(zero(int, pgt_text_read(&kernel->text, decoder, &kernel->ksyms, kernel->kcore, &diag)),
		  "%s", diag.text);
	cr_assert(eq(sz, kernel->text.len, kernel->text_len));
}

#endif /* PGT_TESTS_KERNEL_H */
