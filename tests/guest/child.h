/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.h - the guest's own pgtrace, run as another process whose standard error is kept.
 */
#ifndef PGT_TESTS_CHILD_H
#define PGT_TESTS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

struct pgt_diag;

struct pgt_child {
	pid_t pid;		/* 0 once it has been waited for */
	int err_fd;		/* a file in memory with its standard error; -1 for none */
	int status;		/* exit status, or 128 + signal; once it has been waited for */
	struct pgt_buf said;	/* its standard error; once it has been waited for */
};

/*
 * Start pgtrace with argv, whose first element is "pgtrace".  prepare, unless NULL, is called
 * in the child before; what it returns, unless 0, is why the child exits with status 126.
 */
int pgt_child_start(struct pgt_child *out, char *const argv[], const char *(*prepare)(void),
		    struct pgt_diag *diag);

/* Has it ended already?  Then its status and what it said are set. */
bool pgt_child_ended(struct pgt_child *child);

/* Are these words among the first 4 KiB that it has said so far? */
bool pgt_child_says(const struct pgt_child *child, const char *words);

/* Wait for its end. */
void pgt_child_wait(struct pgt_child *child);

/* The last line that it said; "nothing" where it said none.  Valid until the release. */
const char *pgt_child_last_line(struct pgt_child *child);

/* Kill it, unless it has ended, and release what belongs to it. */
void pgt_child_release(struct pgt_child *child);

#endif /* PGT_TESTS_CHILD_H */
