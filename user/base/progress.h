/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - show that a long step moves: a bar on a terminal, sparse lines elsewhere.
 *
 * A command makes one for its stream, usually stderr, and lends it to the functions it
 * calls.  Every function accepts NULL for "show nothing", so no caller has to ask.
 */
#ifndef PGT_BASE_PROGRESS_H
#define PGT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct pgt_progress {
	FILE *stream;
	bool terminal;		/* the bar may be drawn over */
	bool drawn;		/* a bar stands on the current line */
	char phase[96], detail[160];
	uint64_t total;		/* 0: not known, only that it moves */
	int shown;		/* percent last shown */
	time_t shown_at;	/* and when: monotonic seconds */
};

void pgt_progress_init(struct pgt_progress *progress, FILE *stream);

/* Begin a phase of total steps (bytes, boots, ...), named for the reader. */
void pgt_progress_begin(struct pgt_progress *progress, uint64_t total, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* So many steps are done now.  Cheap: draws only where the picture changes. */
void pgt_progress_update(struct pgt_progress *progress, uint64_t done);

/* What is going on within the step; sparse where it cannot be drawn over. */
void pgt_progress_detail(struct pgt_progress *progress, const char *text);

/* The phase is over, well or not: leave the line. */
void pgt_progress_end(struct pgt_progress *progress);

/* One line for the reader that is not an error, such as a retry. */
void pgt_progress_note(struct pgt_progress *progress, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* PGT_BASE_PROGRESS_H */
