/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - values of options, checked whole: the pieces that argp does not have.
 *
 * The pgt_arg_ functions return 0, or do not return: a wrong value prints one line that names
 * the option and what it takes, and exits with status 2.
 */
#ifndef PGT_CMD_OPTIONS_H
#define PGT_CMD_OPTIONS_H

#include <argp.h>

#define PGT_EXIT_USAGE	2

/*
 * argp_parse() for a command, with --help and --usage.  Returns only where the options are
 * right.  A wrong usage prints one line that starts with the command's name ("pgtrace
 * compare: ") and exits with PGT_EXIT_USAGE; help that cannot be written exits with 1.
 *
 * The command's parser reports with pgt_usage_error(), not argp_error(), and handles
 * ARGP_KEY_ARG or ARGP_KEY_ARGS, without which argp would refuse arguments and not say so.
 * name must live as long as argv; behind a ": " it may say where the options stand.
 */
void pgt_options_parse(const struct argp *argp, const char *name, int argc, char **argv,
		       void *input);

/* One line in the name of the command, and the end of the program with PGT_EXIT_USAGE. */
void pgt_usage_error(const struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* A whole number from min to max. */
error_t pgt_arg_count(struct argp_state *state, const char *option, const char *arg,
		      unsigned int min, unsigned int max, unsigned int *out);

/* One of the names in the NULL-terminated list; *out is its index. */
error_t pgt_arg_choice(struct argp_state *state, const char *option, const char *arg,
		       const char *const *choices, unsigned int *out);

/* One or more of the names, with commas between them; *out has bit i for choices[i]. */
error_t pgt_arg_choices(struct argp_state *state, const char *option, const char *arg,
			const char *const *choices, unsigned int *out);

/* A number between 0 and 1, both excluded. */
error_t pgt_arg_fraction(struct argp_state *state, const char *option, const char *arg,
			 double *out);

#endif /* PGT_CMD_OPTIONS_H */
