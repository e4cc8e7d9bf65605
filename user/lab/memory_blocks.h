/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory_blocks.h - the memory blocks of the running machine: in such units memory comes and goes.
 */
#ifndef PGT_LAB_MEMORY_BLOCKS_H
#define PGT_LAB_MEMORY_BLOCKS_H

#include <stdint.h>

struct pgt_diag;

struct pgt_memory_blocks {
	uint64_t bytes;			/* of one */
	uint64_t n_before, iomem_before;	/* pgt_memory_blocks_note() */
	int fd;
	char online_before[32];		/* auto_online_blocks; "" where it was not changed */
	char entries[4096];		/* for getdents64(2): opendir() would allocate in a window */
};

/* Returns 0, or -ENODEV where the kernel has no memory blocks. */
int pgt_memory_blocks_open(struct pgt_memory_blocks *blocks, struct pgt_diag *diag);

/*
 * Memory that is added from now on stays offline, because onlining maps nothing and would hand the
 * pages to whoever allocates next.  Returns 0 or -errno.
 */
int pgt_memory_blocks_keep_offline(struct pgt_memory_blocks *blocks, struct pgt_diag *diag);

/* How much there is, for what follows to compare with.  Returns 0 or -errno. */
int pgt_memory_blocks_note(struct pgt_memory_blocks *blocks, struct pgt_diag *diag);

/* How many more blocks there are than were noted, or fewer.  Allocates nothing. */
int pgt_memory_blocks_added(struct pgt_memory_blocks *blocks, int64_t *n, struct pgt_diag *diag);

/* How many more bytes virtio-mem has added, or fewer, as /proc/iomem shows it.  Returns 0 or -errno. */
int pgt_memory_blocks_iomem_added(const struct pgt_memory_blocks *blocks, int64_t *bytes,
				  struct pgt_diag *diag);

/* Wait until n more blocks are there, as long as they keep coming.  Returns 0, -ETIMEDOUT or -errno. */
int pgt_memory_blocks_wait(struct pgt_memory_blocks *blocks, int64_t n, struct pgt_diag *diag);

/* Pages of a pageblock times the size of one.  Returns 0 or -errno. */
int pgt_memory_pageblock_bytes(uint64_t *out, struct pgt_diag *diag);

/* Let memory be set online as before.  fd may be -1, where open() failed or was not called. */
void pgt_memory_blocks_release(struct pgt_memory_blocks *blocks);

#endif /* PGT_LAB_MEMORY_BLOCKS_H */
