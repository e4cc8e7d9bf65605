/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/initramfs.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/arch.h"
#include "lab/cpio.h"
#include "lab/lab.h"
#include "lab/module_tree.h"

#define CONSOLE_MAJOR	5
#define CONSOLE_MINOR	1

static const char *const directories[] = {
	"dev", "proc", "sys", "tmp", "lab", "lab/bin", "lab/ko", "lab/modules",
};

/* Lists of modules that a guest may ask for; lzo-rle is what zram compresses with. */
static const struct list {
	const char *name;
	const char *modules[5];
} lists[] = {
	{ "boot", { "virtio_pci", "virtio_console", "virtio_blk", NULL } },
	{ "virtio_mem", { "virtio_mem", NULL } },
	{ "zram", { "lzo", "lzo_rle", "zram", NULL } },
	{ "zsmalloc", { "zsmalloc", NULL } },
	{ "test_vmalloc", { "test_vmalloc", NULL } },
	{ "mtd", { "mtd", NULL } },
	{ "phram", { "phram", NULL } },
};

struct lists {			/* the module lists being made */
	struct pgt_cpio *cpio;
	struct pgt_buf paths;	/* of the current list */
	struct pgt_buf added;	/* "\nNAME\n" of the modules in the archive already */
};

/* Refused here rather than by a guest that hangs: wrong architecture, or not static. */
static int check_init(const struct pgt_buf *init, const char *path, const struct pgt_arch *arch,
		      struct pgt_diag *diag)
{
	Elf64_Ehdr header;

	if (init->len < sizeof(header) || memcmp(init->at, ELFMAG, SELFMAG))
		return pgt_fail(diag, -ENOEXEC, "%s: not an ELF program", path);
	memcpy(&header, init->at, sizeof(header));
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != arch->elf_machine)
		return pgt_fail(diag, -ENOEXEC, "%s: not a program for %s", path, arch->name);
	for (size_t i = 0; i < header.e_phnum; i++) {
		uint64_t at = header.e_phoff + i * header.e_phentsize;
		Elf64_Phdr segment;

		if (at > init->len || init->len - at < sizeof(segment))
			return pgt_fail(diag, -ENOEXEC, "%s: truncated", path);
		memcpy(&segment, init->at + at, sizeof(segment));
		if (segment.p_type == PT_INTERP)
			return pgt_fail(diag, -ENOEXEC,
					"%s: not static, and a guest has no libraries: build it "
					"with STATIC=1",
					path);
	}
	return 0;
}

int pgt_initramfs_check(const char *path, const struct pgt_arch *arch, struct pgt_diag *diag)
{
	struct pgt_buf init = PGT_BUF_INIT;
	int err = pgt_file_read(path, &init, diag);

	if (!err)
		err = check_init(&init, path, arch, diag);
	pgt_buf_release(&init);
	return err;
}

static int add_init(struct pgt_cpio *cpio, const char *path, const struct pgt_arch *arch,
		    struct pgt_diag *diag)
{
	struct pgt_buf init = PGT_BUF_INIT;
	int err = pgt_file_read(path, &init, diag);

	if (!err)
		err = check_init(&init, path, arch, diag);
	if (!err)
		err = pgt_cpio_file(cpio, "init", 0755, init.at, init.len, diag);
	pgt_buf_release(&init);
	return err;
}

static int add_args(struct pgt_cpio *cpio, const char *const *args, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_buf_add(&text, "", 0);

	for (size_t i = 0; !err && args[i]; i++) {
		if (strchr(args[i], '\n')) {
			err = pgt_fail(diag, -EINVAL, "an argument for the guest holds a newline");
			break;
		}
		err = pgt_buf_addf(&text, "%s\n", args[i]);
	}
	if (!err)
		err = pgt_cpio_file(cpio, "lab/args", 0644, text.at, text.len, diag);
	pgt_buf_release(&text);
	return err;
}

