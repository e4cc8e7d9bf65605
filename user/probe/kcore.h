/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.h - read the running kernel's memory through /proc/kcore.
 *
 * The live text is what executes: alternatives, static keys and ftrace have rewritten
 * what the image on disk says.
 */
#ifndef PGT_PROBE_KCORE_H
#define PGT_PROBE_KCORE_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

/*
 * Read len bytes at virtual address into buffer.  path is normally "/proc/kcore".
 * -ENOENT without CONFIG_PROC_KCORE, -EACCES or -EPERM without the right, -EPROTO where the
 * file is not an ELF core of this word size, -EFAULT where no segment holds the range.
 */
int pgt_kcore_read(const char *path, uint64_t address, void *buffer, size_t len,
		   struct pgt_diag *diag);

/* The end of the segment that holds address: for the kernel's text, the end of its image. */
int pgt_kcore_segment_end(const char *path, uint64_t address, uint64_t *out,
			  struct pgt_diag *diag);

#endif /* PGT_PROBE_KCORE_H */
