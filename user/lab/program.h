/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - run another program: by argv, never through a shell.
 *
 * The child has its own process group, the default signal mask, /dev/null as standard
 * input, and dies with its parent.
 */
#ifndef PGT_LAB_PROGRAM_H
#define PGT_LAB_PROGRAM_H

#include <sys/types.h>

struct pgt_buf;
struct pgt_diag;

struct pgt_program {
	const char *const *argv;	/* NULL-terminated; argv[0] is looked up in PATH */
	const char *const *env;		/* "NAME=value" to add; NULL for none */
	const char *cwd;		/* directory to run in; NULL for ours */
	int stdout_fd;			/* where its output goes; -1: into *out of _run */
	int stderr_fd;			/* likewise; -1: captured, last line into the failure */
	int interrupt_fd;		/* readable when the user wants to stop; -1 for none */
	void (*tick)(void *ctx);	/* called a few times a second while it runs; may be NULL */
	void *tick_ctx;
};

/*
 * Run it to its end.  Its standard output is appended to out (NULL: dropped).
 * Returns 0 where it exited 0, or
 *   -ENOENT  there is no such program;
 *   -EINTR   the user asked to stop: the program was killed;
 *   -ECHILD  it exited otherwise; the text has its status and its last words.
 */
int pgt_program_run(const struct pgt_program *program, struct pgt_buf *out,
		    struct pgt_diag *diag);

/* Start it and return its pid (also its process group); the caller waits and kills. */
int pgt_program_start(const struct pgt_program *program, pid_t *pid, struct pgt_diag *diag);

/* Kill the whole process group of a started program and reap it. */
void pgt_program_kill(pid_t pid);

#endif /* PGT_LAB_PROGRAM_H */
