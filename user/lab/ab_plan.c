/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/ab_plan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"

#define BLANKS	" \t\r"
#define TEXT(x)	#x
#define NUMBER(x)	TEXT(x)

/* ---- words ---- */

/* The next word of the line, cut off; NULL at its end. */
static char *next_word(char **rest)
{
	char *word;

	if (!*rest)
		return NULL;
	*rest += strspn(*rest, BLANKS);
	word = **rest ? *rest : NULL;
	*rest += strcspn(*rest, BLANKS);
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

static int add_word(struct pgt_ab_plan_words *words, const char *word)
{
	char **at = reallocarray(words->at, words->n + 2, sizeof(*at));

	if (!at)
		return -ENOMEM;
	words->at = at;
	at[words->n] = strdup(word);
	if (!at[words->n])
		return -ENOMEM;
	at[++words->n] = NULL;
	return 0;
}

/* The rest of a line that may be there once.  Why it cannot be taken; NULL where it was. */
static const char *add_words(struct pgt_ab_plan_words *words, char *rest, size_t line, int *err)
{
	char *word;

	if (words->line)
		return "a second line of that kind";
	words->line = line;
	while (!*err && (word = next_word(&rest)))
		*err = add_word(words, word);
	return *err || words->n ? NULL : "nothing behind the first word";
}

/* "--boots 2" would leave it to the option whether the 2 is its value. */
static const char *add_options(struct pgt_ab_plan_words *options, char *rest, size_t line,
			       int *err)
{
	const char *wrong = add_words(options, rest, line, err);

	for (size_t i = 0; !wrong && i < options->n; i++)
		if (strncmp(options->at[i], "--", 2) || options->at[i][2] < 'a' ||
		    options->at[i][2] > 'z')
			wrong = "an option is written --NAME or --NAME=VALUE";
	return wrong;
}

/* ---- sides ---- */

static bool is_taken(const char *name)
{
	static const char *const taken[] = { "base", "control", "test" };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(taken[i], name))
			return true;
	return false;
}

static bool has_side(const struct pgt_ab_plan_sides *sides, const char *name)
{
	for (size_t i = 0; i < sides->n; i++)
		if (!strcmp(sides->at[i].name, name))
			return true;
	return false;
}

/* What a side may be called; NULL where it may be called that. */
static const char *check_name(const struct pgt_ab_plan *plan, const char *name)
{
	if (!name || !pgt_patch_series_is_name(name, strlen(name)))
		return "it has a name of up to " NUMBER(PGT_TOPIC_NAME_MAX) " of a-z, 0-9 and '-'";
	if (is_taken(name))
		return "base, control and test are the names of other recordings";
	if (has_side(&plan->sides, name) || has_side(&plan->beside, name))
		return "a second side of that name";
	return NULL;
}

static const char *take_parameters(char **out, char *rest, int *err)
{
	struct pgt_buf text = PGT_BUF_INIT;
	const char *wrong = NULL, *word;

	while (!*err && (word = next_word(&rest)))
		*err = pgt_buf_addf(&text, "%s%s", text.len ? " " : "", word);
	if (text.len > PGT_AB_PLAN_MAX_PARAMETERS)
		wrong = "more than " NUMBER(PGT_AB_PLAN_MAX_PARAMETERS)
			" characters of kernel parameters";
	for (size_t i = 0; !wrong && i < text.len; i++)
		if (text.at[i] < ' ' || text.at[i] > '~')
			wrong = "kernel parameters are printable ASCII";
	if (*err || wrong)
		pgt_buf_release(&text);
	*out = text.at;
	return wrong;
}

static int add_side(struct pgt_ab_plan_sides *sides, const char *name, const char *kernel,
		    char *parameters)
{
	struct pgt_ab_plan_side *at = reallocarray(sides->at, sides->n + 1, sizeof(*at));

	if (!at) {
		free(parameters);
		return -ENOMEM;
	}
	sides->at = at;
	at += sides->n++;
	at->name = strdup(name);
	at->kernel = strdup(kernel);
	at->parameters = parameters;
	return at->name && at->kernel ? 0 : -ENOMEM;
}

/* Whether the next word of the line is that of a kernel parameter, or there is none. */
static bool is_parameter(const char *rest)
{
	size_t len;

	rest += strspn(rest, BLANKS);
	len = strcspn(rest, BLANKS);
	return !len || memchr(rest, '=', len) || memchr(rest, '.', len);
}

static const char *take_side(struct pgt_ab_plan *plan, char *rest,
			     const struct pgt_patch_series *series, int *err)
{
	const char *name = next_word(&rest), *wrong = check_name(plan, name), *step = name;
	char *parameters;

	if (wrong)
		return wrong;
	if (!is_parameter(rest))
		step = next_word(&rest);
	if (!pgt_patch_series_find(series, step))
		return "the series has no step of that name";
	wrong = take_parameters(&parameters, rest, err);
	if (!wrong && !*err)
		*err = add_side(&plan->sides, name, step, parameters);
	return wrong;
}

