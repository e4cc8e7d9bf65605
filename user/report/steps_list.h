/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_list.h - which recordings stand side by side, as the file "steps" has them.
 *
 *	# a comment
 *	step unbatched
 *	step batched
 *	beside stock
 *
 * The first step is what all others are compared with.  What stands beside the steps is no step
 * of the topic: a stock kernel that merged it.  NAME.jsonl is the recording of each.  Names are
 * those of a patch series (lab/series.h), but "control", whose recording is the first again.
 */
#ifndef PGT_REPORT_STEPS_LIST_H
#define PGT_REPORT_STEPS_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define PGT_SIDE_NAME_MAX	22

struct pgt_diag;

struct pgt_steps_entry {
	char *name;
	bool is_beside;
};

struct pgt_steps_list {
	struct pgt_steps_entry *entries;	/* at least two; the first is a step */
	size_t n;
	size_t n_steps;		/* these come first */
};

/* Returns 0, or -EINVAL with the line at fault, or -ENOMEM.  path is for messages. */
int pgt_steps_list_parse(struct pgt_steps_list *out, const char *text, const char *path,
			 struct pgt_diag *diag);
void pgt_steps_list_release(struct pgt_steps_list *list);	/* accepts a zeroed one */

/* The number of a name; list->n where there is none. */
size_t pgt_steps_list_find(const struct pgt_steps_list *list, const char *name);

#endif /* PGT_REPORT_STEPS_LIST_H */
