/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/patch_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static bool starts(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* "--- a/PATH" or "+++ b/PATH" -> PATH; NULL for /dev/null or another line. */
static const char *path_of(const char *line, size_t *len)
{
	if (!starts(line, "--- a/") && !starts(line, "+++ b/"))
		return NULL;
	line += 6;
	*len = strcspn(line, "\t\r\n");
	return *len ? line : NULL;
}

static bool is_safe(const char *path, size_t len)
{
	if (path[0] == '/')
		return false;
	for (size_t i = 0; i + 1 < len; i++)
		if ((!i || path[i - 1] == '/') && path[i] == '.' && path[i + 1] == '.' &&
		    (i + 2 == len || path[i + 2] == '/'))
			return false;
	return true;
}

static bool has_line(const struct pgt_buf *lines, size_t from, const char *text, size_t len)
{
	for (const char *at = lines->at ? lines->at + from : ""; *at; at = next_line(at))
		if (!strncmp(at, text, len) && at[len] == '\n')
			return true;
	return false;
}

int pgt_patch_paths(const char *text, struct pgt_buf *out)
{
	size_t from = out->len, len;

	for (; *text; text = next_line(text)) {
		const char *path = path_of(text, &len);

		if (!path)
			continue;
		if (!is_safe(path, len))
			return -EINVAL;
		if (has_line(out, from, path, len))
			continue;
		if (pgt_buf_addf(out, "%.*s\n", (int)len, path))
			return -ENOMEM;
	}
	return out->len > from ? 0 : -EINVAL;
}

/* The first line that holds any of the words, which are tried in their order. */
static char *line_with(const char *text, const char *const *words)
{
	for (; *words; words++) {
		const char *at = strstr(text, *words), *start = at;

		while (start && start > text && start[-1] != '\n')
			start--;
		if (start)
			return strndup(start, strcspn(start, "\r\n"));
	}
	return NULL;
}

char *pgt_patch_telling_line(const char *output)
{
	static const char *const words[] = {
		"FAILED", "with fuzz", "can't find file", "malformed", "Only garbage", NULL
	};

	return line_with(output, words);
}

char *pgt_build_telling_line(const char *log)
{
	static const char *const words[] = {
		": error: ", ": fatal error: ", "ERROR: modpost", "undefined reference", "Error:",
		"***", NULL
	};

	return line_with(log, words);
}
