/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.h - from what the user typed to a kernel that can be booted.
 *
 * A spec is a series ("6.12": the newest stock package), a package name, a step of a topic
 * ("TOPIC/STEP", see build_name.h: it is built), or a path of an uncompressed Image, with
 * a '/'.  Packages are unpacked once, below <cache>/kernels/PACKAGE_VERSION_ARCH/.
 */
#ifndef PGT_LAB_KERNEL_H
#define PGT_LAB_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

struct pgt_kernel {
	char *image;		/* path */
	char *release;		/* as uname -r will say */
	char *modules;		/* directory; NULL: only what is built in */
	char *config;		/* path; NULL where not known */
	/* What it was unpacked from, or built from; NULL for an Image of the user's own. */
	char *package, *version;
	bool built;		/* by us: a splat in its log is a failure */
};

/*
 * What can be known of a spec without fetching anything: a path must be that of an Image,
 * and a topic must have the step.  The errors are those of pgt_kernel_get(), which checks again.
 */
int pgt_kernel_check(const struct pgt_lab *lab, const struct pgt_arch *arch, const char *spec,
		     const char *modules, struct pgt_diag *diag);

/*
 * modules is the directory to use with a path of an Image, or NULL.
 *
 * Returns 0 and fills *out, or -ENOENT (no such kernel), -ENOEXEC (not an Image of
 * this architecture), or what fetching or building it gave.
 */
int pgt_kernel_get(struct pgt_kernel *out, const struct pgt_lab *lab, const struct pgt_arch *arch,
		   const char *spec, const char *modules, struct pgt_diag *diag);
/*
 * The bytes of memory that the kernel's image takes, data without content included, as its
 * Image's header says; 0 where it does not (before 3.17).
 */
int pgt_kernel_image_bytes(const struct pgt_kernel *kernel, uint64_t *out, struct pgt_diag *diag);
void pgt_kernel_release(struct pgt_kernel *kernel);	/* accepts a zeroed one */

#endif /* PGT_LAB_KERNEL_H */
