/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/module_file.h"

static void list_path(char *path, size_t size, const char *name)
{
	snprintf(path, size, "/lab/modules/%s.list", name);
}

bool pgt_modules_listed(const char *name)
{
	char path[128];

	list_path(path, sizeof(path), name);
	return !access(path, F_OK);
}

static int load_list(const char *list, struct pgt_diag *diag)
{
	struct pgt_buf paths = PGT_BUF_INIT;
	char *rest, *path;
	int err = pgt_file_read(list, &paths, diag);

	rest = paths.at;
	while (!err && rest && (path = strsep(&rest, "\n")))
		if (*path) {
			err = pgt_module_file_insert(path, "", diag);
			if (err == -EEXIST)
				err = 0;
		}
	pgt_buf_release(&paths);
	return err;
}

/* What modprobe says, without its last newline; the rest is dropped when it says more. */
static void read_message(int fd, char *message, size_t size)
{
	size_t used = 0;
	char rest[256];
	ssize_t n;

	while (used < size - 1 && (n = read(fd, message + used, size - 1 - used)) > 0)
		used += (size_t)n;
	while (read(fd, rest, sizeof(rest)) > 0)
		;
	while (used && message[used - 1] == '\n')
		used--;
	message[used] = '\0';
}

static int spawn_modprobe(const char *name, int message_fd, pid_t *pid)
{
	char *argv[] = { (char *)"modprobe", (char *)name, NULL };
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	err = posix_spawn_file_actions_adddup2(&actions, message_fd, STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, message_fd, STDERR_FILENO);
	if (!err)
		err = posix_spawnp(pid, "modprobe", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

static int run_modprobe(const char *name, struct pgt_diag *diag)
{
	char message[512];
	int ends[2], status, err;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return pgt_fail(diag, -errno, "cannot make a pipe for modprobe: %s",
				strerror(errno));
	err = spawn_modprobe(name, ends[1], &pid);
	close(ends[1]);
	if (err) {
		close(ends[0]);
		return pgt_fail(diag, err, "module %s: cannot run modprobe: %s", name,
				strerror(-err));
	}
	read_message(ends[0], message, sizeof(message));
	close(ends[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return pgt_fail(diag, -errno, "cannot wait for modprobe: %s",
					strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return pgt_fail(diag, strstr(message, "not found") ? -ENODEV : -EIO,
				"module %s cannot be loaded: %s", name,
				*message ? message : "modprobe failed and does not say why");
	return 0;
}

int pgt_modules_load(const char *name, struct pgt_diag *diag)
{
	char list[128];

	if (!pgt_modules_listed(name))
		return run_modprobe(name, diag);
	list_path(list, sizeof(list), name);
	return load_list(list, diag);
}
