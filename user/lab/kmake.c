/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/kmake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/arch.h"
#include "lab/lab.h"
#include "lab/patch_text.h"
#include "lab/program.h"

#define CCACHE		"ccache"
#define CCACHE_SIZE	"5G"

enum { MAX_ARGS = 192, FIXED_ARGS = 9 };

/* ---- programs ---- */

static bool is_in_path(const char *program)
{
	char *path = strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = path, *dir;
	bool found = false;

	while (!found && rest && (dir = strsep(&rest, ":"))) {
		char *file = pgt_format("%s/%s", *dir ? dir : ".", program);

		found = file && !access(file, X_OK);
		free(file);
	}
	free(path);
	return found;
}

int pgt_kmake_check(const struct pgt_arch *arch, struct pgt_diag *diag)
{
	static const char *const programs[] = {
		"make", "gcc", "flex", "bison", "bc", "pahole", "perl", "patch", "tar", "xz", NULL
	};
	char *compiler = pgt_format("%sgcc", arch->cross);
	struct pgt_buf missing = PGT_BUF_INIT;
	int err = compiler ? 0 : -ENOMEM;

	for (size_t i = 0; !err && programs[i]; i++)
		if (!is_in_path(programs[i]))
			err = pgt_buf_addf(&missing, "%s ", programs[i]);
	if (!err && !is_in_path(compiler))
		err = pgt_buf_addf(&missing, "%s ", compiler);
	if (err)
		pgt_fail(diag, err, "out of memory");
	else if (missing.len)
		err = pgt_fail(diag, -ENOENT,
			       "to build kernels, these programs are missing: %.*s (run 'make setup')",
			       (int)missing.len - 1, missing.at);
	pgt_buf_release(&missing);
	free(compiler);
	return err;
}

/* ---- the log ---- */

struct follow {
	const struct pgt_kmake *make;
	int fd;				/* of the log; make writes at its end */
	off_t at;
	uint64_t lines;
	char line[120];			/* the last complete one, cut */
	size_t len;			/* of the one that comes */
	char partial[120];
};

static void take(struct follow *follow, char c)
{
	if (c != '\n') {
		if (follow->len < sizeof(follow->partial) - 1)
			follow->partial[follow->len++] = c;
		return;
	}
	follow->partial[follow->len] = '\0';
	memcpy(follow->line, follow->partial, sizeof(follow->line));
	follow->len = 0;
	follow->lines++;
}

