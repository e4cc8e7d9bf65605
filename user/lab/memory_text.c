/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/memory_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADDED		" : System RAM (virtio_mem)"
#define PAGEBLOCK	"Pages per block:"

/* The lines are like "140000000-147ffffff : System RAM (virtio_mem)", and indented. */
uint64_t pgt_iomem_virtio_mem_bytes(const char *iomem)
{
	uint64_t bytes = 0, first, last;

	for (const char *line = iomem; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, " %" SCNx64 "-%" SCNx64, &first, &last) != 2)
			continue;
		line += strcspn(line, ":\n");
		if (*line == ':' && !strncmp(line - 1, ADDED, strlen(ADDED)))
			bytes += last - first + 1;
	}
	return bytes;
}

uint64_t pgt_pageblock_pages(const char *pagetypeinfo)
{
	const char *line = pagetypeinfo ? strstr(pagetypeinfo, PAGEBLOCK) : NULL;
	uint64_t pages;

	return line && sscanf(line, PAGEBLOCK " %" SCNu64, &pages) == 1 ? pages : 0;
}
