/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linear-map - no work, but a state: what the kernel has mapped its memory with.
 *
 * It is looked at before any probe is planted: kprobes take pages for their slots and change
 * how these are mapped, which splits blocks.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "lab/linear_map_lines.h"
#include "lab/workload_kinds.h"
#include "trace/linear_map.h"

static int linear_map_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct pgt_linear_map *map;

	if (parameters)
		return pgt_fail(diag, -EINVAL, "linear-map: takes no parameters, such as \"%s\"",
				parameters);
	map = calloc(1, sizeof(*map));
	if (!map)
		return pgt_fail(diag, -ENOMEM, "linear-map: out of memory");
	*out = map;
	return 0;
}

static int linear_map_observe(void *state, struct pgt_diag *diag)
{
	return pgt_linear_map_read(state, "/proc/kcore", diag);
}

static int linear_map_write(void *state, const char *label, struct pgt_writer *writer,
			    struct pgt_diag *diag)
{
	return pgt_lines_linear_map(writer, label, state, diag);
}

static void linear_map_release(void *state)
{
	if (!state)
		return;
	pgt_linear_map_release(state);
	free(state);
}

const struct pgt_workload pgt_workload_linear_map = {
	.name = "linear-map",
	.help = "no work, but a state: how the kernel's memory is mapped (see pgtrace linear-map)",
	.parse = linear_map_parse,
	.observe = linear_map_observe,
	.write = linear_map_write,
	.release = linear_map_release,
};
