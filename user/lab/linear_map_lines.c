/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/linear_map_lines.h"

#include <jansson.h>
#include <stdio.h>

#include "base/diag.h"
#include "recording/metric.h"
#include "recording/recording.h"
#include "trace/linear_map.h"

static int write_metric(struct pgt_writer *writer, const char *workload, const char *name,
			uint64_t value, struct pgt_diag *diag)
{
	struct pgt_metric metric;
	int err = pgt_metric_lookup(name, &metric);

	if (err)
		return pgt_fail(diag, err, "%s: not a metric of this pgtrace", name);
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:i, s:s, s:s, s:I, s:s, s:b}",
		"type", "metric", "workload", workload, "repeat", 1, "metric", name,
		"unit", metric.unit, "value", (json_int_t)value, "source", "kcore",
		"lower_bound", 0), diag);
}

static int write_kind(struct pgt_writer *writer, const char *workload,
		      const struct pgt_linear_map *map, enum pgt_page_kind kind,
		      struct pgt_diag *diag)
{
	const struct pgt_page_sum *sum = &map->regions.sum[kind];
	char name[64];
	int err;

	snprintf(name, sizeof(name), "linear_map.bytes.%s", pgt_page_kind_name(kind));
	err = write_metric(writer, workload, name, sum->bytes, diag);
	if (err)
		return err;
	snprintf(name, sizeof(name), "linear_map.entries.%s", pgt_page_kind_name(kind));
	return write_metric(writer, workload, name, sum->entries, diag);
}

int pgt_lines_linear_map(struct pgt_writer *writer, const char *workload,
			 const struct pgt_linear_map *map, struct pgt_diag *diag)
{
	struct pgt_page_sum total = pgt_page_regions_total(&map->regions);
	int err = 0;

	for (int i = 0; i < PGT_N_KINDS && !err; i++)
		err = write_kind(writer, workload, map, (enum pgt_page_kind)i, diag);
	if (!err)
		err = write_metric(writer, workload, "linear_map.tables", map->n_tables, diag);
	if (!err)
		err = write_metric(writer, workload, "linear_map.translations",
				   total.translations, diag);
	if (err)
		return err;
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i}",
		"type", "loss", "workload", workload, "repeat", 1, "missed", 0, "recursion", 0,
		"overflow", 0, "unbalanced", 0), diag);
}
