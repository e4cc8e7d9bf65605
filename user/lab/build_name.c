/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/build_name.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

const char *const pgt_build_configs[] = { "measured", "debug", NULL };
const char *const pgt_build_page_sizes[] = { "4K", "16K", "64K", NULL };

/* The index of the word in the list, or -1. */
static int index_of(const char *const *list, const char *word, size_t len)
{
	for (int i = 0; list[i]; i++)
		if (strlen(list[i]) == len && !strncmp(list[i], word, len))
			return i;
	return -1;
}

static bool take_name(char *out, const char *text, size_t len)
{
	if (!pgt_patch_series_is_name(text, len))
		return false;
	memcpy(out, text, len);
	out[len] = '\0';
	return true;
}

static bool take_qualifier(struct pgt_build_name *name, const char *word, size_t len)
{
	int config = index_of(pgt_build_configs, word, len);
	int pages = index_of(pgt_build_page_sizes, word, len);

	if (config >= 0)
		name->config = (enum pgt_build_config)config;
	if (pages >= 0)
		name->pages = (enum pgt_build_pages)pages;
	return config >= 0 || pages >= 0;
}

int pgt_build_name_parse(struct pgt_build_name *out, const char *spec, struct pgt_diag *diag)
{
	struct pgt_build_name made = { .config = PGT_BUILD_MEASURED, .pages = PGT_BUILD_4K };
	size_t topic = strcspn(spec, "/"), step;
	const char *at = spec + topic + 1;

	if (!spec[topic])
		return pgt_fail(diag, -EINVAL, "%s: not TOPIC/STEP", spec);
	step = strcspn(at, ":");
	if (!take_name(made.topic, spec, topic) || !take_name(made.step, at, step))
		return pgt_fail(diag, -EINVAL,
				"%s: topics and steps have names of up to %d of a-z, 0-9 and '-'",
				spec, PGT_TOPIC_NAME_MAX);
	for (at += step; *at == ':'; at += step) {
		step = strcspn(++at, ":");
		if (!take_qualifier(&made, at, step))
			return pgt_fail(diag, -EINVAL,
					"%s: '%.*s' is none of measured, debug, 4K, 16K, 64K",
					spec, (int)step, at);
	}
	*out = made;
	return 0;
}

void pgt_build_name_suffix(const struct pgt_build_name *name, char *out, size_t size)
{
	static const char *const pages[] = { "", "-16k", "-64k" };

	snprintf(out, size, "-%s-%s%s%s", name->topic, name->step,
		 name->config == PGT_BUILD_DEBUG ? "-debug" : "", pages[name->pages]);
}
