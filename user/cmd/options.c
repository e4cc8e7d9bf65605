/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"

enum { KEY_HELP = '?', KEY_USAGE = 256 };

static const struct argp_option help_options[] = {
	{ "help", KEY_HELP, NULL, 0, "give this help list", -1 },
	{ "usage", KEY_USAGE, NULL, 0, "give a short usage message", 0 },
	{ 0 }
};

/* argp's own --help exits with 0 also where its text could not be written. */
static void show_help(const struct argp_state *state, unsigned int what)
{
	struct pgt_diag diag = { "" };
	int err;

	argp_state_help(state, stdout, what & ~(unsigned int)ARGP_HELP_EXIT_OK);
	err = pgt_stdout_flush(&diag);
	if (err)
		fprintf(stderr, "%s: %s\n", state->name, diag.text);
	exit(err ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* Stands around the parser of every command. */
static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->input;
		state->err_stream = NULL;	/* getopt's one line is enough, without advice */
		return 0;
	case KEY_HELP:
		show_help(state, ARGP_HELP_STD_HELP);
		return 0;
	case KEY_USAGE:
		show_help(state, ARGP_HELP_USAGE);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void pgt_options_parse(const struct argp *argp, const char *name, int argc, char **argv,
		       void *input)
{
	const struct argp_child children[] = { { argp, 0, NULL, 0 }, { 0 } };
	const struct argp whole = { help_options, parse_common, NULL, NULL, children, NULL, NULL };
	char *unnamed[] = { (char *)name, NULL };
	error_t err;

	if (argc > 0)
		argv[0] = (char *)name;	/* argp and getopt take the prefix of messages from here */
	else
		argv = unnamed;
	err = argp_parse(&whole, argc > 0 ? argc : 1, argv, ARGP_NO_HELP, NULL, input);
	if (err == ENOMEM)
		fprintf(stderr, "%s: out of memory\n", name);
	if (err)
		exit(err == ENOMEM ? EXIT_FAILURE : PGT_EXIT_USAGE);
}

/*
 * argp_error() would say nothing, its stream being NULL, or add a hint of two more lines; and its
 * state->name is what stands behind the last '/' of ours.
 */
void pgt_usage_error(const struct argp_state *state, const char *fmt, ...)
{
	struct pgt_diag diag;
	char text[sizeof(diag.text)];
	const char *name = state->argv[0];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	pgt_fail(&diag, -EINVAL, "%s", text);	/* makes it one line, whatever the argument was */
	fprintf(stderr, "%s: %s (see %.*s --help)\n", name, diag.text, (int)strcspn(name, ":"), name);
	exit(PGT_EXIT_USAGE);
}

error_t pgt_arg_count(struct argp_state *state, const char *option, const char *arg,
		      unsigned int min, unsigned int max, unsigned int *out)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(arg, &end, 10);
	/* strtoul() would take a sign or a space in front. */
	if (arg[0] < '0' || arg[0] > '9' || *end || errno || value < min || value > max)
		pgt_usage_error(state, "%s: '%s' is not a whole number from %u to %u", option, arg,
				min, max);
	*out = (unsigned int)value;
	return 0;
}

/* "text, markdown, json", cut where it does not fit. */
static void list_choices(char *text, size_t size, const char *const *choices)
{
	text[0] = '\0';
	for (size_t i = 0; choices[i]; i++) {
		size_t used = strlen(text);

		snprintf(text + used, size - used, "%s%s", i ? ", " : "", choices[i]);
	}
}

static int find_choice(const char *arg, size_t n, const char *const *choices)
{
	for (int i = 0; choices[i]; i++)
		if (strlen(choices[i]) == n && !strncmp(choices[i], arg, n))
			return i;
	return -1;
}

error_t pgt_arg_choice(struct argp_state *state, const char *option, const char *arg,
		       const char *const *choices, unsigned int *out)
{
	int found = find_choice(arg, strlen(arg), choices);
	char known[256];

	if (found < 0) {
		list_choices(known, sizeof(known), choices);
		pgt_usage_error(state, "%s: '%s' is none of %s", option, arg, known);
	}
	*out = (unsigned int)found;
	return 0;
}

error_t pgt_arg_choices(struct argp_state *state, const char *option, const char *arg,
			const char *const *choices, unsigned int *out)
{
	unsigned int chosen = 0;
	char known[256];

	for (const char *name = arg; ; ) {
		size_t n = strcspn(name, ",");
		int found = find_choice(name, n, choices);

		if (found < 0) {
			list_choices(known, sizeof(known), choices);
			pgt_usage_error(state, "%s: '%.*s' is none of %s", option, (int)n, name, known);
		}
		chosen |= 1U << found;
		if (!name[n])
			break;
		name += n + 1;
	}
	*out = chosen;
	return 0;
}

error_t pgt_arg_fraction(struct argp_state *state, const char *option, const char *arg,
			 double *out)
{
	char *end;
	double value = strtod(arg, &end);

	if (((arg[0] < '0' || arg[0] > '9') && arg[0] != '.') || *end ||
	    !(value > 0 && value < 1))
		pgt_usage_error(state, "%s: '%s' is not a number between 0 and 1", option, arg);
	*out = value;
	return 0;
}