static void show(void *ctx)
{
	struct follow *follow = ctx;
	struct pgt_progress *progress = follow->make->lab->progress;
	char chunk[4096];
	ssize_t n;

	while ((n = pread(follow->fd, chunk, sizeof(chunk), follow->at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			take(follow, chunk[i]);
		follow->at += n;
	}
	/* How many lines there will be is a guess, so it is never all done. */
	if (follow->lines < follow->make->expected)
		pgt_progress_update(progress, follow->lines);
	if (follow->line[0])
		pgt_progress_detail(progress, follow->line + strspn(follow->line, " "));
}

static int explain(const char *log, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_diag ignored;
	char *line = NULL;
	int err;

	if (!pgt_file_read(log, &text, &ignored) && text.at)
		line = pgt_build_telling_line(text.at);
	err = pgt_fail(diag, -ECHILD, "the kernel does not build: %s (log: %s)",
		       line ? line : "make does not say why", log);
	free(line);
	pgt_buf_release(&text);
	return err;
}

/* ---- the run ---- */

struct strings {		/* that argv and env point into */
	char *fixed[FIXED_ARGS], *env[3];
};

static int format_all(struct strings *s, const struct pgt_kmake *make, struct pgt_diag *diag)
{
	const struct pgt_lab *lab = make->lab;
	long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = 0;

	s->fixed[n++] = pgt_format("-j%ld", lab->n_jobs ? (long)lab->n_jobs : n_cpus > 0 ? n_cpus : 1);
	s->fixed[n++] = pgt_format("O=%s", make->objects);
	s->fixed[n++] = pgt_format("ARCH=%s", make->arch->name);
	s->fixed[n++] = pgt_format("CROSS_COMPILE=%s", make->arch->cross);
	s->fixed[n++] = pgt_format("CC=%s%sgcc", is_in_path(CCACHE) ? CCACHE " " : "", make->arch->cross);
	s->fixed[n++] = pgt_format("LOCALVERSION=%s", make->suffix);
	s->env[0] = pgt_format("CCACHE_DIR=%s/ccache", lab->cache);
	s->env[1] = pgt_format("KCONFIG_ALLCONFIG=%s/fragments", make->objects);
	for (size_t i = 0; i < n; i++)
		if (!s->fixed[i])
			return pgt_fail(diag, -ENOMEM, "out of memory");
	return s->env[0] && s->env[1] ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");
}

static void free_all(struct strings *s)
{
	for (size_t i = 0; i < sizeof(s->fixed) / sizeof(s->fixed[0]); i++)
		free(s->fixed[i]);
	for (size_t i = 0; i < sizeof(s->env) / sizeof(s->env[0]); i++)
		free(s->env[i]);
}

/* What tells the time, the user or the place must not tell two builds apart. */
static int run(const struct pgt_kmake *make, const struct strings *s, const char *const *goals,
	       int log_fd, struct follow *follow, struct pgt_diag *diag)
{
	const char *const env[] = {
		s->env[0], s->env[1], "CCACHE_MAXSIZE=" CCACHE_SIZE, "LC_ALL=C", "MAKEFLAGS=",
		"KCFLAGS=", "KAFLAGS=", "KBUILD_OUTPUT=", "KBUILD_BUILD_TIMESTAMP=2026-01-01",
		"KBUILD_BUILD_USER=pgtrace", "KBUILD_BUILD_HOST=pgtrace", "KBUILD_BUILD_VERSION=1",
		NULL
	};
	const char *argv[MAX_ARGS] = { "make", "-C", make->tree };
	struct pgt_program program = { .argv = argv, .env = env, .stdout_fd = log_fd,
				       .stderr_fd = log_fd,
				       .interrupt_fd = make->lab->interrupt_fd,
				       .tick = show, .tick_ctx = follow };
	size_t n = 3;

	for (size_t i = 0; i < FIXED_ARGS && s->fixed[i]; i++)
		argv[n++] = s->fixed[i];
	for (size_t i = 0; goals[i]; i++) {
		if (n == MAX_ARGS - 1)
			return pgt_fail(diag, -E2BIG, "too many files to compile at once");
		argv[n++] = goals[i];
	}
	return pgt_program_run(&program, NULL, diag);
}

static int open_log(const struct pgt_kmake *make, char **path, struct pgt_diag *diag)
{
	char *dir = pgt_format("%s/logs", make->lab->cache);
	int err, fd;

	*path = pgt_format("%s/logs/build%s.log", make->lab->cache, make->suffix);
	err = dir && *path ? pgt_dir_make(dir, diag) : pgt_fail(diag, -ENOMEM, "out of memory");
	free(dir);
	if (err)
		return err;
	fd = open(*path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	return fd < 0 ? pgt_fail(diag, -errno, "%s: cannot open: %s", *path, strerror(errno)) : fd;
}

int pgt_kmake_run(const struct pgt_kmake *make, const char *const *goals, struct pgt_diag *diag)
{
	struct follow follow = { .make = make, .fd = -1 };
	struct strings strings = { .fixed = { NULL } };
	char *log = NULL;
	int err = format_all(&strings, make, diag);

	if (!err)
		err = follow.fd = open_log(make, &log, diag);
	if (err >= 0) {
		pgt_progress_begin(make->lab->progress, make->expected, "%s", make->label);
		err = run(make, &strings, goals, follow.fd, &follow, diag);
		pgt_progress_end(make->lab->progress);
	}
	if (err == -ECHILD)
		err = explain(log, diag);
	else if (log)
		unlink(log);
	if (follow.fd >= 0)
		close(follow.fd);
	free_all(&strings);
	free(log);
	return err;
}
