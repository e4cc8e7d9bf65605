/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.h - kprobe events that hold many addresses.
 *
 * One event with hundreds of addresses attaches in a moment, where a kprobe each takes
 * 20 ms.  The price: such an event outlives its process.  So the event's group is named
 * after its owner, and every start of pgtrace removes the events of dead owners.
 */
#ifndef PGT_TRACE_TRACEFS_H
#define PGT_TRACE_TRACEFS_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_event {
	char group[64];
	char name[48];
	size_t n;		/* addresses accepted */
	int fd;			/* of kprobe_events, open while addresses are added; else -1 */
};

/* Remove what killed runs of pgtrace left behind.  Nothing to do is success. */
int pgt_event_remove_stale(struct pgt_diag *diag);

/* Name an event of this process; suffix tells several apart. */
void pgt_event_init(struct pgt_event *event, const char *suffix);

/*
 * Add the instruction at _stext + offset; type 'p' is a kprobe there, 'r' a kretprobe of the
 * function that begins there.  -EINVAL, -EILSEQ, ... as the kernel refuses it, without a text in
 * diag: the caller has another mechanism to try.  -EPERM and -ENOENT (no tracefs, no
 * CONFIG_KPROBE_EVENTS) come with one.
 */
int pgt_event_add(struct pgt_event *event, char type, uint64_t offset, struct pgt_diag *diag);

/* The number to give to perf_event_open(). */
int pgt_event_id(const struct pgt_event *event, uint64_t *out, struct pgt_diag *diag);

/* How many hits the kernel missed since the event was made. */
int pgt_event_missed(const struct pgt_event *event, uint64_t *out, struct pgt_diag *diag);

/* Remove the event.  Nothing may be attached any more. */
int pgt_event_remove(struct pgt_event *event, struct pgt_diag *diag);

#endif /* PGT_TRACE_TRACEFS_H */
