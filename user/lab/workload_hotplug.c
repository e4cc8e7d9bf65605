/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hotplug - a virtio-mem device grows the machine's memory, and so its linear map.
 *
 * The driver plugs the size that the device asks for as soon as it is bound.  So the
 * module is loaded beforehand with automatic binding off, and run() binds the device: the window
 * then holds no module loading.  The new memory stays offline, because onlining maps nothing
 * and would hand the pages to whoever allocates next.
 * Unplugging would have to find the memory unused, so this runs once a boot.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/knob.h"
#include "lab/modules.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/workload_kinds.h"

#define VIRTIO_ID_MEM	24
#define VIRTIO		"/sys/bus/virtio"
#define BLOCKS		"/sys/devices/system/memory"
#define WAIT_MS		60000	/* for the next memory block */
#define POLL_MS		10

struct hotplug_state {
	uint64_t size;			/* parameter */
	uint64_t block_size;		/* bytes of one memory block */
	uint64_t n_blocks_before, iomem_before;
	char device[64];		/* "virtio3" */
	char online_before[32];		/* auto_online_blocks; "" where it was not changed */
	int blocks_fd, bind_fd;
	bool autoprobe_off;
	struct pgt_pin pin;
	char entries[4096];		/* for getdents64(2): opendir() would allocate in run() */
};

/* As getdents64(2) gives it. */
struct directory_entry {
	uint64_t ino;
	int64_t off;
	unsigned short size;
	unsigned char type;
	char name[];
};

/* A hexadecimal number in a one-line file, with or without 0x. */
static int read_hex(const char *path, uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf line = PGT_BUF_INIT;
	int err = pgt_file_read_line(path, &line, diag);

	if (!err)
		*out = strtoumax(line.at, NULL, 16);
	pgt_buf_release(&line);
	return err;
}

static bool is_virtio_mem(const char *device)
{
	char path[128];
	struct pgt_diag ignored;
	uint64_t id;

	snprintf(path, sizeof(path), VIRTIO "/devices/%.60s/device", device);
	return !read_hex(path, &id, &ignored) && id == VIRTIO_ID_MEM;
}

static int find_device(struct hotplug_state *state, struct pgt_diag *diag)
{
	DIR *devices = opendir(VIRTIO "/devices");
	struct dirent *entry;
	char path[128];

	while (devices && !*state->device && (entry = readdir(devices)))
		if (entry->d_name[0] != '.' && is_virtio_mem(entry->d_name))
			snprintf(state->device, sizeof(state->device), "%.60s", entry->d_name);
	if (devices)
		closedir(devices);
	if (!*state->device)
		return pgt_fail(diag, -ENODEV, "this machine has no virtio-mem device; "
				"give the guest one whose requested size is %" PRIu64 " bytes",
				state->size);
	snprintf(path, sizeof(path), VIRTIO "/devices/%.60s/driver", state->device);
	if (!access(path, F_OK))
		return pgt_fail(diag, -ENODEV, "the memory of %s is plugged already; this "
				"workload runs once a boot and needs a driver that is not bound",
				state->device);
	return 0;
}

static int count_blocks(struct hotplug_state *state, uint64_t *out, struct pgt_diag *diag)
{
	uint64_t n = 0;
	long size;

	if (lseek(state->blocks_fd, 0, SEEK_SET))
		return pgt_fail(diag, -errno, BLOCKS ": cannot rewind: %s",
				strerror(errno));
	while ((size = syscall(SYS_getdents64, state->blocks_fd, state->entries,
			       sizeof(state->entries))) > 0) {
		for (long at = 0; at < size; ) {
			const struct directory_entry *entry = (void *)(state->entries + at);

			n += !strncmp(entry->name, "memory", 6) && entry->name[6] >= '0' &&
			     entry->name[6] <= '9';
			at += entry->size;
		}
	}
	if (size < 0)
		return pgt_fail(diag, -errno, BLOCKS ": cannot read: %s",
				strerror(errno));
	*out = n;
	return 0;
}

/* Bytes in /proc/iomem that are the driver's: "140000000-147ffffff : System RAM (virtio_mem)". */
static int read_iomem(uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	uint64_t bytes = 0, first, last;
	char *rest, *line;
	int err = pgt_file_read("/proc/iomem", &text, diag);

	rest = text.at;
	while (!err && rest && (line = strsep(&rest, "\n")))
		if (strstr(line, "System RAM (virtio_mem)") &&
		    sscanf(line, " %" SCNx64 "-%" SCNx64, &first, &last) == 2)
			bytes += last - first + 1;
	pgt_buf_release(&text);
	if (!err)
		*out = bytes;
	return err;
}

static int hotplug_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct hotplug_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "hotplug: out of memory");
	state->size = UINT64_C(512) << 20;
	state->blocks_fd = -1;
	state->bind_fd = -1;
	err = pgt_parameters_parse("hotplug", parameters, (struct pgt_parameter[]){
		{ "size", PGT_PARAMETER_SIZE, 1 << 20, UINT64_C(1) << 40, &state->size, NULL },
	}, 1, diag);
	if (err) {
		free(state);
		return err;
	}
	*out = state;
	return 0;
}

