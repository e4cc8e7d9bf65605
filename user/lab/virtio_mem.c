/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/virtio_mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/virtio_ids.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/knob.h"
#include "lab/modules.h"

#define VIRTIO	"/sys/bus/virtio"
#define DRIVER	VIRTIO "/drivers/virtio_mem"

static bool is_virtio_mem(const char *device)
{
	struct pgt_buf line = PGT_BUF_INIT;
	struct pgt_diag ignored;
	char path[128];
	bool is;

	snprintf(path, sizeof(path), VIRTIO "/devices/%.60s/device", device);
	is = !pgt_file_read_line(path, &line, &ignored) &&
	     strtoul(line.at, NULL, 16) == VIRTIO_ID_MEM;
	pgt_buf_release(&line);
	return is;
}

/* The entry is a link, "../../../devices/.../0000:00:1e.0/virtio3". */
static bool is_at(const char *device, const char *address)
{
	char path[128], target[512], *name, *parent;
	ssize_t len;

	snprintf(path, sizeof(path), VIRTIO "/devices/%.60s", device);
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		return false;
	target[len] = '\0';
	name = strrchr(target, '/');
	if (!name)
		return false;
	*name = '\0';
	parent = strrchr(target, '/');
	return parent && !strcmp(parent + 1, address);
}

bool pgt_virtio_mem_find(struct pgt_virtio_mem *mem, const char *address, bool at)
{
	DIR *devices = opendir(VIRTIO "/devices");
	struct dirent *entry;

	while (devices && !*mem->device && (entry = readdir(devices)))
		if (entry->d_name[0] != '.' && is_virtio_mem(entry->d_name) &&
		    is_at(entry->d_name, address) == at)
			snprintf(mem->device, sizeof(mem->device), "%.60s", entry->d_name);
	if (devices)
		closedir(devices);
	return *mem->device;
}

int pgt_virtio_mem_check_free(const struct pgt_virtio_mem *mem, struct pgt_diag *diag)
{
	char path[128];

	snprintf(path, sizeof(path), VIRTIO "/devices/%.60s/driver", mem->device);
	if (!access(path, F_OK))
		return pgt_fail(diag, -ENODEV, "the memory of %s is plugged already; boot the machine "
				"without loading virtio_mem, for this needs a driver that is not bound",
				mem->device);
	return 0;
}

static int open_driver(const char *path, int *fd, struct pgt_diag *diag)
{
	*fd = open(path, O_WRONLY | O_CLOEXEC);
	if (*fd >= 0)
		return 0;
	return pgt_fail(diag, errno == ENOENT ? -ENODEV : -errno,
			"the virtio_mem driver cannot be bound: %s: %s", path, strerror(errno));
}

int pgt_virtio_mem_load_driver(struct pgt_virtio_mem *mem, struct pgt_diag *diag)
{
	int err = pgt_knob_write(VIRTIO "/drivers_autoprobe", "0", diag);

	if (err)
		return err;
	mem->autoprobe_off = true;
	err = pgt_modules_load("virtio_mem", diag);
	if (!err)
		err = open_driver(DRIVER "/bind", &mem->bind_fd, diag);
	return err ? err : open_driver(DRIVER "/unbind", &mem->unbind_fd, diag);
}

int pgt_virtio_mem_bind(struct pgt_virtio_mem *mem, struct pgt_diag *diag)
{
	if (write(mem->bind_fd, mem->device, strlen(mem->device)) < 0)
		return pgt_fail(diag, -errno, "the virtio_mem driver refuses %s: %s (the kernel log "
				"says why)", mem->device, strerror(errno));
	mem->bound = true;
	return 0;
}

int pgt_virtio_mem_unbind(struct pgt_virtio_mem *mem, struct pgt_diag *diag)
{
	if (write(mem->unbind_fd, mem->device, strlen(mem->device)) < 0)
		return pgt_fail(diag, -errno, "%s cannot be taken from the virtio_mem driver: %s",
				mem->device, strerror(errno));
	mem->bound = false;
	return 0;
}

void pgt_virtio_mem_release(struct pgt_virtio_mem *mem)
{
	struct pgt_diag ignored;

	if (mem->autoprobe_off)
		pgt_knob_write(VIRTIO "/drivers_autoprobe", "1", &ignored);
	if (mem->bind_fd >= 0)
		close(mem->bind_fd);
	if (mem->unbind_fd >= 0)
		close(mem->unbind_fd);
	*mem = (struct pgt_virtio_mem)PGT_VIRTIO_MEM_INIT;
}
