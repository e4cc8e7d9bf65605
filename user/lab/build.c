/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/arch.h"
#include "lab/build_name.h"
#include "lab/kconfig.h"
#include "lab/kernel.h"
#include "lab/kmake.h"
#include "lab/lab.h"
#include "lab/patch_text.h"
#include "lab/program.h"
#include "lab/source.h"
#include "lab/topic.h"
#include "lab/tree.h"

#define BUILD_BYTES	(UINT64_C(3) << 29)	/* a build tree, roughly */
#define BUILD_LINES	1500			/* that a whole build prints, roughly */
#define DIGEST_DIGITS	16
#define MAX_OBJECTS	128

struct job {
	const struct pgt_lab *lab;
	const struct pgt_arch *arch;
	const struct pgt_build_name *name;
	const struct pgt_patch_series_step *step;
	struct pgt_topic topic;
	struct pgt_source source;
	struct pgt_buf config;		/* fragments, one behind another */
	struct pgt_buf recipe;
	char suffix[80];		/* of the release */
	char *objects;			/* directory of the build */
	char *built;			/* directory of the result */
	struct pgt_diag *diag;
};

static int no_memory(struct job *job)
{
	return pgt_fail(job->diag, -ENOMEM, "out of memory");
}

/* ---- what is asked for ---- */

static int open_job(struct job *job)
{
	int err = pgt_topic_open(&job->topic, job->lab->patches, job->name->topic, job->diag);

	if (!err)
		err = pgt_topic_step(&job->topic, job->name->step, &job->step, job->diag);
	pgt_build_name_suffix(job->name, job->suffix, sizeof(job->suffix));
	return err;
}

static void close_job(struct job *job)
{
	pgt_topic_release(&job->topic);
	pgt_source_release(&job->source);
	pgt_buf_release(&job->config);
	pgt_buf_release(&job->recipe);
	free(job->objects);
	free(job->built);
}

/* The first line that a program says about its version. */
static int add_version(struct job *job, const char *program)
{
	const char *const argv[] = { program, "--version", NULL };
	struct pgt_program run = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				   .interrupt_fd = job->lab->interrupt_fd };
	struct pgt_buf said = PGT_BUF_INIT;
	int err = pgt_program_run(&run, &said, job->diag);

	if (err == -ENOENT)	/* name all that are missing, and not the first alone */
		pgt_kmake_check(job->arch, job->diag);
	if (!err)
		err = pgt_buf_addf(&job->recipe, "%s: %.*s\n", program,
				   (int)strcspn(said.at ? said.at : "", "\n"),
				   said.at ? said.at : "");
	pgt_buf_release(&said);
	return err;
}

static int write_recipe(struct job *job)
{
	char *compiler = pgt_format("%sgcc", job->arch->cross);
	int err;

	pgt_buf_release(&job->recipe);
	err = compiler ? pgt_buf_addf(&job->recipe, "source: %s %s\nrelease: %s\n",
				      job->source.is.package, job->source.is.version, job->suffix)
		       : -ENOMEM;
	if (!err)
		err = add_version(job, compiler);
	if (!err)
		err = add_version(job, "pahole");
	if (!err)
		err = pgt_buf_add(&job->recipe, job->config.at, job->config.len);
	if (err == -ENOMEM)
		no_memory(job);
	if (!err)
		err = pgt_topic_patches(&job->topic, job->step, &job->recipe, job->diag);
	free(compiler);
	return err;
}

/* Where the result of this recipe lies, or will lie. */
static int name_result(struct job *job)
{
	char *path = pgt_format("%s/recipe", job->lab->scratch);
	const char *const argv[] = { "sha256sum", path, NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = job->lab->interrupt_fd };
	struct pgt_buf sum = PGT_BUF_INIT;
	int err = path ? pgt_file_write(path, &job->recipe, job->diag) : no_memory(job);

	if (!err)
		err = pgt_program_run(&program, &sum, job->diag);
	free(job->built);
	job->built = NULL;
	if (!err && sum.len > DIGEST_DIGITS)
		job->built = pgt_format("%s/built/%s+%.*s", job->lab->cache, job->suffix + 1,
					DIGEST_DIGITS, sum.at);
	if (!err && !job->built)
		err = no_memory(job);
	pgt_buf_release(&sum);
	free(path);
	return err;
}

/* The recipe needs the version of the source, which is known only once that is there. */
static int plan(struct job *job)
{
	int err = write_recipe(job);

	return err ? err : name_result(job);
}

/* ---- building ---- */

static struct pgt_kmake kmake_of(const struct job *job, const char *label, uint64_t expected)
{
	return (struct pgt_kmake){
		.lab = job->lab, .arch = job->arch, .tree = job->source.tree,
		.objects = job->objects, .suffix = job->suffix, .label = label,
		.expected = expected,
	};
}

