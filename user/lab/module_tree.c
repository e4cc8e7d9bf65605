/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/module_tree.h"

#include <elf.h>
#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "lab/lab.h"
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
	*tree = (struct pgt_module_tree){ NULL };
}

/* The section header of this number; false where it or its content is out of the file. */
static bool section_at(const struct pgt_buf *object, const Elf64_Ehdr *header, size_t i,
		       Elf64_Shdr *out)
{
	uint64_t at = header->e_shoff + (uint64_t)i * header->e_shentsize;

	if (i >= header->e_shnum || header->e_shentsize < sizeof(*out) ||
	    at > object->len || object->len - at < sizeof(*out))
		return false;
	memcpy(out, object->at + at, sizeof(*out));
	return out->sh_type == SHT_NOBITS ||
	       (out->sh_offset <= object->len && out->sh_size <= object->len - out->sh_offset);
}

static const char *find_entry(const char *at, size_t n, const char *key)
{
	const char *end = at + n;
	size_t n_key = strlen(key);

	while (at < end) {
		size_t entry = strnlen(at, (size_t)(end - at));

		if (at + entry == end)
			return NULL;	/* not terminated */
		if (entry >= n_key && !memcmp(at, key, n_key))
			return at + n_key;
		at += entry + 1;
	}
	return NULL;
}

const char *pgt_module_depends(const struct pgt_buf *object)
{
	Elf64_Ehdr header;
	Elf64_Shdr names, section;

	if (object->len < sizeof(header))
		return NULL;
	memcpy(&header, object->at, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    !section_at(object, &header, header.e_shstrndx, &names))
		return NULL;
	for (size_t i = 0; section_at(object, &header, i, &section); i++) {
		static const char modinfo[] = ".modinfo";

		if (section.sh_type == SHT_NOBITS || section.sh_name > names.sh_size ||
		    names.sh_size - section.sh_name < sizeof(modinfo) ||
		    memcmp(object->at + names.sh_offset + section.sh_name, modinfo,
			   sizeof(modinfo)))
			continue;
		return find_entry(object->at + section.sh_offset, section.sh_size, "depends=");
	}
	return NULL;
}

static int load(const struct pgt_module_tree *tree, struct pgt_module *module,
		struct pgt_diag *diag)
{
	const struct packing *packing = packing_of(module->path);
	const char *const argv[] = { packing->program, "-dc", module->path, NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = tree->lab->interrupt_fd };

	if (module->object.len)
		return 0;
	if (!packing->program)
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
