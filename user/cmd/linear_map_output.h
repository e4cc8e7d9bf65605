/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linear_map_output.h - a linear map, printed for cmd/linear_map.c.
 */
#ifndef PGT_CMD_LINEAR_MAP_OUTPUT_H
#define PGT_CMD_LINEAR_MAP_OUTPUT_H

#include <stdio.h>

struct pgt_linear_map;

/* As ptdump prints it, and the sums.  0 or -ENOMEM; errors of the stream are its owner's. */
int pgt_linear_map_print_text(const struct pgt_linear_map *map, FILE *out);

/* One JSON object; addresses are hexadecimal strings, sizes integers in bytes. */
int pgt_linear_map_print_json(const struct pgt_linear_map *map, FILE *out);

#endif /* PGT_CMD_LINEAR_MAP_OUTPUT_H */
