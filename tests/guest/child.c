/* SPDX-License-Identifier: GPL-2.0-only */
#include "guest/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"

#define PGTRACE		"/init"		/* in a guest it is PID 1 as well */
#define NOT_PREPARED	126

static void become(char *const argv[], int err_fd, const char *(*prepare)(void))
{
	const char *why;

	dup2(err_fd, STDERR_FILENO);
	why = prepare ? prepare() : NULL;
	if (!why) {
		execv(PGTRACE, argv);
		why = PGTRACE;
	}
	dprintf(STDERR_FILENO, "%s: %s\n", why, strerror(errno));
	_exit(NOT_PREPARED);
}

int pgt_child_start(struct pgt_child *out, char *const argv[], const char *(*prepare)(void),
		    struct pgt_diag *diag)
{
	struct pgt_child made = { .err_fd = -1, .said = PGT_BUF_INIT };
	int err;

	made.err_fd = memfd_create("stderr", MFD_CLOEXEC);
	if (made.err_fd < 0)
		return pgt_fail(diag, -errno, "cannot make a file in memory: %s", strerror(errno));
	made.pid = fork();
	if (!made.pid)
		become(argv, made.err_fd, prepare);
	if (made.pid < 0) {
		err = pgt_fail(diag, -errno, "cannot fork: %s", strerror(errno));
		close(made.err_fd);
		return err;
	}
	*out = made;
	return 0;
}

static void keep_words(struct pgt_child *child)
{
	char chunk[1024];
	ssize_t n;

	lseek(child->err_fd, 0, SEEK_SET);
	while ((n = read(child->err_fd, chunk, sizeof(chunk))) > 0)
		if (pgt_buf_add(&child->said, chunk, (size_t)n))
			break;
}

bool pgt_child_says(const struct pgt_child *child, const char *words)
{
	char text[4096];
	ssize_t n = pread(child->err_fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return strstr(text, words);
}

static bool reap(struct pgt_child *child, int flags)
{
	int status;
	pid_t pid;

	if (!child->pid)
		return true;
	do {
		pid = waitpid(child->pid, &status, flags);
	} while (pid < 0 && errno == EINTR);
	if (pid != child->pid)
		return false;
	child->pid = 0;
	child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	keep_words(child);
	return true;
}

bool pgt_child_ended(struct pgt_child *child)
{
	return reap(child, WNOHANG);
}

void pgt_child_wait(struct pgt_child *child)
{
	reap(child, 0);
}

const char *pgt_child_last_line(struct pgt_child *child)
{
	struct pgt_buf *said = &child->said;
	char *newline;

	while (said->len && said->at[said->len - 1] == '\n')
		said->at[--said->len] = '\0';
	if (!said->len)
		return "nothing";
	newline = strrchr(said->at, '\n');
	return newline ? newline + 1 : said->at;
}

void pgt_child_release(struct pgt_child *child)
{
	if (child->pid) {
		kill(child->pid, SIGKILL);
		pgt_child_wait(child);
	}
	if (child->err_fd >= 0)
		close(child->err_fd);
	pgt_buf_release(&child->said);
	*child = (struct pgt_child){ .err_fd = -1, .said = PGT_BUF_INIT };
}
