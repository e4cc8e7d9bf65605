/* SPDX-License-Identifier: GPL-2.0-only */
/* linear_map_output.c: ptdump's lines, the sums below them, and JSON that says the same. */
#include <jansson.h>
#include <stdio.h>

#include "cmd/linear_map_output.h"
#include "trace/linear_map.h"

#include "tables.h"

#define BASE	UINT64_C(0xffff000000000000)

/* The map's next n entries of a level. */
static void add(struct pgt_linear_map *map, int level, uint64_t descriptor, size_t n)
{
	uint64_t size = UINT64_C(1) << pgt_geometry_shift(&map->geometry, level);
	uint64_t at = map->regions.n ? map->regions.at[map->regions.n - 1].end : BASE;
	struct pgt_diag diag = { "" };

	for (size_t i = 0; i < n; i++, at += size) {
		struct pgt_entry entry = { at, descriptor, level };

		cr_assert(zero(int, pgt_page_regions_add(&map->regions, &map->geometry, &entry, &diag)),
			  "%s", diag.text);
	}
}

static struct pgt_linear_map make_map(void)
{
	struct pgt_linear_map map = { .start = BASE, .end = 0xffff800000000000, .n_tables = 5 };
	struct pgt_diag diag;

	cr_assert(zero(int, pgt_geometry_init(&map.geometry, 4096, 48, 48, &diag)));
	add(&map, 2, NORMAL, 1);
	add(&map, 3, NORMAL | PAGE | PGT_DESC_CONT, 16);
	add(&map, 3, NORMAL_RO | PAGE, 495);
	add(&map, 3, (NORMAL & ~PGT_DESC_VALID) | PAGE, 1);
	add(&map, 2, NORMAL_RO, 14);
	add(&map, 2, NORMAL | PGT_DESC_CONT, 496);
	add(&map, 1, NORMAL, 4);
	add(&map, 1, 0, 507);
	add(&map, 0, 0, 255);
	return map;
}

/* To be freed. */
static char *print(int (*printer)(const struct pgt_linear_map *map, FILE *out),
		   const struct pgt_linear_map *map)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	cr_assert(zero(int, printer(map, out)));
	fclose(out);
	return text;
}

static char wanted[] =
"---[ Linear Mapping start ]---\n"
"0xffff000000000000-0xffff000000200000           2M PMD       RW NX SHD AF        BLK UXN    MEM/NORMAL-TAGGED\n"
"0xffff000000200000-0xffff000000210000          64K PTE       RW NX SHD AF    CON     UXN    MEM/NORMAL-TAGGED\n"
"0xffff000000210000-0xffff0000003ff000        1980K PTE       ro NX SHD AF            UXN    MEM/NORMAL\n"
"0xffff0000003ff000-0xffff000000400000           4K PTE F     RW NX SHD AF            UXN    MEM/NORMAL-TAGGED\n"
"0xffff000000400000-0xffff000002000000          28M PMD       ro NX SHD AF        BLK UXN    MEM/NORMAL\n"
"0xffff000002000000-0xffff000040000000         992M PMD       RW NX SHD AF    CON BLK UXN    MEM/NORMAL-TAGGED\n"
"0xffff000040000000-0xffff000140000000           4G PUD       RW NX SHD AF        BLK UXN    MEM/NORMAL-TAGGED\n"
"0xffff000140000000-0xffff008000000000         507G PUD\n"
"0xffff008000000000-0xffff800000000000      130560G PGD\n"
"---[ Linear Mapping end ]---\n"
"\n"
"                  mapped      entries  TLB entries\n"
"PTE                1980K          495          495\n"
"CONT PTE             64K           16            1\n"
"PMD               30720K           15           15\n"
"CONT PMD        1015808K          496           31\n"
"PUD             4194304K            4            4\n"
"all             5242876K         1026          546\n"
"tables                 5\n"
"\n"
"TLB reach: what a TLB of so many entries maps on average, were all of it used alike\n"
"       48        460912K\n"
"     1280       5242876K\n"
"     2048       5242876K\n";

Test(linear_map_output, text)
{
	struct pgt_linear_map map = make_map();
	char *text = print(pgt_linear_map_print_text, &map);

	cr_expect(eq(str, text, wanted));
	free(text);
	pgt_linear_map_release(&map);
}

static const char *string_at(json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

static json_int_t integer_at(json_t *object, const char *name)
{
	json_t *integer = json_object_get(object, name);

	return json_is_integer(integer) ? json_integer_value(integer) : -1;
}

Test(linear_map_output, json)
{
	struct pgt_linear_map map = make_map();
	char *text = print(pgt_linear_map_print_json, &map);
	json_t *whole = json_loads(text, 0, NULL), *regions, *region, *kinds, *reach;

	cr_assert(ne(ptr, whole, NULL), "%s", text);
	cr_expect(eq(int, (int)integer_at(whole, "page_size"), 4096));
	cr_expect(eq(int, (int)integer_at(whole, "va_bits"), 48));
	cr_expect(eq(int, (int)integer_at(whole, "levels"), 4));
	cr_expect(eq(int, (int)integer_at(whole, "tables"), 5));
	cr_expect(eq(str, (char *)string_at(whole, "start"), "0xffff000000000000"));
	cr_expect(eq(str, (char *)string_at(whole, "end"), "0xffff800000000000"));
	regions = json_object_get(whole, "regions");
	cr_assert(eq(sz, json_array_size(regions), 9));
	region = json_array_get(regions, 3);
	cr_expect(eq(str, (char *)string_at(region, "start"), "0xffff0000003ff000"));
	cr_expect(eq(str, (char *)string_at(region, "level"), "PTE"));
	cr_expect(eq(str, (char *)string_at(region, "attributes"),
		     "F RW NX SHD AF UXN MEM/NORMAL-TAGGED"));
	cr_expect(eq(int, (int)integer_at(region, "bytes"), 4096));
	cr_expect(eq(str, (char *)string_at(json_array_get(regions, 8), "attributes"), ""));
	kinds = json_object_get(whole, "kinds");
	cr_assert(eq(sz, json_object_size(kinds), PGT_N_KINDS));
	cr_expect(eq(i64, integer_at(json_object_get(kinds, "cont_pmd"), "bytes"), 1015808 << 10));
	cr_expect(eq(i64, integer_at(json_object_get(kinds, "cont_pmd"), "entries"), 496));
	cr_expect(eq(i64, integer_at(json_object_get(kinds, "cont_pmd"), "translations"), 31));
	cr_expect(eq(i64, integer_at(json_object_get(whole, "all"), "bytes"),
		     INT64_C(5242876) << 10));
	reach = json_array_get(json_object_get(whole, "reach"), 0);
	cr_expect(eq(i64, integer_at(reach, "tlb_entries"), 48));
	cr_expect(eq(i64, integer_at(reach, "bytes"), INT64_C(5368705024) * 48 / 546));
	json_decref(whole);
	free(text);
	pgt_linear_map_release(&map);
}

/* A kernel without a linear map that it knows of: nothing is mapped, and nothing divided by it. */
Test(linear_map_output, nothing_mapped)
{
	struct pgt_linear_map map = { .start = BASE };
	char *text;

	text = print(pgt_linear_map_print_text, &map);
	cr_expect(ne(ptr, strstr(text, "all                   0K            0            0\n"), NULL),
		  "%s", text);
	cr_expect(ne(ptr, strstr(text, "       48             0K\n"), NULL), "%s", text);
	free(text);
}
