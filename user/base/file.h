/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - whole files: read one, replace one, never leave half of one.
 */
#ifndef PGT_BASE_FILE_H
#define PGT_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct pgt_buf;
struct pgt_diag;

/* Append a whole file (also one in /proc, whose size is not known) to out. */
int pgt_file_read(const char *path, struct pgt_buf *out, struct pgt_diag *diag);

/* Read one line without its newline; for one-value files in /sys and /proc. */
int pgt_file_read_line(const char *path, struct pgt_buf *out, struct pgt_diag *diag);

/*
 * A file being written beside its final name.  commit() makes it durable and puts it in
 * place in one step; release() without commit() removes it.  A symbolic link stays: what
 * it leads to is replaced.
 *
 * "-" is standard output, which cannot be taken back: commit() then only flushes.  So is
 * any other name of standard output, such as /dev/stdout.  What exists and is no regular
 * file (a device, a fifo) is likewise written directly; a directory is refused by open().
 */
struct pgt_file_out {
	FILE *stream;
	char *path;		/* NULL for standard output */
	char *partial;		/* NULL for what is written directly */
	bool nameless;		/* partial is its name only once it is whole */
};

int pgt_file_out_open(struct pgt_file_out *out, const char *path, struct pgt_diag *diag);
int pgt_file_out_commit(struct pgt_file_out *out, struct pgt_diag *diag);
void pgt_file_out_release(struct pgt_file_out *out);

/* Commit if err, that of writing it, is 0; release.  Returns err, or what committing returned. */
int pgt_file_out_finish(struct pgt_file_out *out, int err, struct pgt_diag *diag);

/* Make a file, or replace it, with what is in content. */
int pgt_file_write(const char *path, const struct pgt_buf *content, struct pgt_diag *diag);

/* Everything printed so far is written, or -errno, also where an earlier write failed. */
int pgt_stdout_flush(struct pgt_diag *diag);

/* mkdir -p.  Returns 0 where the directory is there already. */
int pgt_dir_make(const char *path, struct pgt_diag *diag);

/*
 * Whether pgt_dir_make() would succeed and files could be made in the directory, as far as
 * can be known without trying; makes nothing.
 */
int pgt_dir_check(const char *path, struct pgt_diag *diag);

#endif /* PGT_BASE_FILE_H */
