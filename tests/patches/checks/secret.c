/* SPDX-License-Identifier: GPL-2.0-only */
/* secret-memory: each page is made invalid in the linear map when it is first touched. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "patches/checks/checks.h"
#include "patches/checks/module.h"

#define N_PAGES	64	/* 64K pages: below the default limit of locked memory, 8 MiB */

static int use(int fd, size_t size, unsigned char value, struct pgt_diag *diag)
{
	unsigned char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int err = 0;

	if (at == MAP_FAILED)
		return pgt_fail(diag, -errno, "secret memory cannot be mapped: %s",
				strerror(errno));
	memset(at, value, size);
	for (size_t i = 0; !err && i < size; i++)
		if (at[i] != value)
			err = pgt_fail(diag, -EIO, "byte %zu of secret memory is %u, not %u", i,
				       at[i], value);
	munmap(at, size);
	return err;
}

static int use_once(size_t size, unsigned char value, struct pgt_diag *diag)
{
	int fd = (int)syscall(SYS_memfd_secret, 0), err = 0;

	if (fd < 0)
		return pgt_fail(diag, -errno, "memfd_secret: %s", strerror(errno));
	if (ftruncate(fd, (off_t)size))
		err = pgt_fail(diag, -errno, "secret memory of %zu bytes: %s", size,
			       strerror(errno));
	if (!err)
		err = use(fd, size, value, diag);
	close(fd);	/* its pages become valid again */
	return err;
}

int check_secret_memory(const char *times, struct pgt_diag *diag)
{
	size_t size = N_PAGES * (size_t)sysconf(_SC_PAGESIZE);
	unsigned int n;
	int err = count_parse(times, &n, diag);

	for (unsigned int i = 0; !err && i < n; i++)
		err = use_once(size, (unsigned char)(i + 1), diag);
	return err;
}
