/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * initramfs.h - what a guest finds: pgtrace as /init, its arguments, modules, programs.
 *
 * See lab/init.h for the layout.  The archive is not compressed: under emulation unpacking
 * costs more than reading.
 */
#ifndef PGT_LAB_INITRAMFS_H
#define PGT_LAB_INITRAMFS_H

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

struct pgt_initramfs {
	const char *init;		/* static pgtrace of the guest's architecture */
	const char *const *args;	/* NULL-terminated; none may hold a newline */
	const char *modules;		/* directory; NULL: all that is needed is built in */
	const char *const *programs;	/* files to put below /lab/bin/; NULL-terminated or NULL */
};

/* Whether init will do, before anything else is prepared: the errors are those below. */
int pgt_initramfs_check(const char *init, const struct pgt_arch *arch, struct pgt_diag *diag);

/*
 * Write it to path.  Returns 0, -ENOENT (no such file), -ENOEXEC (init is not a static
 * program of this architecture), -EINVAL (an argument holds a newline) or -errno.
 */
int pgt_initramfs_write(const char *path, const struct pgt_initramfs *content,
			const struct pgt_lab *lab, const struct pgt_arch *arch,
			struct pgt_diag *diag);

#endif /* PGT_LAB_INITRAMFS_H */
