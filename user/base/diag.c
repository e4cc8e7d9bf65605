/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One line is promised: a newline inside a quoted file or message becomes a space. */
static void make_one_line(char *text)
{
	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\r')
			*c = ' ';
}

int pgt_fail(struct pgt_diag *diag, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(diag->text, sizeof(diag->text), fmt, args);
	va_end(args);
	make_one_line(diag->text);
	return err;
}

int pgt_wrap(struct pgt_diag *diag, int err, const char *fmt, ...)
{
	struct pgt_diag inner = *diag;
	size_t used;
	va_list args;

	va_start(args, fmt);
	vsnprintf(diag->text, sizeof(diag->text), fmt, args);
	va_end(args);
	used = strlen(diag->text);
	snprintf(diag->text + used, sizeof(diag->text) - used, ": %s", inner.text);
	make_one_line(diag->text);
	return err;
}
