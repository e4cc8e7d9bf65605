/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test-vmalloc - the kernel's own test of vmalloc, the module test_vmalloc.
 *
 * The module does its tests while it is being inserted and then refuses to stay, with
 * EAGAIN: that is how it says that it is done.  How the tests went is in the kernel log only.
 *
 * Test 1, the default, allocates and frees `pages` pages `loops` times, with huge=1 by
 * vmalloc_huge(); each of the other bits of the mask is a test too (lib/test_vmalloc.c has
 * the list), some with sizes chosen at random, so that no two runs of them are the same.
 * The tests are done by threads of the kernel, which choose their CPU themselves.
 *
 * The window also holds what inserting the module takes: a buffer for its file, its sections,
 * and the stacks of its threads.  That is the same in every run and for any number of loops.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "lab/kmsg.h"
#include "lab/lab.h"
#include "lab/module_file.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/vmalloc_test_log.h"
#include "lab/workload_kinds.h"

#define NAME		"test_vmalloc"
#define MASK_MAX	INT32_MAX	/* the module's parameters are of type int */
#define PAGES_MAX	(1 << 20)
#define THREADS_MAX	1024
#define LOOPS_MAX	1000000000
#define REPEAT_MAX	1000000

struct test_vmalloc_state {
	struct pgt_vmalloc_tests tests;	/* parameters */
	uint64_t pages, huge;		/* parameters */
	char *path, *options;		/* of the module */
	struct pgt_kmsg kmsg;
	struct pgt_pin pin;
};

static void test_vmalloc_release(void *opaque)
{
	struct test_vmalloc_state *state = opaque;

	if (!state)
		return;
	pgt_kmsg_release(&state->kmsg);
	pgt_pin_release(&state->pin);
	free(state->path);
	free(state->options);
	free(state);
}

static int read_parameters(struct test_vmalloc_state *state, const char *parameters,
			   struct pgt_diag *diag)
{
	const struct pgt_parameter table[] = {
		{ "mask", PGT_PARAMETER_COUNT, 1, MASK_MAX, &state->tests.mask, NULL },
		{ "pages", PGT_PARAMETER_COUNT, 1, PAGES_MAX, &state->pages, NULL },
		{ "huge", PGT_PARAMETER_COUNT, 0, 1, &state->huge, NULL },
		{ "loops", PGT_PARAMETER_COUNT, 1, LOOPS_MAX, &state->tests.loops, NULL },
		{ "repeat", PGT_PARAMETER_COUNT, 1, REPEAT_MAX, &state->tests.repeat, NULL },
		{ "threads", PGT_PARAMETER_COUNT, 1, THREADS_MAX, &state->tests.threads, NULL },
	};

	return pgt_parameters_parse("test-vmalloc", parameters, table,
				    sizeof(table) / sizeof(table[0]), diag);
}

/* In order, so that two kernels do the same; each option is one of the module's parameters. */
static char *format_options(const struct test_vmalloc_state *state)
{
	return pgt_format("run_test_mask=%" PRIu64 " nr_pages=%" PRIu64 " use_huge=%" PRIu64
			  " test_loop_count=%" PRIu64 " test_repeat_count=%" PRIu64
			  " nr_threads=%" PRIu64 " sequential_test_order=1",
			  state->tests.mask, state->pages, state->huge, state->tests.loops,
			  state->tests.repeat, state->tests.threads);
}

static int test_vmalloc_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct test_vmalloc_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "test-vmalloc: out of memory");
	state->tests = (struct pgt_vmalloc_tests){ .mask = 1, .threads = 1, .repeat = 1,
						   .loops = 1000 };
	state->pages = 256;
	state->huge = 1;
	state->kmsg = (struct pgt_kmsg)PGT_KMSG_INIT;
	err = read_parameters(state, parameters, diag);
	if (!err && !(state->options = format_options(state)))
		err = pgt_fail(diag, -ENOMEM, "test-vmalloc: out of memory");
	if (err) {
		test_vmalloc_release(state);
		return err;
	}
	*out = state;
	return 0;
}

static int test_vmalloc_prepare(void *opaque, struct pgt_diag *diag)
{
	struct test_vmalloc_state *state = opaque;
	int err = pgt_module_file_find(NAME, &state->path, diag);

	return err ? err : pgt_kmsg_open(&state->kmsg, diag);
}

static int test_vmalloc_before_run(void *opaque, struct pgt_diag *diag)
{
	struct test_vmalloc_state *state = opaque;
	int err = pgt_stacks_stock_up(diag);

	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	return err ? err : pgt_kmsg_skip(&state->kmsg, diag);
}

static int test_vmalloc_run(void *opaque, struct pgt_diag *diag)
{
	struct test_vmalloc_state *state = opaque;
	int err = pgt_module_file_insert(state->path, state->options, diag);
	struct pgt_diag ignored;

	if (err)
		return err == -EAGAIN ? 0 : err;
	pgt_module_remove(NAME, &ignored);
	return pgt_fail(diag, -EIO, "the kernel keeps " NAME ", which refuses to stay once it has "
			"done its tests: is it another module of that name?");
}

/* Test 1 allocates once a loop; of the others, only that they were done is known. */
static struct pgt_work work_done(const struct pgt_vmalloc_tests *tests)
{
	int64_t runs = (int64_t)(tests->threads * tests->repeat);
	int64_t n = runs * (int64_t)tests->loops;

	if (tests->mask == 1)
		return (struct pgt_work){ "allocations", n, n };
	n = runs * (int64_t)pgt_vmalloc_tests_count(tests);
	return (struct pgt_work){ "tests", n, n };
}

static int test_vmalloc_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct test_vmalloc_state *state = opaque;
	struct pgt_buf log = PGT_BUF_INIT;
	int err;

	pgt_pin_release(&state->pin);
	err = pgt_kmsg_read(&state->kmsg, &log, diag);
	if (!err)
		err = pgt_vmalloc_test_log_judge(log.at ? log.at : "", &state->tests, diag);
	if (!err)
		*work = work_done(&state->tests);
	pgt_buf_release(&log);
	return err;
}

const struct pgt_workload pgt_workload_test_vmalloc = {
	.name = "test-vmalloc",
	.help = "the kernel's test_vmalloc (mask=1,pages=256,huge=1,loops=1000,repeat=1,threads=1)",
	.repeatable = true,
	.parse = test_vmalloc_parse,
	.prepare = test_vmalloc_prepare,
	.before_run = test_vmalloc_before_run,
	.run = test_vmalloc_run,
	.after_run = test_vmalloc_after_run,
	.release = test_vmalloc_release,
};
