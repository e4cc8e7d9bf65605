/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmake.h - make(1) in a kernel's source, with progress, and a log that is kept on failure.
 */
#ifndef PGT_LAB_KMAKE_H
#define PGT_LAB_KMAKE_H

#include <stdint.h>

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

struct pgt_kmake {
	const struct pgt_lab *lab;
	const struct pgt_arch *arch;
	const char *tree;	/* the source */
	const char *objects;	/* where to build */
	const char *suffix;	/* of the release, also the name of the log */
	const char *label;	/* for the progress */
	uint64_t expected;	/* lines the build will print, roughly; 0: not worth showing */
};

/*
 * Programs without which no kernel is built.  -ENOENT names those that are missing.
 */
int pgt_kmake_check(const struct pgt_arch *arch, struct pgt_diag *diag);

/*
 * Run make with these goals and settings.  Returns 0, -EINTR, or -ECHILD with the line that
 * tells most and the path of the log.
 */
int pgt_kmake_run(const struct pgt_kmake *make, const char *const *goals, struct pgt_diag *diag);

#endif /* PGT_LAB_KMAKE_H */
