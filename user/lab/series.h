/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * series.h - the steps of a topic and the patches of each, as its file "series" has them.
 *
 *	# a comment
 *	step unbatched
 *		0001-first.patch
 *	step batched
 *		0002-second.patch
 *
 * A step is the kernel with its own patches on top of those of the steps before it; it may
 * have none.  Its name becomes part of the kernel's release, so it is short: 1 to
 * PGT_TOPIC_NAME_MAX of a-z, 0-9 and '-', the first of them no '-'.  Pure.
 */
#ifndef PGT_LAB_SERIES_H
#define PGT_LAB_SERIES_H

#include <stdbool.h>
#include <stddef.h>

struct pgt_diag;

#define PGT_TOPIC_NAME_MAX	22	/* two of them, the version and the rest are at most 64 */

struct pgt_patch_series_step {
	char *name;
	size_t n_patches;	/* how many of the series, counted from its first */
};

struct pgt_patch_series {
	struct pgt_patch_series_step *steps;
	size_t n_steps;
	char **patches;		/* names of files beside the series, in the order of application */
	size_t n_patches;
};

/*
 * Parse the text of a file; path is its name, for messages.  Returns 0, or -EINVAL with the
 * line at fault, or -ENOMEM.
 */
int pgt_patch_series_parse(struct pgt_patch_series *out, const char *text, const char *path,
		     struct pgt_diag *diag);
void pgt_patch_series_release(struct pgt_patch_series *series);	/* accepts a zeroed one */

/* The step of this name; NULL for none. */
const struct pgt_patch_series_step *pgt_patch_series_find(const struct pgt_patch_series *series,
							  const char *name);

/* Whether a topic or a step may have this name, which need not end where text ends. */
bool pgt_patch_series_is_name(const char *text, size_t len);

#endif /* PGT_LAB_SERIES_H */
