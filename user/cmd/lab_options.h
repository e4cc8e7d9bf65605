/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab_options.h - the options of "pgtrace lab": parsed, checked, with their defaults.
 */
#ifndef PGT_CMD_LAB_OPTIONS_H
#define PGT_CMD_LAB_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pgt_lab_command { PGT_LAB_AB, PGT_LAB_RUN, PGT_LAB_VERIFY, PGT_LAB_FETCH };

#define PGT_LAB_MAX_PROGRAMS	64
#define PGT_LAB_MAX_BOOTS	8	/* sizes of memory */
#define PGT_LAB_MAX_OPERANDS	17	/* a topic, and its sides by name */

struct pgt_diag;
struct pgt_lab_topic;

struct pgt_lab_options {
	/* BASE and TEST, or a topic and some of its sides; KERNEL; what to fetch */
	const char *operand[PGT_LAB_MAX_OPERANDS];
	size_t n_operands;
	struct pgt_lab_topic *topic;	/* that the first operand names; NULL for none */
	bool no_beside;			/* of a topic */
	const char *arch;
	const char *output;		/* directory (ab) or file (run) */
	unsigned int boots, jobs, n_cpus, patience_s, runs;
	uint64_t memory;		/* bytes */
	const char *append;		/* kernel parameters, printable; NULL: none */
	const char *console;		/* file for the console log (run); NULL: none */
	bool skip_unsupported;		/* workloads that the kernel cannot do (run) */
	const char *cpu, *sites, *probes, *qemu, *modules, *guest_pgtrace, *format, *patches;
	const char *programs[PGT_LAB_MAX_PROGRAMS + 1];	/* NULL-terminated */
	size_t n_programs;
	const char *const *workloads;	/* NULL-terminated; those after "--", or the defaults; */
					/* NULL: none, only boots are measured */
	const char *plugin;		/* path; NULL: the one beside this program */
	bool no_plugin;
	const char *model;		/* of whose TLBs; NULL: no model */
	bool boot;
	uint64_t boot_memory[PGT_LAB_MAX_BOOTS];	/* bytes */
	size_t n_boot_memory;
};

/*
 * Parse argv of "lab ab", "lab run", "lab verify" or "lab fetch" (argv[0] is that word, and becomes the
 * whole name).  What a topic's own file says counts where argv does not say otherwise.
 * Returns 0, or what the topic's files gave; does not return for --help or for a wrong
 * usage: see options.h.
 */
int pgt_lab_options_parse(struct pgt_lab_options *options, enum pgt_lab_command command,
			  int argc, char **argv, struct pgt_diag *diag);
void pgt_lab_options_release(struct pgt_lab_options *options);	/* accepts zeroed ones */

#endif /* PGT_CMD_LAB_OPTIONS_H */
