/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace lab build: the kernels of a topic, patched and built; prints an Image a line. */
#include "cmd/lab_build.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "cmd/options.h"
#include "lab/arch.h"
#include "lab/build.h"
#include "lab/build_name.h"
#include "lab/kernel.h"
#include "lab/lab.h"
#include "lab/topic.h"

#define NAME	"pgtrace lab build"

enum { KEY_CONFIG = 256, KEY_PAGES, KEY_JOBS, KEY_PATCHES, KEY_CHECK };

struct settings {
	const char *topic, *step;	/* step NULL: all */
	const char *patches;		/* NULL: where they are found */
	unsigned int config, pages, n_jobs;	/* enum pgt_build_config, pgt_build_pages */
	bool check;
};

static const struct argp_option options[] = {
	{ "config", KEY_CONFIG, "NAME", 0, "measured or debug (measured)", 0 },
	{ "pages", KEY_PAGES, "SIZE", 0, "size of pages: 4K, 16K or 64K (4K)", 0 },
	{ "check", KEY_CHECK, NULL, 0,
	  "only apply the patches and compile the files that they change", 0 },
	{ "jobs", KEY_JOBS, "N", 0, "files to compile at a time, 1 to 512 (one a CPU)", 0 },
	{ "patches", KEY_PATCHES, "DIR", 0, "topics and configurations (kernel-patches)", 0 },
	{ 0 }
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_CONFIG:
		return pgt_arg_choice(state, "--config", arg, pgt_build_configs,
				      &settings->config);
	case KEY_PAGES:
		return pgt_arg_choice(state, "--pages", arg, pgt_build_page_sizes,
				      &settings->pages);
	case KEY_JOBS:
		return pgt_arg_count(state, "--jobs", arg, 1, 512, &settings->n_jobs);
	case KEY_PATCHES:
		settings->patches = arg;
		return 0;
	case KEY_CHECK:
		settings->check = true;
		return 0;
	case ARGP_KEY_ARG:
		if (settings->step)
			pgt_usage_error(state, "'%s' is one argument too many", arg);
		*(settings->topic ? &settings->step : &settings->topic) = arg;
		return 0;
	case ARGP_KEY_END:
		if (!settings->topic)
			pgt_usage_error(state, "too few arguments: it takes TOPIC [STEP]");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int build_step(const struct pgt_lab *lab, const struct settings *settings,
		      const char *step, struct pgt_diag *diag)
{
	const struct pgt_arch *arch = pgt_arch_row(0);
	struct pgt_build_name name = {
		.config = (enum pgt_build_config)settings->config,
		.pages = (enum pgt_build_pages)settings->pages,
	};
	struct pgt_kernel kernel = { .image = NULL };
	int err;

	snprintf(name.topic, sizeof(name.topic), "%s", settings->topic);
	snprintf(name.step, sizeof(name.step), "%s", step);
	if (settings->check) {
		err = pgt_build_try(lab, arch, &name, diag);
		if (!err)
			printf("%s/%s compiles\n", name.topic, name.step);
		return err ? err : pgt_stdout_flush(diag);
	}
	err = pgt_build_get(&kernel, lab, arch, &name, diag);
	if (!err)
		printf("%s %s\n", kernel.release, kernel.image);
	pgt_kernel_release(&kernel);
	return err ? err : pgt_stdout_flush(diag);
}

static int build(const struct pgt_lab *lab, const struct settings *settings,
		 struct pgt_diag *diag)
{
	const struct pgt_patch_series_step *step;
	struct pgt_topic topic;
	int err = pgt_topic_open(&topic, lab->patches, settings->topic, diag);

	if (err)
		return err;
	if (settings->step) {
		err = pgt_topic_step(&topic, settings->step, &step, diag);
		if (!err)
			err = build_step(lab, settings, step->name, diag);
	} else {
		for (size_t i = 0; !err && i < topic.series.n_steps; i++)
			err = build_step(lab, settings, topic.series.steps[i].name, diag);
	}
	pgt_topic_release(&topic);
	return err;
}

int pgt_lab_build(int argc, char **argv)
{
	const struct argp argp = {
		options, take_option, "TOPIC [STEP]",
		"Patch, configure and build the kernels of a topic, all steps or one, and print the "
		"release and the Image of each.  What was built before is only printed.", NULL,
		NULL, NULL
	};
	struct settings settings = { .config = PGT_BUILD_MEASURED, .pages = PGT_BUILD_4K };
	struct pgt_lab lab = { .scratch_fd = -1, .interrupt_fd = -1 };
	struct pgt_diag diag = { "" };
	struct pgt_progress progress;
	int err;

	pgt_options_parse(&argp, NAME, argc, argv, &settings);
	pgt_progress_init(&progress, stderr);
	err = pgt_lab_open(&lab, &progress, &diag);
	if (!err && settings.patches)
		err = pgt_lab_use_patches(&lab, settings.patches, &diag);
	lab.n_jobs = settings.n_jobs;
	if (!err)
		err = build(&lab, &settings, &diag);
	pgt_progress_end(&progress);
	if (err)
		fprintf(stderr, NAME ": %s\n", diag.text);
	pgt_lab_release(&lab);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
