/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab.h - what every step of the lab shares: the cache, a scratch directory, and how to stop.
 *
 * The cache is ${XDG_CACHE_HOME:-~/.cache}/pgtrace.  What it holds is named by content,
 * written under the scratch directory and renamed into place, so that runs at the same time
 * do not disturb each other.  The scratch directory belongs to one process, which
 * holds a lock on it; whoever opens a lab removes those whose owner died.
 */
#ifndef PGT_LAB_LAB_H
#define PGT_LAB_LAB_H

#include <stdbool.h>
#include <stdint.h>

struct pgt_diag;
struct pgt_progress;

struct pgt_lab {
	char *cache;			/* absolute */
	char *scratch;			/* absolute; removed on release */
	char *patches;			/* the directory kernel-patches; NULL where there is none */
	unsigned int n_jobs;		/* files to compile at a time; 0: one a CPU */
	int scratch_fd;			/* the lock on it */
	int interrupt_fd;		/* readable once SIGINT, SIGTERM or SIGHUP came */
	struct pgt_progress *progress;	/* borrowed; may be NULL */
};

/*
 * Find the cache, make the scratch directory, and turn SIGINT, SIGTERM and SIGHUP into
 * a readable descriptor, so that a step can stop and clean up.  SIGPIPE is held back.
 */
int pgt_lab_open(struct pgt_lab *lab, struct pgt_progress *progress, struct pgt_diag *diag);
void pgt_lab_release(struct pgt_lab *lab);	/* accepts a zeroed one */

/*
 * The directory kernel-patches: that of the user where there is one, or else the one that
 * pgt_lab_open() takes; NULL for none.  To be freed.
 */
char *pgt_lab_find_patches(const char *own);

/* Take the patches from this directory, and not from the one that was found. */
int pgt_lab_use_patches(struct pgt_lab *lab, const char *path, struct pgt_diag *diag);

/* The user wants to stop.  Stays true. */
bool pgt_lab_interrupted(const struct pgt_lab *lab);

/*
 * Take the lock of this name, waiting for another pgtrace that holds it.  Returns a
 * descriptor to close, or -EINTR where the user asked to stop.
 */
int pgt_lab_lock(const struct pgt_lab *lab, const char *name, struct pgt_diag *diag);

/* -ENOSPC where the file system of path has fewer than need bytes free; says both numbers. */
int pgt_lab_space(const char *path, uint64_t need, const char *what, struct pgt_diag *diag);

/* rm -rf; best effort. */
void pgt_lab_remove(const char *path);

/* A formatted string on the heap; NULL where memory ran out. */
char *pgt_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* PGT_LAB_LAB_H */
