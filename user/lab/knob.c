/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/knob.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"

int pgt_knob_write(const char *path, const char *value, struct pgt_diag *diag)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot open: %s", path, strerror(errno));
	if (write(fd, value, strlen(value)) < 0)
		err = pgt_fail(diag, -errno, "%s: cannot write \"%s\": %s", path, value,
			       strerror(errno));
	close(fd);
	return err;
}
