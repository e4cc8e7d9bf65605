/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"

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

/* Find the program header of [address, address + len). */
static int find_segment(int fd, const char *path, uint64_t address, size_t len, Elf64_Phdr *out,
			struct pgt_diag *diag)
{
	Elf64_Ehdr ehdr;
	int err = read_all(fd, path, &ehdr, sizeof(ehdr), 0, diag);

	if (err)
		return err;
	if (memcmp(ehdr.e_ident, ELFMAG, SELFMAG) || ehdr.e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr.e_type != ET_CORE || ehdr.e_phentsize != sizeof(Elf64_Phdr))
		return pgt_fail(diag, -EPROTO, "%s: not a 64-bit ELF core file", path);
	for (unsigned int i = 0; i < ehdr.e_phnum; i++) {
		Elf64_Phdr phdr;

		err = read_all(fd, path, &phdr, sizeof(phdr), ehdr.e_phoff + i * sizeof(phdr), diag);
		if (err)
			return err;
		if (phdr.p_type == PT_LOAD && address >= phdr.p_vaddr &&
		    address - phdr.p_vaddr < phdr.p_memsz &&
		    len <= phdr.p_memsz - (address - phdr.p_vaddr)) {
			*out = phdr;
			return 0;
		}
	}
	return pgt_fail(diag, -EFAULT, "%s: no segment holds %#llx", path,
			(unsigned long long)address);
}

int pgt_kcore_read(const char *path, uint64_t address, void *buffer, size_t len,
		   struct pgt_diag *diag)
{
	Elf64_Phdr phdr = { 0 };
	int fd = open_core(path, diag), err;

	if (fd < 0)
		return fd;
	err = find_segment(fd, path, address, len, &phdr, diag);
	if (!err)
		err = read_all(fd, path, buffer, len, phdr.p_offset + (address - phdr.p_vaddr), diag);
	close(fd);
	return err;
}

int pgt_kcore_segment_end(const char *path, uint64_t address, uint64_t *out,
			  struct pgt_diag *diag)
{
	Elf64_Phdr phdr = { 0 };
	int fd = open_core(path, diag), err;

	if (fd < 0)
		return fd;
	err = find_segment(fd, path, address, 1, &phdr, diag);
	close(fd);
	if (!err)
		*out = phdr.p_vaddr + phdr.p_memsz;
	return err;
}
