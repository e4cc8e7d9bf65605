/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rig.h - everything that boots of one or more kernels need, made ready.
 */
#ifndef PGT_LAB_RIG_H
#define PGT_LAB_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/emulator.h"
#include "lab/guest.h"
#include "lab/kernel.h"
#include "lab/scope_plan.h"
#include "lab/symbols.h"
#include "lab/tcg_join.h"

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

#define PGT_RIG_MAX_KERNELS	16

struct pgt_rig_kernel {
	const char *spec;		/* of kernel.h */
	const char *name;		/* of a spec with parameters of its own, for messages */
	const char *parameters;		/* for this kernel, behind append; NULL: none */
	bool skip_unsupported;		/* its guests go on without workloads that it cannot do */
};

struct pgt_rig_settings {
	const struct pgt_arch *arch;
	struct pgt_rig_kernel kernels[PGT_RIG_MAX_KERNELS];
	size_t n_kernels;
	const char *modules;		/* directory for kernels given as an Image, or NULL */
	const char *qemu;		/* path of the user's own, or NULL */
	const char *cpu;		/* NULL: the default */
	const char *append;		/* more kernel parameters for all guests, or NULL */
	uint64_t memory;		/* bytes, of the guests that run args */
	unsigned int n_cpus;
	unsigned int patience_s;	/* see guest.h */
	const char *console;		/* file for the console log of the guest that runs args, or NULL */
	const char *guest_pgtrace;	/* path of the guest's binary */
	const char *const *args;	/* for it, "record" first; NULL-terminated; NULL: only boots */
	const char *const *plugin_args;	/* instead of args where the plugin counts; or NULL */
	const char *const *programs;	/* files for /lab/bin/; NULL-terminated, or NULL */

	const char *plugin;		/* path; NULL: nothing is counted from outside */
	bool plugin_required;		/* fail where it cannot be used, rather than go without */
	bool every_site;		/* recordings keep the sites without hits: tcg_join.h */
	const char *model;		/* core whose TLBs the plugin models; NULL: none */
	const uint64_t *boot_memory;	/* bytes: boots that are measured as a whole, each so large */
	size_t n_boot_memory;
};

struct pgt_rig_side {			/* one kernel, and what is made of it */
	struct pgt_kernel kernel;
	char *label;			/* its release, and its name where it has parameters */
	char *append;			/* all parameters; NULL: none */
	char *initramfs;		/* in the scratch directory; NULL: no args */
	char *boot_initramfs;		/* likewise, for boots measured as a whole */
	struct pgt_symbols symbols;	/* these three only with a plugin */
	struct pgt_scope_plan scopes;
	char *plugin_plan;		/* file in the scratch directory */
};

struct pgt_rig_setup {			/* one way to boot; each side is booted in every one */
	char *boot;			/* workload of a boot measured as a whole; NULL: runs args */
	struct pgt_guest_plan plan[PGT_RIG_MAX_KERNELS];
	struct pgt_qemu_plugin plugin[PGT_RIG_MAX_KERNELS];
	struct pgt_tcg_join join[PGT_RIG_MAX_KERNELS];
};

struct pgt_rig {
	struct pgt_emulator emulator;
	struct pgt_rig_side side[PGT_RIG_MAX_KERNELS];
	size_t n;			/* of kernels */
	struct pgt_rig_setup *setups;	/* boots measured as a whole first */
	size_t n_setups;
};

/*
 * All kernels are got, and built where they have to be, before the first guest is booted.
 * The settings and the lab are borrowed until release.  Besides the errors of the headers above,
 * -ENOENT where there is no plugin, and -EOPNOTSUPP where one is required and KVM executes.
 */
int pgt_rig_make(struct pgt_rig *rig, const struct pgt_lab *lab,
		 const struct pgt_rig_settings *settings, struct pgt_diag *diag);
void pgt_rig_release(struct pgt_rig *rig);	/* accepts a zeroed one */

/* "boot-2g", "boot-512m": the workload of a boot with so many bytes of memory; or NULL. */
char *pgt_rig_boot_name(uint64_t memory);

#endif /* PGT_LAB_RIG_H */
