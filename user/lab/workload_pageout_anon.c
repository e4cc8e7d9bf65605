/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pageout-anon - swap shared anonymous memory in, one page a stride, and out again.
 *
 * The micro-benchmark with which batched unmapping has been proposed for several architectures:
 *
 *	p = mmap(size, MAP_SHARED | MAP_ANONYMOUS); memset(p, 0x88, size);
 *	loop: read p[0], p[page], p[2 * page], ...; madvise(p, size, MADV_PAGEOUT);
 *
 * Its first pass, in which every page is dirty and none comes from swap, is done in before_run(),
 * so that all passes that count do the same.  Each then swaps size / page pages in and
 * out; these pages are dirty to the kernel, which writes them out again every time.
 * Swap is a zram device of our own, whatever swap the machine has: it writes at once, so
 * that MADV_PAGEOUT leaves no page waiting, and it is empty in every run.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/page_out.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/workload_kinds.h"
#include "lab/zram.h"

#define PAGE_CLUSTER	"/proc/sys/vm/page-cluster"
#define SWAP_SPARE	(UINT64_C(4) << 20)	/* bytes above the workload's own */

struct anon_state {
	uint64_t size, page, loops;	/* parameters */
	uint64_t n_out;			/* pages seen to be out of memory, all loops */
	int page_cluster;		/* as it was; -1 where not changed */
	struct pgt_page_out pages;
	struct pgt_zram zram;
	struct pgt_pin pin;
};

static int read_parameters(struct anon_state *state, const char *parameters,
			   struct pgt_diag *diag)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const struct pgt_parameter table[] = {
		{ "size", PGT_PARAMETER_SIZE, page, UINT64_C(1) << 30, &state->size, NULL },
		{ "page", PGT_PARAMETER_SIZE, page, UINT64_C(1) << 30, &state->page, NULL },
		{ "loops", PGT_PARAMETER_COUNT, 1, 10000, &state->loops, NULL },
	};
	int err = pgt_parameters_parse("pageout-anon", parameters, table, 3, diag);

	if (!err && state->page % page)
		return pgt_fail(diag, -EINVAL, "pageout-anon: page=%" PRIu64 " is not a multiple of "
				"the page size, %" PRIu64, state->page, page);
	if (!err && state->size % state->page)
		return pgt_fail(diag, -EINVAL, "pageout-anon: size=%" PRIu64 " is not a multiple of "
				"page=%" PRIu64, state->size, state->page);
	return err;
}

static int anon_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct anon_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "pageout-anon: out of memory");
	state->size = UINT64_C(10) << 20;
	state->page = UINT64_C(64) << 10;
	state->loops = 5;
	state->page_cluster = -1;
	state->zram = (struct pgt_zram)PGT_ZRAM_INIT;
	err = read_parameters(state, parameters, diag);
	if (err) {
		free(state);
		return err;
	}
	*out = state;
	return 0;
}

static int set_page_cluster(int value, struct pgt_diag *diag)
{
	FILE *file = fopen(PAGE_CLUSTER, "we");
	int failed;

	if (!file)
		return pgt_fail(diag, -errno, PAGE_CLUSTER ": cannot open: %s", strerror(errno));
	failed = fprintf(file, "%d\n", value) < 0;
	failed |= fclose(file);
	return failed ? pgt_fail(diag, -EIO, PAGE_CLUSTER ": cannot write %d", value) : 0;
}

/* Swap readahead would bring in pages that nobody touches, more or fewer of them. */
static int switch_readahead_off(struct anon_state *state, struct pgt_diag *diag)
{
	struct pgt_buf before = PGT_BUF_INIT;
	int err = pgt_file_read_line(PAGE_CLUSTER, &before, diag);

	if (!err)
		err = set_page_cluster(0, diag);
	if (!err)
		state->page_cluster = atoi(before.at);
	pgt_buf_release(&before);
	return err;
}

static int anon_prepare(void *opaque, struct pgt_diag *diag)
{
	struct anon_state *state = opaque;
	int err = pgt_page_out_init(&state->pages, state->size, state->page, diag);

	if (!err)
		err = pgt_zram_swap_on(&state->zram, state->size + SWAP_SPARE, diag);
	if (!err)
		err = switch_readahead_off(state, diag);
	return err ? err : pgt_stacks_stock_up(diag);
}

static int anon_before_run(void *opaque, struct pgt_diag *diag)
{
	struct anon_state *state = opaque;
	uint64_t n, all = state->size / state->page;
	int err = pgt_pin_to_last_cpu(&state->pin, diag);

	state->n_out = 0;
	if (!err)
		err = pgt_page_out_map(&state->pages, PROT_WRITE, MAP_ANONYMOUS, -1, diag);
	if (!err) {
		memset(state->pages.at, 0x88, state->size);
		err = pgt_page_out_advise(&state->pages, &n, diag);
	}
	if (err)
		return err;
	if (n != all)
		return pgt_fail(diag, -EIO, "only %" PRIu64 " of %" PRIu64 " pages can be "
				"swapped out at all", n, all);
	return 0;
}

static int anon_run(void *opaque, struct pgt_diag *diag)
{
	struct anon_state *state = opaque;
	uint64_t n;

	for (uint64_t i = 0; i < state->loops; i++) {
		int err;

		pgt_page_out_touch(&state->pages);
		err = pgt_page_out_advise(&state->pages, &n, diag);
		if (err)
			return err;
		state->n_out += n;
	}
	return 0;
}

static int anon_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct anon_state *state = opaque;
	uint64_t asked = state->loops * (state->size / state->page);

	pgt_page_out_unmap(&state->pages);
	pgt_pin_release(&state->pin);
	if (state->n_out != asked)
		return pgt_fail(diag, -EIO, "%" PRIu64 " of %" PRIu64 " pages were "
				"swapped out", state->n_out, asked);
	*work = (struct pgt_work){ "pages", (int64_t)asked, (int64_t)state->n_out };
	return 0;
}

static void anon_release(void *opaque)
{
	struct anon_state *state = opaque;
	struct pgt_diag ignored;

	if (!state)
		return;
	pgt_page_out_release(&state->pages);	/* before swapoff(2), which reads back what is left */
	if (state->page_cluster >= 0)
		set_page_cluster(state->page_cluster, &ignored);
	pgt_zram_release(&state->zram);
	pgt_pin_release(&state->pin);
	free(state);
}

const struct pgt_workload pgt_workload_pageout_anon = {
	.name = "pageout-anon",
	.help = "swap shared memory in and out of zram (size=10M,page=64K,loops=5)",
	.repeatable = true,
	.parse = anon_parse,
	.prepare = anon_prepare,
	.before_run = anon_before_run,
	.run = anon_run,
	.after_run = anon_after_run,
	.release = anon_release,
};
