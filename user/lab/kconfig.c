/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/kconfig.h"

#include <stdbool.h>
#include <string.h>

#define PREFIX	"CONFIG_"
#define UNSET	" is not set"

struct option {
	const char *name, *value;	/* value NULL: not set */
	size_t name_len, value_len;
};

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static bool parse(const char *line, struct option *out)
{
	const char *name = strncmp(line, "# ", 2) ? line : line + 2;
	size_t len = strcspn(name, "= \n");

	if (strncmp(name, PREFIX, sizeof(PREFIX) - 1))
		return false;
	*out = (struct option){ .name = name, .name_len = len };
	if (name != line)
		return !strncmp(name + len, UNSET, sizeof(UNSET) - 1);
	if (name[len] != '=')
		return false;
	out->value = name + len + 1;
	out->value_len = strcspn(out->value, "\n");
	if (out->value_len == 1 && *out->value == 'n')
		out->value = NULL;
	return true;
}

/* The first line from text on that is about the option. */
static bool find(const char *text, const struct option *option, struct option *out)
{
	for (; *text; text = next_line(text))
		if (parse(text, out) && out->name_len == option->name_len &&
		    !memcmp(out->name, option->name, option->name_len))
			return true;
	return false;
}

static bool holds(const struct option *wanted, const char *config)
{
	struct option is;

	if (!find(config, wanted, &is) || !is.value)
		return !wanted->value;
	return wanted->value && is.value_len == wanted->value_len &&
	       !memcmp(is.value, wanted->value, is.value_len);
}

const char *pgt_kconfig_unmet(const char *wanted, const char *config, size_t *len)
{
	struct option option, later;

	for (const char *line = wanted; *line; line = next_line(line)) {
		if (!parse(line, &option) || find(next_line(line), &option, &later))
			continue;
		if (!holds(&option, config)) {
			*len = strcspn(line, "\n");
			return line;
		}
	}
	return NULL;
}
