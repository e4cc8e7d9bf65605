/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ab_plan.h - how the steps of a topic are held against each other: its file "ab".
 *
 *	# a comment
 *	side NAME [STEP] [PARAMETER...]		the step's kernel, with these kernel parameters
 *	beside NAME KERNEL [PARAMETER...]	a stock kernel, as kernel.h takes it
 *	options --OPTION[=VALUE]...		of "lab ab", where the command line has no others
 *	workloads WORKLOAD...			likewise
 *
 * STEP is NAME where it is not given: the word behind NAME is a parameter if it has a '=' or a
 * '.', and else a step.  Without a side there is one for each step of the series.  The
 * first side is the base.  A name becomes that of a recording, and follows the rule of series.h.
 * Words end at blanks and cannot be quoted.  Pure.
 */
#ifndef PGT_LAB_AB_PLAN_H
#define PGT_LAB_AB_PLAN_H

#include <stddef.h>

#include "lab/series.h"

struct pgt_diag;

#define PGT_AB_PLAN_MAX_SIDES	16	/* those beside included */
#define PGT_AB_PLAN_MAX_PARAMETERS	512	/* characters; --append takes as many again, and more */

struct pgt_ab_plan_side {
	char *name;
	char *kernel;			/* a step; of those beside, a spec of kernel.h */
	char *parameters;		/* NULL: none */
};

struct pgt_ab_plan_sides {
	struct pgt_ab_plan_side *at;
	size_t n;
};

struct pgt_ab_plan_words {
	char **at;			/* NULL-terminated; NULL where n is 0 */
	size_t n;
	size_t line;			/* where they stand, from 1; 0: nowhere */
};

struct pgt_ab_plan {
	struct pgt_ab_plan_sides sides;		/* at least one */
	struct pgt_ab_plan_sides beside;
	struct pgt_ab_plan_words options, workloads;
};

/*
 * Parse the text of a file, "" where there is none; path is its name, for messages.  Whether
 * options and workloads are known is not asked here.  Returns 0, or -EINVAL with the line
 * at fault, or -ENOMEM.
 */
int pgt_ab_plan_parse(struct pgt_ab_plan *out, const char *text, const char *path,
		      const struct pgt_patch_series *series, struct pgt_diag *diag);
void pgt_ab_plan_release(struct pgt_ab_plan *plan);	/* accepts a zeroed one */

/* Keep the sides of these names, in the order of the file; -ENOENT says which there are. */
int pgt_ab_plan_choose(struct pgt_ab_plan *plan, const char *const *names, size_t n,
		       struct pgt_diag *diag);

/* No kernels beside. */
void pgt_ab_plan_drop_beside(struct pgt_ab_plan *plan);

#endif /* PGT_LAB_AB_PLAN_H */
