/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test-vmalloc - all tests of the module test_vmalloc, which leaves its results in the log.
 *
 * One of them, align_shift_alloc_test, asks for alignments up to half of the address space and is
 * made to fail; the kernel reports the allocation that failed, with a call trace.  That report is
 * looked for and then cleared, so that whoever reads the log finds what nobody expected.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "lab/splat.h"
#include "patches/checks/checks.h"
#include "patches/checks/module.h"

#define MODULE		"/lab/bin/test_vmalloc.ko"
#define ALIGN_SHIFT	64		/* the test that fails, of 11 */
#define OTHERS		(2047 & ~ALIGN_SHIFT)
#define N_OTHERS	10

/* syslog(2): SYSLOG_ACTION_READ_ALL, _CLEAR and _SIZE_BUFFER, which no header has. */
enum { READ_ALL = 3, CLEAR = 5, SIZE_BUFFER = 10 };

static int open_log(int *fd, struct pgt_diag *diag)
{
	*fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0 || lseek(*fd, 0, SEEK_END) < 0)
		return pgt_fail(diag, -errno, "/dev/kmsg: cannot open: %s", strerror(errno));
	return 0;
}

/* What was logged since open_log(): "6,339,5140900,-;text", a read each. */
static int read_log(int fd, struct pgt_buf *out, struct pgt_diag *diag)
{
	char record[8192];
	int err = pgt_buf_add(out, "", 0);
	ssize_t n;

	while (!err && (n = read(fd, record, sizeof(record) - 1)) > 0)
		err = pgt_buf_add(out, record, (size_t)n);
	if (err)
		return pgt_fail(diag, err, "out of memory");
	return errno == EAGAIN ? 0 : pgt_fail(diag, -errno, "/dev/kmsg: cannot read: %s",
					      strerror(errno));
}

/* The kernel must not have complained so far, as what it said will be cleared. */
static int is_quiet(struct pgt_diag *diag)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0), n, err = 0;
	char *log = size > 0 ? malloc((size_t)size + 1) : NULL;
	const char *line;
	size_t len;

	n = log ? klogctl(READ_ALL, log, size) : -1;
	if (n < 0) {
		err = pgt_fail(diag, -errno, "the kernel's log cannot be read: %s",
			       strerror(errno));
	} else {
		log[n] = '\0';
		line = pgt_splat_find(log, &len);
		if (line)
			err = pgt_fail(diag, -EIO, "the kernel complained: %.*s",
				       len < 900 ? (int)len : 900, line);
	}
	free(log);
	return err;
}

static int run(unsigned int mask, unsigned int n_loops, struct pgt_diag *diag)
{
	char options[128];
	int err;

	snprintf(options, sizeof(options), "run_test_mask=%u test_loop_count=%u nr_pages=64 use_huge=1",
		 mask, n_loops);
	err = module_insert(MODULE, options, diag);
	if (err == -EAGAIN)
		return 0;
	return err ? err : pgt_fail(diag, -EIO, MODULE " stays: did it test anything?");
}

/* "Summary: NAME passed: 1 failed: 0 repeat: 1 ...": as many as there were tests, all alike. */
static int judge(const char *log, unsigned int n_tests, int passed, int failed,
		 struct pgt_diag *diag)
{
	unsigned int n = 0;

	for (const char *at = log; (at = strstr(at, "Summary: ")); at++, n++) {
		char name[64];
		int n_passed, n_failed;

		if (sscanf(at, "Summary: %63s passed: %d failed: %d", name, &n_passed,
			   &n_failed) != 3)
			return pgt_fail(diag, -EIO, "test_vmalloc says %.80s", at);
		if (n_passed != passed || n_failed != failed)
			return pgt_fail(diag, -EIO, "%s passed %d and failed %d times, not %d and %d",
					name, n_passed, n_failed, passed, failed);
	}
	return n == n_tests ? 0 : pgt_fail(diag, -EIO, "test_vmalloc has results of %u tests, not %u",
					   n, n_tests);
}

static int run_others(unsigned int n_loops, struct pgt_diag *diag)
{
	struct pgt_buf log = PGT_BUF_INIT;
	int fd, err = open_log(&fd, diag);

	if (!err)
		err = run(OTHERS, n_loops, diag);
	if (!err)
		err = read_log(fd, &log, diag);
	if (!err)
		err = judge(log.at, N_OTHERS, 1, 0, diag);
	pgt_buf_release(&log);
	close(fd);
	return err;
}

/* Nothing but the report of the allocation that failed, as far as the call trace in it. */
static int judge_report(const char *log, struct pgt_diag *diag)
{
	const char *report = strstr(log, "vmalloc error: size");
	size_t len;
	const char *line = pgt_splat_find(log, &len);

	if (!report || !line || line < report || !memmem(line, len, "Call trace:", 11))
		return pgt_fail(diag, -EIO, "align_shift_alloc_test: the kernel says %.*s",
				line ? (int)(len < 900 ? len : 900) : 7, line ? line : "nothing");
	line = pgt_splat_find(line + len, &len);
	return line ? pgt_fail(diag, -EIO, "the kernel complained: %.*s",
			       (int)(len < 900 ? len : 900), line) : 0;
}

static int run_align_shift(struct pgt_diag *diag)
{
	struct pgt_buf log = PGT_BUF_INIT;
	int fd, err = open_log(&fd, diag);

	if (!err)
		err = is_quiet(diag);
	if (!err)
		err = run(ALIGN_SHIFT, 1, diag);
	/* Cleared first: whatever comes after it stays, and what came before is read below. */
	if (!err && klogctl(CLEAR, NULL, 0) < 0)
		err = pgt_fail(diag, -errno, "the kernel's log cannot be cleared: %s",
			       strerror(errno));
	if (!err)
		err = read_log(fd, &log, diag);
	if (!err)
		err = judge(log.at, 1, 0, 1, diag);
	if (!err)
		err = judge_report(log.at, diag);
	pgt_buf_release(&log);
	close(fd);
	return err;
}

int check_test_vmalloc(const char *loops, struct pgt_diag *diag)
{
	unsigned int n_loops;
	int err = count_parse(loops, &n_loops, diag);

	if (!err)
		err = run_others(n_loops, diag);
	return err ? err : run_align_shift(diag);
}
