/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/apt.h"
#include "lab/arch.h"
#include "lab/build.h"
#include "lab/build_name.h"
#include "lab/kernel_index.h"
#include "lab/kernel_name.h"
#include "lab/lab.h"
#include "lab/package.h"
#include "lab/topic.h"

/* ---- an Image of the user's own ---- */

/* Magic "ARM\x64" at offset 56: Documentation/arch/arm64/booting.rst. */
static bool is_arm64_image(const struct pgt_buf *image)
{
	return image->len > 64 && !memcmp(image->at + 56, "ARM\x64", 4);
}

#define IMAGE_HEADER	64
#define IMAGE_SIZE	16	/* offset of image_size, little-endian */

int pgt_kernel_image_bytes(const struct pgt_kernel *kernel, uint64_t *out, struct pgt_diag *diag)
{
	char header[IMAGE_HEADER + 1];
	struct pgt_buf image = { .at = header };
	FILE *file = fopen(kernel->image, "re");
	uint64_t bytes = 0;

	if (!file)
		return pgt_fail(diag, -errno, "%s: %s", kernel->image, strerror(errno));
	image.len = fread(header, 1, sizeof(header), file);
	fclose(file);
	if (is_arm64_image(&image))
		for (int i = 7; i >= 0; i--)
			bytes = bytes << 8 | (unsigned char)header[IMAGE_SIZE + i];
	*out = bytes;
	return 0;
}

/* "Linux version RELEASE (" of linux_banner. */
static char *release_of(const struct pgt_buf *image)
{
	static const char banner[] = "Linux version ";
	const char *at = image->at, *end = image->at + image->len;

	while ((at = memmem(at, (size_t)(end - at), banner, sizeof(banner) - 1))) {
		size_t n;

		at += sizeof(banner) - 1;
		n = strcspn(at, " ");
		if (n && n < 65 && at[0] >= '0' && at[0] <= '9')
			return strndup(at, n);
	}
	return NULL;
}

static int get_image(struct pgt_kernel *out, const struct pgt_arch *arch, const char *path,
		     const char *modules, struct pgt_diag *diag)
{
	struct pgt_kernel made = { .image = NULL };
	struct pgt_buf image = PGT_BUF_INIT;
	struct stat st;
	int err = pgt_file_read(path, &image, diag);

	if (err)
		goto out;
	if (!is_arm64_image(&image)) {
		err = pgt_fail(diag, -ENOEXEC, "%s: not an uncompressed %s kernel Image", path,
			       arch->name);
		goto out;
	}
	if (modules && (stat(modules, &st) || !S_ISDIR(st.st_mode))) {
		err = pgt_fail(diag, -ENOTDIR, "%s: not a directory of modules", modules);
		goto out;
	}
	made.image = realpath(path, NULL);
	made.release = release_of(&image);
	made.modules = modules ? strdup(modules) : NULL;
	if (!made.image || !made.release || (modules && !made.modules))
		err = pgt_fail(diag, -ENOEXEC, "%s: no kernel release found in it", path);
out:
	if (err)
		pgt_kernel_release(&made);
	else
		*out = made;
	pgt_buf_release(&image);
	return err;
}

/* ---- a package ---- */

/*
 * The first that exists of the paths below tree that the pairs name: what stands before
 * and after the release.  NULL for none.
 */
