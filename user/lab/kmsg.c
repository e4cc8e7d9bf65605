/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"

#define RECORD_BYTES	8192	/* what one read(2) can give; less fails with EINVAL */

int pgt_kmsg_open(struct pgt_kmsg *kmsg, struct pgt_diag *diag)
{
	kmsg->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kmsg->fd < 0)
		return pgt_fail(diag, errno == ENOENT ? -ENODEV : -errno, "/dev/kmsg: cannot open: %s",
				strerror(errno));
	return pgt_kmsg_skip(kmsg, diag);
}

void pgt_kmsg_release(struct pgt_kmsg *kmsg)
{
	if (kmsg->fd >= 0)
		close(kmsg->fd);
	kmsg->fd = -1;
}

int pgt_kmsg_skip(struct pgt_kmsg *kmsg, struct pgt_diag *diag)
{
	if (lseek(kmsg->fd, 0, SEEK_END) < 0)
		return pgt_fail(diag, -errno, "/dev/kmsg: cannot go to its end: %s",
				strerror(errno));
	return 0;
}

/* One message a read: "LEVEL,NUMBER,TIME,FLAGS;TEXT\n", and lines that start with a space. */
static int add_text(struct pgt_buf *out, const char *record, size_t n)
{
	const char *text = memchr(record, ';', n), *end;

	if (!text)
		return 0;
	text++;
	end = memchr(text, '\n', n - (size_t)(text - record));
	if (!end)
		end = record + n;
	if (pgt_buf_add(out, text, (size_t)(end - text)))
		return -ENOMEM;
	return pgt_buf_add(out, "\n", 1);
}

int pgt_kmsg_read(struct pgt_kmsg *kmsg, struct pgt_buf *out, struct pgt_diag *diag)
{
	char record[RECORD_BYTES];
	ssize_t n;

	while ((n = read(kmsg->fd, record, sizeof(record))) > 0)
		if (add_text(out, record, (size_t)n))
			return pgt_fail(diag, -ENOMEM, "/dev/kmsg: out of memory");
	if (n < 0 && errno == EPIPE)
		return pgt_fail(diag, -EPIPE, "/dev/kmsg: the kernel has dropped messages before "
				"they were read; give it a larger buffer (log_buf_len=4M)");
	if (n < 0 && errno != EAGAIN)
		return pgt_fail(diag, -errno, "/dev/kmsg: cannot read: %s", strerror(errno));
	return 0;
}
