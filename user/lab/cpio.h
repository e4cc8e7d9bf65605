/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpio.h - write the archive that the kernel unpacks as its first file system.
 *
 * The "newc" format of Documentation/driver-api/early-userspace/buffer-format.rst in the
 * kernel source.  Owner 0:0, time 0, inode numbers in the order of the calls: the
 * same calls give the same bytes.
 */
#ifndef PGT_LAB_CPIO_H
#define PGT_LAB_CPIO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pgt_diag;

struct pgt_cpio {
	FILE *stream;		/* the caller's */
	uint32_t n_entries;
	uint64_t written;	/* bytes */
};

void pgt_cpio_init(struct pgt_cpio *cpio, FILE *stream);

/*
 * Names are paths without a leading '/', parents before children.  Each returns 0,
 * -EIO where the stream fails, or -EFBIG for content of 4 GiB and more.
 */
int pgt_cpio_dir(struct pgt_cpio *cpio, const char *name, struct pgt_diag *diag);
int pgt_cpio_file(struct pgt_cpio *cpio, const char *name, unsigned int mode,
		  const void *content, size_t size, struct pgt_diag *diag);
int pgt_cpio_char_device(struct pgt_cpio *cpio, const char *name, unsigned int mode,
			 unsigned int major, unsigned int minor, struct pgt_diag *diag);

/* The trailer.  Does not close the stream. */
int pgt_cpio_finish(struct pgt_cpio *cpio, struct pgt_diag *diag);

#endif /* PGT_LAB_CPIO_H */
