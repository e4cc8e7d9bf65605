// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlb-walk - read one word of each page of a mapping, in turn, over and over.
 *
 * What a TLB does with that is known beforehand: with more pages than it has entries, in
 * cyclic order, LRU replacement drops each entry before it is needed again and every read
 * misses; with fewer, each page misses once.  Through mappings of 64K, which an arm64 kernel
 * with 4K pages makes of sixteen entries with the contiguous bit, a TLB needs one entry where
 * it needed sixteen.
 *
 * The reads are one loop that accesses no other data.  Every word holds 1, so that their sum
 * is the number of reads.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/workload_kinds.h"

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT	26
#endif
#define HUGE_DIR	"/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages"

struct tlb_walk_state {
	uint64_t pages, page, rounds;	/* parameters; page: bytes that one mapping covers */
	uint64_t page_size;		/* of the kernel: bytes between two reads */
	size_t size;			/* of the mapping, in bytes */
	uint64_t *at;			/* NULL while there is none */
	uint64_t sum;			/* of the words read */
	uint64_t huge_before;		/* huge pages that the machine had */
	bool huge_changed;
	struct pgt_pin pin;
};

static void huge_path(const struct tlb_walk_state *state, char *path, size_t size)
{
	snprintf(path, size, HUGE_DIR, state->page >> 10);
}

static int write_number(const char *path, uint64_t n, struct pgt_diag *diag)
{
	FILE *file = fopen(path, "we");
	int err;

	if (!file)
		return pgt_fail(diag, -errno, "%s: %s", path, strerror(errno));
	fprintf(file, "%" PRIu64 "\n", n);
	err = fclose(file) ? -errno : 0;
	return err ? pgt_fail(diag, err, "%s: %s", path, strerror(-err)) : 0;
}

static int read_number(const char *path, uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf line = PGT_BUF_INIT;
	int err = pgt_file_read_line(path, &line, diag);

	if (!err && pgt_parameter_number(line.at, PGT_PARAMETER_COUNT, out))
		err = pgt_fail(diag, -EPROTO, "%s does not hold a number", path);
	pgt_buf_release(&line);
	return err;
}

static void tlb_walk_release(void *opaque)
{
	struct tlb_walk_state *state = opaque;
	struct pgt_diag ignored;
	char path[96];

	if (!state)
		return;
	if (state->at)
		munmap(state->at, state->size);
	if (state->huge_changed) {
		huge_path(state, path, sizeof(path));
		write_number(path, state->huge_before, &ignored);
	}
	pgt_pin_release(&state->pin);
	free(state);
}

static int check_page(const struct tlb_walk_state *state, struct pgt_diag *diag)
{
	if (state->page & (state->page - 1) || state->page < state->page_size)
		return pgt_fail(diag, -EINVAL, "tlb-walk: page=%" PRIu64 " is not a power of two "
				"of at least this kernel's page, %" PRIu64 " bytes", state->page,
				state->page_size);
	return 0;
}

static int tlb_walk_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct tlb_walk_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "tlb-walk: out of memory");
	state->page_size = state->page = (uint64_t)sysconf(_SC_PAGESIZE);
	state->pages = 4096;
	state->rounds = 4;
	err = pgt_parameters_parse("tlb-walk", parameters, (struct pgt_parameter[]){
		{ "pages", PGT_PARAMETER_COUNT, 1, 1 << 18, &state->pages, NULL },
		{ "page", PGT_PARAMETER_SIZE, 1, UINT64_C(1) << 30, &state->page, NULL },
		{ "rounds", PGT_PARAMETER_COUNT, 1, 1000, &state->rounds, NULL },
	}, 3, diag);
	if (!err)
		err = check_page(state, diag);
	if (err) {
		free(state);
		return err;
	}
	state->size = (state->pages * state->page_size + state->page - 1) & ~(state->page - 1);
	*out = state;
	return 0;
}

