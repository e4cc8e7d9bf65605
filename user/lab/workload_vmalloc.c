/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmalloc - make and free BPF array maps, whose storage the kernel vmalloc()s.
 *
 * A map with values of `size` bytes takes size / page size pages and one more for the
 * map's own header, mapped page by page by vmap_small_pages_range_noflush().
 *
 * Freeing.  close() only queues the map for a kernel worker, which unmaps the pages.  The
 * maps are closed one at a time, the next when the last is gone: many at once make the kernel
 * start more workers, sometimes, whose stacks are vmalloc()ed too.
 *
 * TLB entries are invalidated later still, for all freed areas at once, as soon as these
 * exceed lazy_max_pages() (mm/vmalloc.c: 32 MiB times fls(CPUs online)).  So that every run
 * holds the same work, each is prepared such that the free of its last map exceeds that limit:
 * areas freed before it and not flushed, the "prefill", make up the difference.  run() waits
 * until the maps' areas are gone and the one flush has been done.
 * If the maps alone exceed the limit, the flush comes where the limit says, and not at the end.
 *
 * The tables that the kernel allocates for the address range stay once they are made.
 * A rehearsal before the first run makes them, so it does not differ from the others.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/vmallocinfo.h"
#include "lab/workload_kinds.h"

#define MAX_MAPS	512
#define MAX_PREFILL	256	/* maps; enough for 8192 CPUs */
/*
 * Pages of the largest of them, guard page included: the kernel's own list of a larger
 * area's pages is vmalloc()ed as well, and freed at a moment that cannot be seen from here.
 */
#define PREFILL_PAGES	512
#define PREFILL_MIN	16	/* below 8 pages, maps are not vmalloc()ed */
#define LAZY_BYTES	(UINT64_C(32) << 20)	/* lazy_max_pages(), per fls(CPUs) */
#define HEADER_ROOM	2048	/* at least sizeof(struct bpf_array), less than a page */
#define VALUE_SIZE	64
#define WAIT_MS		20000	/* for a kernel worker that makes no progress */
#define POLL_US		300
#define N_POLLS		(WAIT_MS * 1000 / POLL_US)
#define SETTLE_MS	2	/* the pages of an area are given back after it is gone */
#define REHEARSED_MS	50	/* for workers that are still being started */
#define MAX_STEPS	2000	/* to fill up with; twice the limit of 8192 CPUs needs 416 */

struct vmalloc_state {
	uint64_t maps, size;		/* parameters */
	uint64_t page_size;
	uint64_t area_bytes;		/* one map: values, header, guard page */
	uint64_t prefill;		/* bytes of freed areas to start a run with; 0: none */
	uint64_t baseline;		/* map areas of our size that are not ours */
	uint64_t n_seen;		/* of our areas, while all maps were there */
	bool rehearsed;
	struct pgt_pin pin;
	struct pgt_vmallocinfo info;
	int fds[MAX_MAPS + MAX_PREFILL];
	size_t n_fds;
};

static int make_map(struct vmalloc_state *state, uint64_t value_bytes, struct pgt_diag *diag)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = VALUE_SIZE;
	attr.max_entries = (uint32_t)(value_bytes / VALUE_SIZE);
	memcpy(attr.map_name, "pgt_vmalloc", sizeof("pgt_vmalloc"));
	fd = (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	if (fd < 0)
		return pgt_fail(diag, -errno, "cannot make a BPF map of %" PRIu64
				" bytes: %s", value_bytes, strerror(errno));
	state->fds[state->n_fds++] = fd;
	return 0;
}

static int make_maps(struct vmalloc_state *state, struct pgt_diag *diag)
{
	int err = 0;

	for (uint64_t i = 0; !err && i < state->maps; i++)
		err = make_map(state, state->size, diag);
	return err;
}

/* A map whose area, guard page included, takes n bytes. */
static int make_prefill_map(struct vmalloc_state *state, uint64_t n, struct pgt_diag *diag)
{
	return make_map(state, n - state->page_size - HEADER_ROOM, diag);
}

/* The next step towards n bytes of them, none where too little is missing. */
static uint64_t prefill_step(const struct vmalloc_state *state, uint64_t n)
{
	uint64_t largest = PREFILL_PAGES * state->page_size;

	if (n < PREFILL_MIN * state->page_size)
		return 0;
	return n < largest ? n : largest;
}

