/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/page.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void pgt_page_check(struct pgt_page *page, int err)
{
	if (err && !page->err)
		page->err = err;
}

/* How much of text goes on a line of `room` columns: up to a space, if there is one. */
static size_t fit(const char *text, size_t room)
{
	size_t n = strlen(text), space;

	if (n <= room)
		return n;
	for (space = room; space > 0 && text[space] != ' '; space--)
		;
	return space ? space : room;
}

void pgt_page_wrap(struct pgt_page *page, size_t indent, size_t hang, const char *text)
{
	do {
		size_t n = fit(text, PGT_PAGE_COLUMNS - indent);

		fprintf(page->out, "%*s%.*s\n", (int)indent, "", (int)n, text);
		text += n;
		while (*text == ' ')
			text++;
		indent = hang;
	} while (*text);
}

void pgt_page_wrap_buf(struct pgt_page *page, size_t indent, size_t hang, struct pgt_buf *text)
{
	pgt_page_wrap(page, indent, hang, text->at ? text->at : "");
	pgt_buf_release(text);
}

void pgt_page_line(struct pgt_page *page, const char *fmt, ...)
{
	char *line = NULL;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&line, fmt, args);
	va_end(args);
	if (n < 0) {
		pgt_page_check(page, -ENOMEM);
		return;
	}
	while (n > 0 && line[n - 1] == ' ')
		line[--n] = '\0';
	if (n <= PGT_PAGE_COLUMNS) {
		fprintf(page->out, "%s\n", line);
	} else {
		size_t indent = strspn(line, " ");

		pgt_page_wrap(page, indent, indent + 2, line + indent);
	}
	free(line);
}
