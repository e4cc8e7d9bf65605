/* SPDX-License-Identifier: GPL-2.0-only */
/* selftests: the kernel's own programs, each with the huge pages that it needs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/pin.h"
#include "lab/zram.h"
#include "patches/checks/checks.h"

#define PROGRAMS	"/lab/bin"
#define MAX_WORDS	8
#define TIME_OUT_MS	2700000	/* cow, with lockdep, on a host that has more to do */
#define SIGN_OF_LIFE_MS	60000	/* a guest that says nothing is given up */
#define POLL_MS		50
#define KSFT_SKIP	4	/* tools/testing/selftests/kselftest.h */
#define SWAP_BYTES	(UINT64_C(512) << 20)	/* some swap single pages out */
#define SHOWN		4096	/* bytes of what a program said that failed */

struct selftest {
	char *huge;		/* "256": MiB, "64p": pages */
	long max_page_kib;
	unsigned int n_wanted;	/* "ok" lines after which it is stopped; 0: none */
	char *argv[MAX_WORDS + 1];
	char name[128];		/* with its arguments */
};

static int write_text(const char *path, const char *text, struct pgt_diag *diag)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot open: %s", path, strerror(errno));
	if (write(fd, text, strlen(text)) < 0)
		err = pgt_fail(diag, -errno, "%s: cannot write %s: %s", path, text,
			       strerror(errno));
	close(fd);
	return err;
}

static int read_number(const char *path, const char *lead, uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(path, &text, diag);
	const char *at = err ? NULL : strstr(text.at, lead);

	if (at)
		*out = strtoull(at + strlen(lead), NULL, 10);
	else if (!err)
		err = pgt_fail(diag, -ENOENT, "%s has no %s", path, lead);
	pgt_buf_release(&text);
	return err;
}

/* ---- the list ---- */

/* False for a line with nothing in it. */
static bool read_line(struct selftest *out, char *line)
{
	char *save = NULL, *word = strtok_r(line, " \t", &save);
	size_t n = 0;

	if (!word || *word == '#')
		return false;
	*out = (struct selftest){ .huge = word };
	word = strtok_r(NULL, " \t", &save);
	out->max_page_kib = word ? atol(word) : 0;
	word = strtok_r(NULL, " \t", &save);
	out->n_wanted = word ? (unsigned int)atoi(word) : 0;
	while (n < MAX_WORDS && (word = strtok_r(NULL, " \t", &save))) {
		size_t used = strlen(out->name);

		out->argv[n++] = word;
		snprintf(out->name + used, sizeof(out->name) - used, "%s%s", used ? " " : "",
			 word);
	}
	return n;
}

/* ---- huge pages ---- */

/*
 * Returns -ENOMEM where there are not so many: then it is skipped.  What other tests have left in
 * pieces is put together first, as the kernel's own script does.
 */
static int reserve(const struct selftest *test, struct pgt_diag *diag)
{
	uint64_t n = strtoull(test->huge, NULL, 10), kib, got;
	char text[32];
	int err = read_number("/proc/meminfo", "Hugepagesize:", &kib, diag);

	if (err)
		return err;
	if (!strchr(test->huge, 'p'))
		n = (n * 1024 + kib - 1) / kib;
	snprintf(text, sizeof(text), "%" PRIu64, n);
	err = write_text("/proc/sys/vm/nr_hugepages", "0", diag);
	if (!err)
		err = write_text("/proc/sys/vm/drop_caches", "3", diag);
	if (!err)
		err = write_text("/proc/sys/vm/compact_memory", "1", diag);
	if (!err)
		err = write_text("/proc/sys/vm/nr_hugepages", text, diag);
	if (!err)
		err = read_number("/proc/sys/vm/nr_hugepages", "", &got, diag);
	if (!err && got < n)
		err = pgt_fail(diag, -ENOMEM, "%" PRIu64 " huge pages of %" PRIu64 " KiB are not to be had",
			       n, kib);
	return err;
}

/* ---- one program ---- */

static void become(const struct selftest *test, int out_fd)
{
	char path[256];
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	dup2(null, STDIN_FILENO);
	dup2(out_fd, STDOUT_FILENO);
	dup2(out_fd, STDERR_FILENO);
	snprintf(path, sizeof(path), PROGRAMS "/%s", test->argv[0]);
	if (!chdir("/tmp"))
		execv(path, test->argv);
	dprintf(STDERR_FILENO, "%s: %s\n", path, strerror(errno));
	_exit(127);
}

/* Whether it has passed as much as is wanted of it, and failed nothing. */
static bool has_done_enough(const struct selftest *test, int out_fd)
{
	char text[4096];
	ssize_t n = test->n_wanted ? pread(out_fd, text, sizeof(text) - 1, 0) : 0;
	unsigned int n_ok = 0;

	text[n > 0 ? n : 0] = '\0';
	for (const char *at = text; (at = strstr(at, "\nok ")); at++)
		n_ok++;
	return test->n_wanted && n_ok >= test->n_wanted && !strstr(text, "\nnot ok ");
}

