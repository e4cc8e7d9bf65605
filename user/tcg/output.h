/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - what was counted, as the lines of tcg/format.h.
 */
#ifndef PGT_TCG_OUTPUT_H
#define PGT_TCG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pgt_diag;
struct pgt_tcg_kinds;
struct pgt_tcg_places;
struct pgt_tcg_plan;
struct pgt_tcg_scopes;
struct pgt_tcg_windows;

struct pgt_tcg_counted {
	const struct pgt_tcg_plan *plan;
	const struct pgt_tcg_kinds *kinds;
	const struct pgt_tcg_places *places;
	const struct pgt_tcg_scopes *scopes;
	const struct pgt_tcg_windows *windows;
	const uint64_t *hits;		/* in the whole boot, by number of the place */
	bool instructions;		/* are counted */
	const char *model;		/* NULL: none */
};

/*
 * Print everything but the lines of a model and the last line.  *lines is the number of lines.
 * Write errors are the stream's to tell.  -ENOMEM.
 */
int pgt_tcg_output_counts(FILE *stream, const struct pgt_tcg_counted *counted, uint64_t *lines,
			  struct pgt_diag *diag);

/* Print the last line.  lines: how many there are before it. */
void pgt_tcg_output_end(FILE *stream, uint64_t lines);

#endif /* PGT_TCG_OUTPUT_H */
