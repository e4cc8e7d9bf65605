/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * munmap - unmap anonymous memory in ranges of several sizes.
 *
 * Where the ranges lie decides what unmapping costs, so it is laid down here.  All are cut
 * out of one reservation without access, each from the start of a page table of its own, with
 * at least a page of the reservation behind it.  So no two ranges are neighbours that the
 * kernel would merge and split again, and a page table is freed with its range exactly where the
 * range covers all of it (512 pages and more, on 4K pages).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/workload_kinds.h"

#define MAX_RANGES	16
#define MAX_PAGES	65536	/* of one range */

struct munmap_state {
	char *ranges_text;		/* parameter: "1/16/512/4096" */
	uint64_t loops;			/* parameter: ranges of each size */
	uint64_t ranges[MAX_RANGES];	/* pages */
	size_t n_ranges;
	uint64_t page_size, table_bytes;	/* table_bytes: what one page table maps */
	unsigned char *reserved;	/* NULL while there is none */
	uint64_t reserved_bytes;
	struct pgt_pin pin;
};

typedef int (*visit_fn)(struct munmap_state *state, unsigned char *at, uint64_t bytes);

/* From the start of a range to the start of the next: whole tables, with a page to spare. */
static uint64_t slot_bytes(const struct munmap_state *state, uint64_t pages)
{
	return (pages * state->page_size / state->table_bytes + 1) * state->table_bytes;
}

static uint64_t pages_asked(const struct munmap_state *state)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < state->n_ranges; i++)
		pages += state->loops * state->ranges[i];
	return pages;
}

/* Every range in turn, until one fails. */
static int for_each_range(struct munmap_state *state, visit_fn visit)
{
	uintptr_t start = (uintptr_t)state->reserved;
	unsigned char *at = state->reserved + (-start & (state->table_bytes - 1));
	int err = 0;

	for (size_t i = 0; i < state->n_ranges; i++) {
		for (uint64_t k = 0; !err && k < state->loops; k++) {
			err = visit(state, at, state->ranges[i] * state->page_size);
			at += slot_bytes(state, state->ranges[i]);
		}
	}
	return err;
}

static int read_ranges(struct munmap_state *state, struct pgt_diag *diag)
{
	char *rest = state->ranges_text, *one;

	while ((one = strsep(&rest, "/"))) {
		uint64_t pages;

		if (pgt_parameter_number(one, PGT_PARAMETER_COUNT, &pages) || !pages ||
		    pages > MAX_PAGES)
			return pgt_fail(diag, -EINVAL, "munmap: ranges: \"%s\" is not a number of "
					"pages from 1 to %d", one, MAX_PAGES);
		if (state->n_ranges == MAX_RANGES)
			return pgt_fail(diag, -EINVAL, "munmap: ranges: more than %d", MAX_RANGES);
		state->ranges[state->n_ranges++] = pages;
	}
	return 0;
}

static void munmap_release(void *opaque)
{
	struct munmap_state *state = opaque;

	if (!state)
		return;
	if (state->reserved)
		munmap(state->reserved, state->reserved_bytes);
	pgt_pin_release(&state->pin);
	free(state->ranges_text);
	free(state);
}

static int munmap_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct munmap_state *state = calloc(1, sizeof(*state));
	char *ranges = strdup("1/16/512/4096");
	int err;

	if (!state || !ranges) {
		free(state);
		free(ranges);
		return pgt_fail(diag, -ENOMEM, "munmap: out of memory");
	}
	state->ranges_text = ranges;
	state->loops = 4;
	state->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->table_bytes = state->page_size / sizeof(uint64_t) * state->page_size;
	err = pgt_parameters_parse("munmap", parameters, (struct pgt_parameter[]){
		{ "ranges", PGT_PARAMETER_TEXT, 0, 0, NULL, &state->ranges_text },
		{ "loops", PGT_PARAMETER_COUNT, 1, 1000, &state->loops, NULL },
	}, 2, diag);
	if (!err)
		err = read_ranges(state, diag);
	if (err) {
		munmap_release(state);
		return err;
	}
	*out = state;
	return 0;
}

