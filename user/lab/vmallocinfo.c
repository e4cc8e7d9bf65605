/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/vmallocinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/pin.h"

#define SETTLE_MS	100	/* an RCU grace period and the start of a kernel worker, and more */
#define SETTLE_MAX_MS	10000
#define POLL_MS		10

int pgt_vmallocinfo_init(struct pgt_vmallocinfo *info, struct pgt_diag *diag)
{
	info->fd = open("/proc/vmallocinfo", O_RDONLY | O_CLOEXEC);
	if (info->fd < 0)
		return pgt_fail(diag, errno == ENOENT ? -ENODEV : -errno,
				"/proc/vmallocinfo: cannot open: %s (it needs root)", strerror(errno));
	return 0;
}

void pgt_vmallocinfo_release(struct pgt_vmallocinfo *info)
{
	if (info->fd >= 0)
		close(info->fd);
	info->fd = -1;
}

/* "0xSTART-0xEND SIZE CALLER+0x..." with whatever may follow; the addresses may be hashed. */
struct line {
	uint64_t bytes;		/* with its guard page */
	const char *what;	/* from the space behind the size on */
};

typedef void (*visit_fn)(void *ctx, const struct line *line);

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool is_lazy(const struct line *line)
{
	return starts_with(line->what, " unpurged vm_area");
}

/* Visit the complete lines in used bytes and move the rest to the front. */
static size_t visit_lines(char *buffer, size_t used, visit_fn visit, void *ctx)
{
	char *at = buffer, *end;

	while ((end = memchr(at, '\n', used - (size_t)(at - buffer)))) {
		const char *size = strchr(at, ' ');
		struct line line;
		char *what;

		*end = '\0';
		if (size) {
			line.bytes = strtoumax(size, &what, 10);
			line.what = what;
			visit(ctx, &line);
		}
		at = end + 1;
	}
	used -= (size_t)(at - buffer);
	memmove(buffer, at, used);
	return used;
}

static int visit_all(struct pgt_vmallocinfo *info, visit_fn visit, void *ctx,
		     struct pgt_diag *diag)
{
	size_t used = 0;
	ssize_t n;

	if (lseek(info->fd, 0, SEEK_SET))
		return pgt_fail(diag, -errno, "/proc/vmallocinfo: cannot rewind: %s",
				strerror(errno));
	while ((n = read(info->fd, info->buffer + used, sizeof(info->buffer) - used)) > 0) {
		used = visit_lines(info->buffer, used + (size_t)n, visit, ctx);
		if (used == sizeof(info->buffer))
			return pgt_fail(diag, -EIO, "/proc/vmallocinfo: a line is too long");
	}
	if (n < 0)
		return pgt_fail(diag, -errno, "/proc/vmallocinfo: cannot read: %s",
				strerror(errno));
	return 0;
}

/* ---- maps ---- */

struct map_count {
	uint64_t area_bytes;
	struct pgt_vmalloc_areas areas;
};

static void count_map(void *ctx, const struct line *line)
{
	struct map_count *count = ctx;

	if (is_lazy(line))
		count->areas.n_lazy_bytes += line->bytes;
	else if (line->bytes == count->area_bytes &&
		 (strstr(line->what, " array_map_alloc+") ||
		  strstr(line->what, " bpf_map_area_alloc+")))
		count->areas.n_map_areas++;
}

int pgt_vmallocinfo_read(struct pgt_vmallocinfo *info, uint64_t map_area_bytes,
			 struct pgt_vmalloc_areas *out, struct pgt_diag *diag)
{
	struct map_count count = { .area_bytes = map_area_bytes };
	int err = visit_all(info, count_map, &count, diag);

	if (!err)
		*out = count.areas;
	return err;
}

/* ---- ioremap ---- */

struct io_count {
	uint64_t area_bytes, physical, n;
};

/* " CALLER+0x... phys=0x0000000004000000 ioremap" */
static void count_io(void *ctx, const struct line *line)
{
	const char *physical = strstr(line->what, " phys=");
	struct io_count *count = ctx;
	char *end;

	if (!physical || line->bytes != count->area_bytes)
		return;
	physical += strlen(" phys=");
	if (strtoumax(physical, &end, 16) == count->physical && starts_with(end, " ioremap"))
		count->n++;
}

int pgt_vmallocinfo_count_ioremap(struct pgt_vmallocinfo *info, uint64_t area_bytes,
				  uint64_t physical, uint64_t *n, struct pgt_diag *diag)
{
	struct io_count count = { .area_bytes = area_bytes, .physical = physical };
	int err = visit_all(info, count_io, &count, diag);

	if (!err)
		*n = count.n;
	return err;
}

/* ---- rest ---- */

struct extent {
	uint64_t n, bytes, n_lazy_bytes;
};

static void add_extent(void *ctx, const struct line *line)
{
	struct extent *extent = ctx;

	extent->n++;
	if (is_lazy(line))
		extent->n_lazy_bytes += line->bytes;
	else
		extent->bytes += line->bytes;
}

int pgt_vmallocinfo_settle(struct pgt_vmallocinfo *info, struct pgt_diag *diag)
{
	struct extent last = { 0, 0, 0 };

	for (unsigned int waited = 0, still = 0; waited < SETTLE_MAX_MS; waited += POLL_MS) {
		struct extent now = { 0, 0, 0 };
		int err = visit_all(info, add_extent, &now, diag);

		if (err)
			return err;
		still = memcmp(&now, &last, sizeof(now)) ? 0 : still + POLL_MS;
		if (still >= SETTLE_MS)
			return 0;
		last = now;
		pgt_sleep_ms(POLL_MS);
	}
	return pgt_fail(diag, -ETIMEDOUT, "other activity of this machine's kernel maps and unmaps "
			"memory without a pause of %d ms", SETTLE_MS);
}
