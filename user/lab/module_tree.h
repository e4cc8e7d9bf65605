/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module_tree.h - the modules of a kernel that is not running, and what they depend on.
 *
 * Debian's kernel packages hold no modules.dep (it is made at installation), so the
 * dependencies are read from each module's own .modinfo section.
 */
#ifndef PGT_LAB_MODULE_TREE_H
#define PGT_LAB_MODULE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct pgt_diag;
struct pgt_lab;

struct pgt_module {
	char *name;		/* with '_' for every '-' */
	char *path;		/* as packaged, perhaps compressed */
	const char *unpacker;	/* program that unpacks it to standard output; NULL: plain */
	struct pgt_buf object;	/* the plain ELF object, once loaded */
	bool visited;
};

struct pgt_module_tree {
	const struct pgt_lab *lab;
	struct pgt_module *modules;
	size_t n;
};

/* Find the modules below a directory. */
int pgt_module_tree_open(struct pgt_module_tree *tree, const struct pgt_lab *lab,
			 const char *dir, struct pgt_diag *diag);
void pgt_module_tree_release(struct pgt_module_tree *tree);	/* accepts a zeroed one */

/*
 * Load a module and all that it needs, and call each() for every one in the order in
 * which they must be inserted.  A name without a file is built in, or not there at all:
 * nothing is called for it, and the guest says so when it misses it.
 */
int pgt_module_tree_resolve(struct pgt_module_tree *tree, const char *name,
			    int (*each)(void *ctx, const struct pgt_module *module,
					struct pgt_diag *diag),
			    void *ctx, struct pgt_diag *diag);

/* Forget what was visited, so that the next list is complete in itself. */
void pgt_module_tree_rewind(struct pgt_module_tree *tree);

#endif /* PGT_LAB_MODULE_TREE_H */
