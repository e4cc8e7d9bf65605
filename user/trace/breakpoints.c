/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/breakpoints.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/diag.h"
#include "trace/cpus.h"
#include "trace/perf_event.h"
#include "trace/tracer.h"

int pgt_breakpoints_init(struct pgt_breakpoints *out, struct bpf_program *program,
			 const struct pgt_cpus *cpus, struct pgt_diag *diag)
{
	struct bpf_link **link = calloc(PGT_BREAKPOINTS_MAX * cpus->n, sizeof(struct bpf_link *));

	if (!link)
		return pgt_fail(diag, -ENOMEM, "breakpoints: out of memory");
	*out = (struct pgt_breakpoints){ program, cpus, link, 0 };
	return 0;
}

static void clear_down_to(struct pgt_breakpoints *breakpoints, size_t n)
{
	while (breakpoints->n > n)
		bpf_link__destroy(breakpoints->link[--breakpoints->n]);	/* closes the event too */
}

void pgt_breakpoints_release(struct pgt_breakpoints *breakpoints)
{
	clear_down_to(breakpoints, 0);
	free(breakpoints->link);
	*breakpoints = (struct pgt_breakpoints){ 0 };
}

static int set_one(struct pgt_breakpoints *breakpoints, uint64_t address, int cpu,
		   struct pgt_diag *diag)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = address,
		.bp_len = HW_BREAKPOINT_LEN_4,
		.sample_period = 1,	/* the program must run on every hit */
		.exclude_user = 1,
		.pinned = 1,
	};
	int fd = pgt_perf_event_open(&attr, cpu), err;
	struct bpf_link *link;

	if (fd < 0)
		return pgt_fail(diag, -errno, "breakpoint at %#" PRIx64 " on CPU %d: %s", address, cpu,
				strerror(errno));
	link = bpf_program__attach_perf_event(breakpoints->program, fd);
	if (!link) {
		err = pgt_fail(diag, -errno, "breakpoint at %#" PRIx64 ": cannot attach: %s", address,
			       strerror(errno));
		close(fd);
		return err;
	}
	breakpoints->link[breakpoints->n++] = link;
	return 0;
}

int pgt_breakpoints_set(struct pgt_breakpoints *breakpoints, const uint64_t *address, size_t n,
			size_t *n_set, struct pgt_diag *diag)
{
	size_t set;

	clear_down_to(breakpoints, 0);
	for (set = 0; set < n; set++) {
		size_t before = breakpoints->n;
		int err = 0;

		for (size_t c = 0; c < breakpoints->cpus->n && !err; c++)
			err = set_one(breakpoints, address[set], breakpoints->cpus->online[c], diag);
		if (!err)
			continue;
		clear_down_to(breakpoints, before);	/* a site counts on all CPUs or on none */
		if (err == -ENOSPC && set)
			break;
		clear_down_to(breakpoints, 0);
		return err;
	}
	*n_set = set;
	return 0;
}
