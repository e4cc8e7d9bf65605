/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/tree.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/lab.h"
#include "lab/patch_text.h"
#include "lab/program.h"
#include "lab/source.h"
#include "lab/topic.h"

struct patching {
	const struct pgt_source *source;
	const struct pgt_lab *lab;
	const struct pgt_topic *topic;
	char *staging;			/* the patched files, at their paths */
	struct pgt_buf paths;		/* that the patches name, one a line */
	struct pgt_diag *diag;
};

/* ---- files ---- */

/* Returns 1 where the file is read, 0 where there is none. */
static int read_if_there(const char *path, struct pgt_buf *out, struct pgt_diag *diag)
{
	int err;

	if (access(path, F_OK))
		return 0;
	err = pgt_file_read(path, out, diag);
	return err ? err : 1;
}

static int write_file(const char *path, const struct pgt_buf *content, mode_t mode,
		      struct pgt_diag *diag)
{
	char *dir = strndup(path, (size_t)(strrchr(path, '/') - path));
	int err = dir ? pgt_dir_make(dir, diag) : pgt_fail(diag, -ENOMEM, "out of memory");

	free(dir);
	if (!err)
		err = pgt_file_write(path, content, diag);
	if (!err && chmod(path, mode))
		err = pgt_fail(diag, -errno, "%s: cannot set its mode: %s", path, strerror(errno));
	return err;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0644 : st.st_mode & 07777;
}

/* Call each() for every line of text, which is changed meanwhile. */
static int for_each_line(struct pgt_buf *text, int (*each)(struct patching *p, const char *line),
			 struct patching *p)
{
	char *rest = text->at, *line;
	int err = 0;

	while (!err && rest && (line = strsep(&rest, "\n"))) {
		if (*line)
			err = each(p, line);
		if (rest)
			rest[-1] = '\n';
	}
	return err;
}

/* ---- the copies ---- */

static int copy_pristine(struct patching *p, const char *path)
{
	char *from = pgt_format("%s/%s", p->source->pristine, path);
	char *to = pgt_format("%s/%s", p->staging, path);
	struct pgt_buf content = PGT_BUF_INIT;
	int err = from && to ? read_if_there(from, &content, p->diag)
			     : pgt_fail(p->diag, -ENOMEM, "out of memory");

	if (err == 1)
		err = write_file(to, &content, mode_of(from), p->diag);
	pgt_buf_release(&content);
	free(from);
	free(to);
	return err;
}

static int read_paths(struct patching *p, const char *patch)
{
	char *path = pgt_format("%s/%s", p->topic->dir, patch);
	struct pgt_buf text = PGT_BUF_INIT;
	int err = path ? pgt_file_read(path, &text, p->diag)
		       : pgt_fail(p->diag, -ENOMEM, "out of memory");

	if (!err) {
		err = pgt_patch_paths(text.at ? text.at : "", &p->paths);
		if (err == -EINVAL)
			pgt_fail(p->diag, err, "%s: no patch with paths a/... and b/...", path);
		else if (err)
			pgt_fail(p->diag, err, "out of memory");
	}
	pgt_buf_release(&text);
	free(path);
	return err;
}

static int apply(struct patching *p, const char *patch)
{
	char *path = pgt_format("%s/%s", p->topic->dir, patch), *line;
	char *absolute = path ? realpath(path, NULL) : NULL;
	const char *const argv[] = {
		"patch", "-p1", "--fuzz=0", "--batch", "--forward", "--no-backup-if-mismatch",
		"--reject-file=-", "-i", absolute, NULL
	};
	struct pgt_program program = { .argv = argv, .cwd = p->staging, .stdout_fd = -1,
				       .stderr_fd = -1, .interrupt_fd = p->lab->interrupt_fd };
	struct pgt_buf output = PGT_BUF_INIT;
	int err = absolute ? pgt_program_run(&program, &output, p->diag)
			   : pgt_fail(p->diag, -ENOMEM, "out of memory");

	if (err == -ECHILD) {
		line = pgt_patch_telling_line(output.at ? output.at : "");
		err = pgt_fail(p->diag, -ESTALE,
			       "%s/%s does not apply to %s %s without fuzz: %s: make the patch anew for this source, or name the version that it is for in kernel-patches/source",
			       p->topic->name, patch, p->source->is.package, p->source->is.version,
			       line ? line : "patch(1) does not say why");
		free(line);
	}
	pgt_buf_release(&output);
	free(path);
	free(absolute);
	return err;
}

