/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace host: a recording that says which kernel runs here, and counts nothing. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "lab/host_recording.h"
#include "recording/recording.h"

struct host_settings {
	const char *output;
	bool symbols;
};

static const struct argp_option host_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording to FILE, or - for standard output (default)", 0 },
	{ "symbols", 'S', NULL, 0, "add the names of the kernel's code (needs root)", 0 },
	{ 0 }
};

static error_t host_option(int key, char *arg, struct argp_state *state)
{
	struct host_settings *settings = state->input;

	switch (key) {
	case 'o':
		settings->output = arg;
		return 0;
	case 'S':
		settings->symbols = true;
		return 0;
	case ARGP_KEY_ARG:
		pgt_usage_error(state, "unexpected argument '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp host_argp = {
	.options = host_options,
	.parser = host_option,
	.doc = "Describe the running kernel and its machine in a recording that counts nothing. "
	       "Guests of pgtrace lab run this where everything is counted from outside.",
};

int pgt_cmd_host(int argc, char **argv)
{
	struct host_settings settings = { .output = "-" };
	struct pgt_diag diag = { "" };
	struct pgt_writer *writer;
	int err;

	pgt_options_parse(&host_argp, "pgtrace host", argc, argv, &settings);
	err = pgt_writer_open(&writer, settings.output, &diag);
	if (!err) {
		err = pgt_host_record(writer, settings.symbols, &diag);
		pgt_writer_free(writer);
	}
	if (err)
		fprintf(stderr, "pgtrace host: %s\n", diag.text);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
