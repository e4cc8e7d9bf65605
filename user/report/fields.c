/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/fields.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define BLANKS	" \t\r"

int pgt_fields_open(struct pgt_fields *fields, const char *text, const char *path,
		    struct pgt_diag *diag)
{
	*fields = (struct pgt_fields){ .path = path, .copy = strdup(text) };
	fields->next = fields->copy;
	return fields->copy ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");
}

static void trim_end(char *text)
{
	size_t n = strlen(text);

	while (n && strchr(BLANKS, text[n - 1]))
		text[--n] = '\0';
}

bool pgt_fields_next(struct pgt_fields *fields)
{
	char *line;

	while ((line = strsep(&fields->next, "\n"))) {
		fields->line++;
		trim_end(line);
		line += strspn(line, BLANKS);
		if (!*line || *line == '#')
			continue;
		fields->keyword = line;
		line += strcspn(line, BLANKS);
		if (*line)
			*line++ = '\0';
		fields->rest = line + strspn(line, BLANKS);
		return true;
	}
	return false;
}

bool pgt_fields_split(struct pgt_fields *fields, char **words, size_t n)
{
	char *at = fields->rest;

	for (size_t i = 0; i < n; i++) {
		if (!*at)
			return false;
		words[i] = at;
		at += strcspn(at, BLANKS);
		if (*at)
			*at++ = '\0';
		at += strspn(at, BLANKS);
	}
	return !*at;
}

int pgt_fields_fail(const struct pgt_fields *fields, struct pgt_diag *diag, const char *fmt, ...)
{
	char text[sizeof(diag->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return pgt_fail(diag, -EINVAL, "%s:%zu: %s", fields->path, fields->line, text);
}

void pgt_fields_release(struct pgt_fields *fields)
{
	free(fields->copy);
	*fields = (struct pgt_fields){ .copy = NULL };
}

bool pgt_field_count(const char *word, int64_t max, int64_t *out)
{
	int64_t value = 0;
	size_t n = strspn(word, "0123456789");

	if (!n || word[n] || n > 18)
		return false;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (word[i] - '0');
	if (value > max)
		return false;
	*out = value;
	return true;
}
