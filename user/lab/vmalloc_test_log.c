/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/vmalloc_test_log.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define SUMMARY		"Summary: "
#define UNKNOWN		"unknown parameter '"
#define NAME_MAX_CHARS	64

/* Its last alignments are more than the address space has (lib/test_vmalloc.c). */
#define MADE_TO_FAIL	"align_shift_alloc_test"

struct summary {
	char name[NAME_MAX_CHARS];
	uint64_t passed, failed, xfailed, repeat, loops;
};

uint64_t pgt_vmalloc_tests_count(const struct pgt_vmalloc_tests *asked)
{
	uint64_t n = 0;

	for (uint64_t mask = asked->mask; mask; mask &= mask - 1)
		n++;
	return n;
}

/* The number behind " KEY: " within the line; false where there is none. */
static bool read_number(const char *line, const char *end, const char *key, uint64_t *out)
{
	size_t n = strlen(key);

	for (const char *at = line; (size_t)(end - at) > n; at++)
		if (!memcmp(at, key, n) && isdigit((unsigned char)at[n])) {
			*out = strtoumax(at + n, NULL, 10);
			return true;
		}
	return false;
}

static bool read_summary(const char *line, const char *end, struct summary *out)
{
	const char *name = line + strlen(SUMMARY);
	const char *space = memchr(name, ' ', (size_t)(end - name));
	size_t n = space ? (size_t)(space - name) : 0;

	if (!n || n >= sizeof(out->name))
		return false;
	memcpy(out->name, name, n);
	out->name[n] = '\0';
	out->xfailed = 0;
	read_number(space, end, " xfailed: ", &out->xfailed);	/* not in all kernels */
	return read_number(space, end, " passed: ", &out->passed) &&
	       read_number(space, end, " failed: ", &out->failed) &&
	       read_number(space, end, " repeat: ", &out->repeat) &&
	       read_number(space, end, " loops: ", &out->loops);
}

/* Of the test that has to fail, some kernels say "failed" and others "xfailed". */
static bool is_as_expected(const struct summary *got, uint64_t repeat)
{
	if (!strcmp(got->name, MADE_TO_FAIL))
		return !got->passed && got->failed + got->xfailed == repeat;
	return got->passed == repeat && !got->failed && !got->xfailed;
}

static int judge_line(const char *line, const char *end, const struct pgt_vmalloc_tests *asked,
		      struct pgt_diag *diag)
{
	int n = (int)(end - line);
	struct summary got;

	if (!read_summary(line, end, &got))
		return pgt_fail(diag, -EIO, "test_vmalloc says what pgtrace does not understand: "
				"\"%.*s\"", n < 300 ? n : 300, line);
	if (got.repeat != asked->repeat || got.loops != asked->loops)
		return pgt_fail(diag, -EIO, "test_vmalloc did %" PRIu64 " times %" PRIu64 " loops of %s, "
				"not %" PRIu64 " times %" PRIu64, got.repeat, got.loops, got.name,
				asked->repeat, asked->loops);
	if (!is_as_expected(&got, asked->repeat))
		return pgt_fail(diag, -EIO, "%s of test_vmalloc passed %" PRIu64 " times and failed "
				"%" PRIu64 " of %" PRIu64 "; the kernel log may say why", got.name,
				got.passed, got.failed + got.xfailed, asked->repeat);
	return 0;
}

static int check_parameters(const char *log, struct pgt_diag *diag)
{
	const char *name = strstr(log, "test_vmalloc: " UNKNOWN);

	if (!name)
		return 0;
	name += strlen("test_vmalloc: " UNKNOWN);
	return pgt_fail(diag, -ENODEV, "not supported: this kernel's test_vmalloc has no parameter "
			"%.*s", (int)strcspn(name, "'\n"), name);
}

int pgt_vmalloc_test_log_judge(const char *log, const struct pgt_vmalloc_tests *asked,
			       struct pgt_diag *diag)
{
	uint64_t n = 0, wanted = pgt_vmalloc_tests_count(asked) * asked->threads;
	int err = check_parameters(log, diag);

	while (!err && *log) {
		const char *end = log + strcspn(log, "\n");
		const char *summary = strstr(log, SUMMARY);

		if (summary && summary < end) {
			err = judge_line(summary, end, asked, diag);
			n++;
		}
		log = *end ? end + 1 : end;
	}
	if (err || n == wanted)
		return err;
	return pgt_fail(diag, -EIO, "test_vmalloc told of %" PRIu64 " tests in the kernel log, and "
			"%" PRIu64 " were asked for: does this kernel have all that mask=%" PRIu64
			" names?", n, wanted, asked->mask);
}
