/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tree.h - patches applied to the source that is built.
 */
#ifndef PGT_LAB_TREE_H
#define PGT_LAB_TREE_H

#include <stddef.h>

struct pgt_diag;
struct pgt_lab;
struct pgt_source;
struct pgt_topic;

/*
 * Make source->tree the pristine source with the first n_patches of the topic.  Patches
 * must apply without fuzz.  They are applied to copies of the files they name; only then are
 * files of the tree replaced, and only those whose content differs, so that make(1) sees by
 * their times what to compile again.
 *
 * Returns 0, -ESTALE where a patch does not apply (with the hunk; the tree stays as it was),
 * or what reading and writing files gave.
 */
int pgt_tree_patch(const struct pgt_source *source, const struct pgt_lab *lab,
		   const struct pgt_topic *topic, size_t n_patches, struct pgt_diag *diag);

#endif /* PGT_LAB_TREE_H */
