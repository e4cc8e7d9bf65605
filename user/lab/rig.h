/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rig.h - everything that boots of one or two kernels need, made ready.
 */
#ifndef PGT_LAB_RIG_H
#define PGT_LAB_RIG_H

#include <stddef.h>
#include <stdint.h>

#include "lab/emulator.h"
#include "lab/guest.h"
#include "lab/kernel.h"

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

#define PGT_RIG_KERNELS	2

struct pgt_rig_settings {
	const struct pgt_arch *arch;
	const char *kernels[PGT_RIG_KERNELS];	/* specs of kernel.h; the second may be NULL */
	const char *modules;		/* directory for kernels given as an Image, or NULL */
	const char *qemu;		/* path of the user's own, or NULL */
	const char *cpu;		/* NULL: the default */
	uint64_t memory;		/* bytes */
	unsigned int n_cpus;
	unsigned int patience_s;	/* see guest.h */
	const char *guest_pgtrace;	/* path of the guest's binary */
	const char *const *args;	/* for it; NULL-terminated */
	const char *const *programs;	/* files for /lab/bin/; NULL-terminated, or NULL */
};

struct pgt_rig {
	struct pgt_emulator emulator;
	struct pgt_kernel kernel[PGT_RIG_KERNELS];
	char *initramfs[PGT_RIG_KERNELS];	/* in the scratch directory */
	struct pgt_guest_plan plan[PGT_RIG_KERNELS];
	size_t n;
};

/* The settings and the lab are borrowed until release. */
int pgt_rig_make(struct pgt_rig *rig, const struct pgt_lab *lab,
		 const struct pgt_rig_settings *settings, struct pgt_diag *diag);
void pgt_rig_release(struct pgt_rig *rig);	/* accepts a zeroed one */

#endif /* PGT_LAB_RIG_H */
