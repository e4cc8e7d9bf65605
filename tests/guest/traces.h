/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * traces.h - what runs of pgtrace have put into the running kernel and into /tmp.
 *
 * Hardware breakpoints are not among it: the kernel lists them nowhere, and they end with the
 * descriptor that set them.
 */
#ifndef PGT_TESTS_TRACES_H
#define PGT_TESTS_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PGT_TRACES_GROUPS	16
#define PGT_TRACES_PROGRAMS	256
#define PGT_TRACES_FILES	32
#define PGT_TRACES_NAME		64

struct pgt_diag;

struct pgt_traces {
	/* groups of tracefs events named pgtrace_*, and how many lines each has */
	char group[PGT_TRACES_GROUPS][PGT_TRACES_NAME];
	size_t n_lines[PGT_TRACES_GROUPS];
	size_t n_groups;
	uint32_t program[PGT_TRACES_PROGRAMS];	/* ids of all BPF programs, ascending */
	size_t n_programs;
	char file[PGT_TRACES_FILES][PGT_TRACES_NAME];	/* names in /tmp, sorted */
	size_t n_files;
};

/* Returns 0; -E2BIG where there is more than fits; or what reading failed with. */
int pgt_traces_read(struct pgt_traces *out, struct pgt_diag *diag);

/* How many lines the events of process pid have. */
size_t pgt_traces_lines_of(const struct pgt_traces *traces, pid_t pid);

/*
 * Is everything as it was before?  Waits some seconds for programs, which the kernel frees
 * after a while.  Returns 0, -EEXIST with the first thing that is too much, or -ENOENT with the
 * first that is missing.
 */
int pgt_traces_expect(const struct pgt_traces *before, struct pgt_diag *diag);

#endif /* PGT_TESTS_TRACES_H */
