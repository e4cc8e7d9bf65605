/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.h - read the running kernel's memory through /proc/kcore.
 *
 * The live text is what executes: alternatives, static keys and ftrace have rewritten
 * what the image on disk says.
 *
 * All functions: -ENOENT without CONFIG_PROC_KCORE, -EACCES or -EPERM without the right,
 * -EPROTO where the file is not an ELF core of this word size, -EIO where it ends too early,
 * -EFAULT where no segment holds what is asked for.
 */
#ifndef PGT_PROBE_KCORE_H
#define PGT_PROBE_KCORE_H

#include <stddef.h>
#include <stdint.h>

struct pgt_buf;
struct pgt_diag;

/* ---- one read ---- */

/* Read len bytes at virtual address into buffer.  path is normally "/proc/kcore". */
int pgt_kcore_read(const char *path, uint64_t address, void *buffer, size_t len,
		   struct pgt_diag *diag);

/* The end of the segment that holds address: for the kernel's text, the end of its image. */
int pgt_kcore_segment_end(const char *path, uint64_t address, uint64_t *out,
			  struct pgt_diag *diag);

/* ---- many reads ---- */

struct pgt_kcore;

int pgt_kcore_open(struct pgt_kcore **out, const char *path, struct pgt_diag *diag);
void pgt_kcore_free(struct pgt_kcore *kcore);	/* accepts NULL */

/* The machine, EM_AARCH64 and so on. */
unsigned int pgt_kcore_machine(const struct pgt_kcore *kcore);

/* Read len bytes of memory at a physical address; what is not memory is in no segment. */
int pgt_kcore_read_physical(const struct pgt_kcore *kcore, uint64_t physical, void *buffer,
			    size_t len, struct pgt_diag *diag);

/* The physical address that the core says a virtual one has; -EFAULT also where it does not say. */
int pgt_kcore_physical(const struct pgt_kcore *kcore, uint64_t address, uint64_t *out,
		       struct pgt_diag *diag);

/* Append the content of the note of this name to out; -ENODATA where there is none. */
int pgt_kcore_note(const struct pgt_kcore *kcore, const char *name, struct pgt_buf *out,
		   struct pgt_diag *diag);

#endif /* PGT_PROBE_KCORE_H */
