/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace compare: a report from two recordings, and nothing else. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "compare/compare.h"
#include "recording/recording.h"
#include "report/report.h"

#define EXIT_FOUND	3	/* the report is written, and --fail-on has found its row */

enum { KEY_CONTROL = 256, KEY_FORMAT, KEY_ALPHA, KEY_FAIL_ON };

enum { FAIL_WORSE = 1 << 0, FAIL_LOST = 1 << 1, FAIL_CONTROL = 1 << 2 };

static const char *const fail_choices[] = { "worse", "lost", "control", NULL };

struct compare_settings {
	const char *base, *test, *control, *output;
	const struct pgt_renderer *renderer;
	double alpha;
	unsigned int fail_on;	/* FAIL_*, or-ed */
};

static const struct argp_option compare_options[] = {
	{ "control", KEY_CONTROL, "FILE", 0,
	  "a second recording of BASE's kernel, compared with BASE beside the report: what it "
	  "finds is the measurement's own", 0 },
	{ "format", KEY_FORMAT, "NAME", 0, "text, markdown or json (default: text)", 0 },
	{ "alpha", KEY_ALPHA, "A", 0,
	  "significance level for metrics that are not exact (default: 0.05)", 0 },
	{ "output", 'o', "FILE", 0, "write the report to FILE, or - for standard output (default)",
	  0 },
	{ "fail-on", KEY_FAIL_ON, "WHAT[,WHAT]", 0,
	  "after writing the report, exit with status 3 if a row is 'worse', if anything was "
	  "'lost' in any of the recordings, or if the 'control' found a difference", 0 },
	{ 0 }
};

static const char compare_doc[] =
	"Compare two recordings and report, for each workload and metric, whether TEST is better "
	"or worse than BASE.  Fewer is better, for every metric that can be better.  Nothing but the files is read: "
	"the same files give the same report, on any machine."
	"\v"
	"Metrics that a deterministic workload repeats exactly are compared exactly.  Others, and "
	"those that should repeat but do not, are judged by medians and an exact two-sided "
	"Mann-Whitney test over one value a boot; with fewer than 4 boots a side no such test can "
	"reach 0.05, and the row stays undecided.  A metric that was not counted is never 0.\n"
	"\n"
	"Exit status: 0 done, 1 failed (one line says why), 2 wrong usage, 3 as --fail-on asks.";

static error_t set_format(struct argp_state *state, const char *arg,
			  const struct pgt_renderer **out)
{
	const char *names[8] = { NULL };
	unsigned int chosen;
	error_t err;

	for (size_t i = 0; pgt_renderers[i] && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		names[i] = pgt_renderers[i]->name;
	err = pgt_arg_choice(state, "--format", arg, names, &chosen);
	if (!err)
		*out = pgt_renderers[chosen];
	return err;
}

static error_t set_operand(struct argp_state *state, const char *arg,
			   struct compare_settings *settings)
{
	switch (state->arg_num) {
	case 0:
		settings->base = arg;
		return 0;
	case 1:
		settings->test = arg;
		return 0;
	default:
		pgt_usage_error(state, "too many files: '%s' is one more than BASE and TEST", arg);
	}
}

static error_t check_settings(struct argp_state *state, const struct compare_settings *settings)
{
	if (!settings->test)
		pgt_usage_error(state, "two recordings are needed: BASE and TEST");
	if ((settings->fail_on & FAIL_CONTROL) && !settings->control)
		pgt_usage_error(state, "--fail-on control needs a --control FILE");
	return 0;
}

static error_t compare_option(int key, char *arg, struct argp_state *state)
{
	struct compare_settings *settings = state->input;

	switch (key) {
	case KEY_CONTROL:
		settings->control = arg;
		return 0;
	case KEY_FORMAT:
		return set_format(state, arg, &settings->renderer);
	case KEY_ALPHA:
		return pgt_arg_fraction(state, "--alpha", arg, &settings->alpha);
	case KEY_FAIL_ON:
		return pgt_arg_choices(state, "--fail-on", arg, fail_choices, &settings->fail_on);
	case 'o':
		settings->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		return set_operand(state, arg, settings);
	case ARGP_KEY_END:
		return check_settings(state, settings);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Everything a comparison holds, so that one place can release it. */
struct work {
	struct pgt_recording base, test, control;
	struct pgt_comparison comparison, control_comparison;
	struct pgt_report report;
};

static void release(struct work *work)
{
	pgt_report_release(&work->report);
	pgt_comparison_release(&work->control_comparison);
	pgt_comparison_release(&work->comparison);
	pgt_recording_release(&work->control);
	pgt_recording_release(&work->test);
	pgt_recording_release(&work->base);
}

static int build(struct work *work, const struct compare_settings *settings,
		 struct pgt_diag *diag)
{
	int err;

	err = pgt_recording_read(&work->base, settings->base, diag);
	if (!err)
		err = pgt_recording_read(&work->test, settings->test, diag);
	if (!err && settings->control)
		err = pgt_recording_read(&work->control, settings->control, diag);
	if (!err)
		err = pgt_compare(&work->comparison, &work->base, &work->test, settings->alpha, diag);
	if (!err && settings->control)
		err = pgt_compare(&work->control_comparison, &work->base, &work->control,
				  settings->alpha, diag);
	if (!err)
		err = pgt_report_make(&work->report, &work->comparison,
				      settings->control ? &work->control_comparison : NULL, diag);
	return err;
}

static int write_report(const struct pgt_report *report, const struct compare_settings *settings,
			struct pgt_diag *diag)
{
	struct pgt_file_out out;
	int err = pgt_file_out_open(&out, settings->output, diag);

	if (err)
		return err;
	err = settings->renderer->render(report, out.stream);
	if (err)
		pgt_fail(diag, err, "%s: cannot render: %s", settings->output, strerror(-err));
	return pgt_file_out_finish(&out, err, diag);
}

static bool has_worse_row(const struct pgt_comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_rows; i++)
		if (comparison->rows[i].verdict == PGT_WORSE)
			return true;
	return false;
}

static bool has_found(const struct pgt_report *report, unsigned int fail_on)
{
	if ((fail_on & FAIL_WORSE) && has_worse_row(report->comparison))
		return true;
	if ((fail_on & FAIL_LOST) && (report->base.loss.any || report->test.loss.any ||
				      (report->control && report->control->side.loss.any)))
		return true;
	return (fail_on & FAIL_CONTROL) && report->control && report->control->n_differ;
}

int pgt_cmd_compare(int argc, char **argv)
{
	static const struct argp argp = { compare_options, compare_option, "BASE TEST", compare_doc,
					  NULL, NULL, NULL };
	struct compare_settings settings = { .output = "-", .renderer = pgt_renderers[0],
					     .alpha = 0.05 };
	struct work work = { .base = { NULL, NULL, 0 } };
	struct pgt_diag diag = { "" };
	int err, status;

	pgt_options_parse(&argp, "pgtrace compare", argc, argv, &settings);
	err = build(&work, &settings, &diag);
	if (!err)
		err = write_report(&work.report, &settings, &diag);
	if (err)
		fprintf(stderr, "pgtrace compare: %s\n", diag.text);
	status = err ? 1 : has_found(&work.report, settings.fail_on) ? EXIT_FOUND : 0;
	release(&work);
	return status;
}
