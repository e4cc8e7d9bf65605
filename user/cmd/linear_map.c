/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace linear-map: how the running kernel has mapped its memory. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/linear_map_output.h"
#include "cmd/options.h"
#include "lab/linear_map_lines.h"
#include "lab/measure_lines.h"
#include "recording/recording.h"
#include "trace/linear_map.h"

#define KCORE	"/proc/kcore"

enum { KEY_FORMAT = 256, KEY_LABEL };

static const char *const formats[] = { "text", "json", NULL };

struct linear_map_settings {
	const char *output;		/* NULL: print */
	const char *label;		/* NULL: not given */
	unsigned int format;		/* index of formats */
	bool format_given;
};

static const struct argp_option linear_map_options[] = {
	{ "format", KEY_FORMAT, "NAME", 0, "print text or json (default: text)", 0 },
	{ "output", 'o', "FILE", 0,
	  "print nothing, but write a recording to FILE, or - for standard output", 0 },
	{ "label", KEY_LABEL, "NAME", 0,
	  "name of the recording's workload (default: linear-map)", 0 },
	{ 0 }
};

static void check_settings(struct argp_state *state, const struct linear_map_settings *settings)
{
	if (settings->format_given && settings->output)
		pgt_usage_error(state, "--format and --output: a recording has one format");
	if (settings->label && !settings->output)
		pgt_usage_error(state, "--label: a name for a recording, and no --output to write one");
	if (settings->label && !*settings->label)
		pgt_usage_error(state, "--label: a workload needs a name");
}

static error_t linear_map_option(int key, char *arg, struct argp_state *state)
{
	struct linear_map_settings *settings = state->input;

	switch (key) {
	case KEY_FORMAT:
		settings->format_given = true;
		return pgt_arg_choice(state, "--format", arg, formats, &settings->format);
	case KEY_LABEL:
		settings->label = arg;
		return 0;
	case 'o':
		settings->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		pgt_usage_error(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		check_settings(state, settings);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp linear_map_argp = {
	.options = linear_map_options,
	.parser = linear_map_option,
	.doc = "Print how the running arm64 kernel maps its memory: the regions of the linear map as "
	       "ptdump prints them, how much is mapped by entries of which kind, and the TLB entries "
	       "that it takes."
	       "\v"
	       "Reads page tables through /proc/kcore, as root; needs no debugfs.  TLB entries: one "
	       "for a page, a block, or a whole group of contiguous ones, if the CPU makes use of "
	       "these.  A recording can be compared like any; 'pgtrace lab ab BASE TEST -- "
	       "linear-map' makes two and compares them.\n\n"
	       "Exit status: 0 done, 1 failed, 2 used wrongly.",
};

static int record(const struct linear_map_settings *settings, struct pgt_diag *diag)
{
	const char *label = settings->label ? settings->label : "linear-map";
	struct pgt_linear_map map = { .n_tables = 0 };
	struct pgt_writer *writer;
	int err = pgt_writer_open(&writer, settings->output, diag);

	if (err)
		return err;
	err = pgt_linear_map_read(&map, KCORE, diag);
	if (!err)
		err = pgt_lines_start(writer, diag);
	if (!err)
		err = pgt_lines_linear_map(writer, label, &map, diag);
	if (!err)
		err = pgt_writer_finish(writer, diag);
	pgt_writer_free(writer);
	pgt_linear_map_release(&map);
	return err;
}

static int print(const struct linear_map_settings *settings, struct pgt_diag *diag)
{
	struct pgt_linear_map map = { .n_tables = 0 };
	int err = pgt_linear_map_read(&map, KCORE, diag);

	if (err)
		return err;
	err = settings->format ? pgt_linear_map_print_json(&map, stdout) :
				 pgt_linear_map_print_text(&map, stdout);
	pgt_linear_map_release(&map);
	return err ? pgt_fail(diag, err, "out of memory") : pgt_stdout_flush(diag);
}

int pgt_cmd_linear_map(int argc, char **argv)
{
	struct linear_map_settings settings = { .output = NULL };
	struct pgt_diag diag = { "" };
	int err;

	pgt_options_parse(&linear_map_argp, "pgtrace linear-map", argc, argv, &settings);
	err = settings.output ? record(&settings, &diag) : print(&settings, &diag);
	if (err)
		fprintf(stderr, "pgtrace linear-map: %s\n", diag.text);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