static int see_config(struct job *job)
{
	char *path = pgt_format("%s/.config", job->objects);
	struct pgt_buf config = PGT_BUF_INIT;
	const char *unmet;
	size_t len;
	int err = path ? pgt_file_read(path, &config, job->diag) : no_memory(job);

	if (!err) {
		unmet = pgt_kconfig_unmet(job->config.at, config.at ? config.at : "", &len);
		if (unmet)
			err = pgt_fail(job->diag, -ENOTSUP,
				       "%s: '%.*s' cannot be had: something that it depends on is missing in the configuration",
				       job->suffix + 1, (int)len, unmet);
	}
	pgt_buf_release(&config);
	free(path);
	return err;
}

/* The options that are asked for, and the architecture's defaults for all others. */
static int configure(struct job *job)
{
	static const char *const goals[] = { "alldefconfig", NULL };
	char *label = pgt_format("configuring %s", job->suffix + 1);
	char *fragments = pgt_format("%s/fragments", job->objects);
	struct pgt_kmake make = kmake_of(job, label, 0);
	int err = label && fragments ? pgt_dir_make(job->objects, job->diag) : no_memory(job);

	if (!err)
		err = pgt_file_write(fragments, &job->config, job->diag);
	if (!err)
		err = pgt_kmake_run(&make, goals, job->diag);
	if (!err)
		err = see_config(job);
	free(label);
	free(fragments);
	return err;
}

/* The source patched and configured, so that something can be compiled. */
static int prepare(struct job *job)
{
	int err = pgt_tree_patch(&job->source, job->lab, &job->topic, job->step->n_patches,
				 job->diag);

	if (!err)
		err = pgt_lab_space(job->source.dir, BUILD_BYTES, "building a kernel", job->diag);
	job->objects = pgt_format("%s/build-%s-%s", job->source.dir,
				  pgt_build_configs[job->name->config],
				  pgt_build_page_sizes[job->name->pages]);
	if (!err && !job->objects)
		err = no_memory(job);
	return err ? err : configure(job);
}

static int compile(struct job *job)
{
	static const char *const goals[] = { "Image", "modules", NULL };
	char *label = pgt_format("building %s", job->suffix + 1);
	struct pgt_kmake make = kmake_of(job, label, BUILD_LINES);
	int err = label ? pgt_kmake_run(&make, goals, job->diag) : no_memory(job);

	free(label);
	return err;
}

/* ---- the result ---- */

static int copy(struct job *job, const char *from, const char *dir, const char *name)
{
	char *source = pgt_format("%s/%s", job->objects, from);
	char *target = pgt_format("%s/%s", dir, name);
	struct pgt_buf content = PGT_BUF_INIT;
	int err = source && target ? pgt_file_read(source, &content, job->diag) : no_memory(job);

	if (!err)
		err = pgt_file_write(target, &content, job->diag);
	pgt_buf_release(&content);
	free(source);
	free(target);
	return err;
}

static int install_modules(struct job *job, const char *dir)
{
	char *path = pgt_format("INSTALL_MOD_PATH=%s", dir);
	const char *const goals[] = { "modules_install", path, "INSTALL_MOD_STRIP=1",
				      "DEPMOD=true", NULL };
	struct pgt_kmake make = kmake_of(job, "installing modules", 0);
	int err = path ? pgt_kmake_run(&make, goals, job->diag) : no_memory(job);

	free(path);
	return err;
}

/* It appears complete or not at all. */
static int keep(struct job *job)
{
	char *partial = pgt_format("%s/built", job->lab->scratch);
	char *parent = pgt_format("%s/built", job->lab->cache);
	char *recipe = pgt_format("%s/built/recipe", job->lab->scratch);
	int err = partial && parent && recipe ? pgt_dir_make(partial, job->diag) : no_memory(job);

	if (!err)
		err = pgt_dir_make(parent, job->diag);
	if (!err)
		err = copy(job, job->arch->kernel_image, partial, "Image");
	if (!err)
		err = copy(job, "System.map", partial, "System.map");
	if (!err)
		err = copy(job, ".config", partial, "config");
	if (!err)
		err = copy(job, "include/config/kernel.release", partial, "release");
	if (!err)
		err = install_modules(job, partial);
	if (!err)
		err = pgt_file_write(recipe, &job->recipe, job->diag);
	if (!err && rename(partial, job->built))
		err = pgt_fail(job->diag, -errno, "%s: cannot put it in place: %s", job->built,
			       strerror(errno));
	if (err && partial)
		pgt_lab_remove(partial);
	free(partial);
	free(parent);
	free(recipe);
	return err;
}

