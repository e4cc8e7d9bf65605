/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/options.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/diag.h"

#define TAKEN	"plan=FILE, out=FILE, instructions=on|off and model=CORE"

/* The value of an argument of that name, or NULL. */
static const char *value_of(const char *argument, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(argument, name, n) && argument[n] == '=' ? argument + n + 1 : NULL;
}

static int set(const char **to, const char *value, const char *argument, struct pgt_diag *diag)
{
	if (*to)
		return pgt_fail(diag, -EINVAL, "\"%s\" is given twice", argument);
	if (!*value)
		return pgt_fail(diag, -EINVAL, "\"%s\" has no value", argument);
	*to = value;
	return 0;
}

int pgt_tcg_options_parse(struct pgt_tcg_options *out, int argc, char **argv,
			  struct pgt_diag *diag)
{
	struct pgt_tcg_options made = { .plan = NULL };
	const char *instructions = NULL, *value;
	const struct {
		const char *name;
		const char **to;
	} known[] = {
		{ "plan", &made.plan }, { "out", &made.out }, { "instructions", &instructions },
		{ "model", &made.model },
	};
	const size_t n = sizeof(known) / sizeof(known[0]);

	for (int i = 0; i < argc; i++) {
		size_t k = 0;

		while (k < n && !value_of(argv[i], known[k].name))
			k++;
		if (k == n)
			return pgt_fail(diag, -EINVAL, "unknown argument \"%s\": it takes "
					TAKEN, argv[i]);
		value = value_of(argv[i], known[k].name);
		if (set(known[k].to, value, argv[i], diag))
			return -EINVAL;
	}
	if (!made.plan || !made.out)
		return pgt_fail(diag, -EINVAL, "plan=FILE and out=FILE must be given");
	made.instructions = instructions && !strcmp(instructions, "on");
	if (instructions && !made.instructions && strcmp(instructions, "off"))
		return pgt_fail(diag, -EINVAL, "instructions=%s: it is on or off", instructions);
	*out = made;
	return 0;
}