static int add_module(void *ctx, const struct pgt_module *module, struct pgt_diag *diag)
{
	struct lists *made = ctx;
	char *name = pgt_format("lab/ko/%s.ko", module->name);
	char *mark = pgt_format("\n%s\n", module->name);
	int err = 0;

	if (!name || !mark || pgt_buf_addf(&made->paths, "/%s\n", name)) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto out;
	}
	if (made->added.at && strstr(made->added.at, mark))
		goto out;
	err = pgt_cpio_file(made->cpio, name, 0644, module->object.at, module->object.len, diag);
	if (!err && pgt_buf_addf(&made->added, "%s", mark))
		err = pgt_fail(diag, -ENOMEM, "out of memory");
out:
	free(name);
	free(mark);
	return err;
}

static int add_list(struct lists *made, const struct list *list, struct pgt_module_tree *tree,
		    struct pgt_diag *diag)
{
	char *name = pgt_format("lab/modules/%s.list", list->name);
	int err = name ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");

	made->paths.len = 0;
	if (!err)
		err = pgt_buf_add(&made->paths, "", 0);
	pgt_module_tree_rewind(tree);
	for (size_t i = 0; !err && list->modules[i]; i++)
		err = pgt_module_tree_resolve(tree, list->modules[i], add_module, made, diag);
	if (!err)
		err = pgt_cpio_file(made->cpio, name, 0644, made->paths.at, made->paths.len, diag);
	free(name);
	return err;
}

static int add_modules(struct pgt_cpio *cpio, const char *dir, const struct pgt_lab *lab,
		       struct pgt_diag *diag)
{
	struct lists made = { cpio, PGT_BUF_INIT, PGT_BUF_INIT };
	struct pgt_module_tree tree = { .lab = NULL };
	int err = dir ? pgt_module_tree_open(&tree, lab, dir, diag) : 0;

	for (size_t i = 0; !err && i < sizeof(lists) / sizeof(lists[0]); i++)
		err = add_list(&made, &lists[i], &tree, diag);
	pgt_module_tree_release(&tree);
	pgt_buf_release(&made.paths);
	pgt_buf_release(&made.added);
	return err;
}

static int add_programs(struct pgt_cpio *cpio, const char *const *programs,
			struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && programs && programs[i]; i++) {
		const char *slash = strrchr(programs[i], '/');
		char *name = pgt_format("lab/bin/%s", slash ? slash + 1 : programs[i]);
		struct pgt_buf content = PGT_BUF_INIT;

		err = name ? pgt_file_read(programs[i], &content, diag)
			   : pgt_fail(diag, -ENOMEM, "out of memory");
		if (!err)
			err = pgt_cpio_file(cpio, name, 0755, content.at, content.len, diag);
		pgt_buf_release(&content);
		free(name);
	}
	return err;
}

static int fill(struct pgt_cpio *cpio, const struct pgt_initramfs *content,
		const struct pgt_lab *lab, const struct pgt_arch *arch, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(directories) / sizeof(directories[0]); i++)
		err = pgt_cpio_dir(cpio, directories[i], diag);
	if (!err)
		err = pgt_cpio_char_device(cpio, "dev/console", 0600, CONSOLE_MAJOR,
					   CONSOLE_MINOR, diag);
	if (!err)
		err = add_init(cpio, content->init, arch, diag);
	if (!err)
		err = add_args(cpio, content->args, diag);
	if (!err)
		err = add_modules(cpio, content->modules, lab, diag);
	if (!err)
		err = add_programs(cpio, content->programs, diag);
	return err ? err : pgt_cpio_finish(cpio, diag);
}

int pgt_initramfs_write(const char *path, const struct pgt_initramfs *content,
			const struct pgt_lab *lab, const struct pgt_arch *arch,
			struct pgt_diag *diag)
{
	struct pgt_file_out out;
	struct pgt_cpio cpio;
	int err = pgt_file_out_open(&out, path, diag);

	if (err)
		return err;
	pgt_cpio_init(&cpio, out.stream);
	err = fill(&cpio, content, lab, arch, diag);
	return pgt_file_out_finish(&out, err, diag);
}
