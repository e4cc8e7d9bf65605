/* SPDX-License-Identifier: GPL-2.0-only */
/* vmalloc_test_log.c: what test_vmalloc says in the log, and what must not pass for a success. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "lab/vmalloc_test_log.h"

#define FIX	"Summary: fix_size_alloc_test passed: 1 failed: 0 repeat: 1 loops: 1000 avg: 1274243 usec\n"
#define FULL	"Summary: full_fit_alloc_test passed: 1 failed: 0 repeat: 1 loops: 1000 avg: 5 usec\n"
#define SHIFT	"Summary: align_shift_alloc_test passed: 0 failed: 1 repeat: 1 loops: 1000 avg: 5 usec\n"
#define LONG_NAME	"a_name_of_a_test_that_is_longer_than_any_name_of_a_test_can_ever_be"
#define OTHERS	"test_vmalloc: loading test module taints kernel.\n"			\
		"All test took worker0=1234567 cycles\n"

static const struct pgt_vmalloc_tests one = { .mask = 1, .threads = 1, .repeat = 1, .loops = 1000 };

static int judge(const char *log, const struct pgt_vmalloc_tests *asked, struct pgt_diag *diag)
{
	diag->text[0] = '\0';
	return pgt_vmalloc_test_log_judge(log, asked, diag);
}

static void expect_failure(const char *log, const struct pgt_vmalloc_tests *asked, int err,
			   const char *what)
{
	struct pgt_diag diag;

	cr_expect(eq(int, judge(log, asked, &diag), err), "%s", log);
	cr_expect(strstr(diag.text, what) != NULL, "\"%s\" lacks \"%s\"", diag.text, what);
	cr_expect(strchr(diag.text, '\n') == NULL, "\"%s\"", diag.text);
}

Test(vmalloc_test_log, passed)
{
	struct pgt_vmalloc_tests asked = one;
	struct pgt_diag diag;

	cr_expect(zero(int, judge(OTHERS FIX, &one, &diag)), "%s", diag.text);
	cr_expect(zero(int, judge("[   12.5] " FIX OTHERS, &one, &diag)), "%s", diag.text);
	asked.mask = 3;
	cr_expect(zero(int, judge(FIX FULL, &asked, &diag)), "%s", diag.text);
	asked.mask = 1;
	asked.threads = 2;
	cr_expect(zero(int, judge(FIX OTHERS FIX OTHERS, &asked, &diag)), "%s", diag.text);
}

Test(vmalloc_test_log, no_newline_at_the_end)
{
	char log[] = FIX;
	struct pgt_diag diag;

	log[strlen(log) - 1] = '\0';
	cr_expect(zero(int, judge(log, &one, &diag)), "%s", diag.text);
}

Test(vmalloc_test_log, repeated)
{
	struct pgt_vmalloc_tests asked = { .mask = 1, .threads = 1, .repeat = 5, .loops = 100000 };
	struct pgt_diag diag;

	cr_expect(zero(int, judge("Summary: fix_size_alloc_test passed: 5 failed: 0 repeat: 5 "
				  "loops: 100000 avg: 1274243 usec\n", &asked, &diag)), "%s", diag.text);
	expect_failure("Summary: fix_size_alloc_test passed: 4 failed: 1 repeat: 5 loops: 100000 "
		       "avg: 1 usec\n", &asked, -EIO, "passed 4 times and failed 1 of 5");
	/* A thread that could not be started has done nothing. */
	expect_failure("Summary: fix_size_alloc_test passed: 0 failed: 0 repeat: 5 loops: 100000 "
		       "avg: 0 usec\n", &asked, -EIO, "passed 0 times");
}

Test(vmalloc_test_log, made_to_fail)
{
	struct pgt_vmalloc_tests asked = { .mask = 64, .threads = 1, .repeat = 1, .loops = 1000 };
	struct pgt_diag diag;

	cr_expect(zero(int, judge(SHIFT, &asked, &diag)), "%s", diag.text);
	cr_expect(zero(int, judge("Summary: align_shift_alloc_test passed: 0 failed: 0 xfailed: 1 "
				  "repeat: 1 loops: 1000 avg: 5 usec\n", &asked, &diag)),
		  "%s", diag.text);
	expect_failure("Summary: align_shift_alloc_test passed: 1 failed: 0 repeat: 1 loops: 1000 "
		       "avg: 5 usec\n", &asked, -EIO, "align_shift_alloc_test");
}

