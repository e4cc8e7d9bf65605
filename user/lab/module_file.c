/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/module_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/lab.h"
#include "lab/modules.h"
#include "lab/program.h"

#ifndef MODULE_INIT_COMPRESSED_FILE
#define MODULE_INIT_COMPRESSED_FILE	4
#endif

/* The last line that is not empty, with its end cut off; NULL where there is none. */
static const char *last_line(struct pgt_buf *text)
{
	char *start;

	while (text->len && text->at[text->len - 1] == '\n')
		text->at[--text->len] = '\0';
	if (!text->len)
		return NULL;
	start = strrchr(text->at, '\n');
	return start ? start + 1 : text->at;
}

/* A list ends with the module itself, or with something else where the kernel lacks that. */
static bool names_module(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t n = strlen(name);

	return slash && !strncmp(slash + 1, name, n) && !strcmp(slash + 1 + n, ".ko");
}

static int find_in_list(const char *name, struct pgt_buf *text, const char **path,
			struct pgt_diag *diag)
{
	char *list = pgt_format("/lab/modules/%s.list", name);
	int err = list ? pgt_file_read(list, text, diag) :
			 pgt_fail(diag, -ENOMEM, "out of memory");

	free(list);
	if (err)
		return err;
	*path = last_line(text);
	if (*path && !names_module(*path, name))
		*path = NULL;
	return 0;
}

/* A module that is built in has the file name "(builtin)". */
static int ask_modinfo(const char *name, struct pgt_buf *text, const char **path,
		       struct pgt_diag *diag)
{
	const char *const argv[] = { "modinfo", "-n", name, NULL };
	const struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
					     .interrupt_fd = -1 };
	int err = pgt_program_run(&program, text, diag);

	*path = NULL;
	if (err == -ECHILD)
		return 0;	/* it knows no such module */
	if (err)
		return pgt_wrap(diag, err, "module %s cannot be looked for", name);
	*path = last_line(text);
	if (*path && **path != '/')
		*path = NULL;
	return 0;
}

int pgt_module_file_find(const char *name, char **path, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	const char *found = NULL;
	int err = 0;

	if (pgt_modules_listed(name))
		err = find_in_list(name, &text, &found, diag);
	else if (access("/lab/modules", F_OK))
		err = ask_modinfo(name, &text, &found, diag);
	if (!err && !found)
		err = pgt_fail(diag, -ENODEV, "not supported: this kernel has no module %s; those "
			       "that 'pgtrace lab build' makes have phram and test_vmalloc", name);
	if (!err) {
		char *copy = strdup(found);

		if (copy)
			*path = copy;
		else
			err = pgt_fail(diag, -ENOMEM, "out of memory");
	}
	pgt_buf_release(&text);
	return err;
}

static int flags_of(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && !strcmp(path + n - 3, ".ko") ? 0 : MODULE_INIT_COMPRESSED_FILE;
}

int pgt_module_file_insert(const char *path, const char *parameters, struct pgt_diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot open the module: %s", path,
				strerror(errno));
	/* ENOENT here is not about the file: a module that has the symbols is not loaded. */
	if (syscall(SYS_finit_module, fd, parameters, flags_of(path)))
		err = pgt_fail(diag, -errno, "%s: the kernel refuses the module: %s", path,
			       errno == ENOENT ? "a module that it depends on is not loaded" :
						 strerror(errno));
	close(fd);
	return err;
}

int pgt_module_remove(const char *name, struct pgt_diag *diag)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		return pgt_fail(diag, -errno, "module %s cannot be removed: %s", name,
				errno == EAGAIN ? "something uses it" : strerror(errno));
	return 0;
}

bool pgt_module_is_loaded(const char *name)
{
	char *path = pgt_format("/sys/module/%s", name);
	bool loaded = path && !access(path, F_OK);

	free(path);
	return loaded;
}

/* A guest is ours, and what nobody uses there is left from an earlier workload. */
static int check_unloaded(const char *name, struct pgt_diag *diag)
{
	if (!pgt_module_is_loaded(name))
		return 0;
	if (pgt_modules_listed(name))
		return pgt_module_remove(name, diag);
	return pgt_fail(diag, -EBUSY, "module %s is loaded already, and not by pgtrace: remove it "
			"first (modprobe -r %s)", name, name);
}

int pgt_module_file_make_ready(const char *name, char **path, struct pgt_diag *diag)
{
	int err = pgt_module_file_find(name, path, diag);

	if (!err)
		err = check_unloaded(name, diag);
	if (!err)
		err = pgt_modules_load(name, diag);
	return err ? err : pgt_module_remove(name, diag);
}
