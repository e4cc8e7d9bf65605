/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linear_map.h - the linear map of the running arm64 kernel, read off its page tables.
 *
 * The tables are found as crash(8) and drgn do: the note VMCOREINFO of /proc/kcore names the
 * root and the geometry, the core's program headers say where physical memory is.  Nothing is
 * believed before a walk to _stext has given the address that the core itself gives.
 */
#ifndef PGT_TRACE_LINEAR_MAP_H
#define PGT_TRACE_LINEAR_MAP_H

#include <stdint.h>

#include "probe/page_regions.h"
#include "probe/page_table.h"

struct pgt_linear_map {
	struct pgt_geometry geometry;
	uint64_t start, end;		/* virtual; the end is not in it */
	struct pgt_page_regions regions;	/* from start to end */
	uint64_t n_tables;		/* pages of tables, those that other areas share included */
};

/*
 * Read path, normally "/proc/kcore".  Besides what kcore.h and vmcoreinfo.h say: -EOPNOTSUPP
 * where the core is of another architecture, -EPROTO where the tables are not what the core
 * says.
 */
int pgt_linear_map_read(struct pgt_linear_map *out, const char *path, struct pgt_diag *diag);
void pgt_linear_map_release(struct pgt_linear_map *map);	/* accepts a zeroed one */

#endif /* PGT_TRACE_LINEAR_MAP_H */
