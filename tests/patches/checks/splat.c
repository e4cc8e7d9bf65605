/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plant-splat - a warning of the kernel itself, in every kernel that we build.
 *
 * phram maps what it is told to with ioremap(), which on arm64 warns of memory that is the
 * kernel's own and refuses.  Its first page is taken; what is in it does not matter.
 */
#include <errno.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "patches/checks/checks.h"
#include "patches/checks/module.h"

/* "40000000-7fffffff : System RAM" */
static int find_memory(uint64_t *start, struct pgt_diag *diag)
{
	struct pgt_buf map = PGT_BUF_INIT;
	int err = pgt_file_read("/proc/iomem", &map, diag);
	const char *line = err ? NULL : strstr(map.at, " : System RAM");

	while (line && line > map.at && line[-1] != '\n')
		line--;
	if (line)
		*start = strtoull(line, NULL, 16);
	else if (!err)
		err = pgt_fail(diag, -ENOENT, "/proc/iomem has no System RAM");
	pgt_buf_release(&map);
	return err;
}

int plant_splat(const char *modules, struct pgt_diag *diag)
{
	char path[256], options[64];
	uint64_t start = 0;
	int err = find_memory(&start, diag);

	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/mtd.ko", modules);
	err = module_insert(path, "", diag);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/phram.ko", modules);
	snprintf(options, sizeof(options), "phram=planted,0x%" PRIx64 ",65536", start);
	if (!module_insert(path, options, diag))
		return pgt_fail(diag, -EEXIST, "the kernel maps its own memory as a device's");
	return 0;
}