static int stage(struct patching *p, size_t n_patches)
{
	int err = pgt_dir_make(p->staging, p->diag);

	for (size_t i = 0; !err && i < n_patches; i++)
		err = read_paths(p, p->topic->series.patches[i]);
	if (!err)
		err = for_each_line(&p->paths, copy_pristine, p);
	for (size_t i = 0; !err && i < n_patches; i++)
		err = apply(p, p->topic->series.patches[i]);
	return err;
}

/* ---- the tree ---- */

static bool names(const struct pgt_buf *lines, const char *line)
{
	size_t len = strlen(line);
	const char *at = lines->at;

	while (at && (at = strstr(at, line))) {
		if ((at == lines->at || at[-1] == '\n') && at[len] == '\n')
			return true;
		at += len;
	}
	return false;
}

/* Make one file of the tree what it shall be: as patched, else as pristine, else not there. */
static int sync_file(struct patching *p, const char *path)
{
	char *staged = pgt_format("%s/%s", p->staging, path);
	char *pristine = pgt_format("%s/%s", p->source->pristine, path);
	char *target = pgt_format("%s/%s", p->source->tree, path);
	const char *from = names(&p->paths, path) ? staged : pristine;
	struct pgt_buf want = PGT_BUF_INIT, have = PGT_BUF_INIT;
	int err = staged && pristine && target ? 0 : pgt_fail(p->diag, -ENOMEM, "out of memory");
	int wanted = err ? err : read_if_there(from, &want, p->diag);
	int there = wanted < 0 ? wanted : read_if_there(target, &have, p->diag);

	if (there < 0)
		err = there;
	else if (!wanted && there && unlink(target))
		err = pgt_fail(p->diag, -errno, "%s: cannot remove: %s", target, strerror(errno));
	else if (wanted && !(there && want.len == have.len &&
			     !memcmp(want.at, have.at, want.len)))
		err = write_file(target, &want, mode_of(from), p->diag);
	pgt_buf_release(&want);
	pgt_buf_release(&have);
	free(staged);
	free(pristine);
	free(target);
	return err;
}

/* The files that were ever patched, these included: recorded before the first is written. */
static int sync_tree(struct patching *p)
{
	char *list = pgt_format("%s/patched-files", p->source->dir);
	struct pgt_buf touched = PGT_BUF_INIT, all = PGT_BUF_INIT;
	char *rest, *line;
	int err = list ? read_if_there(list, &touched, p->diag)
		       : pgt_fail(p->diag, -ENOMEM, "out of memory");

	if (err >= 0 && p->paths.len)
		err = pgt_buf_add(&touched, p->paths.at, p->paths.len);
	rest = touched.at;
	while (err >= 0 && rest && (line = strsep(&rest, "\n")))
		if (*line && !names(&all, line))
			err = pgt_buf_addf(&all, "%s\n", line);
	if (err == -ENOMEM)
		pgt_fail(p->diag, err, "out of memory");
	if (err >= 0 && all.len)
		err = write_file(list, &all, 0644, p->diag);
	if (err >= 0)
		err = for_each_line(&all, sync_file, p);
	pgt_buf_release(&touched);
	pgt_buf_release(&all);
	free(list);
	return err;
}

int pgt_tree_patch(const struct pgt_source *source, const struct pgt_lab *lab,
		   const struct pgt_topic *topic, size_t n_patches, struct pgt_diag *diag)
{
	struct patching p = { .source = source, .lab = lab, .topic = topic,
			      .staging = pgt_format("%s/patched", lab->scratch),
			      .paths = PGT_BUF_INIT, .diag = diag };
	int err = p.staging ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err)
		err = stage(&p, n_patches);
	if (!err)
		err = sync_tree(&p);
	if (p.staging)
		pgt_lab_remove(p.staging);
	pgt_buf_release(&p.paths);
	free(p.staging);
	return err;
}
