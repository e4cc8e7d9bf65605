/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ioremap - map and unmap the machine's flash, over and over, through the module phram.
 *
 * Each write of "NAME,START,BYTES" to the module's parameter makes a memory device of what
 * lies at START, which phram maps with ioremap(), and all of these are unmapped when the
 * module is removed (drivers/mtd/devices/phram.c).  With reads=N a byte of each page of the
 * first one is read N times, in turn, through its character device: with more pages than a TLB
 * has entries each read misses it, unless the pages are mapped by blocks.  Nothing is written.
 * The erase size is left at its default, a page.
 *
 * The window holds the writes and the removal; the module is inserted before it, and the wait
 * for what its initialisation leaves behind comes before it, too.  The freed areas are
 * flushed in one go, together with the module's own: memory that was executable is.
 *
 * For each device the kernel would run modprobe(8), to look for partitions: the path of that
 * is emptied meanwhile, so that no process is started within the window.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/flash.h"
#include "lab/knob.h"
#include "lab/module_file.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/vmallocinfo.h"
#include "lab/workload_kinds.h"

#define NAME		"phram"
#define PARAMETER	"/sys/module/phram/parameters/phram"
#define MODPROBE	"/proc/sys/kernel/modprobe"
#define MAX_MAPS	512
#define MAX_BYTES	(UINT64_C(1) << 30)

struct ioremap_state {
	uint64_t bytes, maps, reads;	/* parameters */
	uint64_t page_size;
	uint64_t physical;		/* what each map begins at */
	uint64_t n_seen;		/* maps that were there at once */
	char *path;			/* of the module */
	char *modprobe_before;		/* NULL where it was not changed */
	int fd;				/* of PARAMETER, while the module is loaded */
	struct pgt_vmallocinfo info;
	struct pgt_pin pin;
};

static int ioremap_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct ioremap_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "ioremap: out of memory");
	state->bytes = 256 << 10;
	state->maps = 64;
	state->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->fd = -1;
	state->info.fd = -1;
	err = pgt_parameters_parse("ioremap", parameters, (struct pgt_parameter[]){
		{ "bytes", PGT_PARAMETER_SIZE, 1, MAX_BYTES, &state->bytes, NULL },
		{ "maps", PGT_PARAMETER_COUNT, 1, MAX_MAPS, &state->maps, NULL },
		{ "reads", PGT_PARAMETER_COUNT, 0, 10000, &state->reads, NULL },
	}, 3, diag);
	if (!err && state->bytes % state->page_size)
		err = pgt_fail(diag, -EINVAL, "ioremap: bytes=%" PRIu64 " is not a multiple of the "
			       "page size, %" PRIu64, state->bytes, state->page_size);
	if (err) {
		free(state);
		return err;
	}
	*out = state;
	return 0;
}

static int find_physical(struct ioremap_state *state, struct pgt_diag *diag)
{
	struct pgt_range flash;
	int err = pgt_flash_find(&flash, diag);

	if (err)
		return err;
	if (flash.bytes < state->bytes)
		return pgt_fail(diag, -ENODEV, "this machine has %" PRIu64 " bytes of flash, and "
				"bytes=%" PRIu64, flash.bytes, state->bytes);
	if (!flash.start)
		return pgt_fail(diag, -ENODEV, "not supported: the flash of this machine begins "
				"at address 0, whose maps the kernel does not show");
	state->physical = flash.start;
	return 0;
}

static int empty_modprobe(struct ioremap_state *state, struct pgt_diag *diag)
{
	struct pgt_buf before = PGT_BUF_INIT;
	int err = pgt_file_read_line(MODPROBE, &before, diag);

	if (!err)
		err = pgt_knob_write(MODPROBE, "\n", diag);
	if (err)
		pgt_buf_release(&before);
	else
		state->modprobe_before = before.at;
	return err;
}

static int ioremap_prepare(void *opaque, struct pgt_diag *diag)
{
	struct ioremap_state *state = opaque;
	int err = pgt_vmallocinfo_init(&state->info, diag);

	if (!err)
		err = pgt_module_file_make_ready(NAME, &state->path, diag);
	if (!err)
		err = find_physical(state, diag);
	return err ? err : empty_modprobe(state, diag);
}

static int ioremap_before_run(void *opaque, struct pgt_diag *diag)
{
	struct ioremap_state *state = opaque;
	int err = pgt_stacks_stock_up(diag);

	state->n_seen = 0;
	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	if (!err)
		err = pgt_module_file_insert(state->path, "", diag);
	if (err)
		return err;
	state->fd = open(PARAMETER, O_WRONLY | O_CLOEXEC);
	if (state->fd < 0)
		return pgt_fail(diag, -errno, PARAMETER ": cannot open: %s", strerror(errno));
	return pgt_vmallocinfo_settle(&state->info, diag);
}

