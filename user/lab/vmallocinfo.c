/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/vmallocinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"

int pgt_vmallocinfo_init(struct pgt_vmallocinfo *info, struct pgt_diag *diag)
{
	info->fd = open("/proc/vmallocinfo", O_RDONLY | O_CLOEXEC);
	if (info->fd < 0)
		return pgt_fail(diag, -errno, "/proc/vmallocinfo: cannot open: %s (it needs root)",
				strerror(errno));
	return 0;
}

void pgt_vmallocinfo_release(struct pgt_vmallocinfo *info)
{
	if (info->fd >= 0)
		close(info->fd);
	info->fd = -1;
}

/* "0xSTART-0xEND SIZE CALLER+0x..." with whatever may follow; the addresses may be hashed. */
static void count_line(const char *line, uint64_t map_area_bytes, struct pgt_vmalloc_areas *areas)
{
	const char *size = strchr(line, ' ');
	uint64_t bytes;
	char *what;

	if (!size)
		return;
	bytes = strtoumax(size, &what, 10);
	if (!strncmp(what, " unpurged vm_area", strlen(" unpurged vm_area")))
		areas->n_lazy_bytes += bytes;
	else if (bytes == map_area_bytes &&
		 (strstr(what, " array_map_alloc+") || strstr(what, " bpf_map_area_alloc+")))
		areas->n_map_areas++;
}

/* Count the complete lines in used bytes and move the rest to the front. */
static size_t count_lines(char *buffer, size_t used, uint64_t map_area_bytes,
			  struct pgt_vmalloc_areas *areas)
{
	char *line = buffer, *end;

	while ((end = memchr(line, '\n', used - (size_t)(line - buffer)))) {
		*end = '\0';
		count_line(line, map_area_bytes, areas);
		line = end + 1;
	}
	used -= (size_t)(line - buffer);
	memmove(buffer, line, used);
	return used;
}

int pgt_vmallocinfo_read(struct pgt_vmallocinfo *info, uint64_t map_area_bytes,
			 struct pgt_vmalloc_areas *out, struct pgt_diag *diag)
{
	struct pgt_vmalloc_areas areas = { 0, 0 };
	size_t used = 0;
	ssize_t n;

	if (lseek(info->fd, 0, SEEK_SET))
		return pgt_fail(diag, -errno, "/proc/vmallocinfo: cannot rewind: %s",
				strerror(errno));
	while ((n = read(info->fd, info->buffer + used, sizeof(info->buffer) - used)) > 0) {
		used = count_lines(info->buffer, used + (size_t)n, map_area_bytes, &areas);
		if (used == sizeof(info->buffer))
			return pgt_fail(diag, -EIO, "/proc/vmallocinfo: a line is too long");
	}
	if (n < 0)
		return pgt_fail(diag, -errno, "/proc/vmallocinfo: cannot read: %s",
				strerror(errno));
	*out = areas;
	return 0;
}