/* The format of kernels that know of expected failures. */
Test(vmalloc_test_log, expected_failures)
{
	struct pgt_diag diag;

	cr_expect(zero(int, judge("Summary: fix_size_alloc_test passed: 1 failed: 0 xfailed: 0 "
				  "repeat: 1 loops: 1000 avg: 5 usec\n", &one, &diag)),
		  "%s", diag.text);
	expect_failure("Summary: fix_size_alloc_test passed: 0 failed: 0 xfailed: 1 repeat: 1 "
		       "loops: 1000 avg: 5 usec\n", &one, -EIO, "fix_size_alloc_test");
}

Test(vmalloc_test_log, failed)
{
	expect_failure("Summary: fix_size_alloc_test passed: 0 failed: 1 repeat: 1 loops: 1000 "
		       "avg: 5 usec\n", &one, -EIO, "passed 0 times and failed 1 of 1");
	expect_failure("Summary: fix_size_alloc_test passed: 1 failed: 1 repeat: 1 loops: 1000 "
		       "avg: 5 usec\n", &one, -EIO, "failed 1");
}

Test(vmalloc_test_log, tests_that_are_missing)
{
	struct pgt_vmalloc_tests asked = one;

	expect_failure("", &one, -EIO, "told of 0 tests");
	expect_failure(OTHERS, &one, -EIO, "told of 0 tests");
	expect_failure(FIX FIX, &one, -EIO, "told of 2 tests");
	asked.mask = 1 << 12 | 1;
	expect_failure(FIX, &asked, -EIO, "mask=4097");
	asked = one;
	asked.threads = 2;
	expect_failure(FIX, &asked, -EIO, "2 were asked for");
}

Test(vmalloc_test_log, another_amount)
{
	expect_failure("Summary: fix_size_alloc_test passed: 1 failed: 0 repeat: 1 loops: 999 "
		       "avg: 5 usec\n", &one, -EIO, "1 times 999 loops");
	expect_failure("Summary: fix_size_alloc_test passed: 1 failed: 0 repeat: 2 loops: 1000 "
		       "avg: 5 usec\n", &one, -EIO, "2 times 1000 loops");
}

Test(vmalloc_test_log, not_understood)
{
	static const char *const lines[] = {
		"Summary: ", "Summary: \n", "Summary: fix_size_alloc_test\n",
		"Summary: fix_size_alloc_test passed: 1 failed: 0 repeat: 1\n",
		"Summary: fix_size_alloc_test passed: x failed: 0 repeat: 1 loops: 1000\n",
		"Summary: fix_size_alloc_test passed: -1 failed: 0 repeat: 1 loops: 1000\n",
		"Summary: " LONG_NAME " passed: 1 failed: 0 repeat: 1 loops: 1000\n",
		/* The numbers must not be taken from the next line. */
		"Summary: fix_size_alloc_test passed: 1 failed: 0 repeat: 1\n loops: 1000 \n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		expect_failure(lines[i], &one, -EIO, "does not understand");
}

Test(vmalloc_test_log, parameter_ignored)
{
	expect_failure("test_vmalloc: unknown parameter 'use_huge' ignored\n" FIX, &one, -ENODEV,
		       "has no parameter use_huge");
}

Test(vmalloc_test_log, count)
{
	struct pgt_vmalloc_tests asked = { .mask = 0 };

	cr_expect(zero(u64, pgt_vmalloc_tests_count(&asked)));
	asked.mask = 1983;
	cr_expect(eq(u64, pgt_vmalloc_tests_count(&asked), 10));
	asked.mask = INT32_MAX;
	cr_expect(eq(u64, pgt_vmalloc_tests_count(&asked), 31));
}
