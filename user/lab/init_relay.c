/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/init_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"

#define END_LINE	"{\"type\":\"end\""
#define POLL_MS		200	/* how often a silent command is looked at */

static char *const command_environment[] = {
	(char *)"PATH=/sbin:/bin:/usr/sbin:/usr/bin:/lab/bin",
	(char *)"HOME=/",
	(char *)"TMPDIR=/tmp",
	(char *)"LC_ALL=C",
	NULL
};

static void run_child(char *const argv[], int out_fd, int err_fd)
{
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null_fd >= 0)
		dup2(null_fd, STDIN_FILENO);
	dup2(out_fd, STDOUT_FILENO);
	dup2(err_fd, STDERR_FILENO);
	execve("/init", argv, command_environment);
	dprintf(STDERR_FILENO, "/init: cannot execute: %s\n", strerror(errno));
	_exit(127);
}

int pgt_relay_start(struct pgt_relay *relay, char *const argv[], struct pgt_diag *diag)
{
	int out[2], err[2];

	*relay = (struct pgt_relay){ .out_fd = -1, .err_fd = -1 };
	if (pipe2(out, O_CLOEXEC))
		return pgt_fail(diag, -errno, "cannot make a pipe: %s", strerror(errno));
	relay->out_fd = out[0];
	if (pipe2(err, O_CLOEXEC)) {
		close(out[1]);
		return pgt_fail(diag, -errno, "cannot make a pipe: %s", strerror(errno));
	}
	relay->err_fd = err[0];
	relay->pid = fork();
	if (!relay->pid)
		run_child(argv, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	if (relay->pid < 0)
		return pgt_fail(diag, -errno, "cannot fork: %s", strerror(errno));
	return 0;
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

/* Follow the lines in n bytes; keep each complete one in last, cut to its size. */
static void follow_lines(struct pgt_relay_line *line, const char *bytes, size_t n,
			 char *last, size_t last_size, bool show)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (line->len < sizeof(line->text) - 1)
				line->text[line->len++] = bytes[i];
			continue;
		}
		line->text[line->len] = '\0';
		line->len = 0;
		snprintf(last, last_size, "%.*s", (int)last_size - 1, line->text);
		if (show)
			dprintf(STDERR_FILENO, "%s\n", line->text);
	}
}

/* Read what is there; at end of file close the descriptor and make it -1. */
static ssize_t read_some(int *fd, char *bytes, size_t size)
{
	ssize_t n = read(*fd, bytes, size);

	if (n < 0 && errno == EINTR)
		return 0;
	if (n <= 0) {
		close(*fd);
		*fd = -1;
		return 0;
	}
	return n;
}

static void copy_errors(struct pgt_relay *relay)
{
	char bytes[4096];
	ssize_t n = read_some(&relay->err_fd, bytes, sizeof(bytes));

	follow_lines(&relay->err_line, bytes, (size_t)n, relay->last_error,
		     sizeof(relay->last_error), true);
	if (relay->err_fd < 0 && relay->err_line.len)	/* ended without a newline */
		follow_lines(&relay->err_line, "\n", 1, relay->last_error,
			     sizeof(relay->last_error), true);
}

static int copy_output(struct pgt_relay *relay, int to_fd, struct pgt_diag *diag)
{
	char bytes[16384];
	ssize_t n = read_some(&relay->out_fd, bytes, sizeof(bytes));
	int err = write_all(to_fd, bytes, (size_t)n);

	if (err)
		return pgt_fail(diag, err, "cannot write to the recording port: %s",
				strerror(-err));
	relay->copied = relay->copied || n;
	follow_lines(&relay->out_line, bytes, (size_t)n, relay->last_out,
		     sizeof(relay->last_out), false);
	return 0;
}

/* As PID 1 we inherit every orphan. */
static void reap(struct pgt_relay *relay)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != relay->pid)
			continue;
		relay->ended = true;
		relay->wait_status = status;
	}
}

/*
 * Wait for something to read.  0 where nothing came although the command is gone: whoever
 * still holds the pipes is not going to be waited for.
 */
static int wait_for_output(struct pgt_relay *relay, struct pollfd polled[2])
{
	bool was_ended;
	int n;

	do {
		was_ended = relay->ended;
		polled[0] = (struct pollfd){ .fd = relay->out_fd, .events = POLLIN };
		polled[1] = (struct pollfd){ .fd = relay->err_fd, .events = POLLIN };
		n = poll(polled, 2, POLL_MS);
		reap(relay);
	} while (n <= 0 && !was_ended);
	return n > 0 ? n : 0;
}

int pgt_relay_copy(struct pgt_relay *relay, int out_fd, struct pgt_diag *diag)
{
	struct pollfd polled[2];
	int err = 0;

	while (!err && relay->out_fd >= 0 && wait_for_output(relay, polled)) {
		if (polled[1].revents)
			copy_errors(relay);
		if (polled[0].revents)
			err = copy_output(relay, out_fd, diag);
	}
	return err;
}

bool pgt_relay_recording_is_whole(const struct pgt_relay *relay)
{
	return !relay->out_line.len &&
	       !strncmp(relay->last_out, END_LINE, sizeof(END_LINE) - 1);
}

int pgt_relay_wait(struct pgt_relay *relay)
{
	struct pollfd polled[2];

	while (relay->err_fd >= 0 && wait_for_output(relay, polled)) {
		char dropped[4096];

		if (polled[0].revents)
			read_some(&relay->out_fd, dropped, sizeof(dropped));
		if (polled[1].revents)
			copy_errors(relay);
	}
	while (!relay->ended) {
		poll(NULL, 0, POLL_MS);
		reap(relay);
	}
	return WIFEXITED(relay->wait_status) ? WEXITSTATUS(relay->wait_status) :
					       128 + WTERMSIG(relay->wait_status);
}

void pgt_relay_release(struct pgt_relay *relay)
{
	if (relay->out_fd >= 0)
		close(relay->out_fd);
	if (relay->err_fd >= 0)
		close(relay->err_fd);
}
