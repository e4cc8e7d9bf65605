/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/linear_map_output.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>

#include "base/buf.h"
#include "trace/linear_map.h"

/* What TLBs have: small first-level ones, and the second level of Neoverse N1 and V2. */
static const unsigned int tlb_sizes[] = { 48, 1280, 2048 };

#define N_TLB_SIZES	(sizeof(tlb_sizes) / sizeof(tlb_sizes[0]))

/* Bytes that so many TLB entries map on average, and never more than there are. */
static uint64_t reach(const struct pgt_page_sum *total, unsigned int entries)
{
	if (!total->translations)
		return 0;
	if (entries >= total->translations)
		return total->bytes;
	return (uint64_t)((__extension__ (unsigned __int128)total->bytes) * entries /
			  total->translations);
}

/* ---- text ---- */

static int print_region(const struct pgt_linear_map *map, const struct pgt_page_region *region,
			FILE *out)
{
	const char *unit = "KMGTPE";
	uint64_t size = (region->end - region->start) >> 10;
	struct pgt_buf words = PGT_BUF_INIT;
	int err = pgt_page_region_words(region, true, &words);

	while (!(size & 1023) && unit[1]) {
		size >>= 10;
		unit++;
	}
	if (!err)
		fprintf(out, "0x%016" PRIx64 "-0x%016" PRIx64 "   %9" PRIu64 "%c %s%s\n",
			region->start, region->end, size, *unit,
			pgt_geometry_level_name(&map->geometry, region->level), words.at);
	pgt_buf_release(&words);
	return err;
}

static void print_sum(const char *name, const struct pgt_page_sum *sum, FILE *out)
{
	fprintf(out, "%-9s%14" PRIu64 "K%13" PRIu64 "%13" PRIu64 "\n", name, sum->bytes >> 10,
		sum->entries, sum->translations);
}

static void print_reach(const struct pgt_page_sum *total, FILE *out)
{
	fputs("\nTLB reach: what a TLB of so many entries maps on average, were all of it used "
	      "alike\n", out);
	for (size_t i = 0; i < N_TLB_SIZES; i++)
		fprintf(out, "%9u%14" PRIu64 "K\n", tlb_sizes[i], reach(total, tlb_sizes[i]) >> 10);
}

int pgt_linear_map_print_text(const struct pgt_linear_map *map, FILE *out)
{
	struct pgt_page_sum total = pgt_page_regions_total(&map->regions);
	int err = 0;

	fputs("---[ Linear Mapping start ]---\n", out);
	for (size_t i = 0; i < map->regions.n && !err; i++)
		err = print_region(map, &map->regions.at[i], out);
	fputs("---[ Linear Mapping end ]---\n\n", out);
	fprintf(out, "%-9s%15s%13s%13s\n", "", "mapped", "entries", "TLB entries");
	for (int i = 0; i < PGT_N_KINDS; i++)
		print_sum(pgt_page_kind_words((enum pgt_page_kind)i), &map->regions.sum[i], out);
	print_sum("all", &total, out);
	fprintf(out, "%-9s%15" PRIu64 "\n", "tables", map->n_tables);
	print_reach(&total, out);
	return err;
}

/* ---- JSON ---- */

static json_t *hexadecimal(uint64_t address)
{
	return json_sprintf("0x%016" PRIx64, address);
}

static json_t *region_json(const struct pgt_linear_map *map, const struct pgt_page_region *region)
{
	struct pgt_buf words = PGT_BUF_INIT;
	json_t *object = NULL;

	if (!pgt_page_region_words(region, false, &words))
		object = json_pack("{s:o, s:o, s:I, s:s, s:s}",
			"start", hexadecimal(region->start), "end", hexadecimal(region->end),
			"bytes", (json_int_t)(region->end - region->start),
			"level", pgt_geometry_level_name(&map->geometry, region->level),
			"attributes", words.at);
	pgt_buf_release(&words);
	return object;
}

static json_t *regions_json(const struct pgt_linear_map *map)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < map->regions.n; i++)
		if (json_array_append_new(array, region_json(map, &map->regions.at[i]))) {
			json_decref(array);
			return NULL;
		}
	return array;
}

static json_t *sum_json(const struct pgt_page_sum *sum)
{
	return json_pack("{s:I, s:I, s:I}", "bytes", (json_int_t)sum->bytes,
			 "entries", (json_int_t)sum->entries,
			 "translations", (json_int_t)sum->translations);
}

static json_t *kinds_json(const struct pgt_linear_map *map)
{
	json_t *object = json_object();

	for (int i = 0; object && i < PGT_N_KINDS; i++)
		if (json_object_set_new(object, pgt_page_kind_name((enum pgt_page_kind)i),
					sum_json(&map->regions.sum[i]))) {
			json_decref(object);
			return NULL;
		}
	return object;
}

static json_t *reach_json(const struct pgt_page_sum *total)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < N_TLB_SIZES; i++)
		if (json_array_append_new(array, json_pack("{s:i, s:I}",
				"tlb_entries", (int)tlb_sizes[i],
				"bytes", (json_int_t)reach(total, tlb_sizes[i])))) {
			json_decref(array);
			return NULL;
		}
	return array;
}

int pgt_linear_map_print_json(const struct pgt_linear_map *map, FILE *out)
{
	struct pgt_page_sum total = pgt_page_regions_total(&map->regions);
	json_t *object = json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:I, s:o}",
		"page_size", 1 << map->geometry.page_shift, "va_bits", (int)map->geometry.va_bits,
		"levels", 4 - map->geometry.root_level,
		"start", hexadecimal(map->start), "end", hexadecimal(map->end),
		"regions", regions_json(map), "kinds", kinds_json(map), "all", sum_json(&total),
		"tables", (json_int_t)map->n_tables, "reach", reach_json(&total));

	if (!object)
		return -ENOMEM;
	json_dumpf(object, out, JSON_INDENT(1));	/* the stream keeps its errors */
	fputc('\n', out);
	json_decref(object);
	return 0;
}