static int describe(struct pgt_kernel *out, struct job *job)
{
	char *path = pgt_format("%s/release", job->built);
	struct pgt_kernel made = { .image = NULL };
	struct pgt_buf release = PGT_BUF_INIT;
	int err = path ? pgt_file_read_line(path, &release, job->diag) : no_memory(job);

	if (!err) {
		made = (struct pgt_kernel){
			.image = pgt_format("%s/Image", job->built),
			.release = strdup(release.at),
			.modules = pgt_format("%s/lib/modules/%s", job->built, release.at),
			.config = pgt_format("%s/config", job->built),
			.package = strdup(job->source.is.package),
			.version = strdup(job->source.is.version),
			.built = true,
		};
		if (!made.image || !made.release || !made.modules || !made.config ||
		    !made.package || !made.version)
			err = no_memory(job);
	}
	pgt_buf_release(&release);
	free(path);
	if (err)
		pgt_kernel_release(&made);
	else
		*out = made;
	return err;
}

/* ---- from name to kernel ---- */

int pgt_build_check(const struct pgt_lab *lab, const struct pgt_build_name *name,
		    struct pgt_diag *diag)
{
	struct job job = { .lab = lab, .name = name, .source = { .lock_fd = -1 }, .diag = diag };
	int err = open_job(&job);

	close_job(&job);
	return err;
}

/* Everything that can be known before anything is fetched. */
static int begin(struct job *job, struct pgt_source_pin *pin)
{
	int err = open_job(job);

	if (!err)
		err = pgt_source_pinned(pin, job->lab->patches, job->diag);
	if (!err)
		err = pgt_topic_config(&job->topic, job->name, &job->config, job->diag);
	job->source.is = *pin;
	return err;
}

static int build(struct job *job, const struct pgt_source_pin *pin)
{
	int err = pgt_source_open(&job->source, job->lab, job->arch, pin, job->diag);

	if (!err)
		err = plan(job);
	if (err || !access(job->built, F_OK))
		return err;
	err = prepare(job);
	if (!err)
		err = compile(job);
	return err ? err : keep(job);
}

int pgt_build_get(struct pgt_kernel *out, const struct pgt_lab *lab, const struct pgt_arch *arch,
		  const struct pgt_build_name *name, struct pgt_diag *diag)
{
	struct job job = { .lab = lab, .arch = arch, .name = name, .diag = diag,
			   .source = { .lock_fd = -1 } };
	struct pgt_source_pin pin = { "", "" };
	int err = begin(&job, &pin);

	if (!err)
		err = plan(&job);
	if (!err && access(job.built, F_OK)) {
		err = pgt_kmake_check(arch, diag);
		if (!err)
			err = build(&job, &pin);
	}
	if (!err)
		err = describe(out, &job);
	close_job(&job);
	return err;
}

/* The objects of the C files among the paths. */
static int add_objects(struct job *job, struct pgt_buf *paths, const char **goals)
{
	char *rest = paths->at, *path;
	size_t n = 0;

	while (rest && (path = strsep(&rest, "\n"))) {
		size_t len = strlen(path);

		if (len < 2 || strcmp(path + len - 2, ".c"))
			continue;
		if (n == MAX_OBJECTS)
			return pgt_fail(job->diag, -E2BIG, "too many files to compile at once");
		path[len - 1] = 'o';
		goals[n++] = path;
	}
	return 0;
}

static int compile_patched(struct job *job)
{
	const char *goals[MAX_OBJECTS + 1] = { NULL };
	struct pgt_buf patches = PGT_BUF_INIT, paths = PGT_BUF_INIT;
	char *label = pgt_format("compiling what %s changes", job->suffix + 1);
	struct pgt_kmake make = kmake_of(job, label, 0);
	int err = label ? pgt_topic_patches(&job->topic, job->step, &patches, job->diag)
			: no_memory(job);

	if (!err && pgt_patch_paths(patches.at ? patches.at : "", &paths) == -ENOMEM)
		err = no_memory(job);
	if (!err)
		err = add_objects(job, &paths, goals);
	if (!err && goals[0])
		err = pgt_kmake_run(&make, goals, job->diag);
	pgt_buf_release(&patches);
	pgt_buf_release(&paths);
	free(label);
	return err;
}

int pgt_build_try(const struct pgt_lab *lab, const struct pgt_arch *arch,
		  const struct pgt_build_name *name, struct pgt_diag *diag)
{
	struct job job = { .lab = lab, .arch = arch, .name = name, .diag = diag,
			   .source = { .lock_fd = -1 } };
	struct pgt_source_pin pin = { "", "" };
	int err = begin(&job, &pin);

	if (!err)
		err = pgt_kmake_check(arch, diag);
	if (!err)
		err = pgt_source_open(&job.source, lab, arch, &pin, diag);
	if (!err)
		err = prepare(&job);
	if (!err)
		err = compile_patched(&job);
	close_job(&job);
	return err;
}