static int make_prefill(struct vmalloc_state *state, struct pgt_diag *diag)
{
	uint64_t n = state->prefill, step;
	int err = 0;

	while (!err && (step = prefill_step(state, n))) {
		err = make_prefill_map(state, step, diag);
		n -= step;
	}
	return err;
}

static void close_maps(struct vmalloc_state *state)
{
	while (state->n_fds)
		close(state->fds[--state->n_fds]);
}

static int read_areas(struct vmalloc_state *state, struct pgt_vmalloc_areas *out,
		      struct pgt_diag *diag)
{
	return pgt_vmallocinfo_read(&state->info, state->area_bytes, out, diag);
}

static int fail_waiting(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ETIMEDOUT, "the kernel has not freed and flushed the closed maps "
			"after %d s", WAIT_MS / 1000);
}

/*
 * Wait until the kernel has freed all but n_left of our maps and, where flushed_below is
 * given, until less than that many bytes wait for their flush.
 */
static int wait_until_freed(struct vmalloc_state *state, uint64_t n_left,
			    uint64_t flushed_below, struct pgt_diag *diag)
{
	struct pgt_vmalloc_areas areas;

	for (int i = 0; i < N_POLLS; i++) {
		int err;

		pgt_sleep_us(POLL_US);
		err = read_areas(state, &areas, diag);
		if (err)
			return err;
		if (areas.n_map_areas <= state->baseline + n_left &&
		    (!flushed_below || areas.n_lazy_bytes < flushed_below))
			return 0;
	}
	return fail_waiting(diag);
}

static int close_in_turn(struct vmalloc_state *state, struct pgt_diag *diag)
{
	int err = 0;

	while (!err && state->n_fds) {
		close(state->fds[--state->n_fds]);
		err = wait_until_freed(state, state->n_fds, 0, diag);
	}
	return err;
}

/* Half of a run's maps: less than this means that the flush at its end has happened. */
static uint64_t flushed_mark(const struct vmalloc_state *state)
{
	return state->prefill ? state->prefill + state->maps * state->area_bytes / 2 : 0;
}

static int read_parameters(struct vmalloc_state *state, const char *parameters,
			   struct pgt_diag *diag)
{
	uint64_t page = state->page_size;
	const struct pgt_parameter table[] = {
		{ "maps", PGT_PARAMETER_COUNT, 1, MAX_MAPS, &state->maps, NULL },
		/* 8 pages and less come from the page allocator */
		{ "size", PGT_PARAMETER_SIZE, 16 * page, UINT64_C(1) << 30, &state->size, NULL },
	};
	int err = pgt_parameters_parse("vmalloc", parameters, table, 2, diag);

	if (!err && state->size % page)
		return pgt_fail(diag, -EINVAL, "vmalloc: size=%" PRIu64 " is not a multiple of the "
				"page size, %" PRIu64, state->size, page);
	return err;
}

static int vmalloc_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct vmalloc_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "vmalloc: out of memory");
	state->maps = 50;
	state->size = UINT64_C(1) << 20;
	state->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->info.fd = -1;
	err = read_parameters(state, parameters, diag);
	if (err) {
		free(state);
		return err;
	}
	state->area_bytes = state->size + 2 * state->page_size;	/* header, guard page */
	*out = state;
	return 0;
}

/* In bytes. */
static uint64_t lazy_max(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t fls = 0;

	for (; cpus > 0; cpus >>= 1)
		fls++;
	return fls * LAZY_BYTES;
}

static int vmalloc_prepare(void *opaque, struct pgt_diag *diag)
{
	struct vmalloc_state *state = opaque;
	uint64_t work = state->maps * state->area_bytes, limit = lazy_max();
	struct pgt_vmalloc_areas areas;
	int err = pgt_vmallocinfo_init(&state->info, diag);

	if (err)
		return err;
	err = read_areas(state, &areas, diag);
	if (err)
		return err;
	state->baseline = areas.n_map_areas;
	/* The middle of the last map, so that a few pages freed by others do not matter. */
	if (work < limit)
		state->prefill = limit - work + state->area_bytes / 2;
	return 0;
}

/*
 * One run's worth of maps and the prefill, made and closed at once: from then on their tables
 * exist, and more kernel workers than a run ever needs.
 */