/* What phram cannot parse it takes one byte of. */
static int map_one(const struct ioremap_state *state, uint64_t i, struct pgt_diag *diag)
{
	char value[80];
	int n = snprintf(value, sizeof(value), "pgtrace%" PRIu64 ",0x%" PRIx64 ",0x%" PRIx64, i,
			 state->physical, state->bytes);
	ssize_t written = write(state->fd, value, (size_t)n);

	if (written == n)
		return 0;
	return pgt_fail(diag, written < 0 ? -errno : -EIO, PARAMETER ": \"%s\" is refused: %s "
			"(the kernel log says why)", value,
			written < 0 ? strerror(errno) : "it cannot be parsed");
}

/* "mtd0: 00040000 00001000 "pgtrace0"" in /proc/mtd: its character device. */
static int open_first(int *out, struct pgt_diag *diag)
{
	char line[160], path[40];
	unsigned int number, found = 0;
	FILE *file = fopen("/proc/mtd", "re");

	if (!file)
		return pgt_fail(diag, -errno, "/proc/mtd: cannot open: %s", strerror(errno));
	while (!found && fgets(line, sizeof(line), file))
		found = strstr(line, "\"pgtrace0\"") && sscanf(line, "mtd%u:", &number) == 1;
	fclose(file);
	if (!found)
		return pgt_fail(diag, -ENODEV, "/proc/mtd: no device \"pgtrace0\"");
	snprintf(path, sizeof(path), "/dev/mtd%uro", number);
	*out = open(path, O_RDONLY | O_CLOEXEC);
	return *out < 0 ? pgt_fail(diag, -errno, "%s: cannot open: %s", path, strerror(errno)) : 0;
}

static int read_pages(const struct ioremap_state *state, struct pgt_diag *diag)
{
	int fd = -1, err = open_first(&fd, diag);
	char byte;

	if (err)
		return err;
	for (uint64_t i = 0; !err && i < state->reads; i++)
		for (uint64_t at = 0; !err && at < state->bytes; at += state->page_size)
			if (pread(fd, &byte, 1, (off_t)at) != 1)
				err = pgt_fail(diag, -EIO, "cannot read the device of phram: %s",
					       strerror(errno));
	close(fd);
	return err;
}

static int count_maps(struct ioremap_state *state, uint64_t *n, struct pgt_diag *diag)
{
	return pgt_vmallocinfo_count_ioremap(&state->info, state->bytes + state->page_size,
					     state->physical, n, diag);
}

static int unmap_all(struct ioremap_state *state, struct pgt_diag *diag)
{
	close(state->fd);
	state->fd = -1;
	return pgt_module_remove(NAME, diag);
}

static int ioremap_run(void *opaque, struct pgt_diag *diag)
{
	struct ioremap_state *state = opaque;
	int err = 0;

	for (uint64_t i = 0; !err && i < state->maps; i++)
		err = map_one(state, i, diag);
	if (!err && state->reads)
		err = read_pages(state, diag);
	if (!err)
		err = count_maps(state, &state->n_seen, diag);
	return err ? err : unmap_all(state, diag);
}

static int ioremap_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct ioremap_state *state = opaque;
	struct pgt_diag ignored;
	uint64_t n_left;
	int err;

	if (state->fd >= 0)
		unmap_all(state, &ignored);
	pgt_pin_release(&state->pin);
	err = count_maps(state, &n_left, diag);
	if (err)
		return err;
	if (state->n_seen != state->maps || n_left)
		return pgt_fail(diag, -EIO, "%" PRIu64 " maps were asked for, but /proc/vmallocinfo "
				"showed %" PRIu64 ", and %" PRIu64 " when they had been unmapped",
				state->maps, state->n_seen, n_left);
	*work = (struct pgt_work){ "maps", (int64_t)state->maps, (int64_t)state->n_seen };
	return 0;
}

static void ioremap_release(void *opaque)
{
	struct ioremap_state *state = opaque;
	struct pgt_diag ignored;

	if (!state)
		return;
	if (state->fd >= 0)
		unmap_all(state, &ignored);
	if (state->modprobe_before)
		pgt_knob_write(MODPROBE, *state->modprobe_before ? state->modprobe_before : "\n",
			       &ignored);
	pgt_vmallocinfo_release(&state->info);
	pgt_pin_release(&state->pin);
	free(state->modprobe_before);
	free(state->path);
	free(state);
}

const struct pgt_workload pgt_workload_ioremap = {
	.name = "ioremap",
	.help = "map and unmap the machine's flash, by the module phram (bytes=256K,maps=64,reads=0)",
	.repeatable = true,
	.parse = ioremap_parse,
	.prepare = ioremap_prepare,
	.before_run = ioremap_before_run,
	.run = ioremap_run,
	.after_run = ioremap_after_run,
	.release = ioremap_release,
};
