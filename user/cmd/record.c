/* SPDX-License-Identifier: GPL-2.0-only */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "lab/measure.h"
#include "lab/workload.h"
#include "probe/catalogue.h"
#include "recording/recording.h"

struct record_settings {
	const char *output;
	struct pgt_measure_settings measure;
	unsigned int runs;
	char **workloads;
	size_t n_workloads;
};

static const struct argp_option record_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording to FILE, or - for standard output (default)", 0 },
	{ "probes", 'p', "NAME[,NAME]", 0, "count only these probes (default: all; see pgtrace list)", 0 },
	{ "sites", 's', "self|all", 0,
	  "count the instruction sites in the probes' own code, or all of the kernel's text (default)", 0 },
	{ "every-site", 'e', NULL, 0,
	  "write a line for every instruction site, also for those not executed or not counted", 0 },
	{ "skip-unsupported", 'u', NULL, 0,
	  "go on without a workload that this machine cannot do, and record why", 0 },
	{ "runs", 'n', "N", 0, "repeat each workload N times (1 to 1000, default 1)", 0 },
	{ 0 }
};

static void take_probes(struct argp_state *state, const char *list, unsigned int *out)
{
	const char *names[PGT_PROBE_MAX + 1] = { NULL };

	for (size_t i = 0; i < pgt_n_probes; i++)
		names[i] = pgt_probes[i].name;
	pgt_arg_choices(state, "--probes", list, names, out);
}

static error_t record_option(int key, char *arg, struct argp_state *state)
{
	static const char *const sites[] = { "self", "all", NULL };
	struct record_settings *settings = state->input;
	unsigned int choice;

	switch (key) {
	case 'o':
		settings->output = arg;
		return 0;
	case 'p':
		take_probes(state, arg, &settings->measure.probes);
		return 0;
	case 's':
		pgt_arg_choice(state, "--sites", arg, sites, &choice);
		settings->measure.all_sites = choice == 1;
		return 0;
	case 'e':
		settings->measure.every_site = true;
		return 0;
	case 'u':
		settings->measure.skip_unsupported = true;
		return 0;
	case 'n':
		pgt_arg_count(state, "--runs", arg, 1, 1000, &settings->runs);
		return 0;
	case ARGP_KEY_ARGS:
		settings->workloads = state->argv + state->next;
		settings->n_workloads = (size_t)(state->argc - state->next);
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		pgt_usage_error(state, "no WORKLOAD given; pgtrace list shows them");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp record_argp = {
	.options = record_options,
	.parser = record_option,
	.args_doc = "-- WORKLOAD[:KEY=VALUE,...]...",
	.doc = "Count the page-table work, barriers and TLB invalidations that the running kernel "
	       "executes while it does the workloads, and write a recording.\v"
	       "Needs root, and works on the machine itself as in a guest. A workload is one of "
	       "those that pgtrace list shows; command:PROGRAM runs a program of yours.\n\n"
	       "Exit status: 0 recorded, 1 failed, 2 used wrongly.",
};

/* "name" or "name:parameters"; "command:PROGRAM ARG..." keeps its spaces. */
static int parse_job(struct pgt_job *job, const char *text, struct pgt_diag *diag)
{
	size_t n = strcspn(text, ":");
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)n, text);
	job->label = text;
	job->workload = pgt_workload_find(name);
	if (!job->workload)
		return pgt_fail(diag, -EINVAL, "\"%s\" is not a workload: see pgtrace list", name);
	return job->workload->parse(&job->state, text[n] ? text + n + 1 : NULL, diag);
}

static int record(const struct record_settings *settings, const struct pgt_job *job,
		  struct pgt_diag *diag)
{
	struct pgt_progress progress;
	struct pgt_writer *writer;
	int err = pgt_writer_open(&writer, settings->output, diag);

	if (err)
		return err;
	pgt_progress_init(&progress, stderr);
	err = pgt_measure(writer, &settings->measure, job, settings->n_workloads, &progress, diag);
	pgt_writer_free(writer);
	return err;
}

/* A signal must not end the process while its probes are planted: it is asked for instead. */
static void hold_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGPIPE);	/* this one is a failed write, and not asked for */
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* *n is how many were parsed, also where one could not be. */
static int parse_jobs(struct pgt_job *job, size_t *n, const struct record_settings *settings,
		      struct pgt_diag *diag)
{
	int err = 0;

	for (*n = 0; *n < settings->n_workloads; ++*n) {
		err = parse_job(&job[*n], settings->workloads[*n], diag);
		if (err)
			break;
	}
	return err;
}

int pgt_cmd_record(int argc, char **argv)
{
	struct record_settings settings = {
		.output = "-",
		.measure = { .probes = (1u << pgt_n_probes) - 1, .all_sites = true },
		.runs = 1,
	};
	struct pgt_diag diag = { "" };
	int err, failure = EXIT_FAILURE;
	struct pgt_job *job;
	size_t n = 0;

	pgt_options_parse(&record_argp, "pgtrace record", argc, argv, &settings);
	settings.measure.repeats = settings.runs;
	job = calloc(settings.n_workloads, sizeof(*job));
	err = job ? parse_jobs(job, &n, &settings, &diag)
		  : pgt_fail(&diag, -ENOMEM, "out of memory");
	if (err == -EINVAL)
		failure = PGT_EXIT_USAGE;
	hold_signals();
	if (!err)
		err = record(&settings, job, &diag);
	while (n--)
		job[n].workload->release(job[n].state);
	free(job);
	if (err)
		fprintf(stderr, "pgtrace record: %s\n", diag.text);
	return err ? failure : EXIT_SUCCESS;
}
