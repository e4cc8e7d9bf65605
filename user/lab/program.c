/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"

#define TICK_MS		200
#define EXIT_NO_EXEC	127

/* In the child: everything between fork and exec; only async-signal-safe calls and putenv. */
static void become(const struct pgt_program *program, pid_t parent, int out_fd, int err_fd)
{
	int null_fd = open("/dev/null", O_RDWR);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_NO_EXEC);
	dup2(null_fd, STDIN_FILENO);
	dup2(out_fd >= 0 ? out_fd : null_fd, STDOUT_FILENO);
	dup2(err_fd >= 0 ? err_fd : null_fd, STDERR_FILENO);
	if (program->cwd && chdir(program->cwd))
		return;
	for (const char *const *env = program->env; env && *env; env++)
		putenv((char *)*env);
	execvp(program->argv[0], (char *const *)program->argv);
}

/* exec_pipe closes on a successful exec; otherwise the child writes errno into it. */
static pid_t spawn(const struct pgt_program *program, int out_fd, int err_fd,
		   struct pgt_diag *diag)
{
	pid_t parent = getpid(), pid;
	int exec_pipe[2], failed = 0;
	ssize_t n;

	if (pipe2(exec_pipe, O_CLOEXEC))
		return pgt_fail(diag, -errno, "cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		failed = errno;
	} else if (pid == 0) {
		become(program, parent, out_fd, err_fd);
		failed = errno;
		n = write(exec_pipe[1], &failed, sizeof(failed));
		_exit(n == sizeof(failed) ? EXIT_NO_EXEC : EXIT_NO_EXEC - 1);
	}
	close(exec_pipe[1]);
	if (pid > 0) {
		do
			n = read(exec_pipe[0], &failed, sizeof(failed));
		while (n < 0 && errno == EINTR);
		if (n != sizeof(failed))
			failed = 0;
		else
			waitpid(pid, NULL, 0);
	}
	close(exec_pipe[0]);
	if (failed)
		return pgt_fail(diag, -failed, "cannot run %s: %s", program->argv[0],
				strerror(failed));
	return pid;
}

int pgt_program_start(const struct pgt_program *program, pid_t *pid, struct pgt_diag *diag)
{
	pid_t started = spawn(program, program->stdout_fd, program->stderr_fd, diag);

	if (started < 0)
		return started;
	*pid = started;
	return 0;
}

void pgt_program_kill(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Read what is there.  Returns false at the end of the stream. */
static bool drain(int fd, struct pgt_buf *into)
{
	char chunk[4096];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (n == 0)
		return false;
	if (into)
		pgt_buf_add(into, chunk, (size_t)n);
	return true;
}

/* It can still be waited for. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == pid;
}

/*
 * Follow both streams until they close and the program has ended, or until the user asks to
 * stop.  Streams that go elsewhere are closed from the start.
 */
static int follow(const struct pgt_program *program, pid_t pid, int out_fd, int err_fd,
		  struct pgt_buf *out, struct pgt_buf *err_text)
{
	struct pollfd fds[3] = {
		{ .fd = out_fd, .events = POLLIN },
		{ .fd = err_fd, .events = POLLIN },
		{ .fd = program->interrupt_fd, .events = POLLIN },
	};

	while (fds[0].fd >= 0 || fds[1].fd >= 0 || !has_ended(pid)) {
		int n = poll(fds, 3, TICK_MS);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (program->tick)
			program->tick(program->tick_ctx);
		if (n <= 0)
			continue;
		if (fds[2].revents)
			return -EINTR;
		if (fds[0].revents && !drain(fds[0].fd, out))
			fds[0].fd = -1;
		if (fds[1].revents && !drain(fds[1].fd, err_text))
			fds[1].fd = -1;
	}
	return 0;
}

/*
 * The line that tells most: the last one that is not empty, unless it is one of apt's,
 * which names the cause in its first error and sums up in the last.
 */
static const char *telling_line(struct pgt_buf *text)
{
	char *line, *end;

	while (text->len && strchr("\n\r ", text->at[text->len - 1]))
		text->at[--text->len] = '\0';
	if (!text->len)
		return "it said nothing";
	line = !strncmp(text->at, "E: ", 3) ? text->at : strstr(text->at, "\nE: ");
	if (line) {
		line += *line == '\n';
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		return line + 3;
	}
	line = strrchr(text->at, '\n');
	return line ? line + 1 : text->at;
}

static int judge(const struct pgt_program *program, int status, struct pgt_buf *err_text,
		 struct pgt_diag *diag)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFSIGNALED(status))
		return pgt_fail(diag, -ECHILD, "%s was killed by signal %d: %s",
				program->argv[0], WTERMSIG(status), telling_line(err_text));
	return pgt_fail(diag, -ECHILD, "%s failed with exit status %d: %s", program->argv[0],
			WEXITSTATUS(status), telling_line(err_text));
}

int pgt_program_run(const struct pgt_program *program, struct pgt_buf *out,
		    struct pgt_diag *diag)
{
	int out_pipe[2] = { -1, -1 }, err_pipe[2] = { -1, -1 }, status, err;
	struct pgt_buf err_text = PGT_BUF_INIT;
	pid_t pid;

	if (pipe2(out_pipe, O_CLOEXEC) || pipe2(err_pipe, O_CLOEXEC)) {
		err = pgt_fail(diag, -errno, "cannot make a pipe: %s", strerror(errno));
		goto out;
	}
	pid = spawn(program, program->stdout_fd >= 0 ? program->stdout_fd : out_pipe[1],
		    program->stderr_fd >= 0 ? program->stderr_fd : err_pipe[1], diag);
	if (pid < 0) {
		err = pid;
		goto out;
	}
	close(out_pipe[1]);
	close(err_pipe[1]);
	out_pipe[1] = err_pipe[1] = -1;
	err = follow(program, pid, out_pipe[0], err_pipe[0], out, &err_text);
	if (err) {
		pgt_program_kill(pid);
		if (err == -EINTR)
			pgt_fail(diag, err, "interrupted while %s ran", program->argv[0]);
		else
			pgt_fail(diag, err, "cannot follow %s: %s", program->argv[0],
				 strerror(-err));
		goto out;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	err = judge(program, status, &err_text, diag);

out:
	for (int i = 0; i < 2; i++) {
		if (out_pipe[i] >= 0)
			close(out_pipe[i]);
		if (err_pipe[i] >= 0)
			close(err_pipe[i]);
	}
	pgt_buf_release(&err_text);
	return err;
}