static const char *take_beside(struct pgt_ab_plan *plan, char *rest, int *err)
{
	const char *name = next_word(&rest), *wrong = check_name(plan, name), *kernel;
	char *parameters;

	if (wrong)
		return wrong;
	kernel = next_word(&rest);
	if (!kernel)
		return "no kernel behind the name";
	wrong = take_parameters(&parameters, rest, err);
	if (!wrong && !*err)
		*err = add_side(&plan->beside, name, kernel, parameters);
	return wrong;
}

/* ---- the file ---- */

static const char *take_line(struct pgt_ab_plan *plan, char *line, size_t number,
			     const struct pgt_patch_series *series, int *err)
{
	const char *kind = next_word(&line);

	if (!kind || *kind == '#')
		return NULL;
	if (!strcmp(kind, "side"))
		return take_side(plan, line, series, err);
	if (!strcmp(kind, "beside"))
		return take_beside(plan, line, err);
	if (!strcmp(kind, "options"))
		return add_options(&plan->options, line, number, err);
	if (!strcmp(kind, "workloads"))
		return add_words(&plan->workloads, line, number, err);
	return "it starts with none of side, beside, options, workloads";
}

/* A file that names no side means all steps.  A step could be called as one beside is. */
static const char *add_steps(struct pgt_ab_plan *plan, const struct pgt_patch_series *series,
			     int *err)
{
	const char *wrong = NULL;

	for (size_t i = 0; !*err && !wrong && i < series->n_steps; i++) {
		const char *name = series->steps[i].name;

		wrong = check_name(plan, name);
		if (!wrong)
			*err = add_side(&plan->sides, name, name, NULL);
	}
	return wrong;
}

static int parse_lines(struct pgt_ab_plan *plan, char *text, const char *path,
		       const struct pgt_patch_series *series, struct pgt_diag *diag)
{
	const char *wrong = NULL;
	size_t number = 0;
	char *line;
	int err = 0;

	while (!err && !wrong && (line = strsep(&text, "\n")))
		wrong = take_line(plan, line, ++number, series, &err);
	if (wrong)
		return pgt_fail(diag, -EINVAL, "%s:%zu: %s", path, number, wrong);
	if (!err && !plan->sides.n)
		wrong = add_steps(plan, series, &err);
	if (!wrong && plan->sides.n + plan->beside.n > PGT_AB_PLAN_MAX_SIDES)
		wrong = "more than " NUMBER(PGT_AB_PLAN_MAX_SIDES) " sides";
	if (wrong)
		return pgt_fail(diag, -EINVAL, "%s: %s", path, wrong);
	return err ? pgt_fail(diag, err, "out of memory") : 0;
}

int pgt_ab_plan_parse(struct pgt_ab_plan *out, const char *text, const char *path,
		      const struct pgt_patch_series *series, struct pgt_diag *diag)
{
	struct pgt_ab_plan made = { .sides = { NULL, 0 } };
	char *copy = strdup(text);
	int err = copy ? parse_lines(&made, copy, path, series, diag)
		       : pgt_fail(diag, -ENOMEM, "out of memory");

	free(copy);
	if (err)
		pgt_ab_plan_release(&made);
	else
		*out = made;
	return err;
}

/* ---- what of it is used ---- */

static void free_side(struct pgt_ab_plan_side *side)
{
	free(side->name);
	free(side->kernel);
	free(side->parameters);
}

static int no_side(const struct pgt_ab_plan_sides *sides, const char *name, struct pgt_diag *diag)
{
	struct pgt_buf names = PGT_BUF_INIT;
	int err = 0;

	for (size_t i = 0; !err && i < sides->n; i++)
		err = pgt_buf_addf(&names, "%s%s", i ? ", " : "", sides->at[i].name);
	err = pgt_fail(diag, -ENOENT, "no side %s: there are %s", name, err ? "others" : names.at);
	pgt_buf_release(&names);
	return err;
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

int pgt_ab_plan_choose(struct pgt_ab_plan *plan, const char *const *names, size_t n,
		       struct pgt_diag *diag)
{
	struct pgt_ab_plan_sides *sides = &plan->sides;
	size_t n_kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!has_side(sides, names[i]))
			return no_side(sides, names[i], diag);
	for (size_t i = 0; i < sides->n; i++) {
		if (is_among(sides->at[i].name, names, n))
			sides->at[n_kept++] = sides->at[i];
		else
			free_side(&sides->at[i]);
	}
	sides->n = n_kept;
	return 0;
}

static void release_sides(struct pgt_ab_plan_sides *sides)
{
	for (size_t i = 0; i < sides->n; i++)
		free_side(&sides->at[i]);
	free(sides->at);
	*sides = (struct pgt_ab_plan_sides){ NULL, 0 };
}

void pgt_ab_plan_drop_beside(struct pgt_ab_plan *plan)
{
	release_sides(&plan->beside);
}

static void release_words(struct pgt_ab_plan_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->at[i]);
	free(words->at);
}

void pgt_ab_plan_release(struct pgt_ab_plan *plan)
{
	release_sides(&plan->sides);
	release_sides(&plan->beside);
	release_words(&plan->options);
	release_words(&plan->workloads);
	*plan = (struct pgt_ab_plan){ .sides = { NULL, 0 } };
}
