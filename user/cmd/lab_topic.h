/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab_topic.h - "lab ab TOPIC": a topic of patches as kernels, sides and files of one run.
 */
#ifndef PGT_CMD_LAB_TOPIC_H
#define PGT_CMD_LAB_TOPIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "lab/ab.h"
#include "lab/ab_plan.h"
#include "lab/rig.h"
#include "lab/topic.h"

struct pgt_diag;
struct pgt_progress;

#define PGT_LAB_TOPIC_SIDES	(PGT_RIG_MAX_KERNELS + 1)	/* the control is one more */

struct pgt_lab_topic {
	struct pgt_topic topic;
	const char *suffix;		/* ":16K", borrowed; "" for the measured kernels */
	char *plan_path;		/* of the topic's file "ab", which need not exist */
	struct pgt_ab_plan plan;

	/* Once they are chosen: what is booted, in the order in which it takes turns. */
	struct pgt_rig_kernel kernels[PGT_RIG_MAX_KERNELS];
	char *specs[PGT_RIG_MAX_KERNELS];
	size_t n_kernels;
	struct pgt_ab_side sides[PGT_LAB_TOPIC_SIDES];
	struct pgt_buf steps, oracle, published;	/* files of the output directory */
};

/*
 * The topic that spec names, TOPIC[:debug][:16K|:64K], in the directory patches (NULL: none).
 * *out is NULL where spec names no topic.  Returns 0, or what the topic's files gave.
 */
int pgt_lab_topic_open(struct pgt_lab_topic **out, const char *patches, const char *spec,
		       struct pgt_diag *diag);
void pgt_lab_topic_free(struct pgt_lab_topic *topic);	/* accepts NULL */

/*
 * Choose the sides of these names (n is 0: all), and the kernels beside them unless no_beside.
 * Those are left out, and progress is told, where the sides are not the measured kernels.
 */
int pgt_lab_topic_choose(struct pgt_lab_topic *topic, const char *const *names, size_t n,
			 bool no_beside, struct pgt_progress *progress, struct pgt_diag *diag);

#define PGT_LAB_TOPIC_TEXTS	3

/* What stands in the output directory beside the recordings; it is the topic's. */
void pgt_lab_topic_texts(const struct pgt_lab_topic *topic,
			 struct pgt_ab_text out[PGT_LAB_TOPIC_TEXTS]);

#endif /* PGT_CMD_LAB_TOPIC_H */
