/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab_forms.h - what each command of "pgtrace lab" takes, as tables for argp.
 */
#ifndef PGT_CMD_LAB_FORMS_H
#define PGT_CMD_LAB_FORMS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum {				/* options without a letter */
	PGT_KEY_BOOTS = 256, PGT_KEY_JOBS, PGT_KEY_MEMORY, PGT_KEY_CPU, PGT_KEY_CPUS, PGT_KEY_SITES,
	PGT_KEY_PROBES, PGT_KEY_RUNS, PGT_KEY_QEMU, PGT_KEY_MODULES, PGT_KEY_GUEST,
	PGT_KEY_PROGRAM, PGT_KEY_FORMAT, PGT_KEY_PATIENCE, PGT_KEY_ARCH, PGT_KEY_BOOT,
	PGT_KEY_BOOT_MEMORY, PGT_KEY_PLUGIN, PGT_KEY_NO_PLUGIN, PGT_KEY_MODEL, PGT_KEY_TABLE,
	PGT_KEY_APPEND, PGT_KEY_PATCHES, PGT_KEY_NO_BESIDE, PGT_KEY_CONSOLE, PGT_KEY_SKIP,
};

struct pgt_lab_form {
	const char *name;
	const struct argp_option *options;
	const char *args, *doc;		/* args: a line for each way to use it */
	size_t n_operands;
	bool workloads;			/* behind "--" */
	const char *output;		/* where the user does not say; NULL: nowhere */
};

extern const struct pgt_lab_form pgt_lab_forms[];	/* by enum pgt_lab_command */

#endif /* PGT_CMD_LAB_FORMS_H */
