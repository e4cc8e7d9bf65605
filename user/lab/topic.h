/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topic.h - the directory kernel-patches/ and the topics in it.
 *
 *	source			package and version that all patches are made for
 *	measured.config		what every kernel of a topic has beside its defaults
 *	debug.config		on top of it, for the checks
 *	pages-16K.config	on top of those, one for each size of pages
 *	TOPIC/series		the steps, see series.h
 *	TOPIC/config		on top of all, where a topic needs options of its own
 *	TOPIC/ab		which kernels are held against each other, see ab_plan.h
 *	TOPIC/NAME.patch
 */
#ifndef PGT_LAB_TOPIC_H
#define PGT_LAB_TOPIC_H

#include <stdbool.h>

#include "lab/build_name.h"
#include "lab/series.h"

struct pgt_buf;
struct pgt_diag;

struct pgt_topic {
	char *name;
	char *dir;
	struct pgt_patch_series series;
};

/* Whether spec starts with the name of a topic and a '/'.  patches may be NULL. */
bool pgt_topic_is_spec(const char *patches, const char *spec);

/* Whether it is the name of a topic, perhaps with a ':' and more behind it.  patches likewise. */
bool pgt_topic_is_name(const char *patches, const char *spec);

/* Returns 0, -ENOENT where there is no such topic, or what its series gave. */
int pgt_topic_open(struct pgt_topic *out, const char *patches, const char *name,
		   struct pgt_diag *diag);
void pgt_topic_release(struct pgt_topic *topic);	/* accepts a zeroed one */

/* The step of this name; -ENOENT names those that there are. */
int pgt_topic_step(const struct pgt_topic *topic, const char *name,
		   const struct pgt_patch_series_step **out, struct pgt_diag *diag);

/* Append the fragments of a configuration, in the order in which they count. */
int pgt_topic_config(const struct pgt_topic *topic, const struct pgt_build_name *name,
		     struct pgt_buf *out, struct pgt_diag *diag);

/* Append the patches of a step, whole, each after a line with its name. */
int pgt_topic_patches(const struct pgt_topic *topic, const struct pgt_patch_series_step *step,
		      struct pgt_buf *out, struct pgt_diag *diag);

#endif /* PGT_LAB_TOPIC_H */