static char *first_path(const char *tree, const char *release, const char *const *patterns)
{
	for (size_t i = 0; patterns[i]; i += 2) {
		char *path = pgt_format("%s/%s%s%s", tree, patterns[i], release, patterns[i + 1]);

		if (path && !access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* Describe an unpacked tree whose name is PACKAGE_VERSION_ARCH. */
static int describe(struct pgt_kernel *out, const char *tree, const struct pgt_kernel_name *name,
		    struct pgt_diag *diag)
{
	static const char *const images[] = {
		"boot/vmlinuz-", "", "usr/lib/modules/", "/vmlinuz", "usr/lib/modules/",
		"/vmlinuz.unsigned", "lib/modules/", "/vmlinuz", NULL
	};
	static const char *const modules[] = { "lib/modules/", "", "usr/lib/modules/", "", NULL };
	static const char *const configs[] = {
		"boot/config-", "", "usr/lib/modules/", "/config", "lib/modules/", "/config", NULL
	};
	const char *entry = strrchr(tree, '/') + 1, *version = strchr(entry, '_');
	struct pgt_kernel made = {
		.image = first_path(tree, name->release, images),
		.modules = first_path(tree, name->release, modules),
		.config = first_path(tree, name->release, configs),
		.release = strdup(name->release),
		.package = strdup(name->image),
		.version = version ? pgt_package_version(version + 1) : NULL,
	};

	if (!made.image || !made.modules || !made.release || !made.package || !made.version) {
		pgt_kernel_release(&made);
		return pgt_fail(diag, -ENOENT, "%s: no image or no modules of %s in it", tree,
				name->release);
	}
	*out = made;
	return 0;
}

static int unpack(struct pgt_kernel *out, const struct pgt_lab *lab, const struct pgt_apt *apt,
		  const struct pgt_kernel_name *name, struct pgt_diag *diag)
{
	const char *packages[4] = { name->image };
	struct pgt_package_set set = {
		.kind = "kernels", .label = name->release, .packages = packages,
	};
	size_t n = 1;
	char *tree = NULL;
	int err;

	if (name->modules[0])
		packages[n++] = name->modules;
	if (name->base[0])
		packages[n++] = name->base;
	err = pgt_package_get(&tree, lab, apt, &set, diag);
	if (!err)
		err = describe(out, tree, name, diag);
	free(tree);
	return err;
}

static int pick(struct pgt_apt *apt, const struct pgt_arch *arch, const char *spec,
		struct pgt_kernel_name *name, struct pgt_diag *diag)
{
	struct pgt_buf names = PGT_BUF_INIT;
	int err = pgt_apt_names(apt, "linux-", &names, diag);

	if (!err && pgt_kernel_name_pick(names.at, arch->name, spec, name))
		err = pgt_fail(diag, -ENOENT, "no stock %s kernel %s in the package index of %s",
			       arch->name, spec, PGT_KERNEL_INDEX_SUITES);
	pgt_buf_release(&names);
	return err;
}

static int get_package(struct pgt_kernel *out, const struct pgt_lab *lab,
		       const struct pgt_arch *arch, const char *spec, struct pgt_diag *diag)
{
	struct pgt_kernel_name name;
	struct pgt_apt apt = { .lab = NULL };
	int err = pgt_kernel_index_open(&apt, lab, arch, diag);

	if (err)
		return err;
	err = pick(&apt, arch, spec, &name, diag);
	if (err == -ENOENT && !pgt_apt_refresh(&apt, diag))
		err = pick(&apt, arch, spec, &name, diag);
	if (!err)
		err = unpack(out, lab, &apt, &name, diag);
	pgt_apt_release(&apt);
	return err;
}

/* ---- what the cache has, when nothing can be fetched ---- */

/* The package names of the cached trees, one a line. */
static int cached_names(const char *dir, struct pgt_buf *out)
{
	DIR *entries = opendir(dir);
	struct dirent *entry;

	if (!entries)
		return -errno;
	while ((entry = readdir(entries))) {
		size_t n = strcspn(entry->d_name, "_");

		if (entry->d_name[0] == '.' || entry->d_name[n] != '_')
			continue;
		pgt_buf_addf(out, "%.*s\n", (int)n, entry->d_name);
		/* A tree holds its modules, whichever package they came in. */
		if (!strncmp(entry->d_name, "linux-binary-", 13)) {
			const char *release = entry->d_name + 13;

			if (!strncmp(release, "unsigned-", 9))
				release += 9;
			pgt_buf_addf(out, "linux-modules-%.*s\n", (int)strcspn(release, "_"),
				     release);
		}
	}
	closedir(entries);
	return out->len ? 0 : -ENOENT;
}

/* The newest tree of this package. */
static char *cached_tree(const char *dir, const char *package)
{
	size_t n = strlen(package);
	DIR *entries = opendir(dir);
	struct dirent *entry;
	char *best = NULL;

	while (entries && (entry = readdir(entries))) {
		if (strncmp(entry->d_name, package, n) || entry->d_name[n] != '_')
			continue;
		if (best && strverscmp(entry->d_name, best) <= 0)
			continue;
		free(best);
		best = strdup(entry->d_name);
	}
	if (entries)
		closedir(entries);
	return best;
}

static int get_cached(struct pgt_kernel *out, const struct pgt_lab *lab,
		      const struct pgt_arch *arch, const char *spec, struct pgt_diag *diag)
{
	char *dir = pgt_format("%s/kernels", lab->cache), *entry = NULL, *tree = NULL;
	struct pgt_buf names = PGT_BUF_INIT;
	struct pgt_kernel_name name;
	int err = -ENOENT;

	if (dir && !cached_names(dir, &names) &&
	    !pgt_kernel_name_pick(names.at, arch->name, spec, &name))
		entry = cached_tree(dir, name.image);
	if (entry)
		tree = pgt_format("%s/%s", dir, entry);
	if (tree)
		err = describe(out, tree, &name, diag);
	free(tree);
	free(entry);
	free(dir);
	pgt_buf_release(&names);
	return err;
}

/* ---- a step of a topic ---- */

static int get_step(struct pgt_kernel *out, const struct pgt_lab *lab,
		    const struct pgt_arch *arch, const char *spec, struct pgt_diag *diag)
{
	struct pgt_build_name name;
	int err = pgt_build_name_parse(&name, spec, diag);

	return err ? err : pgt_build_get(out, lab, arch, &name, diag);
}

static int check_step(const struct pgt_lab *lab, const char *spec, struct pgt_diag *diag)
{
	struct pgt_build_name name;
	int err = pgt_build_name_parse(&name, spec, diag);

	return err ? err : pgt_build_check(lab, &name, diag);
}

int pgt_kernel_check(const struct pgt_lab *lab, const struct pgt_arch *arch, const char *spec,
		     const char *modules, struct pgt_diag *diag)
{
	struct pgt_kernel kernel = { .image = NULL };
	int err = 0;

	if (pgt_topic_is_spec(lab->patches, spec))
		return check_step(lab, spec, diag);
	if (strchr(spec, '/'))
		err = get_image(&kernel, arch, spec, modules, diag);
	pgt_kernel_release(&kernel);
	return err;
}

int pgt_kernel_get(struct pgt_kernel *out, const struct pgt_lab *lab, const struct pgt_arch *arch,
		   const char *spec, const char *modules, struct pgt_diag *diag)
{
	struct pgt_diag ignored;
	int err;

	if (pgt_topic_is_spec(lab->patches, spec))
		return get_step(out, lab, arch, spec, diag);
	if (strchr(spec, '/'))
		return get_image(out, arch, spec, modules, diag);
	err = get_package(out, lab, arch, spec, diag);
	if (!err || err == -EINTR || err == -ENOSPC)
		return err;
	if (get_cached(out, lab, arch, spec, &ignored))
		return err;
	pgt_progress_note(lab->progress, "using the cached %s %s, because: %s", out->package,
			  out->version, diag->text);
	return 0;
}

void pgt_kernel_release(struct pgt_kernel *kernel)
{
	free(kernel->image);
	free(kernel->release);
	free(kernel->modules);
	free(kernel->config);
	free(kernel->package);
	free(kernel->version);
	*kernel = (struct pgt_kernel){ .image = NULL };
}
