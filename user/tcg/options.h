/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the plugin's arguments: name=value, as QEMU hands them over.
 */
#ifndef PGT_TCG_OPTIONS_H
#define PGT_TCG_OPTIONS_H

#include <stdbool.h>

struct pgt_diag;

struct pgt_tcg_options {
	const char *plan, *out;		/* paths */
	bool instructions;
	const char *model;		/* a core of tcg/cores.h; NULL: none */
};

/* -EINVAL for an unknown, repeated, missing or malformed argument.  Points into argv. */
int pgt_tcg_options_parse(struct pgt_tcg_options *out, int argc, char **argv,
			  struct pgt_diag *diag);

#endif /* PGT_TCG_OPTIONS_H */
