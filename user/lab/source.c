/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/apt.h"
#include "lab/arch.h"
#include "lab/kernel_index.h"
#include "lab/lab.h"
#include "lab/package.h"
#include "lab/program.h"

#define UNPACKED_BYTES	(UINT64_C(2) << 30)	/* of a source, roughly; twice that while linking */

int pgt_source_pinned(struct pgt_source_pin *out, const char *patches, struct pgt_diag *diag)
{
	char *path = pgt_format("%s/source", patches), *rest, *line;
	struct pgt_source_pin made = { "", "" };
	struct pgt_buf text = PGT_BUF_INIT;
	int err = path ? pgt_file_read(path, &text, diag)
		       : pgt_fail(diag, -ENOMEM, "out of memory");

	rest = text.at;
	while (!err && rest && (line = strsep(&rest, "\n")))
		if (*line && *line != '#' &&
		    sscanf(line, "%63s %63s", made.package, made.version) != 2)
			break;
	if (!err && (!made.package[0] || !made.version[0] || strchr(made.version, '/')))
		err = pgt_fail(diag, -EINVAL, "%s: no line with a package and its version", path);
	if (!err)
		*out = made;
	pgt_buf_release(&text);
	free(path);
	return err;
}

/* The unpacked package that has it, and its version. */
static int fetch(char **package_tree, struct pgt_source_pin *pin, const struct pgt_lab *lab,
		 const struct pgt_arch *arch, struct pgt_diag *diag)
{
	char *exact = pgt_format("%s=%s", pin->package, pin->version), *tree = NULL, *version;
	const char *packages[] = { exact, NULL };
	struct pgt_package_set set = { .kind = "sources", .label = pin->package,
				       .packages = packages };
	struct pgt_apt apt = { .lab = NULL };
	int err = exact ? pgt_kernel_index_open(&apt, lab, arch, diag)
			: pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err && pgt_package_get(&tree, lab, &apt, &set, diag)) {
		packages[0] = pin->package;
		err = pgt_package_get(&tree, lab, &apt, &set, diag);
	}
	pgt_apt_release(&apt);
	free(exact);
	if (err)
		return err;
	version = pgt_package_version(strchr(strrchr(tree, '/'), '_') + 1);
	if (version && strcmp(version, pin->version)) {
		pgt_progress_note(lab->progress,
				  "%s %s is no longer in the package index; taking %s, which the "
				  "patches were not made for",
				  pin->package, pin->version, version);
		snprintf(pin->version, sizeof(pin->version), "%s", version);
	}
	free(version);
	*package_tree = tree;
	return 0;
}

static int unpack(const struct pgt_source *source, const char *package_tree,
		  const struct pgt_lab *lab, struct pgt_diag *diag)
{
	char *archive = pgt_format("%s/usr/src/%s.tar.xz", package_tree, source->is.package);
	char *partial = pgt_format("%s/pristine", lab->scratch);
	const char *const argv[] = { "tar", "-x", "-f", archive, "-C", partial,
				     "--strip-components=1", NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = lab->interrupt_fd };
	int err = archive && partial ? pgt_dir_make(partial, diag)
				     : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err)
		err = pgt_lab_space(lab->cache, UNPACKED_BYTES, source->is.package, diag);
	pgt_progress_begin(lab->progress, 0, "unpacking %s %s", source->is.package,
			   source->is.version);
	if (!err)
		err = pgt_program_run(&program, NULL, diag);
	pgt_progress_end(lab->progress);
	if (!err && rename(partial, source->pristine))
		err = pgt_fail(diag, -errno, "%s: cannot put it in place: %s", source->pristine,
			       strerror(errno));
	free(archive);
	free(partial);
	return err;
}

/* A file that is written anew gets an inode of its own, so the pristine one stays. */
static int link_tree(const struct pgt_source *source, const struct pgt_lab *lab,
		     struct pgt_diag *diag)
{
	char *partial = pgt_format("%s/tree", lab->scratch);
	const char *const argv[] = { "cp", "-al", source->pristine, partial, NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = lab->interrupt_fd };
	int err = partial ? pgt_program_run(&program, NULL, diag)
			  : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err && rename(partial, source->tree))
		err = pgt_fail(diag, -errno, "%s: cannot put it in place: %s", source->tree,
			       strerror(errno));
	free(partial);
	return err;
}

static int set_paths(struct pgt_source *source, const struct pgt_lab *lab, struct pgt_diag *diag)
{
	free(source->dir);
	free(source->pristine);
	free(source->tree);
	source->dir = pgt_format("%s/linux/%s", lab->cache, source->is.version);
	source->pristine = pgt_format("%s/linux/%s/pristine", lab->cache, source->is.version);
	source->tree = pgt_format("%s/linux/%s/tree", lab->cache, source->is.version);
	if (!source->dir || !source->pristine || !source->tree)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	return pgt_dir_make(source->dir, diag);
}

static int fill(struct pgt_source *source, const struct pgt_lab *lab, const struct pgt_arch *arch,
		struct pgt_diag *diag)
{
	char *package_tree = NULL;
	int err = set_paths(source, lab, diag);

	if (!err && access(source->pristine, F_OK)) {
		rmdir(source->dir);	/* the version may turn out to be another */
		err = fetch(&package_tree, &source->is, lab, arch, diag);
		if (!err)
			err = set_paths(source, lab, diag);
		if (!err && access(source->pristine, F_OK))
			err = unpack(source, package_tree, lab, diag);
		free(package_tree);
	}
	if (!err && access(source->tree, F_OK))
		err = link_tree(source, lab, diag);
	return err;
}

int pgt_source_open(struct pgt_source *out, const struct pgt_lab *lab,
		    const struct pgt_arch *arch, const struct pgt_source_pin *pin,
		    struct pgt_diag *diag)
{
	struct pgt_source made = { .is = *pin };
	int err = made.lock_fd = pgt_lab_lock(lab, "linux", diag);

	if (err >= 0)
		err = fill(&made, lab, arch, diag);
	if (err)
		pgt_source_release(&made);
	else
		*out = made;
	return err;
}

void pgt_source_release(struct pgt_source *source)
{
	if (source->lock_fd >= 0)
		close(source->lock_fd);
	free(source->dir);
	free(source->pristine);
	free(source->tree);
	*source = (struct pgt_source){ .lock_fd = -1 };
}
