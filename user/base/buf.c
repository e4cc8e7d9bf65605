/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reserve(struct pgt_buf *buf, size_t more)
{
	size_t size = buf->size ? buf->size : 256;
	char *at;

	if (more >= (size_t)-1 - buf->len)
		return -ENOMEM;
	while (size < buf->len + more + 1) {
		if (size > (size_t)-1 / 2)
			return -ENOMEM;
		size *= 2;
	}
	if (size == buf->size)
		return 0;
	at = realloc(buf->at, size);
	if (!at)
		return -ENOMEM;
	buf->at = at;
	buf->size = size;
	return 0;
}

int pgt_buf_add(struct pgt_buf *buf, const void *bytes, size_t n)
{
	int err = reserve(buf, n);

	if (err)
		return err;
	if (n)
		memcpy(buf->at + buf->len, bytes, n);
	buf->len += n;
	buf->at[buf->len] = '\0';
	return 0;
}

int pgt_buf_addf(struct pgt_buf *buf, const char *fmt, ...)
{
	va_list args;
	int n, err;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	err = reserve(buf, (size_t)n);
	if (err)
		return err;
	va_start(args, fmt);
	vsnprintf(buf->at + buf->len, (size_t)n + 1, fmt, args);
	va_end(args);
	buf->len += (size_t)n;
	return 0;
}

void pgt_buf_release(struct pgt_buf *buf)
{
	free(buf->at);
	*buf = (struct pgt_buf)PGT_BUF_INIT;
}
