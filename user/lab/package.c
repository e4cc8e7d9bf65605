/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/package.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "lab/apt.h"
#include "lab/lab.h"

char *pgt_package_version(const char *text)
{
	char *version = strndup(text, strcspn(text, "_"));
	char *colon = version ? strstr(version, "%3a") : NULL;

	if (colon) {
		*colon = ':';
		memmove(colon + 1, colon + 3, strlen(colon + 3) + 1);
	}
	return version;
}

/* FNV-1a, 64 bits: names a cache entry, secures nothing. */
static uint64_t digest(uint64_t so_far, const char *text)
{
	for (; *text; text++)
		so_far = (so_far ^ (unsigned char)*text) * 0x100000001b3;
	return so_far;
}

/* The file of a package asked for as NAME, NAME/SUITE or NAME=VERSION. */
static const struct pgt_deb *deb_of(const struct pgt_debs *plan, const char *package)
{
	size_t n = strcspn(package, "/=");

	for (size_t i = 0; i < plan->n; i++)
		if (!strncmp(plan->deb[i].file, package, n) && plan->deb[i].file[n] == '_')
			return &plan->deb[i];
	return NULL;
}

static char *tree_name(const struct pgt_package_set *set, const struct pgt_debs *plan)
{
	const struct pgt_deb *first = deb_of(plan, set->packages[0]);
	uint64_t sum = 0xcbf29ce484222325;
	size_t stem;

	if (!first)
		first = &plan->deb[0];
	stem = strlen(first->file) - strlen(".deb");
	if (plan->n == 1)
		return strndup(first->file, stem);
	for (size_t i = 0; i < plan->n; i++)
		sum = digest(sum, plan->deb[i].file);
	return pgt_format("%.*s+%016jx", (int)stem, first->file, (uintmax_t)sum);
}

static int fill(const char *tree, const struct pgt_lab *lab, const struct pgt_apt *apt,
		const struct pgt_package_set *set, const struct pgt_debs *plan,
		struct pgt_diag *diag)
{
	char *partial = pgt_format("%s/%s", lab->scratch, strrchr(tree, '/') + 1);
	int err;

	if (!partial)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_apt_unpack(apt, set->packages, set->dependencies, plan, partial, set->label,
			     diag);
	if (!err && rename(partial, tree))
		err = pgt_fail(diag, -errno, "%s: cannot put it in place: %s", tree,
			       strerror(errno));
	if (err)
		pgt_lab_remove(partial);
	free(partial);
	return err;
}

int pgt_package_get(char **tree, const struct pgt_lab *lab, const struct pgt_apt *apt,
		    const struct pgt_package_set *set, struct pgt_diag *diag)
{
	char *dir = pgt_format("%s/%s", lab->cache, set->kind), *name = NULL, *path = NULL;
	struct pgt_debs plan = { NULL, 0, 0 };
	int err;

	err = pgt_apt_plan(apt, set->packages, set->dependencies, &plan, diag);
	if (err)
		goto out;
	name = tree_name(set, &plan);
	path = dir && name ? pgt_format("%s/%s", dir, name) : NULL;
	if (!path) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto out;
	}
	err = pgt_dir_make(dir, diag);
	if (!err && access(path, F_OK))
		err = fill(path, lab, apt, set, &plan, diag);
	if (!err) {
		*tree = path;
		path = NULL;
	}
out:
	pgt_debs_release(&plan);
	free(dir);
	free(name);
	free(path);
	return err;
}
