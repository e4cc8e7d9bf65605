/* SPDX-License-Identifier: GPL-2.0-only */
#include "patches/checks/module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/parameter.h"
#include "patches/checks/checks.h"

#define COUNT_MAX	1000000

int module_insert(const char *path, const char *options, struct pgt_diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot open the module: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, options, 0))
		err = pgt_fail(diag, -errno, "%s: the kernel refuses the module: %s", path,
			       strerror(errno));
	close(fd);
	return err;
}

int module_remove(const char *name, struct pgt_diag *diag)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		return pgt_fail(diag, -errno, "%s: the kernel keeps the module: %s", name,
				strerror(errno));
	return 0;
}

int count_parse(const char *text, unsigned int *out, struct pgt_diag *diag)
{
	uint64_t value;

	if (pgt_parameter_number(text, PGT_PARAMETER_COUNT, &value) || !value || value > COUNT_MAX)
		return pgt_fail(diag, -EINVAL, "'%s' is not a number from 1 to %d", text, COUNT_MAX);
	*out = (unsigned int)value;
	return 0;
}

int check_module_loop(const char *times, struct pgt_diag *diag)
{
	unsigned int n;
	int err = count_parse(times, &n, diag);

	for (unsigned int i = 0; !err && i < n; i++) {
		err = module_insert("/lab/bin/zsmalloc.ko", "", diag);
		if (!err)
			err = module_remove("zsmalloc", diag);
		if (err)
			pgt_wrap(diag, err, "time %u of %u", i + 1, n);
	}
	return err;
}
