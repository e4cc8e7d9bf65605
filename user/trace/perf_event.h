/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_event.h - perf_event_open(2), which glibc does not wrap.
 */
#ifndef PGT_TRACE_PERF_EVENT_H
#define PGT_TRACE_PERF_EVENT_H

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All tasks on one CPU.  Returns a descriptor, or -1 with errno. */
static inline int pgt_perf_event_open(struct perf_event_attr *attr, int cpu)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

#endif /* PGT_TRACE_PERF_EVENT_H */
