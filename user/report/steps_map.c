/* SPDX-License-Identifier: GPL-2.0-only */
/* Making the linear map: the boot-time tables of all pairs, as one. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "report/steps_parts.h"

static const enum pgt_boot_part parts[] = {
	PGT_BOOT_TOTAL, PGT_BOOT_PER_PAGE, PGT_BOOT_PER_TABLE,
};

#define N_PARTS	(sizeof(parts) / sizeof(parts[0]))

static const struct pgt_boot_line *find_line(const struct pgt_boot_table *table,
					     const char *name, enum pgt_boot_part part)
{
	for (size_t i = 0; i < table->n_lines; i++)
		if (table->lines[i].part == part && !strcmp(table->lines[i].name, name))
			return &table->lines[i];
	return NULL;
}

/* A cell of a pair's table as one of ours; a row of the table is not shown elsewhere. */
static void fill_cell(struct pgt_steps *steps, struct pgt_steps_map_cell *out, size_t side,
		      const struct pgt_boot_cell *cell)
{
	struct pgt_steps_row *row = NULL;

	out->value = side ? cell->test : cell->base;
	out->ratio = side ? cell->ratio : NAN;
	if (cell->row)
		row = pgt_steps_find_row(steps, cell->row->row->workload, cell->row->row->metric);
	if (!row)
		return;
	out->counted = &row->cells[side];
	row->shown = false;
	row->for_text = false;
	if (row->cells[side].row && !(row->cells[side].row->notes & PGT_NOTE_EXACT))
		steps->map.exact = false;
}

static int add_line(struct pgt_steps *steps, const char *name, enum pgt_boot_part part, size_t side)
{
	const struct pgt_boot_table *table = steps->reports[side ? side : 1].boot;
	const struct pgt_boot_line *line = find_line(table, name, part);
	struct pgt_steps_map *map = &steps->map;
	struct pgt_steps_map_line *grown = reallocarray(map->lines, map->n_lines + 1,
							sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	map->lines = grown;
	grown += map->n_lines;
	*grown = (struct pgt_steps_map_line){ name, part, side,
					      calloc(map->n_sizes, sizeof(*grown->cells)) };
	if (!grown->cells)
		return -ENOMEM;
	map->n_lines++;
	for (size_t i = 0; i < map->n_sizes; i++)
		fill_cell(steps, &grown->cells[i], side, &line->cells[i]);
	return 0;
}

/* All pairs have rows of the same metrics, and so all have a table or none, of the same sizes. */
int pgt_steps_add_map(struct pgt_steps *steps, struct pgt_diag *diag)
{
	const struct pgt_boot_table *table = steps->reports[1].boot;
	int err = 0;

	if (!table)
		return 0;
	steps->map = (struct pgt_steps_map){ .sizes = table->columns, .n_sizes = table->n_columns,
					     .exact = true };
	for (size_t i = 0; i < table->n_lines; i++) {
		const struct pgt_boot_line *line = &table->lines[i];

		if (line->part != PGT_BOOT_TOTAL ||
		    !find_line(table, line->name, PGT_BOOT_PER_PAGE))
			continue;	/* pages: what the quotients are of */
		for (size_t part = 0; part < N_PARTS; part++)
			for (size_t side = 0; !err && side < steps->n_sides; side++)
				err = add_line(steps, line->name, parts[part], side);
	}
	return err ? pgt_fail(diag, err, "out of memory") : 0;
}