static int keep_offline(struct hotplug_state *state, struct pgt_diag *diag)
{
	struct pgt_buf before = PGT_BUF_INIT;
	int err = pgt_file_read_line(BLOCKS "/auto_online_blocks", &before, diag);

	if (!err && strcmp(before.at, "offline")) {
		err = pgt_knob_write(BLOCKS "/auto_online_blocks", "offline", diag);
		if (!err)
			snprintf(state->online_before, sizeof(state->online_before), "%s",
				 before.at);
	}
	pgt_buf_release(&before);
	return err;
}

static int load_driver_unbound(struct hotplug_state *state, struct pgt_diag *diag)
{
	int err = pgt_knob_write(VIRTIO "/drivers_autoprobe", "0", diag);

	if (err)
		return err;
	state->autoprobe_off = true;
	err = pgt_modules_load("virtio_mem", diag);
	if (err)
		return err;
	state->bind_fd = open(VIRTIO "/drivers/virtio_mem/bind", O_WRONLY | O_CLOEXEC);
	if (state->bind_fd < 0)
		return pgt_fail(diag, errno == ENOENT ? -ENODEV : -errno, "the virtio_mem driver cannot be bound: %s",
				strerror(errno));
	return 0;
}

static int hotplug_prepare(void *opaque, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	int err = find_device(state, diag);

	if (!err && access(BLOCKS "/auto_online_blocks", F_OK))
		err = pgt_fail(diag, -ENODEV, "not supported: this kernel adds no memory while it "
			       "runs (" BLOCKS "/auto_online_blocks is not there)");
	if (!err)
		err = read_hex(BLOCKS "/block_size_bytes", &state->block_size, diag);
	if (!err && (!state->block_size || state->size % state->block_size))
		err = pgt_fail(diag, -EINVAL, "size=%" PRIu64 " is not a multiple of this "
			       "machine's memory block, %" PRIu64, state->size, state->block_size);
	if (!err)
		err = keep_offline(state, diag);
	if (!err)
		err = load_driver_unbound(state, diag);
	if (err)
		return err;
	state->blocks_fd = open(BLOCKS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (state->blocks_fd < 0)
		return pgt_fail(diag, -errno, BLOCKS ": cannot open: %s", strerror(errno));
	return 0;
}

static int hotplug_before_run(void *opaque, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	int err = pgt_stacks_stock_up(diag);

	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	if (!err)
		err = read_iomem(&state->iomem_before, diag);
	return err ? err : count_blocks(state, &state->n_blocks_before, diag);
}

static int wait_for_blocks(struct hotplug_state *state, uint64_t wanted, struct pgt_diag *diag)
{
	uint64_t n, last = 0;

	for (unsigned int idle = 0; idle < WAIT_MS; idle += POLL_MS) {
		int err = count_blocks(state, &n, diag);

		if (err)
			return err;
		n -= state->n_blocks_before;
		if (n >= wanted)
			return 0;
		if (n != last)
			idle = 0;
		last = n;
		pgt_sleep_ms(POLL_MS);
	}
	return pgt_fail(diag, -ETIMEDOUT, "%s plugged %" PRIu64 " of %" PRIu64 " memory "
			"blocks and then nothing for %d s; the device's requested size may be less "
			"than %" PRIu64 " bytes", state->device, n, wanted, WAIT_MS / 1000,
			state->size);
}

static int hotplug_run(void *opaque, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;

	if (write(state->bind_fd, state->device, strlen(state->device)) < 0)
		return pgt_fail(diag, -errno, "the virtio_mem driver refuses %s: %s (the "
				"kernel log says why)", state->device, strerror(errno));
	return wait_for_blocks(state, state->size / state->block_size, diag);
}

static int hotplug_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), bytes;
	int err = read_iomem(&bytes, diag);

	pgt_pin_release(&state->pin);
	if (err)
		return err;
	bytes -= state->iomem_before;
	if (bytes != state->size)
		return pgt_fail(diag, -EIO, "%" PRIu64 " bytes were asked for, but "
				"/proc/iomem shows %" PRIu64 " added", state->size, bytes);
	*work = (struct pgt_work){ "pages", (int64_t)(state->size / page),
				   (int64_t)(bytes / page) };
	return 0;
}

static void hotplug_release(void *opaque)
{
	struct hotplug_state *state = opaque;
	struct pgt_diag ignored;

	if (!state)
		return;
	if (state->autoprobe_off)
		pgt_knob_write(VIRTIO "/drivers_autoprobe", "1", &ignored);
	if (*state->online_before)
		pgt_knob_write(BLOCKS "/auto_online_blocks", state->online_before, &ignored);
	if (state->bind_fd >= 0)
		close(state->bind_fd);
	if (state->blocks_fd >= 0)
		close(state->blocks_fd);
	pgt_pin_release(&state->pin);
	free(state);
}

const struct pgt_workload pgt_workload_hotplug = {
	.name = "hotplug",
	.help = "plug memory into the guest through virtio-mem (size=512M); once a boot",
	.repeatable = false,
	.parse = hotplug_parse,
	.prepare = hotplug_prepare,
	.before_run = hotplug_before_run,
	.run = hotplug_run,
	.after_run = hotplug_after_run,
	.release = hotplug_release,
};
