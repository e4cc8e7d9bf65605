/* SPDX-License-Identifier: GPL-2.0-only */
#include "recording/json_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"

int pgt_place_refuse(const struct pgt_place *at, struct pgt_diag *diag, const char *fmt, ...)
{
	char why[768];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	return pgt_fail(diag, -EPROTO, "%s:%zu: %s", at->path, at->line, why);
}

int pgt_json_lines_read(const struct pgt_buf *text, struct pgt_place *at,
			int (*take)(void *reader, json_t *line), void *reader,
			struct pgt_diag *diag)
{
	const char *start = text->at, *end = text->at + text->len;
	int err = 0;

	for (at->line = 1; !err && start < end; at->line++) {
		const char *newline = memchr(start, '\n', (size_t)(end - start));
		json_error_t error;
		json_t *line;

		if (!newline)
			return pgt_fail(diag, -ENODATA, "%s:%zu: the last line is cut off: the file "
					"is truncated", at->path, at->line);
		line = json_loadb(start, (size_t)(newline - start), JSON_REJECT_DUPLICATES, &error);
		err = line ? take(reader, line) :
			     pgt_place_refuse(at, diag, "not a line of JSON: %s", error.text);
		json_decref(line);
		start = newline + 1;
	}
	return err;
}

int pgt_line_integer(json_t *line, const char *name, int64_t min, int64_t *out,
		     const struct pgt_place *at, struct pgt_diag *diag)
{
	json_t *member = json_object_get(line, name);

	if (!member)
		return pgt_place_refuse(at, diag, "\"%s\" is missing", name);
	if (!json_is_integer(member))
		return pgt_place_refuse(at, diag, "\"%s\" is not an integer", name);
	if (json_integer_value(member) < min)
		return pgt_place_refuse(at, diag, "\"%s\" is %lld: less than %lld", name,
					(long long)json_integer_value(member), (long long)min);
	*out = json_integer_value(member);
	return 0;
}

int pgt_line_flag(json_t *line, const char *name, bool *out, const struct pgt_place *at,
		  struct pgt_diag *diag)
{
	json_t *member = json_object_get(line, name);

	if (!json_is_boolean(member))
		return pgt_place_refuse(at, diag, "\"%s\" is not true or false", name);
	*out = json_is_true(member);
	return 0;
}

int pgt_line_end(json_t *line, size_t n, const struct pgt_place *at, struct pgt_diag *diag)
{
	int64_t counted;
	int err = pgt_line_integer(line, "lines", 1, &counted, at, diag);

	if (!err && counted != (int64_t)n)
		err = pgt_place_refuse(at, diag, "the \"end\" line counts %" PRId64 " lines, but "
				       "there are %zu: lines were lost or added", counted, n);
	return err;
}
