/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/console_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *line_with(const char *log, const char *text)
{
	const char *at = strstr(log, text), *start = at;

	while (start && start > log && start[-1] != '\n')
		start--;
	return start ? strndup(start, strcspn(start, "\r\n")) : NULL;
}

char *pgt_console_telling_line(const char *log, int *err)
{
	static const struct {
		const char *text;
		int err;
	} signs[] = {
		/* A kill for lack of memory often ends in a panic, and is its cause. */
		{ "Out of memory", -ENOMEM },
		{ "oom-kill:", -ENOMEM },
		{ "System is deadlocked on memory", -ENOMEM },
		{ "Kernel panic", -EIO },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		char *line = line_with(log, signs[i].text);

		if (line) {
			*err = signs[i].err;
			return line;
		}
	}
	return NULL;
}

bool pgt_console_last_line(const char *log, char *out, size_t size)
{
	const char *end = strrchr(log, '\n');

	while (end) {
		const char *start = end;

		while (start > log && start[-1] != '\n')
			start--;
		if (start < end && *start != '[' && *start != '\r') {
			snprintf(out, size, "%.*s", (int)strcspn(start, "\r\n"), start);
			return true;
		}
		end = start > log ? start - 1 : NULL;
	}
	return false;
}
