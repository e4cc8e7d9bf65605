/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/memory_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/knob.h"
#include "lab/memory_text.h"
#include "lab/pin.h"

#define BLOCKS		"/sys/devices/system/memory"
#define WAIT_MS		60000	/* for the next memory block */
#define POLL_MS		10

/* As getdents64(2) gives it. */
struct directory_entry {
	uint64_t ino;
	int64_t off;
	unsigned short size;
	unsigned char type;
	char name[];
};

static int read_block_size(struct pgt_memory_blocks *blocks, struct pgt_diag *diag)
{
	struct pgt_buf line = PGT_BUF_INIT;
	int err = pgt_file_read_line(BLOCKS "/block_size_bytes", &line, diag);

	if (!err)
		blocks->bytes = strtoumax(line.at, NULL, 16);
	pgt_buf_release(&line);
	return err ? err : blocks->bytes ? 0 :
	       pgt_fail(diag, -EIO, BLOCKS "/block_size_bytes does not say how large a block is");
}

int pgt_memory_blocks_open(struct pgt_memory_blocks *blocks, struct pgt_diag *diag)
{
	blocks->fd = open(BLOCKS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (blocks->fd < 0 && errno == ENOENT)
		return pgt_fail(diag, -ENODEV, "this kernel cannot add memory; run one with "
				"CONFIG_MEMORY_HOTPLUG (there is no " BLOCKS ")");
	if (blocks->fd < 0)
		return pgt_fail(diag, -errno, BLOCKS ": cannot open: %s", strerror(errno));
	return read_block_size(blocks, diag);
}

int pgt_memory_blocks_keep_offline(struct pgt_memory_blocks *blocks, struct pgt_diag *diag)
{
	struct pgt_buf before = PGT_BUF_INIT;
	int err = 0;

	if (access(BLOCKS "/auto_online_blocks", F_OK))
		err = pgt_fail(diag, -ENODEV, "this kernel cannot add memory; run one with "
			       "CONFIG_MEMORY_HOTPLUG (there is no " BLOCKS "/auto_online_blocks)");
	if (!err)
		err = pgt_file_read_line(BLOCKS "/auto_online_blocks", &before, diag);
	if (!err && strcmp(before.at, "offline")) {
		err = pgt_knob_write(BLOCKS "/auto_online_blocks", "offline", diag);
		if (!err)
			snprintf(blocks->online_before, sizeof(blocks->online_before), "%s", before.at);
	}
	pgt_buf_release(&before);
	return err;
}

static int count_blocks(struct pgt_memory_blocks *blocks, uint64_t *out, struct pgt_diag *diag)
{
	uint64_t n = 0;
	long size;

	if (lseek(blocks->fd, 0, SEEK_SET))
		return pgt_fail(diag, -errno, BLOCKS ": cannot rewind: %s", strerror(errno));
	while ((size = syscall(SYS_getdents64, blocks->fd, blocks->entries,
			       sizeof(blocks->entries))) > 0) {
		for (long at = 0; at < size; ) {
			const struct directory_entry *entry = (void *)(blocks->entries + at);

			n += !strncmp(entry->name, "memory", 6) && entry->name[6] >= '0' &&
			     entry->name[6] <= '9';
			at += entry->size;
		}
	}
	if (size < 0)
		return pgt_fail(diag, -errno, BLOCKS ": cannot read: %s", strerror(errno));
	*out = n;
	return 0;
}

static int read_iomem(uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read("/proc/iomem", &text, diag);

	if (!err)
		*out = pgt_iomem_virtio_mem_bytes(text.at);
	pgt_buf_release(&text);
	return err;
}

int pgt_memory_blocks_note(struct pgt_memory_blocks *blocks, struct pgt_diag *diag)
{
	int err = read_iomem(&blocks->iomem_before, diag);

	return err ? err : count_blocks(blocks, &blocks->n_before, diag);
}

int pgt_memory_blocks_added(struct pgt_memory_blocks *blocks, int64_t *n, struct pgt_diag *diag)
{
	uint64_t now;
	int err = count_blocks(blocks, &now, diag);

	if (!err)
		*n = (int64_t)(now - blocks->n_before);
	return err;
}

int pgt_memory_blocks_iomem_added(const struct pgt_memory_blocks *blocks, int64_t *bytes,
				  struct pgt_diag *diag)
{
	uint64_t now;
	int err = read_iomem(&now, diag);

	if (!err)
		*bytes = (int64_t)(now - blocks->iomem_before);
	return err;
}

int pgt_memory_blocks_wait(struct pgt_memory_blocks *blocks, int64_t n, struct pgt_diag *diag)
{
	int64_t now = 0, last = 0;

	for (unsigned int idle = 0; idle < WAIT_MS; idle += POLL_MS) {
		int err = pgt_memory_blocks_added(blocks, &now, diag);

		if (err || now >= n)
			return err;
		if (now != last)
			idle = 0;
		last = now;
		pgt_sleep_ms(POLL_MS);
	}
	return pgt_fail(diag, -ETIMEDOUT, "%" PRId64 " of %" PRId64 " memory blocks were added and "
			"then nothing for %d s (the device may ask for less; the kernel log may say more)",
			now, n, WAIT_MS / 1000);
}

int pgt_memory_pageblock_bytes(uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read("/proc/pagetypeinfo", &text, diag);
	uint64_t pages = err ? 0 : pgt_pageblock_pages(text.at);

	pgt_buf_release(&text);
	if (!err && !pages)
		err = pgt_fail(diag, -EIO, "/proc/pagetypeinfo does not say how large a pageblock is");
	if (!err)
		*out = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return err;
}

void pgt_memory_blocks_release(struct pgt_memory_blocks *blocks)
{
	struct pgt_diag ignored;

	if (*blocks->online_before)
		pgt_knob_write(BLOCKS "/auto_online_blocks", blocks->online_before, &ignored);
	if (blocks->fd >= 0)
		close(blocks->fd);
	blocks->fd = -1;
	blocks->online_before[0] = '\0';
}
