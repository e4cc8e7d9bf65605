/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"

#define NO_PHYSICAL	UINT64_MAX	/* p_paddr of what has none, or many */
#define MAX_NOTES	(1 << 20)	/* bytes; the kernel's are a few thousand */

struct pgt_kcore {
	int fd;			/* -1: not open */
	char *path;
	Elf64_Ehdr ehdr;
	Elf64_Phdr *phdr;	/* ehdr.e_phnum */
};

static int open_core(const char *path, struct pgt_diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return pgt_fail(diag, -ENOENT,
				"%s: not there: the kernel needs CONFIG_PROC_KCORE, and /proc mounted", path);
	if (errno == EPERM || errno == EACCES)
		return pgt_fail(diag, -errno,
				"%s: %s: run as root, and without kernel lockdown in mode confidentiality",
				path, strerror(errno));
	return pgt_fail(diag, -errno, "%s: cannot open: %s", path, strerror(errno));
}

static int read_all(int fd, const char *path, void *buffer, size_t len, uint64_t offset,
		    struct pgt_diag *diag)
{
	char *at = buffer;

	while (len) {
		ssize_t n = pread(fd, at, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return pgt_fail(diag, n ? -errno : -EIO, "%s: cannot read at %#llx: %s", path,
					(unsigned long long)offset, n ? strerror(errno) : "end of file");
		at += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

static int read_headers(struct pgt_kcore *kcore, struct pgt_diag *diag)
{
	Elf64_Ehdr *ehdr = &kcore->ehdr;
	int err = read_all(kcore->fd, kcore->path, ehdr, sizeof(*ehdr), 0, diag);

	if (err)
		return err;
	if (memcmp(ehdr->e_ident, ELFMAG, SELFMAG) || ehdr->e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr->e_type != ET_CORE || ehdr->e_phentsize != sizeof(Elf64_Phdr))
		return pgt_fail(diag, -EPROTO, "%s: not a 64-bit ELF core file", kcore->path);
	kcore->phdr = calloc((size_t)ehdr->e_phnum + 1, sizeof(*kcore->phdr));
	if (!kcore->phdr)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", kcore->path);
	return read_all(kcore->fd, kcore->path, kcore->phdr,
			ehdr->e_phnum * sizeof(*kcore->phdr), ehdr->e_phoff, diag);
}

int pgt_kcore_open(struct pgt_kcore **out, const char *path, struct pgt_diag *diag)
{
	struct pgt_kcore *kcore = calloc(1, sizeof(*kcore));
	int err;

	if (!kcore)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	kcore->fd = open_core(path, diag);
	err = kcore->fd < 0 ? kcore->fd : 0;
	if (!err) {
		kcore->path = strdup(path);
		err = kcore->path ? 0 : pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	}
	if (!err)
		err = read_headers(kcore, diag);
	if (err)
		pgt_kcore_free(kcore);
	else
		*out = kcore;
	return err;
}

void pgt_kcore_free(struct pgt_kcore *kcore)
{
	if (!kcore)
		return;
	if (kcore->fd >= 0)
		close(kcore->fd);
	free(kcore->phdr);
	free(kcore->path);
	free(kcore);
}

unsigned int pgt_kcore_machine(const struct pgt_kcore *kcore)
{
	return kcore->ehdr.e_machine;
}

static bool holds(uint64_t start, uint64_t size, uint64_t address, size_t len)
{
	return address >= start && address - start < size && len <= size - (address - start);
}

/* The program header of [address, address + len), which is virtual or physical. */
static const Elf64_Phdr *find_segment(const struct pgt_kcore *kcore, bool is_physical,
				      uint64_t address, size_t len)
{
	for (unsigned int i = 0; i < kcore->ehdr.e_phnum; i++) {
		const Elf64_Phdr *phdr = &kcore->phdr[i];

		if (phdr->p_type != PT_LOAD || (is_physical && phdr->p_paddr == NO_PHYSICAL))
			continue;
		if (holds(is_physical ? phdr->p_paddr : phdr->p_vaddr, phdr->p_memsz, address, len))
			return phdr;
	}
	return NULL;
}

static int no_segment(const struct pgt_kcore *kcore, uint64_t address, struct pgt_diag *diag)
{
	return pgt_fail(diag, -EFAULT, "%s: no segment holds %#llx", kcore->path,
			(unsigned long long)address);
}

int pgt_kcore_read(const char *path, uint64_t address, void *buffer, size_t len,
		   struct pgt_diag *diag)
{
	struct pgt_kcore *kcore;
	const Elf64_Phdr *phdr;
	int err = pgt_kcore_open(&kcore, path, diag);

	if (err)
		return err;
	phdr = find_segment(kcore, false, address, len);
	err = phdr ? read_all(kcore->fd, path, buffer, len,
			      phdr->p_offset + (address - phdr->p_vaddr), diag) :
		     no_segment(kcore, address, diag);
	pgt_kcore_free(kcore);
	return err;
}

int pgt_kcore_segment_end(const char *path, uint64_t address, uint64_t *out,
			  struct pgt_diag *diag)
{
	struct pgt_kcore *kcore;
	const Elf64_Phdr *phdr;
	int err = pgt_kcore_open(&kcore, path, diag);

	if (err)
		return err;
	phdr = find_segment(kcore, false, address, 1);
	if (phdr)
		*out = phdr->p_vaddr + phdr->p_memsz;
	else
		err = no_segment(kcore, address, diag);
	pgt_kcore_free(kcore);
	return err;
}

int pgt_kcore_read_physical(const struct pgt_kcore *kcore, uint64_t physical, void *buffer,
			    size_t len, struct pgt_diag *diag)
{
	const Elf64_Phdr *phdr = find_segment(kcore, true, physical, len);

	if (!phdr)
		return pgt_fail(diag, -EFAULT, "%s: no segment holds physical address %#llx",
				kcore->path, (unsigned long long)physical);
	return read_all(kcore->fd, kcore->path, buffer, len,
			phdr->p_offset + (physical - phdr->p_paddr), diag);
}

int pgt_kcore_physical(const struct pgt_kcore *kcore, uint64_t address, uint64_t *out,
		       struct pgt_diag *diag)
{
	const Elf64_Phdr *phdr = find_segment(kcore, false, address, 1);

	if (!phdr)
		return no_segment(kcore, address, diag);
	if (phdr->p_paddr == NO_PHYSICAL)
		return pgt_fail(diag, -EFAULT, "%s: does not say where %#llx is in memory",
				kcore->path, (unsigned long long)address);
	*out = phdr->p_paddr + (address - phdr->p_vaddr);
	return 0;
}

/* ---- notes ---- */

static size_t padded(size_t n)
{
	return (n + 3) / 4 * 4;
}

/* Where the content of a note is in the notes, and how long; false without it. */
static bool find_note(const char *notes, size_t len, const char *name, size_t *at, size_t *n)
{
	size_t here = 0;

	while (len - here >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		size_t rest = len - here - sizeof(note);

		memcpy(&note, notes + here, sizeof(note));
		if (padded(note.n_namesz) > rest ||
		    note.n_descsz > rest - padded(note.n_namesz))
			return false;
		*at = here + sizeof(note) + padded(note.n_namesz);
		*n = note.n_descsz;
		if (note.n_namesz == strlen(name) + 1 &&
		    !memcmp(notes + here + sizeof(note), name, note.n_namesz))
			return true;
		if (padded(note.n_descsz) > len - *at)
			return false;
		here = *at + padded(note.n_descsz);
	}
	return false;
}

static int read_note(const struct pgt_kcore *kcore, const Elf64_Phdr *phdr, const char *name,
		     struct pgt_buf *out, struct pgt_diag *diag)
{
	char *notes = malloc(phdr->p_filesz);
	size_t at = 0, n = 0;
	int err;

	if (!notes)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", kcore->path);
	err = read_all(kcore->fd, kcore->path, notes, phdr->p_filesz, phdr->p_offset, diag);
	if (!err && !find_note(notes, phdr->p_filesz, name, &at, &n))
		err = pgt_fail(diag, -ENODATA,
			       "%s: no note %s: the kernel needs CONFIG_VMCORE_INFO "
			       "(CONFIG_CRASH_CORE before 6.9)",
			       kcore->path, name);
	if (!err && pgt_buf_add(out, notes + at, n))
		err = pgt_fail(diag, -ENOMEM, "%s: out of memory", kcore->path);
	free(notes);
	return err;
}

int pgt_kcore_note(const struct pgt_kcore *kcore, const char *name, struct pgt_buf *out,
		   struct pgt_diag *diag)
{
	for (unsigned int i = 0; i < kcore->ehdr.e_phnum; i++) {
		const Elf64_Phdr *phdr = &kcore->phdr[i];

		if (phdr->p_type == PT_NOTE && phdr->p_filesz && phdr->p_filesz <= MAX_NOTES)
			return read_note(kcore, phdr, name, out, diag);
	}
	return pgt_fail(diag, -ENODATA, "%s: no notes: the kernel does not say what it is like",
			kcore->path);
}
