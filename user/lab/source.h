/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - the kernel source that the patches are made for, unpacked in the cache.
 *
 * <cache>/linux/VERSION/pristine is what the package holds and is only read; tree shares its
 * files (hard links) and is patched and built.  The tree has the same path every time, so that
 * the compiler cache finds what it compiled before.
 */
#ifndef PGT_LAB_SOURCE_H
#define PGT_LAB_SOURCE_H

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

struct pgt_source_pin {		/* the file kernel-patches/source */
	char package[64], version[64];
};

struct pgt_source {
	struct pgt_source_pin is;	/* the version may be another than was asked for */
	char *dir, *pristine, *tree;
	int lock_fd;			/* one process patches and builds at a time */
};

/* Returns 0, -EINVAL where the file has no line "PACKAGE VERSION", or what reading it gave. */
int pgt_source_pinned(struct pgt_source_pin *out, const char *patches, struct pgt_diag *diag);

/*
 * Fetch and unpack the source where the cache does not have it.  Where the index no longer
 * has that version, its newest is taken and the reader told: whether the patches still
 * apply shows when they are applied.
 */
int pgt_source_open(struct pgt_source *out, const struct pgt_lab *lab,
		    const struct pgt_arch *arch, const struct pgt_source_pin *pin,
		    struct pgt_diag *diag);
void pgt_source_release(struct pgt_source *source);	/* accepts a zeroed one with lock_fd -1 */

#endif /* PGT_LAB_SOURCE_H */