/* Its exit status, 128 + signal, or -ETIMEDOUT.  All that it started ends with it. */
static int wait_for(const struct selftest *test, pid_t pid, int out_fd, struct pgt_diag *diag)
{
	unsigned int waited = 0;
	bool enough = false;
	int status = 0;

	while (!waitpid(pid, &status, WNOHANG)) {
		enough = has_done_enough(test, out_fd);
		if (enough || waited >= TIME_OUT_MS)
			break;
		pgt_sleep_ms(POLL_MS);
		waited += POLL_MS;
		if (!(waited % SIGN_OF_LIFE_MS)) {
			printf("checks: %s: still running\n", test->name);
			fflush(stdout);
		}
	}
	kill(-pid, SIGKILL);
	if (enough || waited >= TIME_OUT_MS)
		waitpid(pid, &status, 0);
	if (enough)
		return 0;
	if (waited >= TIME_OUT_MS)
		return pgt_fail(diag, -ETIMEDOUT, "it does not end within %d s",
				TIME_OUT_MS / 1000);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int start(const struct selftest *test, struct pgt_buf *said, struct pgt_diag *diag)
{
	int fd = memfd_create("output", MFD_CLOEXEC), status;
	char chunk[4096];
	ssize_t n;
	pid_t pid;

	if (fd < 0)
		return pgt_fail(diag, -errno, "cannot make a file in memory: %s", strerror(errno));
	pid = fork();
	if (!pid)
		become(test, fd);
	status = pid > 0 ? wait_for(test, pid, fd, diag) : pgt_fail(diag, -errno, "cannot fork");
	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 && !pgt_buf_add(said, chunk, (size_t)n))
		;
	close(fd);
	return status;
}

/* ---- what came of it ---- */

/* The line with this word, or else the last one; on its own. */
static void copy_line(char *out, size_t size, const struct pgt_buf *said, const char *word)
{
	const char *at = said->len ? strstr(said->at, word) : NULL, *end;

	if (said->len && !at)
		for (at = said->at + said->len; at > said->at && at[-1] == '\n'; at--)
			;
	while (at && at > said->at && at[-1] != '\n')
		at--;
	end = at ? strchrnul(at, '\n') : NULL;
	snprintf(out, size, "%.*s", at ? (int)(end - at) : 7, at ? at : "nothing");
}

static void show(const struct pgt_buf *said)
{
	size_t from = said->len > SHOWN ? said->len - SHOWN : 0;

	printf("%s\n", said->len ? said->at + from : "");
}

/*
 * Some programs exit with the number of what failed, and four failures are no skip: whoever skips
 * says so.
 */
static bool has_skipped(int status, const struct pgt_buf *said)
{
	return status == KSFT_SKIP && said->len && strstr(said->at, "SKIP");
}

/* Returns whether it did not fail. */
static bool judge(const struct selftest *test, int status, const struct pgt_buf *said,
		  const struct pgt_diag *diag)
{
	char line[200], why[384];

	if (!status) {
		check_say(CHECK_PASS, test->name, NULL);
		return true;
	}
	copy_line(line, sizeof(line), said, has_skipped(status, said) ? "SKIP" : "not ok");
	if (has_skipped(status, said)) {
		check_say(CHECK_SKIP, test->name, line);
		return true;
	}
	show(said);
	if (status < 0)
		snprintf(why, sizeof(why), "%.120s; it said: %s", diag->text, line);
	else
		snprintf(why, sizeof(why), "status %d: %s", status, line);
	check_say(CHECK_FAIL, test->name, why);
	return false;
}

static bool run(const struct selftest *test)
{
	struct pgt_buf said = PGT_BUF_INIT;
	struct pgt_diag diag = { "" };
	bool passed;
	int err;

	if (sysconf(_SC_PAGESIZE) > test->max_page_kib * 1024) {
		check_say(CHECK_SKIP, test->name, "its huge pages would be too large here");
		return true;
	}
	err = reserve(test, &diag);
	if (err) {
		check_say(err == -ENOMEM ? CHECK_SKIP : CHECK_FAIL, test->name, diag.text);
		return err == -ENOMEM;
	}
	err = start(test, &said, &diag);
	passed = judge(test, err, &said, &diag);
	pgt_buf_release(&said);
	return passed;
}

int check_selftests(const char *path, struct pgt_diag *diag)
{
	struct pgt_buf list = PGT_BUF_INIT;
	unsigned int n = 0, n_failed = 0;
	struct pgt_zram swap = PGT_ZRAM_INIT;
	struct selftest test;
	int err = pgt_file_read(path, &list, diag);
	char *rest = list.at, *line;

	if (!err)
		err = pgt_zram_swap_on(&swap, SWAP_BYTES, diag);
	while (!err && rest && (line = strsep(&rest, "\n")))
		if (read_line(&test, line)) {
			n++;
			n_failed += !run(&test);
		}
	if (!err && !n)
		err = pgt_fail(diag, -EINVAL, "%s: no program in it", path);
	if (!err && n_failed)
		err = pgt_fail(diag, -EIO, "%u of %u failed", n_failed, n);
	pgt_zram_release(&swap);
	pgt_buf_release(&list);
	return err;
}
