/* SPDX-License-Identifier: GPL-2.0-only */
#include "guest/traces.h"

#include <dirent.h>
#include <errno.h>
#include <linux/bpf.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

#define EVENTS		"/sys/kernel/tracing/kprobe_events"
#define PREFIX		"pgtrace_"
#define FREE_TRIES	100	/* for programs, which are freed after a grace period */
#define FREE_POLL_MS	100

static int add_group(struct pgt_traces *out, const char *name, size_t len, struct pgt_diag *diag)
{
	size_t i = 0;

	while (i < out->n_groups &&
	       (strncmp(out->group[i], name, len) || out->group[i][len]))
		i++;
	if (i == PGT_TRACES_GROUPS || len >= PGT_TRACES_NAME)
		return pgt_fail(diag, -E2BIG, EVENTS ": too many groups of events, or too long "
				"a name");
	if (i == out->n_groups) {
		snprintf(out->group[i], PGT_TRACES_NAME, "%.*s", (int)len, name);
		out->n_lines[i] = 0;
		out->n_groups++;
	}
	out->n_lines[i]++;
	return 0;
}

/* Lines are "p:GROUP/EVENT ADDRESS", or "r512:GROUP/EVENT ADDRESS". */
static int read_groups(struct pgt_traces *out, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	char *line, *save = NULL;
	int err = pgt_file_read(EVENTS, &text, diag);

	out->n_groups = 0;
	for (line = err ? NULL : strtok_r(text.at, "\n", &save); line && !err;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *name = strchr(line, ':');

		if (name && !strncmp(++name, PREFIX, sizeof(PREFIX) - 1))
			err = add_group(out, name, strcspn(name, "/"), diag);
	}
	pgt_buf_release(&text);
	return err;
}

static int read_programs(struct pgt_traces *out, struct pgt_diag *diag)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	for (out->n_programs = 0; ; out->n_programs++) {
		if (syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)))
			break;
		if (out->n_programs == PGT_TRACES_PROGRAMS)
			return pgt_fail(diag, -E2BIG, "more than %d BPF programs",
					PGT_TRACES_PROGRAMS);
		out->program[out->n_programs] = attr.next_id;
		attr.start_id = attr.next_id;
	}
	return errno == ENOENT ? 0 :
	       pgt_fail(diag, -errno, "cannot list the BPF programs: %s", strerror(errno));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int read_files(struct pgt_traces *out, struct pgt_diag *diag)
{
	DIR *dir = opendir("/tmp");
	struct dirent *entry;
	int err = 0;

	if (!dir)
		return pgt_fail(diag, -errno, "/tmp: cannot open: %s", strerror(errno));
	out->n_files = 0;
	while (!err && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (out->n_files == PGT_TRACES_FILES)
			err = pgt_fail(diag, -E2BIG, "/tmp: more than %d files", PGT_TRACES_FILES);
		else
			snprintf(out->file[out->n_files++], PGT_TRACES_NAME, "%.*s",
				 PGT_TRACES_NAME - 1, entry->d_name);
	}
	closedir(dir);
	qsort(out->file, out->n_files, sizeof(out->file[0]), by_name);
	return err;
}

int pgt_traces_read(struct pgt_traces *out, struct pgt_diag *diag)
{
	int err = read_groups(out, diag);

	if (!err)
		err = read_programs(out, diag);
	return err ? err : read_files(out, diag);
}

size_t pgt_traces_lines_of(const struct pgt_traces *traces, pid_t pid)
{
	char start[32];
	size_t n = (size_t)snprintf(start, sizeof(start), PREFIX "%d_", (int)pid);

	for (size_t i = 0; i < traces->n_groups; i++)
		if (!strncmp(traces->group[i], start, n))
			return traces->n_lines[i];
	return 0;
}

/* Lines of a group by name; 0 where it is not there. */
static size_t lines_of_group(const struct pgt_traces *traces, const char *name)
{
	for (size_t i = 0; i < traces->n_groups; i++)
		if (!strcmp(traces->group[i], name))
			return traces->n_lines[i];
	return 0;
}

static int compare_groups(const struct pgt_traces *before, const struct pgt_traces *now,
			  struct pgt_diag *diag)
{
	for (size_t i = 0; i < now->n_groups; i++)
		if (!lines_of_group(before, now->group[i]))
			return pgt_fail(diag, -EEXIST, "events of %s are left in kprobe_events",
					now->group[i]);
	for (size_t i = 0; i < before->n_groups; i++) {
		size_t n = lines_of_group(now, before->group[i]);

		if (n != before->n_lines[i])
			return pgt_fail(diag, -ENOENT, "%s, which somebody else owns, has %zu "
					"lines in kprobe_events and not %zu", before->group[i], n,
					before->n_lines[i]);
	}
	return 0;
}

static bool has_program(const struct pgt_traces *traces, uint32_t id)
{
	for (size_t i = 0; i < traces->n_programs; i++)
		if (traces->program[i] == id)
			return true;
	return false;
}

static int compare_programs(const struct pgt_traces *before, const struct pgt_traces *now,
			    struct pgt_diag *diag)
{
	for (size_t i = 0; i < now->n_programs; i++)
		if (!has_program(before, now->program[i]))
			return pgt_fail(diag, -EEXIST, "BPF program %u is left",
					now->program[i]);
	for (size_t i = 0; i < before->n_programs; i++)
		if (!has_program(now, before->program[i]))
			return pgt_fail(diag, -ENOENT, "BPF program %u, which somebody else owns, "
					"is gone", before->program[i]);
	return 0;
}

static int compare_files(const struct pgt_traces *before, const struct pgt_traces *now,
			 struct pgt_diag *diag)
{
	for (size_t i = 0; i < now->n_files; i++)
		if (!bsearch(now->file[i], before->file, before->n_files,
			     sizeof(before->file[0]), by_name))
			return pgt_fail(diag, -EEXIST, "/tmp/%s is left", now->file[i]);
	return 0;
}

int pgt_traces_expect(const struct pgt_traces *before, struct pgt_diag *diag)
{
	struct pgt_traces now;
	int err;

	for (int tries = 0; tries < FREE_TRIES; tries++) {
		err = pgt_traces_read(&now, diag);
		if (err)
			return err;
		err = compare_programs(before, &now, diag);
		if (err != -EEXIST)
			break;
		poll(NULL, 0, FREE_POLL_MS);
	}
	if (!err)
		err = compare_groups(before, &now, diag);
	return err ? err : compare_files(before, &now, diag);
}
