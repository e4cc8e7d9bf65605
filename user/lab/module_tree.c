/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/module_tree.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "lab/lab.h"
#include "lab/module_info.h"
#include "lab/program.h"

static const struct packing {
	const char *suffix;
	const char *program;	/* NULL: plain */
} packings[] = {
	{ ".ko", NULL },
	{ ".ko.xz", "xz" },
	{ ".ko.gz", "gzip" },
	{ ".ko.zst", "zstd" },
};

static const struct packing *packing_of(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		size_t suffix = strlen(packings[i].suffix);

		if (n > suffix && !strcmp(path + n - suffix, packings[i].suffix))
			return &packings[i];
	}
	return NULL;
}

/* A module's name is its file's, with '_' for '-': the kernel takes both for the same. */
static void unify(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

static int add_module(struct pgt_module_tree *tree, const char *path, const char *file)
{
	const struct packing *packing = packing_of(file);
	struct pgt_module *modules, *module;

	if (!packing)
		return 0;
	modules = reallocarray(tree->modules, tree->n + 1, sizeof(*modules));
	if (!modules)
		return -ENOMEM;
	tree->modules = modules;
	module = &modules[tree->n];
	*module = (struct pgt_module){
		.name = strndup(file, strlen(file) - strlen(packing->suffix)),
		.path = strdup(path),
		.unpacker = packing->program,
	};
	tree->n++;
	if (!module->name || !module->path)
		return -ENOMEM;
	unify(module->name);
	return 0;
}

int pgt_module_tree_open(struct pgt_module_tree *tree, const struct pgt_lab *lab,
			 const char *dir, struct pgt_diag *diag)
{
	struct pgt_module_tree made = { .lab = lab };
	char *const paths[] = { (char *)dir, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int err = 0;

	if (!walk)
		return pgt_fail(diag, -errno, "%s: cannot read: %s", dir, strerror(errno));
	while (!err && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F)
			err = add_module(&made, entry->fts_path, entry->fts_name);
	fts_close(walk);
	if (err) {
		pgt_module_tree_release(&made);
		return pgt_fail(diag, err, "%s: out of memory", dir);
	}
	*tree = made;
	return 0;
}

void pgt_module_tree_release(struct pgt_module_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		free(tree->modules[i].name);
		free(tree->modules[i].path);
		pgt_buf_release(&tree->modules[i].object);
	}
	free(tree->modules);
	*tree = (struct pgt_module_tree){ .lab = NULL };
}

static int load(const struct pgt_module_tree *tree, struct pgt_module *module,
		struct pgt_diag *diag)
{
	const char *const argv[] = { module->unpacker, "-dc", module->path, NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = tree->lab->interrupt_fd };

	if (module->object.len)
		return 0;
	if (!module->unpacker)
		return pgt_file_read(module->path, &module->object, diag);
	return pgt_program_run(&program, &module->object, diag);
}

static struct pgt_module *find(const struct pgt_module_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->n; i++)
		if (!strcmp(tree->modules[i].name, name))
			return &tree->modules[i];
	return NULL;
}

int pgt_module_tree_resolve(struct pgt_module_tree *tree, const char *name,
			    int (*each)(void *ctx, const struct pgt_module *module,
					struct pgt_diag *diag),
			    void *ctx, struct pgt_diag *diag)
{
	char *wanted = strdup(name), *list = NULL, *rest, *dependency;
	struct pgt_module *module;
	const char *depends;
	int err = 0;

	if (!wanted)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	unify(wanted);
	module = find(tree, wanted);
	free(wanted);
	if (!module || module->visited)
		return 0;
	module->visited = true;
	err = load(tree, module, diag);
	if (err)
		return err;
	depends = pgt_module_depends(&module->object);
	if (!depends)
		return pgt_fail(diag, -ENOEXEC, "%s: not a kernel module", module->path);
	rest = list = strdup(depends);
	if (!list)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	while (!err && (dependency = strsep(&rest, ",")))
		if (*dependency)
			err = pgt_module_tree_resolve(tree, dependency, each, ctx, diag);
	free(list);
	return err ? err : each(ctx, module, diag);
}

void pgt_module_tree_rewind(struct pgt_module_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		tree->modules[i].visited = false;
}