static int rehearse(struct vmalloc_state *state, struct pgt_diag *diag)
{
	int err = make_prefill(state, diag);

	if (!err)
		err = make_maps(state, diag);
	close_maps(state);
	if (!err)
		err = wait_until_freed(state, 0, 0, diag);
	pgt_sleep_ms(REHEARSED_MS);
	state->rehearsed = !err;
	return err;
}

/* Free one area of n bytes and wait until it counts as such, or is flushed already. */
static int free_lazily(struct vmalloc_state *state, uint64_t n, uint64_t *n_lazy,
		       struct pgt_diag *diag)
{
	struct pgt_vmalloc_areas areas;
	int err = make_prefill_map(state, n, diag);

	close_maps(state);
	for (int i = 0; !err && i < N_POLLS; i++) {
		pgt_sleep_us(POLL_US);
		err = read_areas(state, &areas, diag);
		if (!err && (areas.n_lazy_bytes < *n_lazy ||
			     areas.n_lazy_bytes >= *n_lazy + n / 2)) {
			*n_lazy = areas.n_lazy_bytes;
			return 0;
		}
	}
	return err ? err : fail_waiting(diag);
}

/* More than the prefill goes up to the limit, and so to nothing; less goes up to the prefill. */
static int fill(struct vmalloc_state *state, struct pgt_diag *diag)
{
	uint64_t largest = PREFILL_PAGES * state->page_size, n_lazy, step;
	struct pgt_vmalloc_areas areas;
	int err = read_areas(state, &areas, diag);

	n_lazy = err ? 0 : areas.n_lazy_bytes;
	for (int i = 0; !err && i < MAX_STEPS; i++) {
		step = n_lazy > state->prefill ? largest :
						 prefill_step(state, state->prefill - n_lazy);
		if (!step) {
			pgt_sleep_ms(SETTLE_MS);
			return 0;
		}
		err = free_lazily(state, step, &n_lazy, diag);
	}
	return err ? err : pgt_fail(diag, -EIO, "other activity of this machine's kernel "
				    "keeps the runs from starting alike");
}

static int vmalloc_before_run(void *opaque, struct pgt_diag *diag)
{
	struct vmalloc_state *state = opaque;
	int err = state->rehearsed ? 0 : pgt_stacks_stock_up(diag);

	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	if (!err && !state->rehearsed)
		err = rehearse(state, diag);
	return err || !state->prefill ? err : fill(state, diag);
}

static int vmalloc_run(void *opaque, struct pgt_diag *diag)
{
	struct vmalloc_state *state = opaque;
	struct pgt_vmalloc_areas areas;
	int err = make_maps(state, diag);

	if (!err)
		err = read_areas(state, &areas, diag);
	if (!err) {
		state->n_seen = areas.n_map_areas - state->baseline;
		err = close_in_turn(state, diag);
	}
	close_maps(state);
	if (!err)
		err = wait_until_freed(state, 0, flushed_mark(state), diag);
	pgt_sleep_ms(SETTLE_MS);
	return err;
}

static int vmalloc_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct vmalloc_state *state = opaque;
	uint64_t pages = state->area_bytes / state->page_size - 1;	/* not the guard page */

	pgt_pin_release(&state->pin);
	if (state->n_seen != state->maps)
		return pgt_fail(diag, -EIO, "%" PRIu64 " maps were made, but "
				"/proc/vmallocinfo shows %" PRIu64 " areas of %" PRIu64 " bytes",
				state->maps, state->n_seen, state->area_bytes);
	*work = (struct pgt_work){ "pages", (int64_t)(state->maps * pages),
				   (int64_t)(state->n_seen * pages) };
	return 0;
}

static void vmalloc_release(void *opaque)
{
	struct vmalloc_state *state = opaque;

	if (!state)
		return;
	close_maps(state);
	pgt_vmallocinfo_release(&state->info);
	pgt_pin_release(&state->pin);
	free(state);
}

const struct pgt_workload pgt_workload_vmalloc = {
	.name = "vmalloc",
	.help = "make and free BPF array maps (maps=50,size=1M): vmalloc of size and a page each",
	.repeatable = true,
	.parse = vmalloc_parse,
	.prepare = vmalloc_prepare,
	.before_run = vmalloc_before_run,
	.run = vmalloc_run,
	.after_run = vmalloc_after_run,
	.release = vmalloc_release,
};
