/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

#define GROUP_PREFIX	"pgtrace_"

static const char *root(void)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[64];

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(path, sizeof(path), "%s/kprobe_events", roots[i]);
		if (!access(path, F_OK))
			return roots[i];
	}
	return NULL;
}

static int open_events(struct pgt_diag *diag)
{
	const char *at = root();
	char path[64];
	int fd;

	if (!at)
		return pgt_fail(diag, -ENOENT,
				"kprobe_events: not found: mount tracefs on /sys/kernel/tracing, "
				"or the kernel lacks CONFIG_KPROBE_EVENTS");
	snprintf(path, sizeof(path), "%s/kprobe_events", at);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot open: %s: run as root, and without kernel lockdown",
				path, strerror(errno));
	return fd;
}

static int command(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* Field 22 of /proc/PID/stat: when the process started, in ticks since boot; 0 if it is gone. */
static uint64_t start_time(long pid)
{
	struct pgt_buf stat = PGT_BUF_INIT;
	struct pgt_diag ignored;
	char path[48], *at;
	uint64_t ticks = 0;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	if (pgt_file_read_line(path, &stat, &ignored)) {
		pgt_buf_release(&stat);
		return 0;
	}
	at = strrchr(stat.at, ')');	/* the command's name may hold anything */
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at + 1, NULL, 10);
	pgt_buf_release(&stat);
	return ticks;
}

void pgt_event_init(struct pgt_event *event, const char *suffix)
{
	long pid = getpid();

	snprintf(event->group, sizeof(event->group), GROUP_PREFIX "%ld_%" PRIu64, pid, start_time(pid));
	/* kprobe_profile shows names without groups, so the name is the owner's too */
	snprintf(event->name, sizeof(event->name), "%s_%ld", suffix, pid);
	event->n = 0;
	event->fd = -1;
}

int pgt_event_add(struct pgt_event *event, char type, uint64_t offset, struct pgt_diag *diag)
{
	char text[192], kind[8];
	int err;

	if (event->fd < 0) {
		int fd = open_events(diag);

		if (fd < 0)
			return fd;
		event->fd = fd;
	}
	/* A kretprobe misses returns when more calls are under way than it has room for. */
	snprintf(kind, sizeof(kind), type == 'r' ? "r512" : "%c", type);
	snprintf(text, sizeof(text), "%s:%s/%s _stext+0x%" PRIx64 "\n", kind, event->group,
		 event->name, offset);
	err = command(event->fd, text);
	if (!err)
		event->n++;
	return err;
}

int pgt_event_id(const struct pgt_event *event, uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf line = PGT_BUF_INIT;
	char path[256];
	int err;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", root(), event->group, event->name);
	err = pgt_file_read_line(path, &line, diag);
	if (!err)
		*out = strtoull(line.at, NULL, 10);
	pgt_buf_release(&line);
	return err;
}

int pgt_event_missed(const struct pgt_event *event, uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	char path[64], *at, *save = NULL;
	uint64_t missed = 0;
	int err;

	snprintf(path, sizeof(path), "%s/kprobe_profile", root());
	err = pgt_file_read(path, &text, diag);
	if (err)
		goto out;
	for (at = strtok_r(text.at, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		char name[64];
		uint64_t hits, misses;

		if (sscanf(at, "%63s %" SCNu64 " %" SCNu64, name, &hits, &misses) == 3 &&
		    !strcmp(name, event->name))
			missed += misses;
	}
	*out = missed;
out:
	pgt_buf_release(&text);
	return err;
}

int pgt_event_remove(struct pgt_event *event, struct pgt_diag *diag)
{
	char text[192];
	int err;

	if (!event->n) {
		if (event->fd >= 0)
			close(event->fd);
		event->fd = -1;
		return 0;
	}
	snprintf(text, sizeof(text), "-:%s/%s\n", event->group, event->name);
	err = command(event->fd, text);
	close(event->fd);
	event->fd = -1;
	if (err)
		return pgt_fail(diag, err, "kprobe_events: cannot remove %s/%s: %s", event->group,
				event->name, strerror(-err));
	event->n = 0;
	return 0;
}

/* "p:pgtrace_PID_START/name ...": is its owner gone? */
static bool is_stale(const char *line, char *event, size_t size)
{
	long pid;
	uint64_t start;
	int n = 0;
	const char *at = strchr(line, ':');

	if (!at || sscanf(at + 1, GROUP_PREFIX "%ld_%" SCNu64 "/%n", &pid, &start, &n) != 2 || !n)
		return false;
	if (start_time(pid) == start)
		return false;
	snprintf(event, size, "%.*s", (int)strcspn(at + 1, " "), at + 1);
	return true;
}

int pgt_event_remove_stale(struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	char path[64], *at, *save = NULL, event[128], last[128] = "";
	int fd, err;

	if (!root())
		return 0;
	snprintf(path, sizeof(path), "%s/kprobe_events", root());
	err = pgt_file_read(path, &text, diag);
	if (err)
		goto out;
	for (at = strtok_r(text.at, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		char removal[160];

		/* an event is listed once an address, one line after the other */
		if (!is_stale(at, event, sizeof(event)) || !strcmp(event, last))
			continue;
		fd = open_events(diag);
		if (fd < 0) {
			err = fd;
			break;
		}
		snprintf(removal, sizeof(removal), "-:%s\n", event);
		err = command(fd, removal);
		close(fd);
		if (err == -ENOENT)	/* listed in two places, removed at once */
			err = 0;
		if (err) {
			pgt_fail(diag, err, "kprobe_events: cannot remove %s, which a killed run left: %s",
				 event, strerror(-err));
			break;
		}
		snprintf(last, sizeof(last), "%s", event);
	}
out:
	pgt_buf_release(&text);
	return err;
}
