/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page_out.h - a mapping whose pages are read in and paged out, over and over.
 */
#ifndef PGT_LAB_PAGE_OUT_H
#define PGT_LAB_PAGE_OUT_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_page_out {
	unsigned char *at;	/* the mapping; NULL while there is none */
	size_t size;		/* bytes, a multiple of the page size */
	size_t stride;		/* one page in this many bytes is touched; likewise */
	unsigned char *resident;	/* mincore(2): one byte a page */
	size_t page_size;
};

/* Take size and stride, and allocate what the others need.  Returns 0 or -ENOMEM. */
int pgt_page_out_init(struct pgt_page_out *out, size_t size, size_t stride,
		      struct pgt_diag *diag);
void pgt_page_out_release(struct pgt_page_out *out);

/*
 * mmap() with PROT_READ | prot and MAP_SHARED | flags, with neither huge pages nor readahead:
 * every page is then faulted in by an access of its own, as a page of its own.
 */
int pgt_page_out_map(struct pgt_page_out *out, int prot, int flags, int fd,
		     struct pgt_diag *diag);
void pgt_page_out_unmap(struct pgt_page_out *out);

/*
 * Have the kernel read all of fd's first bytes into its cache as pages of their own, and
 * wait until they are there.  Many at a time, where touch() alone would read each by itself.
 * Returns 0, -errno, or -EIO where they do not stay in memory.
 */
int pgt_page_out_read_in(struct pgt_page_out *out, int fd, struct pgt_diag *diag);

/* Read one byte of one page a stride. */
void pgt_page_out_touch(const struct pgt_page_out *out);

/*
 * madvise(MADV_PAGEOUT) over all of it, then count, with mincore(2), those pages at a
 * stride that are not in memory any more.  Returns 0 or -errno.
 */
int pgt_page_out_advise(struct pgt_page_out *out, uint64_t *n_out, struct pgt_diag *diag);

#endif /* PGT_LAB_PAGE_OUT_H */
