/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/renderers.h"

#include <string.h>

const struct pgt_renderer *const pgt_renderers[] = {
	&pgt_renderer_text,
	&pgt_renderer_markdown,
	&pgt_renderer_json,
	NULL,
};

const struct pgt_renderer *pgt_renderer_find(const char *name)
{
	for (size_t i = 0; pgt_renderers[i]; i++)
		if (!strcmp(pgt_renderers[i]->name, name))
			return pgt_renderers[i];
	return NULL;
}
