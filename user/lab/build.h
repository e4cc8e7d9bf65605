/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build.h - a kernel of a topic: patched, configured, built, kept.
 *
 * What is built lies below <cache>/built/NAME+DIGEST/: Image, config, System.map,
 * lib/modules/RELEASE, and "recipe", the text that DIGEST is of: source, release, patches,
 * configuration, compiler.  A kernel with the same recipe is not built again.  Objects stay in
 * <cache>/linux/VERSION/, one directory a configuration, and in the compiler cache
 * <cache>/ccache, where ccache(1) is there.
 */
#ifndef PGT_LAB_BUILD_H
#define PGT_LAB_BUILD_H

struct pgt_arch;
struct pgt_build_name;
struct pgt_diag;
struct pgt_kernel;
struct pgt_lab;

/* Whether lab->patches has this topic and step.  Returns 0 or -ENOENT; fetches nothing. */
int pgt_build_check(const struct pgt_lab *lab, const struct pgt_build_name *name,
		    struct pgt_diag *diag);

/*
 * Build the kernel, or find it in the cache, and describe it.
 *
 * Returns 0, or -ENOENT (no such topic or step, or a program that builds kernels is missing),
 * -ESTALE (a patch does not apply), -ENOTSUP (an option asked for cannot be had), -ECHILD (it
 * does not compile; the text has the compiler's error and where the log is), or -EINTR.
 */
int pgt_build_get(struct pgt_kernel *out, const struct pgt_lab *lab, const struct pgt_arch *arch,
		  const struct pgt_build_name *name, struct pgt_diag *diag);

/*
 * Apply the patches of the step and compile the C files that they change, nothing else.
 * Returns as pgt_build_get() does.
 */
int pgt_build_try(const struct pgt_lab *lab, const struct pgt_arch *arch,
		  const struct pgt_build_name *name, struct pgt_diag *diag);

#endif /* PGT_LAB_BUILD_H */
