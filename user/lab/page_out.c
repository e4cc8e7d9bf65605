/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/page_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/pin.h"

#define READ_BYTES	(128 << 10)	/* no device reads less at once when asked for more */
#define READ_WAIT_MS	20000
#define POLL_MS		1

int pgt_page_out_init(struct pgt_page_out *out, size_t size, size_t stride,
		      struct pgt_diag *diag)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	size_t n_pages = size / page_size;
	unsigned char *resident = malloc(n_pages);

	if (!resident)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	memset(resident, 0, n_pages);	/* fault it in now, not in the window */
	*out = (struct pgt_page_out){ .size = size, .stride = stride, .resident = resident,
				      .page_size = page_size };
	return 0;
}

void pgt_page_out_release(struct pgt_page_out *out)
{
	pgt_page_out_unmap(out);
	free(out->resident);
	out->resident = NULL;
}

int pgt_page_out_map(struct pgt_page_out *out, int prot, int flags, int fd,
		     struct pgt_diag *diag)
{
	void *at = mmap(NULL, out->size, PROT_READ | prot, MAP_SHARED | flags, fd, 0);

	if (at == MAP_FAILED)
		return pgt_fail(diag, -errno, "cannot map %zu bytes: %s", out->size,
				strerror(errno));
	out->at = at;
	/* EINVAL: a kernel without huge pages */
	if (madvise(at, out->size, MADV_NOHUGEPAGE) && errno != EINVAL)
		return pgt_fail(diag, -errno, "cannot switch huge pages off: %s", strerror(errno));
	if (madvise(at, out->size, MADV_RANDOM))
		return pgt_fail(diag, -errno, "cannot switch readahead off: %s", strerror(errno));
	return 0;
}

void pgt_page_out_unmap(struct pgt_page_out *out)
{
	if (out->at)
		munmap(out->at, out->size);
	out->at = NULL;
}

/* Of the pages at a stride, those that are not in memory. */
static int count_absent(struct pgt_page_out *out, uint64_t *n_absent, struct pgt_diag *diag)
{
	uint64_t n = 0;

	if (mincore(out->at, out->size, out->resident))
		return pgt_fail(diag, -errno, "mincore(): %s", strerror(errno));
	for (size_t i = 0; i < out->size; i += out->stride)
		n += !(out->resident[i / out->page_size] & 1);
	*n_absent = n;
	return 0;
}

int pgt_page_out_read_in(struct pgt_page_out *out, int fd, struct pgt_diag *diag)
{
	uint64_t n_absent;

	/* POSIX_FADV_WILLNEED never makes large folios, unlike readahead from a fault. */
	for (size_t at = 0; at < out->size; at += READ_BYTES) {
		int err = posix_fadvise(fd, (off_t)at, READ_BYTES, POSIX_FADV_WILLNEED);

		if (err)
			return pgt_fail(diag, -err, "cannot read ahead: %s", strerror(err));
	}
	for (unsigned int waited = 0; waited < READ_WAIT_MS; waited += POLL_MS) {
		int err = count_absent(out, &n_absent, diag);

		if (err || !n_absent)
			return err;
		pgt_sleep_ms(POLL_MS);
	}
	return pgt_fail(diag, -EIO, "%zu bytes were read and do not all stay in memory; is it short?",
			out->size);
}

void pgt_page_out_touch(const struct pgt_page_out *out)
{
	const volatile unsigned char *at = out->at;

	for (size_t i = 0; i < out->size; i += out->stride)
		(void)at[i];
}

int pgt_page_out_advise(struct pgt_page_out *out, uint64_t *n_out, struct pgt_diag *diag)
{
	if (madvise(out->at, out->size, MADV_PAGEOUT))
		return pgt_fail(diag, -errno, "madvise(MADV_PAGEOUT): %s%s", strerror(errno),
				errno == EINVAL ? " (it needs Linux 5.4)" : "");
	return count_absent(out, n_out, diag);
}
