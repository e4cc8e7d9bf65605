/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/steps_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "report/fields.h"

#define TEXT(x)		#x
#define NUMBER(x)	TEXT(x)

static bool is_name(const char *text)
{
	size_t n = strlen(text);

	return n >= 1 && n <= PGT_SIDE_NAME_MAX && text[0] != '-' &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

size_t pgt_steps_list_find(const struct pgt_steps_list *list, const char *name)
{
	size_t i = 0;

	while (i < list->n && strcmp(list->entries[i].name, name))
		i++;
	return i;
}

static int check_line(const struct pgt_steps_list *list, const struct pgt_fields *fields,
		      bool is_beside, struct pgt_diag *diag)
{
	if (!is_beside && strcmp(fields->keyword, "step"))
		return pgt_fields_fail(fields, diag, "neither 'step NAME' nor 'beside NAME'");
	if (!is_name(fields->rest))
		return pgt_fields_fail(fields, diag, "a side has a name of up to "
				       NUMBER(PGT_SIDE_NAME_MAX) " of a-z, 0-9 and '-'");
	if (!strcmp(fields->rest, "control"))
		return pgt_fields_fail(fields, diag, "a side is not named 'control': "
				       "control.jsonl is the first step again");
	if (pgt_steps_list_find(list, fields->rest) < list->n)
		return pgt_fields_fail(fields, diag, "a second side of that name");
	if (is_beside && !list->n)
		return pgt_fields_fail(fields, diag, "what stands beside comes after the steps");
	if (!is_beside && list->n > list->n_steps)
		return pgt_fields_fail(fields, diag, "a step after what stands beside the steps");
	return 0;
}

static int add_line(struct pgt_steps_list *list, const struct pgt_fields *fields,
		    struct pgt_diag *diag)
{
	bool is_beside = !strcmp(fields->keyword, "beside");
	struct pgt_steps_entry *grown;
	int err = check_line(list, fields, is_beside, diag);

	if (err)
		return err;
	grown = reallocarray(list->entries, list->n + 1, sizeof(*grown));
	if (!grown)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	list->entries = grown;
	grown[list->n] = (struct pgt_steps_entry){ strdup(fields->rest), is_beside };
	if (!grown[list->n].name)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	list->n++;
	list->n_steps += !is_beside;
	return 0;
}

int pgt_steps_list_parse(struct pgt_steps_list *out, const char *text, const char *path,
			 struct pgt_diag *diag)
{
	struct pgt_steps_list list = { .n = 0 };
	struct pgt_fields fields;
	int err = pgt_fields_open(&fields, text, path, diag);

	while (!err && pgt_fields_next(&fields))
		err = add_line(&list, &fields, diag);
	if (!err && list.n < 2)
		err = pgt_fail(diag, -EINVAL, "%s: %s in it: a report needs two sides or more",
			       path, list.n ? "only one side" : "nothing");
	pgt_fields_release(&fields);
	if (err)
		pgt_steps_list_release(&list);
	else
		*out = list;
	return err;
}

void pgt_steps_list_release(struct pgt_steps_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->entries[i].name);
	free(list->entries);
	*list = (struct pgt_steps_list){ .n = 0 };
}
