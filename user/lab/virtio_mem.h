/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * virtio_mem.h - a virtio-mem device, bound to its driver and taken from it at a moment of choice.
 *
 * The driver acts as soon as it is bound: it plugs what the device asks for.  So its module is
 * loaded with automatic binding off.
 */
#ifndef PGT_LAB_VIRTIO_MEM_H
#define PGT_LAB_VIRTIO_MEM_H

#include <stdbool.h>

struct pgt_diag;

struct pgt_virtio_mem {
	char device[64];	/* "virtio3" */
	int bind_fd, unbind_fd;
	bool autoprobe_off, bound;
};

#define PGT_VIRTIO_MEM_INIT	{ .bind_fd = -1, .unbind_fd = -1 }

/*
 * The device at a PCI address ("0000:00:1e.0"), or (at false) the first that is not there.  What a
 * device asks for would tell them apart better, but nobody but the driver can read that: sysfs does
 * not show it, the kernel does not let the BAR be mapped (CONFIG_IO_STRICT_DEVMEM), and QEMU ends on
 * "virt" with a failed assertion when it is read through the PCI configuration space.
 * Returns false where there is none.
 */
bool pgt_virtio_mem_find(struct pgt_virtio_mem *mem, const char *address, bool at);

/* Returns 0, or -ENODEV where a driver has the device already. */
int pgt_virtio_mem_check_free(const struct pgt_virtio_mem *mem, struct pgt_diag *diag);

/* Load the driver's module so that it leaves the device alone.  Returns 0 or -errno. */
int pgt_virtio_mem_load_driver(struct pgt_virtio_mem *mem, struct pgt_diag *diag);

/* One write each, and no allocation: for within a window.  Return 0 or -errno. */
int pgt_virtio_mem_bind(struct pgt_virtio_mem *mem, struct pgt_diag *diag);
int pgt_virtio_mem_unbind(struct pgt_virtio_mem *mem, struct pgt_diag *diag);

/* Turn automatic binding on again, if it was turned off here.  What is bound stays so. */
void pgt_virtio_mem_release(struct pgt_virtio_mem *mem);

#endif /* PGT_LAB_VIRTIO_MEM_H */
