/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linear_map_lines.h - what the linear map is like, as lines of a recording.
 */
#ifndef PGT_LAB_LINEAR_MAP_LINES_H
#define PGT_LAB_LINEAR_MAP_LINES_H

struct pgt_diag;
struct pgt_linear_map;
struct pgt_writer;

/*
 * One metric line for each kind's bytes and entries, those that are 0 too, one for the tables
 * and one for the translations; and a loss line, there being nothing to lose.
 */
int pgt_lines_linear_map(struct pgt_writer *writer, const char *workload,
			 const struct pgt_linear_map *map, struct pgt_diag *diag);

#endif /* PGT_LAB_LINEAR_MAP_LINES_H */
