/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/flash.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/lab.h"

#define TREE	"/proc/device-tree"

static int read_property(const char *node, const char *name, struct pgt_buf *out,
			 struct pgt_diag *diag)
{
	char *path = pgt_format(TREE "/%s%s%s", node, *node ? "/" : "", name);
	int err = path ? pgt_file_read(path, out, diag) : pgt_fail(diag, -ENOMEM, "out of memory");

	free(path);
	return err;
}

/* Of the root, whose children's registers are physical addresses. */
static int read_cell(const char *name, uint32_t *out, struct pgt_diag *diag)
{
	struct pgt_buf cell = PGT_BUF_INIT;
	int err = read_property("", name, &cell, diag);

	if (!err && cell.len != 4)
		err = pgt_fail(diag, -EPROTO, TREE "/%s is not a cell", name);
	if (!err)
		*out = pgt_cell((const unsigned char *)cell.at);
	pgt_buf_release(&cell);
	return err;
}

static bool is_flash(const char *node)
{
	struct pgt_buf names = PGT_BUF_INIT;
	struct pgt_diag ignored;
	bool is = !read_property(node, "compatible", &names, &ignored) && names.len &&
		  pgt_compatible_has(names.at, names.len, "cfi-flash");

	pgt_buf_release(&names);
	return is;
}

/* The name of the node, malloc()ed; NULL where there is none, or no device tree. */
static char *find_node(void)
{
	DIR *nodes = opendir(TREE);
	char *found = NULL;
	struct dirent *entry;

	while (nodes && !found && (entry = readdir(nodes)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.' && is_flash(entry->d_name))
			found = strdup(entry->d_name);
	if (nodes)
		closedir(nodes);
	return found;
}

static int read_bank(const char *node, struct pgt_range *out, struct pgt_diag *diag)
{
	uint32_t address_cells, size_cells;
	struct pgt_buf reg = PGT_BUF_INIT;
	int err = read_cell("#address-cells", &address_cells, diag);

	if (!err)
		err = read_cell("#size-cells", &size_cells, diag);
	if (!err)
		err = read_property(node, "reg", &reg, diag);
	if (!err && !pgt_reg_last((const unsigned char *)reg.at, reg.len, address_cells,
				  size_cells, out))
		err = pgt_fail(diag, -EPROTO, TREE "/%s/reg does not hold addresses and sizes of "
			       "%" PRIu32 " and %" PRIu32 " cells", node, address_cells,
			       size_cells);
	pgt_buf_release(&reg);
	return err;
}

static int check_not_ram(const struct pgt_range *range, struct pgt_diag *diag)
{
	struct pgt_buf iomem = PGT_BUF_INIT;
	int err = pgt_file_read("/proc/iomem", &iomem, diag);

	if (!err && !pgt_iomem_is_readable(iomem.at ? iomem.at : ""))
		err = pgt_fail(diag, -EACCES, "/proc/iomem shows no addresses: it needs root");
	else if (!err && pgt_iomem_has_ram(iomem.at, range))
		err = pgt_fail(diag, -ENODEV, "the flash of this machine at 0x%" PRIx64 " overlaps "
			       "its RAM, as /proc/iomem has it: nothing is mapped", range->start);
	pgt_buf_release(&iomem);
	return err;
}

int pgt_flash_find(struct pgt_range *out, struct pgt_diag *diag)
{
	struct pgt_range bank;
	char *node = find_node();
	int err;

	if (!node)
		return pgt_fail(diag, -ENODEV, "not supported: this machine's device tree has no "
				"flash (cfi-flash), which is what is mapped; QEMU's machine virt "
				"has one");
	err = read_bank(node, &bank, diag);
	free(node);
	if (!err)
		err = check_not_ram(&bank, diag);
	if (!err)
		*out = bank;
	return err;
}
