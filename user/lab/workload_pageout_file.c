/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pageout-file - page out clean pages of a mapped block device, and read them back.
 *
 * Clean pages need no write, so reclaim is all unmapping: try_to_unmap_one() for each page and
 * whatever TLB invalidation the kernel batches or does not batch behind it.  A block device
 * and not a file, because file systems differ in the folios that they read.
 *
 * MADV_PAGEOUT skips pages that still sit in a per-CPU list on their way to the LRU, and it
 * drains only the list of its own CPU first: the thread is pinned, so there is no other.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/page_out.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/workload_kinds.h"

struct file_state {
	uint64_t size, loops;		/* parameters */
	char *device;			/* parameter; NULL: the first virtio disk */
	int fd;
	uint64_t n_out;			/* pages seen to be out of memory, all loops */
	struct pgt_page_out pages;
	struct pgt_pin pin;
};

static int read_parameters(struct file_state *state, const char *parameters,
			   struct pgt_diag *diag)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const struct pgt_parameter table[] = {
		{ "size", PGT_PARAMETER_SIZE, page, UINT64_C(1) << 34, &state->size, NULL },
		{ "loops", PGT_PARAMETER_COUNT, 1, 1000, &state->loops, NULL },
		{ "device", PGT_PARAMETER_TEXT, 0, 0, NULL, &state->device },
	};
	int err = pgt_parameters_parse("pageout-file", parameters, table, 3, diag);

	if (!err && state->size % page)
		return pgt_fail(diag, -EINVAL, "pageout-file: size=%" PRIu64 " is not a multiple of "
				"the page size, %" PRIu64, state->size, page);
	return err;
}

static void file_release(void *opaque)
{
	struct file_state *state = opaque;

	if (!state)
		return;
	pgt_page_out_release(&state->pages);
	if (state->fd >= 0)
		close(state->fd);
	pgt_pin_release(&state->pin);
	free(state->device);
	free(state);
}

static int file_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct file_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "pageout-file: out of memory");
	state->size = UINT64_C(16) << 20;
	state->loops = 1;
	state->fd = -1;
	err = read_parameters(state, parameters, diag);
	if (err) {
		file_release(state);
		return err;
	}
	*out = state;
	return 0;
}

static int open_device(const char *path, uint64_t size, int *out, struct pgt_diag *diag)
{
	uint64_t bytes;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return pgt_fail(diag, errno == ENOENT || errno == ENXIO ? -ENODEV : -errno,
				"%s: cannot open: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode))
		err = pgt_fail(diag, -ENODEV, "%s is not a block device", path);
	else if (ioctl(fd, BLKGETSIZE64, &bytes))
		err = pgt_fail(diag, -errno, "%s: cannot read its size: %s", path,
			       strerror(errno));
	else if (bytes < size)
		err = pgt_fail(diag, -ENODEV, "%s has %" PRIu64 " bytes, less than "
			       "size=%" PRIu64, path, bytes, size);
	else
		err = 0;
	if (err)
		close(fd);
	else
		*out = fd;
	return err;
}

/* The disks are vda, vdb, ... in the order of their devices. */
static int open_first_disk(struct file_state *state, struct pgt_diag *diag)
{
	for (char letter = 'a'; letter <= 'z'; letter++) {
		char path[] = "/dev/vdX";

		path[sizeof(path) - 2] = letter;
		if (!open_device(path, state->size, &state->fd, diag))
			return 0;
	}
	return pgt_fail(diag, -ENODEV, "no virtio disk of %" PRIu64 " bytes or more can "
			"be opened; name a block device with device=/dev/...", state->size);
}

static int file_prepare(void *opaque, struct pgt_diag *diag)
{
	struct file_state *state = opaque;
	int err = state->device ? open_device(state->device, state->size, &state->fd, diag) :
				  open_first_disk(state, diag);

	if (!err)
		err = pgt_page_out_init(&state->pages, state->size, (size_t)sysconf(_SC_PAGESIZE),
					diag);
	return err ? err : pgt_stacks_stock_up(diag);
}

static int read_back(struct file_state *state, struct pgt_diag *diag)
{
	int err = pgt_page_out_read_in(&state->pages, state->fd, diag);

	if (!err)
		pgt_page_out_touch(&state->pages);
	return err;
}

static int file_before_run(void *opaque, struct pgt_diag *diag)
{
	struct file_state *state = opaque;
	int err = pgt_pin_to_last_cpu(&state->pin, diag);

	if (err)
		return err;
	state->n_out = 0;
	/* What others have read, such as the partition table, may sit in large folios. */
	posix_fadvise(state->fd, 0, (off_t)state->size, POSIX_FADV_DONTNEED);
	err = pgt_page_out_map(&state->pages, 0, 0, state->fd, diag);
	return err ? err : read_back(state, diag);
}

static int file_run(void *opaque, struct pgt_diag *diag)
{
	struct file_state *state = opaque;
	uint64_t n;

	for (uint64_t i = 0; i < state->loops; i++) {
		int err = pgt_page_out_advise(&state->pages, &n, diag);

		if (err)
			return err;
		state->n_out += n;
		err = read_back(state, diag);
		if (err)
			return err;
	}
	return 0;
}

static int file_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct file_state *state = opaque;
	uint64_t asked = state->loops * (state->size / state->pages.page_size);

	pgt_page_out_unmap(&state->pages);
	pgt_pin_release(&state->pin);
	if (state->n_out != asked)
		return pgt_fail(diag, -EIO, "%" PRIu64 " of %" PRIu64 " pages were paged "
				"out; is the device in use?", state->n_out, asked);
	*work = (struct pgt_work){ "pages", (int64_t)asked, (int64_t)state->n_out };
	return 0;
}

const struct pgt_workload pgt_workload_pageout_file = {
	.name = "pageout-file",
	.help = "page out clean pages of a block device (size=16M,loops=1,device=first virtio disk)",
	.repeatable = true,
	.parse = file_parse,
	.prepare = file_prepare,
	.before_run = file_before_run,
	.run = file_run,
	.after_run = file_after_run,
	.release = file_release,
};