static int munmap_prepare(void *opaque, struct pgt_diag *diag)
{
	struct munmap_state *state = opaque;
	uint64_t needed = pages_asked(state) * state->page_size;
	uint64_t free_bytes = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * state->page_size;

	if (needed > free_bytes)
		return pgt_fail(diag, -ENOMEM, "these ranges and loops need %" PRIu64 " bytes "
				"of memory and %" PRIu64 " are free", needed, free_bytes);
	state->reserved_bytes = state->table_bytes;
	for (size_t i = 0; i < state->n_ranges; i++)
		state->reserved_bytes += state->loops * slot_bytes(state, state->ranges[i]);
	return pgt_stacks_stock_up(diag);
}

static int map_range(struct munmap_state *state, unsigned char *at, uint64_t bytes)
{
	void *got = mmap(at, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (got == MAP_FAILED)
		return -errno;
	if (madvise(at, bytes, MADV_NOHUGEPAGE) && errno != EINVAL)
		return -errno;
	for (uint64_t i = 0; i < bytes; i += state->page_size)
		at[i] = 1;
	return 0;
}

static int expect_resident(struct munmap_state *state, unsigned char *at, uint64_t bytes)
{
	unsigned char resident;

	for (uint64_t i = 0; i < bytes; i += state->page_size)
		if (mincore(at + i, state->page_size, &resident) || !(resident & 1))
			return -EIO;
	return 0;
}

static int munmap_before_run(void *opaque, struct pgt_diag *diag)
{
	struct munmap_state *state = opaque;
	int err = pgt_pin_to_last_cpu(&state->pin, diag);
	void *reserved;

	if (err)
		return err;
	reserved = mmap(NULL, state->reserved_bytes, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (reserved == MAP_FAILED)
		return pgt_fail(diag, -errno, "cannot reserve %" PRIu64 " bytes: %s",
				state->reserved_bytes, strerror(errno));
	state->reserved = reserved;
	err = for_each_range(state, map_range);
	if (err)
		return pgt_fail(diag, err, "cannot map a range: %s", strerror(-err));
	if (for_each_range(state, expect_resident))
		return pgt_fail(diag, -EIO, "pages went away before they were unmapped; "
				"is memory short?");
	return 0;
}

static int unmap_range(struct munmap_state *state, unsigned char *at, uint64_t bytes)
{
	(void)state;
	return munmap(at, bytes) ? -errno : 0;
}

static int munmap_run(void *opaque, struct pgt_diag *diag)
{
	int err = for_each_range(opaque, unmap_range);

	return err ? pgt_fail(diag, err, "cannot unmap a range: %s", strerror(-err)) : 0;
}

/* mincore(2) knows no address in the range any more. */
static int check_range(struct munmap_state *state, unsigned char *at, uint64_t bytes)
{
	unsigned char resident;

	for (uint64_t i = 0; i < bytes; i += state->page_size)
		if (!mincore(at + i, state->page_size, &resident) || errno != ENOMEM)
			return -EIO;
	return 0;
}

static int munmap_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct munmap_state *state = opaque;
	int64_t pages = (int64_t)pages_asked(state);
	int err = for_each_range(state, check_range);

	munmap(state->reserved, state->reserved_bytes);
	state->reserved = NULL;
	pgt_pin_release(&state->pin);
	if (err)
		return pgt_fail(diag, err, "a page is still mapped");
	*work = (struct pgt_work){ "pages", pages, pages };
	return 0;
}

const struct pgt_workload pgt_workload_munmap = {
	.name = "munmap",
	.help = "unmap touched memory in ranges of so many pages (ranges=1/16/512/4096,loops=4)",
	.repeatable = true,
	.parse = munmap_parse,
	.prepare = munmap_prepare,
	.before_run = munmap_before_run,
	.run = munmap_run,
	.after_run = munmap_after_run,
	.release = munmap_release,
};
