/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/linear_map.h"

#include <elf.h>
#include <errno.h>

#include "base/buf.h"
#include "base/diag.h"
#include "probe/kcore.h"
#include "probe/vmcoreinfo.h"

static int read_memory(void *kcore, uint64_t physical, void *buffer, size_t len,
		       struct pgt_diag *diag)
{
	return pgt_kcore_read_physical(kcore, physical, buffer, len, diag);
}

static int read_info(const struct pgt_kcore *kcore, struct pgt_vmcoreinfo *out,
		     struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_kcore_note(kcore, "VMCOREINFO", &text, diag);

	if (!err)
		err = pgt_vmcoreinfo_parse(out, text.at ? text.at : "", text.len, diag);
	pgt_buf_release(&text);
	return err;
}

static int find_tables(struct pgt_page_table *out, struct pgt_kcore *kcore,
		       const struct pgt_vmcoreinfo *info, struct pgt_diag *diag)
{
	struct pgt_page_table table = {
		.root = info->swapper_pg_dir - info->kimage_voffset,
		.read = read_memory,
		.memory = kcore,
	};
	int err = pgt_geometry_init(&table.geometry, info->page_size, info->va_bits,
				    64 - info->t1sz, diag);

	if (!err)
		*out = table;
	return err;
}

/* A wrong root or geometry gives nonsense that looks like page tables: hold it against the core. */
static int check_tables(const struct pgt_page_table *table, const struct pgt_kcore *kcore,
			const struct pgt_vmcoreinfo *info, struct pgt_diag *diag)
{
	uint64_t expected, walked;
	int err = pgt_kcore_physical(kcore, info->stext, &expected, diag);

	if (!err)
		err = pgt_page_table_translate(table, info->stext, &walked, diag);
	if (err)
		return pgt_wrap(diag, err, "the kernel's page tables cannot be checked");
	if (walked != expected)
		return pgt_fail(diag, -EPROTO,
				"the kernel's page tables map _stext to %#llx, and /proc/kcore "
				"says that it is at %#llx: not a kernel that pgtrace knows",
				(unsigned long long)walked, (unsigned long long)expected);
	return 0;
}

static int add_entry(void *data, const struct pgt_entry *entry, struct pgt_diag *diag)
{
	struct pgt_linear_map *map = data;

	return pgt_page_regions_add(&map->regions, &map->geometry, entry, diag);
}

static int read_map(struct pgt_linear_map *out, struct pgt_kcore *kcore, struct pgt_diag *diag)
{
	struct pgt_linear_map map = { .n_tables = 0 };
	struct pgt_vmcoreinfo info;
	struct pgt_page_table table;
	int err = read_info(kcore, &info, diag);

	if (!err)
		err = find_tables(&table, kcore, &info, diag);
	if (!err)
		err = check_tables(&table, kcore, &info, diag);
	if (err)
		return err;
	map.geometry = table.geometry;
	map.start = pgt_geometry_linear_start(&table.geometry);
	map.end = pgt_geometry_linear_end(&table.geometry);
	err = pgt_page_table_walk(&table, map.start, map.end, add_entry, &map, &map.n_tables, diag);
	if (err)
		pgt_linear_map_release(&map);
	else
		*out = map;
	return err;
}

int pgt_linear_map_read(struct pgt_linear_map *out, const char *path, struct pgt_diag *diag)
{
	struct pgt_kcore *kcore;
	int err = pgt_kcore_open(&kcore, path, diag);

	if (err)
		return err;
	if (pgt_kcore_machine(kcore) == EM_AARCH64)
		err = read_map(out, kcore, diag);
	else
		err = pgt_fail(diag, -EOPNOTSUPP,
			       "%s: not of an arm64 kernel, whose page tables are all that pgtrace can walk",
			       path);
	pgt_kcore_free(kcore);
	return err;
}

void pgt_linear_map_release(struct pgt_linear_map *map)
{
	pgt_page_regions_release(&map->regions);
}
