/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/apt_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

char *pgt_apt_mirror(const char *uris, const char *suite)
{
	static const char dists[] = "/dists/";
	size_t n = strlen(suite);

	for (const char *at = uris; (at = strstr(at, dists)); at++) {
		const char *name = at + sizeof(dists) - 1, *start = at;

		if (strncmp(name, suite, n) || name[n] != '/')
			continue;
		while (start > uris && start[-1] != '\'' && start[-1] != '\n')
			start--;
		return start < at ? strndup(start, (size_t)(at - start)) : NULL;
	}
	return NULL;
}

static int add_deb(struct pgt_debs *debs, const char *file, uint64_t size)
{
	struct pgt_deb *deb = reallocarray(debs->deb, debs->n + 1, sizeof(*deb));
	char *copy;

	if (!deb)
		return -ENOMEM;
	debs->deb = deb;
	copy = strdup(file);
	if (!copy)
		return -ENOMEM;
	deb[debs->n++] = (struct pgt_deb){ copy, size };
	debs->size += size;
	return 0;
}

int pgt_apt_parse_uris(const char *text, struct pgt_debs *out, struct pgt_diag *diag)
{
	struct pgt_debs debs = { NULL, 0, 0 };

	for (const char *line = text; line && *line; ) {
		const char *end = strchrnul(line, '\n');
		const char *after = *line == '\'' ? memchr(line + 1, '\'', (size_t)(end - line - 1))
						  : NULL;
		char file[512];
		unsigned long long size;

		if (after && sscanf(after + 1, " %511s %llu", file, &size) == 2 &&
		    strchr(file, '/') == NULL && add_deb(&debs, file, size)) {
			pgt_debs_release(&debs);
			return pgt_fail(diag, -ENOMEM, "out of memory");
		}
		line = *end ? end + 1 : end;
	}
	*out = debs;
	return 0;
}

void pgt_debs_release(struct pgt_debs *debs)
{
	for (size_t i = 0; i < debs->n; i++)
		free(debs->deb[i].file);
	free(debs->deb);
	*debs = (struct pgt_debs){ NULL, 0, 0 };
}
