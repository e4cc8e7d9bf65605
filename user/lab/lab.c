/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/lab.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"

#define LOCK_POLL_MS	200

char *pgt_format(const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	return n < 0 ? NULL : text;
}

void pgt_lab_remove(const char *path)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	if (!walk)
		return;
	while ((entry = fts_read(walk))) {
		if (entry->fts_info == FTS_D)
			continue;
		if (entry->fts_info == FTS_DP)
			rmdir(entry->fts_accpath);
		else
			unlink(entry->fts_accpath);
	}
	fts_close(walk);
}

static int find_cache(char **out, struct pgt_diag *diag)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *cache;

	if (xdg && xdg[0] == '/')
		cache = pgt_format("%s/pgtrace", xdg);
	else if (home && home[0] == '/')
		cache = pgt_format("%s/.cache/pgtrace", home);
	else
		return pgt_fail(diag, -ENOENT,
				"no place for the cache: set HOME or XDG_CACHE_HOME to an absolute path");
	if (!cache)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	*out = cache;
	return 0;
}

/* A scratch directory that can be locked belongs to nobody any more. */
static void sweep(const char *parent)
{
	DIR *dir = opendir(parent);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		char *path;
		int fd;

		if (entry->d_name[0] == '.')
			continue;
		path = pgt_format("%s/%s", parent, entry->d_name);
		fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
			pgt_lab_remove(path);
		if (fd >= 0)
			close(fd);
		free(path);
	}
	closedir(dir);
}

/* The parent's lock keeps another process from sweeping between mkdtemp() and flock(). */
static int make_scratch(struct pgt_lab *lab, struct pgt_diag *diag)
{
	char *parent = pgt_format("%s/scratch", lab->cache);
	char *path = pgt_format("%s/scratch/lab-XXXXXX", lab->cache);
	int parent_fd = -1, err;

	if (!parent || !path) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto out;
	}
	err = pgt_dir_make(parent, diag);
	if (err)
		goto out;
	parent_fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent_fd < 0 || flock(parent_fd, LOCK_EX)) {
		err = pgt_fail(diag, -errno, "%s: cannot lock: %s", parent, strerror(errno));
		goto out;
	}
	sweep(parent);
	if (!mkdtemp(path)) {
		err = pgt_fail(diag, -errno, "%s: cannot make a directory in it: %s", parent,
			       strerror(errno));
		goto out;
	}
	lab->scratch = path;
	path = NULL;
	lab->scratch_fd = open(lab->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lab->scratch_fd < 0 || flock(lab->scratch_fd, LOCK_EX | LOCK_NB))
		err = pgt_fail(diag, -errno, "%s: cannot lock: %s", lab->scratch, strerror(errno));
out:
	if (parent_fd >= 0)
		close(parent_fd);
	free(parent);
	free(path);
	return err;
}

static int watch_signals(struct pgt_lab *lab, struct pgt_diag *diag)
{
	sigset_t set, pipe;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);	/* a reader that went away is a failed write, not an end */
	if (sigprocmask(SIG_BLOCK, &set, NULL) || sigprocmask(SIG_BLOCK, &pipe, NULL))
		return pgt_fail(diag, -errno, "cannot block signals: %s", strerror(errno));
	lab->interrupt_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (lab->interrupt_fd < 0)
		return pgt_fail(diag, -errno, "cannot watch signals: %s", strerror(errno));
	return 0;
}

/* kernel-patches in the directory above the program's, where make leaves it, or in ours. */
static char *search_patches(void)
{
	char *self = realpath("/proc/self/exe", NULL), *slash = self ? strrchr(self, '/') : NULL;
	char *places[] = {
		slash ? pgt_format("%.*s/../kernel-patches", (int)(slash - self), self) : NULL,
		strdup("kernel-patches"),
	};
	char *found = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!found && places[i])
			found = realpath(places[i], NULL);
		free(places[i]);
	}
	free(self);
	return found;
}

char *pgt_lab_find_patches(const char *own)
{
	return own ? realpath(own, NULL) : search_patches();
}

int pgt_lab_open(struct pgt_lab *lab, struct pgt_progress *progress, struct pgt_diag *diag)
{
	struct pgt_lab made = { .scratch_fd = -1, .interrupt_fd = -1, .progress = progress };
	int err;

	err = find_cache(&made.cache, diag);
	if (!err)
		err = watch_signals(&made, diag);
	if (!err)
		err = make_scratch(&made, diag);
	if (err) {
		pgt_lab_release(&made);
		return err;
	}
	made.patches = search_patches();
	*lab = made;
	return 0;
}

int pgt_lab_use_patches(struct pgt_lab *lab, const char *path, struct pgt_diag *diag)
{
	char *absolute = realpath(path, NULL);

	if (!absolute)
		return pgt_fail(diag, -errno, "%s: no directory of patches: %s", path,
				strerror(errno));
	free(lab->patches);
	lab->patches = absolute;
	return 0;
}

void pgt_lab_release(struct pgt_lab *lab)
{
	if (!lab->cache)
		return;
	if (lab->scratch)
		pgt_lab_remove(lab->scratch);
	if (lab->scratch_fd >= 0)
		close(lab->scratch_fd);
	if (lab->interrupt_fd >= 0)
		close(lab->interrupt_fd);
	free(lab->scratch);
	free(lab->patches);
	free(lab->cache);
	*lab = (struct pgt_lab){ .scratch_fd = -1, .interrupt_fd = -1 };
}

bool pgt_lab_interrupted(const struct pgt_lab *lab)
{
	struct pollfd fd = { .fd = lab->interrupt_fd, .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

/* Wait with flock() in small steps, because a blocked signal would not end it. */
static int wait_lock(const struct pgt_lab *lab, int fd, const char *name, struct pgt_diag *diag)
{
	struct pollfd stop = { .fd = lab->interrupt_fd, .events = POLLIN };
	bool told = false;

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return pgt_fail(diag, -errno, "%s: cannot lock: %s", name, strerror(errno));
		if (!told)
			pgt_progress_note(lab->progress,
					  "waiting for another pgtrace that prepares %s", name);
		told = true;
		if (poll(&stop, 1, LOCK_POLL_MS) > 0)
			return pgt_fail(diag, -EINTR, "interrupted while waiting for %s", name);
	}
	return 0;
}

int pgt_lab_lock(const struct pgt_lab *lab, const char *name, struct pgt_diag *diag)
{
	char *dir = pgt_format("%s/locks", lab->cache);
	char *path = pgt_format("%s/locks/%s", lab->cache, name);
	int fd = -1, err;

	if (!dir || !path) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto out;
	}
	err = pgt_dir_make(dir, diag);
	if (err)
		goto out;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		err = pgt_fail(diag, -errno, "%s: cannot open: %s", path, strerror(errno));
	else
		err = wait_lock(lab, fd, name, diag);
out:
	if (err && fd >= 0)
		close(fd);
	free(dir);
	free(path);
	return err ? err : fd;
}

int pgt_lab_space(const char *path, uint64_t need, const char *what, struct pgt_diag *diag)
{
	struct statvfs fs;
	uint64_t available;

	if (statvfs(path, &fs))
		return pgt_fail(diag, -errno, "%s: cannot read its free space: %s", path,
				strerror(errno));
	available = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (available < need)
		return pgt_fail(diag, -ENOSPC,
				"too little disk space for %s: %s has %ju MiB free, %ju MiB are needed",
				what, path, (uintmax_t)(available >> 20),
				(uintmax_t)((need + (1 << 20) - 1) >> 20));
	return 0;
}
