/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/zram.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/swap.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/knob.h"
#include "lab/modules.h"
#include "lab/pin.h"

#define CONTROL		"/sys/class/zram-control"
#define NODE_WAIT_MS	5000
#define POLL_MS		10

/* The head of a swap area, union swap_header of the kernel's include/linux/swap.h. */
struct swap_header {
	char boot_bits[1024];
	uint32_t version, last_page, n_bad_pages;
};

static int add_device(struct pgt_zram *zram, struct pgt_diag *diag)
{
	struct pgt_buf id = PGT_BUF_INIT;
	int err = pgt_file_read_line(CONTROL "/hot_add", &id, diag);

	if (!err)
		zram->id = atoi(id.at);
	pgt_buf_release(&id);
	return err;
}

static int write_swap_header(int fd, uint64_t size)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = calloc(1, page_size);
	struct swap_header header = { .version = 1 };
	int err = 0;

	if (!page)
		return -ENOMEM;
	header.last_page = (uint32_t)(size / page_size - 1);
	memcpy(page, &header, sizeof(header));
	memcpy(page + page_size - 10, "SWAPSPACE2", 10);
	if (write(fd, page, page_size) != (ssize_t)page_size || fsync(fd))
		err = errno ? -errno : -EIO;
	free(page);
	return err;
}

/* devtmpfs makes the node with the device; udev may take a moment to let us at it. */
static int open_node(const char *node, struct pgt_diag *diag)
{
	int fd = -1;

	for (unsigned int waited = 0; waited < NODE_WAIT_MS; waited += POLL_MS) {
		fd = open(node, O_RDWR | O_CLOEXEC);
		if (fd >= 0 || errno != ENOENT)
			break;
		pgt_sleep_ms(POLL_MS);
	}
	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot open: %s", node, strerror(errno));
	return fd;
}

static int format_device(const char *node, uint64_t size, struct pgt_diag *diag)
{
	int fd = open_node(node, diag);
	int err;

	if (fd < 0)
		return fd;
	err = write_swap_header(fd, size);
	close(fd);
	if (err)
		return pgt_fail(diag, err, "%s: cannot write a swap header: %s", node,
				strerror(-err));
	return 0;
}

int pgt_zram_swap_on(struct pgt_zram *zram, uint64_t size, struct pgt_diag *diag)
{
	char path[64], value[32], node[32];
	int err = 0;

	if (access(CONTROL, F_OK))
		err = pgt_modules_load("zram", diag);
	if (!err && access(CONTROL, F_OK))
		err = pgt_fail(diag, -ENODEV, "not supported: this kernel has no zram");
	if (!err)
		err = add_device(zram, diag);
	if (err)
		return err;
	snprintf(path, sizeof(path), "/sys/block/zram%d/disksize", zram->id);
	snprintf(value, sizeof(value), "%" PRIu64, size);
	snprintf(node, sizeof(node), "/dev/zram%d", zram->id);
	err = pgt_knob_write(path, value, diag);
	if (!err)
		err = format_device(node, size, diag);
	if (err)
		return err;
	if (swapon(node, SWAP_FLAG_PREFER | SWAP_FLAG_PRIO_MASK))	/* the highest there is */
		return pgt_fail(diag, errno == ENOSYS ? -ENODEV : -errno, "%s: cannot swap to it: %s",
				node, strerror(errno));
	zram->swapping = true;
	return 0;
}

void pgt_zram_release(struct pgt_zram *zram)
{
	char path[64], id[16];
	struct pgt_diag ignored;

	if (zram->id < 0)
		return;
	snprintf(path, sizeof(path), "/dev/zram%d", zram->id);
	if (zram->swapping)
		swapoff(path);
	snprintf(path, sizeof(path), "/sys/block/zram%d/reset", zram->id);
	pgt_knob_write(path, "1", &ignored);
	snprintf(id, sizeof(id), "%d", zram->id);
	pgt_knob_write(CONTROL "/hot_remove", id, &ignored);
	*zram = (struct pgt_zram)PGT_ZRAM_INIT;
}