/* Have the kernel set aside what the mapping needs. */
static int reserve_huge(struct tlb_walk_state *state, struct pgt_diag *diag)
{
	uint64_t needed = state->size / state->page, n;
	char path[96];
	int err;

	huge_path(state, path, sizeof(path));
	if (access(path, F_OK))
		return pgt_fail(diag, -ENODEV, "this kernel has no huge pages of %" PRIu64
				" kB (%s)", state->page >> 10, path);
	err = read_number(path, &state->huge_before, diag);
	if (err)
		return err;
	state->huge_changed = true;
	err = write_number(path, state->huge_before + needed, diag);
	if (!err)
		err = read_number(path, &n, diag);
	if (!err && n < state->huge_before + needed)
		err = pgt_fail(diag, -ENOMEM, "the kernel set %" PRIu64 " huge pages of %" PRIu64
			       " kB aside, %" PRIu64 " are needed; is memory short?",
			       n - state->huge_before, state->page >> 10, needed);
	return err;
}

static int tlb_walk_prepare(void *opaque, struct pgt_diag *diag)
{
	struct tlb_walk_state *state = opaque;

	return state->page > state->page_size ? reserve_huge(state, diag) : 0;
}

static int map_pages(struct tlb_walk_state *state, struct pgt_diag *diag)
{
	unsigned int shift = (unsigned int)__builtin_ctzll(state->page);
	int huge = state->page > state->page_size ? MAP_HUGETLB | (int)(shift << MAP_HUGE_SHIFT) : 0;
	void *at = mmap(NULL, state->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | huge, -1, 0);

	if (at == MAP_FAILED)
		return pgt_fail(diag, -errno, "cannot map %zu bytes in pages of %" PRIu64 ": %s",
				state->size, state->page, strerror(errno));
	state->at = at;
	if (!huge && madvise(at, state->size, MADV_NOHUGEPAGE) && errno != EINVAL)
		return pgt_fail(diag, -errno, "madvise(MADV_NOHUGEPAGE): %s", strerror(errno));
	return 0;
}

static int tlb_walk_before_run(void *opaque, struct pgt_diag *diag)
{
	struct tlb_walk_state *state = opaque;
	int err = pgt_pin_to_last_cpu(&state->pin, diag);

	if (!err)
		err = map_pages(state, diag);
	for (uint64_t i = 0; !err && i < state->pages; i++)
		state->at[i * state->page_size / sizeof(*state->at)] = 1;
	return err;
}

/* The sum of n words, so many bytes apart; no other access of data where it is assembly. */
static uint64_t read_words(const uint64_t *at, uint64_t n, uint64_t stride)
{
	uint64_t sum = 0;

#ifdef __aarch64__
	uint64_t word;

	__asm__ volatile("1:	ldr	%[word], [%[at]]\n"
			 "	add	%[sum], %[sum], %[word]\n"
			 "	add	%[at], %[at], %[stride]\n"
			 "	subs	%[n], %[n], #1\n"
			 "	b.ne	1b\n"
			 : [at] "+r" (at), [n] "+r" (n), [sum] "+r" (sum), [word] "=&r" (word)
			 : [stride] "r" (stride)
			 : "cc", "memory");
#else
	for (; n; n--, at += stride / sizeof(*at))
		sum += *(const volatile uint64_t *)at;
#endif
	return sum;
}

static int tlb_walk_run(void *opaque, struct pgt_diag *diag)
{
	struct tlb_walk_state *state = opaque;
	uint64_t sum = 0;

	(void)diag;
	for (uint64_t round = 0; round < state->rounds; round++)
		sum += read_words(state->at, state->pages, state->page_size);
	state->sum = sum;
	return 0;
}

static int tlb_walk_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct tlb_walk_state *state = opaque;
	int64_t asked = (int64_t)(state->pages * state->rounds);

	munmap(state->at, state->size);
	state->at = NULL;
	pgt_pin_release(&state->pin);
	if (state->sum != (uint64_t)asked)
		return pgt_fail(diag, -EIO, "the words read add up to %" PRIu64 ", not %" PRId64,
				state->sum, asked);
	*work = (struct pgt_work){ "reads", asked, (int64_t)state->sum };
	return 0;
}

const struct pgt_workload pgt_workload_tlb_walk = {
	.name = "tlb-walk",
	.help = "read a word of each page, in turn (pages=4096,page=4K,rounds=4); page=64K: through "
		"huge pages",
	.repeatable = true,
	.parse = tlb_walk_parse,
	.prepare = tlb_walk_prepare,
	.before_run = tlb_walk_before_run,
	.run = tlb_walk_run,
	.after_run = tlb_walk_after_run,
	.release = tlb_walk_release,
};
