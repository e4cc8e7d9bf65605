/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * package.h - a set of packages, unpacked once into the cache under the name of its content.
 */
#ifndef PGT_LAB_PACKAGE_H
#define PGT_LAB_PACKAGE_H

#include <stdbool.h>

struct pgt_apt;
struct pgt_diag;
struct pgt_lab;

struct pgt_package_set {
	const char *kind;		/* directory below the cache: "kernels", "qemu", ... */
	const char *label;		/* for the progress */
	const char *const *packages;	/* as for pgt_apt_plan(); the first names the tree */
	bool dependencies;
};

/*
 * The path of the unpacked set, <cache>/KIND/PACKAGE_VERSION_ARCH (of the first package;
 * with more than one, "+" and a digest of the others' names and versions), fetched where the cache
 * does not have it.  It appears complete or not at all.
 */
int pgt_package_get(char **tree, const struct pgt_lab *lab, const struct pgt_apt *apt,
		    const struct pgt_package_set *set, struct pgt_diag *diag);

/* "1%3a2.0-1_arm64+0123" -> "1:2.0-1".  On the heap; NULL where memory ran out. */
char *pgt_package_version(const char *text);

#endif /* PGT_LAB_PACKAGE_H */
