/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * init_relay.h - the command that a guest runs, and where its output goes.
 *
 * Used by PID 1 only: it reaps every child there is.
 */
#ifndef PGT_LAB_INIT_RELAY_H
#define PGT_LAB_INIT_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pgt_diag;

struct pgt_relay_line {		/* the line being copied; what does not fit is dropped */
	char text[1024];
	size_t len;
};

struct pgt_relay {
	pid_t pid;
	int out_fd, err_fd;		/* the ends we read; -1 once at end of file */
	bool ended;			/* the command has been reaped */
	int wait_status;		/* as of waitpid(2), once ended */
	bool copied;			/* anything at all went to standard output */
	struct pgt_relay_line out_line, err_line;
	char last_out[32];		/* the start of the last complete line */
	char last_error[1024];		/* the last line of standard error; "" until there is one */
};

/* Start /init with argv.  Returns 0 or -errno. */
int pgt_relay_start(struct pgt_relay *relay, char *const argv[], struct pgt_diag *diag);

/*
 * Copy the command's standard output to out_fd and its standard error to ours, until the
 * former ends: closed by the command, or the command is gone and nothing more comes.
 * Returns 0, or -errno where out_fd cannot be written.
 */
int pgt_relay_copy(struct pgt_relay *relay, int out_fd, struct pgt_diag *diag);

/* Whether the last complete line on standard output was the end line of a recording. */
bool pgt_relay_recording_is_whole(const struct pgt_relay *relay);

/* Wait for the command, copying its standard error.  Its exit status, or 128 + signal. */
int pgt_relay_wait(struct pgt_relay *relay);

void pgt_relay_release(struct pgt_relay *relay);

#endif /* PGT_LAB_INIT_RELAY_H */
