/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/published.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "report/fields.h"

#define TEXT(x)		#x
#define NUMBER(x)	TEXT(x)

static int out_of_memory(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ENOMEM, "out of memory");
}

/* unit and source: the whole line, once. */
static int set_text(char **text, const struct pgt_fields *fields, struct pgt_diag *diag)
{
	if (*text)
		return pgt_fields_fail(fields, diag, "a second line '%s'", fields->keyword);
	if (!fields->rest[0])
		return pgt_fields_fail(fields, diag, "'%s' of nothing", fields->keyword);
	*text = strdup(fields->rest);
	return *text ? 0 : out_of_memory(diag);
}

static int set_columns(struct pgt_published *published, struct pgt_fields *fields,
		       struct pgt_diag *diag)
{
	char *rest = fields->rest, *name;

	if (published->n_columns)
		return pgt_fields_fail(fields, diag, "a second line 'columns'");
	while ((name = strsep(&rest, "|"))) {
		size_t n = strlen(name);

		if (!n || n > PGT_PUBLISHED_NAME_MAX || name[0] == ' ' || name[n - 1] == ' ')
			return pgt_fields_fail(fields, diag, "a column has a name of up to "
					       NUMBER(PGT_PUBLISHED_NAME_MAX)
					       " characters, without blanks around it");
		if (published->n_columns == PGT_PUBLISHED_MAX_COLUMNS)
			return pgt_fields_fail(fields, diag, "more than "
					       NUMBER(PGT_PUBLISHED_MAX_COLUMNS) " columns");
		published->columns[published->n_columns] = strdup(name);
		if (!published->columns[published->n_columns])
			return out_of_memory(diag);
		published->n_columns++;
	}
	return 0;
}

/* "168", "10.5", "-"; false for anything else. */
static bool read_value(const char *word, double *out)
{
	size_t whole = strspn(word, "0123456789"), part = 0;

	*out = NAN;
	if (!strcmp(word, "-"))
		return true;
	if (word[whole] == '.')
		part = strspn(word + whole + 1, "0123456789");
	if (!whole || whole > 12 || part > 2 || (word[whole] && !part) ||
	    (part && word[whole + 1 + part]))
		return false;
	*out = strtod(word, NULL);
	return true;
}

static bool has_step(const struct pgt_published *published, const char *step)
{
	for (size_t i = 0; i < published->n_rows; i++)
		if (!strcmp(published->rows[i].step, step))
			return true;
	return false;
}

static int fill_row(struct pgt_published *published, struct pgt_published_row *row,
		    const struct pgt_fields *fields, char *const *words, struct pgt_diag *diag)
{
	const struct pgt_published_row *first = &published->rows[0];

	for (size_t i = 0; i < published->n_columns; i++) {
		if (!read_value(words[i + 1], &row->value[i]))
			return pgt_fields_fail(fields, diag, "'%s' is neither a number with up to "
					       "two places nor '-'", words[i + 1]);
		row->ratio[i] = first->value[i] > 0 ? row->value[i] / first->value[i] : NAN;
	}
	row->step = strdup(words[0]);
	return row->step ? 0 : out_of_memory(diag);
}

static int add_row(struct pgt_published *published, struct pgt_fields *fields,
		   struct pgt_diag *diag)
{
	char *words[PGT_PUBLISHED_MAX_COLUMNS + 1];
	struct pgt_published_row *grown;
	int err;

	if (!published->unit || !published->source || !published->n_columns)
		return pgt_fields_fail(fields, diag,
				       "unit, source and columns come before the first step");
	if (!pgt_fields_split(fields, words, published->n_columns + 1))
		return pgt_fields_fail(fields, diag, "not 'step NAME' and %zu values, one a column",
				       published->n_columns);
	if (has_step(published, words[0]))
		return pgt_fields_fail(fields, diag, "a second step of that name");
	grown = reallocarray(published->rows, published->n_rows + 1, sizeof(*grown));
	if (!grown)
		return out_of_memory(diag);
	published->rows = grown;
	grown[published->n_rows] = (struct pgt_published_row){ .step = NULL };
	err = fill_row(published, &grown[published->n_rows], fields, words, diag);
	if (!err)
		published->n_rows++;
	return err;
}

static int add_line(struct pgt_published *published, struct pgt_fields *fields,
		    struct pgt_diag *diag)
{
	if (!strcmp(fields->keyword, "unit"))
		return set_text(&published->unit, fields, diag);
	if (!strcmp(fields->keyword, "source"))
		return set_text(&published->source, fields, diag);
	if (!strcmp(fields->keyword, "columns"))
		return set_columns(published, fields, diag);
	if (!strcmp(fields->keyword, "step"))
		return add_row(published, fields, diag);
	return pgt_fields_fail(fields, diag, "'%s' is none of unit, source, columns, step",
			       fields->keyword);
}

int pgt_published_parse(struct pgt_published *out, const char *text, const char *path,
			struct pgt_diag *diag)
{
	struct pgt_published published = { .unit = NULL };
	struct pgt_fields fields;
	int err = pgt_fields_open(&fields, text, path, diag);

	while (!err && pgt_fields_next(&fields))
		err = add_line(&published, &fields, diag);
	if (!err && !published.n_rows)
		err = pgt_fail(diag, -EINVAL, "%s: no step in it", path);
	pgt_fields_release(&fields);
	if (err)
		pgt_published_release(&published);
	else
		*out = published;
	return err;
}

void pgt_published_release(struct pgt_published *published)
{
	for (size_t i = 0; i < published->n_rows; i++)
		free(published->rows[i].step);
	for (size_t i = 0; i < published->n_columns; i++)
		free(published->columns[i]);
	free(published->rows);
	free(published->unit);
	free(published->source);
	*published = (struct pgt_published){ .unit = NULL };
}
