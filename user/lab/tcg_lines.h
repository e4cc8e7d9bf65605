/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tcg_lines.h - the lines that the plugin's counts become.  For tcg_join.c.
 */
#ifndef PGT_LAB_TCG_LINES_H
#define PGT_LAB_TCG_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct pgt_diag;
struct pgt_tcg_join;
struct pgt_tcg_result;
struct pgt_writer;

struct pgt_tcg_target {		/* where lines go, and what they are of */
	struct pgt_writer *writer;
	const struct pgt_tcg_join *join;
	const struct pgt_tcg_result *result;
	const char *workload;
	int64_t repeat;
	int64_t window;		/* of the result; PGT_TCG_BOOT: the whole boot */
	json_t *recording;	/* the lines of the recording, an array */
	struct pgt_diag *diag;
};

/* Of the whole boot: the scopes that belong to it, and every probe. */
int pgt_tcg_lines_boot(const struct pgt_tcg_target *target);

/* Of a window: the scopes that were called in it. */
int pgt_tcg_lines_scopes(const struct pgt_tcg_target *target);

/* Of a window: what a live machine cannot see. */
int pgt_tcg_lines_unseen(const struct pgt_tcg_target *target);

/* Of a window: the model, where there was one. */
int pgt_tcg_lines_model(const struct pgt_tcg_target *target);

/* One value; its unit follows from the name. */
int pgt_tcg_lines_value(const struct pgt_tcg_target *target, const char *source, int64_t value,
			bool lower_bound, const char *metric, ...)
	__attribute__((format(printf, 5, 6)));

#endif /* PGT_LAB_TCG_LINES_H */
