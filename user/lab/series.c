/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define BLANKS	" \t"
#define TEXT(x)	#x
#define NUMBER(x)	TEXT(x)

bool pgt_patch_series_is_name(const char *text, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	return len >= 1 && len <= PGT_TOPIC_NAME_MAX && text[0] != '-' &&
	       strspn(text, allowed) >= len;
}

const struct pgt_patch_series_step *pgt_patch_series_find(const struct pgt_patch_series *series,
							  const char *name)
{
	for (size_t i = 0; i < series->n_steps; i++)
		if (!strcmp(series->steps[i].name, name))
			return &series->steps[i];
	return NULL;
}

static bool has_patch(const struct pgt_patch_series *series, const char *name)
{
	for (size_t i = 0; i < series->n_patches; i++)
		if (!strcmp(series->patches[i], name))
			return true;
	return false;
}

/* Why this is no step; NULL where it was added. */
static const char *add_step(struct pgt_patch_series *series, const char *name, int *err)
{
	struct pgt_patch_series_step *steps;

	if (!pgt_patch_series_is_name(name, strlen(name)))
		return "a step has a name of up to " NUMBER(PGT_TOPIC_NAME_MAX) " of a-z, 0-9 and '-'";
	if (pgt_patch_series_find(series, name))
		return "a second step of that name";
	steps = reallocarray(series->steps, series->n_steps + 1, sizeof(*steps));
	if (steps) {
		series->steps = steps;
		steps[series->n_steps].n_patches = series->n_patches;
		steps[series->n_steps].name = strdup(name);
	}
	if (!steps || !steps[series->n_steps++].name)
		*err = -ENOMEM;
	return NULL;
}

static const char *add_patch(struct pgt_patch_series *series, const char *name, int *err)
{
	char **patches;

	if (!series->n_steps)
		return "a patch before the first step";
	if (strpbrk(name, BLANKS "/"))
		return "a patch is the name of one file beside the series";
	if (has_patch(series, name))
		return "that patch again";
	patches = reallocarray(series->patches, series->n_patches + 1, sizeof(*patches));
	if (patches) {
		series->patches = patches;
		patches[series->n_patches] = strdup(name);
	}
	if (!patches || !patches[series->n_patches++])
		*err = -ENOMEM;
	series->steps[series->n_steps - 1].n_patches = series->n_patches;
	return NULL;
}

static const char *add_line(struct pgt_patch_series *series, char *line, int *err)
{
	bool indented = strchr(BLANKS, line[0]) && line[0];
	char *end = line + strlen(line);

	while (end > line && strchr(BLANKS "\r", end[-1]))
		*--end = '\0';
	line += strspn(line, BLANKS);
	if (!*line || *line == '#')
		return NULL;
	if (indented)
		return add_patch(series, line, err);
	if (!strncmp(line, "step", 4) && line[4] && strchr(BLANKS, line[4]))
		return add_step(series, line + 4 + strspn(line + 4, BLANKS), err);
	return "neither 'step NAME' nor the indented name of a patch";
}

int pgt_patch_series_parse(struct pgt_patch_series *out, const char *text, const char *path,
		     struct pgt_diag *diag)
{
	struct pgt_patch_series made = { .steps = NULL };
	char *copy = strdup(text), *rest = copy, *line;
	const char *wrong = NULL;
	size_t number = 0;
	int err = copy ? 0 : -ENOMEM;

	while (!err && !wrong && (line = strsep(&rest, "\n"))) {
		number++;
		wrong = add_line(&made, line, &err);
	}
	if (wrong)
		err = pgt_fail(diag, -EINVAL, "%s:%zu: %s", path, number, wrong);
	else if (err)
		pgt_fail(diag, err, "out of memory");
	else if (!made.n_steps)
		err = pgt_fail(diag, -EINVAL, "%s: no step in it", path);
	free(copy);
	if (err)
		pgt_patch_series_release(&made);
	else
		*out = made;
	return err;
}

void pgt_patch_series_release(struct pgt_patch_series *series)
{
	for (size_t i = 0; i < series->n_steps; i++)
		free(series->steps[i].name);
	for (size_t i = 0; i < series->n_patches; i++)
		free(series->patches[i]);
	free(series->steps);
	free(series->patches);
	*series = (struct pgt_patch_series){ .steps = NULL };
}
