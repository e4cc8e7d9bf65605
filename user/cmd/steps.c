/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace steps: the report of a whole topic, from the recordings of its steps. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/steps_report.h"
#include "report/steps.h"

#define EXIT_VIOLATED	3	/* the report is written, and an oracle does not hold */

enum { KEY_FORMAT = 256 };

struct steps_settings {
	const char *dir, *format;
	bool write_files;
};

static const struct argp_option steps_options[] = {
	{ "format", KEY_FORMAT, "NAME", 0, "text, markdown or json (default: text)", 0 },
	{ "write", 'w', NULL, 0, "also write report.txt, report.md and report.json into DIR", 0 },
	{ 0 }
};

static const char steps_doc[] =
	"Report the steps of a topic side by side, each against the first: what making the linear "
	"map takes, beside what others published for it; whether counts that were known beforehand "
	"hold; what differs in each workload; and what the last step executes more than the kernel "
	"that merged the series."
	"\v"
	"DIR holds the file steps, one line a side, 'step NAME' or, last, 'beside NAME', and for "
	"each its recording NAME.jsonl.  It may hold control.jsonl, the first step recorded again; "
	"oracle, the counts that are expected; and published, the figures of others.  '#' begins a "
	"comment.\n"
	"\n"
	"oracle: 'page 4096'; 'linear_map STEP INSN N N N N N', how many INSN (dsb, isb, tlbi) "
	"each PTE, contiguous block of PTEs, PTE table, contiguous group of PMDs and PMD table "
	"takes; 'count STEP WORKLOAD METRIC N', the value in every boot.\n"
	"published: 'unit WORD', 'source TEXT', 'columns NAME|NAME', and 'step NAME VALUE...', "
	"with '-' for none.\n"
	"\n"
	"Exit status: 0 done, 1 failed (one line says why), 2 wrong usage, 3 an oracle does not "
	"hold (the report is written all the same).";

static error_t set_format(struct argp_state *state, const char *arg, const char **out)
{
	const char *names[8] = { NULL };
	unsigned int chosen;
	error_t err;

	for (size_t i = 0; pgt_steps_renderers[i] && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		names[i] = pgt_steps_renderers[i]->name;
	err = pgt_arg_choice(state, "--format", arg, names, &chosen);
	if (!err)
		*out = names[chosen];
	return err;
}

static error_t steps_option(int key, char *arg, struct argp_state *state)
{
	struct steps_settings *settings = state->input;

	switch (key) {
	case KEY_FORMAT:
		return set_format(state, arg, &settings->format);
	case 'w':
		settings->write_files = true;
		return 0;
	case ARGP_KEY_ARG:
		if (settings->dir)
			pgt_usage_error(state, "one directory at a time: '%s' is one more", arg);
		settings->dir = arg;
		return 0;
	case ARGP_KEY_END:
		if (!settings->dir)
			pgt_usage_error(state, "which directory? It holds the file steps");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int pgt_cmd_steps(int argc, char **argv)
{
	static const struct argp argp = { steps_options, steps_option, "DIR", steps_doc, NULL, NULL,
					  NULL };
	struct steps_settings settings = { .format = pgt_steps_renderers[0]->name };
	struct pgt_diag diag = { "" };
	int err;

	pgt_options_parse(&argp, "pgtrace steps", argc, argv, &settings);
	err = pgt_steps_report(settings.dir, settings.format, settings.write_files, &diag);
	if (err)
		fprintf(stderr, "pgtrace steps: %s\n", diag.text);
	return !err ? 0 : err == -EBADE ? EXIT_VIOLATED : 1;
}
