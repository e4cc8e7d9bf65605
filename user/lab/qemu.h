/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * qemu.h - the command line of a guest.  Pure: nothing is run, nothing is looked up.
 */
#ifndef PGT_LAB_QEMU_H
#define PGT_LAB_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_arch;
struct pgt_diag;

/* A guest has this much more memory at hand in a virtio-mem device, half of it plugged. */
#define PGT_QEMU_HOTPLUG_BYTES	(UINT64_C(1) << 30)
/*
 * And a memory block (of 4K and 16K pages) in another device, half of it plugged, so that its driver
 * removes the block again.  It stands behind all others on the bus: that is how workloads find it.
 */
#define PGT_QEMU_HOTREMOVE_BYTES	(UINT64_C(128) << 20)
#define PGT_QEMU_HOTREMOVE_SLOT		"1e"
#define PGT_QEMU_HOTREMOVE_ADDRESS	"0000:00:" PGT_QEMU_HOTREMOVE_SLOT ".0"

struct pgt_qemu_plugin {		/* what counts from outside: tcg/format.h */
	const char *path;		/* of the plugin */
	const char *plan;		/* file that says what to count */
	bool instructions;		/* all of them too, not only barriers and invalidations */
	const char *model;		/* core whose TLBs are modelled; NULL: none */
};

struct pgt_guest_machine {
	const char *program;		/* path of QEMU */
	const char *firmware;		/* -L: its directory of firmware; NULL for its own */
	const char *cpu;		/* NULL: the architecture's, or the host's under KVM */
	uint64_t memory;		/* bytes, a multiple of 1 MiB */
	unsigned int n_cpus;
	bool kvm;
	const char *append;		/* more kernel parameters; NULL for none */
	bool no_splat;			/* ask the guest to fail on a splat, see splat.h */

	const char *image, *initramfs;	/* paths */
	const char *console, *recording, *status;	/* files that QEMU writes */
	const struct pgt_qemu_plugin *plugin;	/* NULL: none; only without KVM */
	const char *counts;		/* file that the plugin writes */
};

struct pgt_qemu_argv {
	char **argv;			/* NULL-terminated, all on the heap */
	size_t n;
};

/* Returns 0 or -ENOMEM. */
int pgt_qemu_argv_make(struct pgt_qemu_argv *out, const struct pgt_arch *arch,
		       const struct pgt_guest_machine *machine, struct pgt_diag *diag);
void pgt_qemu_argv_release(struct pgt_qemu_argv *argv);

#endif /* PGT_LAB_QEMU_H */
