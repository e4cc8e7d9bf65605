/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/steps_renderers.h"

#include <string.h>

const struct pgt_steps_renderer *const pgt_steps_renderers[] = {
	&pgt_steps_renderer_text,
	&pgt_steps_renderer_markdown,
	&pgt_steps_renderer_json,
	NULL,
};

const struct pgt_steps_renderer *pgt_steps_renderer_find(const char *name)
{
	for (size_t i = 0; pgt_steps_renderers[i]; i++)
		if (!strcmp(pgt_steps_renderers[i]->name, name))
			return pgt_steps_renderers[i];
	return NULL;
}
