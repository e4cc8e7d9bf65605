/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"

static int read_stream(FILE *stream, const char *path, struct pgt_buf *out,
		       struct pgt_diag *diag)
{
	char chunk[65536];
	size_t n;

	while ((n = fread(chunk, 1, sizeof(chunk), stream)) > 0)
		if (pgt_buf_add(out, chunk, n))
			return pgt_fail(diag, -ENOMEM, "%s: out of memory while reading", path);
	if (ferror(stream))
		return pgt_fail(diag, -EIO, "%s: cannot read: %s", path, strerror(errno));
	return pgt_buf_add(out, "", 0);
}

int pgt_file_read(const char *path, struct pgt_buf *out, struct pgt_diag *diag)
{
	FILE *stream = fopen(path, "re");
	int err;

	if (!stream)
		return pgt_fail(diag, -errno, "%s: cannot open: %s", path, strerror(errno));
	err = read_stream(stream, path, out, diag);
	fclose(stream);
	return err;
}

int pgt_file_read_line(const char *path, struct pgt_buf *out, struct pgt_diag *diag)
{
	size_t before = out->len;
	char *end;
	int err = pgt_file_read(path, out, diag);

	if (err)
		return err;
	end = memchr(out->at + before, '\n', out->len - before);
	if (end) {
		*end = '\0';
		out->len = (size_t)(end - out->at);
	}
	return 0;
}

static bool is_standard_output(const struct stat *st)
{
	struct stat own;

	return !fstat(STDOUT_FILENO, &own) && own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* A file without a name, which nothing can leave behind; -1 where the file system has none. */
static int open_nameless(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;

	free(copy);
	return fd;
}

static int open_partial(struct pgt_file_out *out, struct pgt_diag *diag)
{
	size_t size = strlen(out->path) + sizeof(".XXXXXX");
	char *partial = malloc(size);
	int fd, err;

	if (!partial)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", out->path);
	snprintf(partial, size, "%s.XXXXXX", out->path);
	fd = open_nameless(out->path);
	out->nameless = fd >= 0;
	if (fd < 0)
		fd = mkostemp(partial, O_CLOEXEC);
	if (fd < 0) {
		err = pgt_fail(diag, -errno, "%s: cannot create: %s", out->path, strerror(errno));
		free(partial);
		return err;
	}
	out->partial = partial;
	if (!fchmod(fd, 0644))
		out->stream = fdopen(fd, "w");
	if (out->stream)
		return 0;
	err = pgt_fail(diag, -errno, "%s: cannot create: %s", out->path, strerror(errno));
	close(fd);
	return err;
}

/*
 * Give a nameless file the partial name, from which rename() can replace the final one.  The
 * digits only keep two writers of one file apart.
 */
static int name_partial(struct pgt_file_out *out)
{
	char *digits = out->partial + strlen(out->partial) - 6, self[32];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fileno(out->stream));
	for (int i = 0; i < 1000; i++) {
		snprintf(digits, 7, "%06u", ((unsigned int)getpid() + (unsigned int)i) % 1000000);
		if (!linkat(AT_FDCWD, self, AT_FDCWD, out->partial, AT_SYMLINK_FOLLOW)) {
			out->nameless = false;
			return 0;
		}
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static int open_direct(struct pgt_file_out *out, struct pgt_diag *diag)
{
	out->stream = fopen(out->path, "we");
	return out->stream ? 0 : pgt_fail(diag, -errno, "%s: cannot open for writing: %s",
					  out->path, strerror(errno));
}

int pgt_file_out_open(struct pgt_file_out *out, const char *path, struct pgt_diag *diag)
{
	struct stat st;
	bool exists = !stat(path, &st);
	int err;

	*out = (struct pgt_file_out){ 0 };
	if (!strcmp(path, "-") || (exists && is_standard_output(&st))) {
		out->stream = stdout;
		return 0;
	}
	if (!*path)
		return pgt_fail(diag, -ENOENT, "cannot create a file without a name");
	if (exists && S_ISDIR(st.st_mode))
		return pgt_fail(diag, -EISDIR, "%s: cannot write: it is a directory", path);
	out->path = exists && is_link(path) ? realpath(path, NULL) : strdup(path);
	if (!out->path)
		return pgt_fail(diag, -errno, "%s: cannot follow: %s", path, strerror(errno));
	err = exists && !S_ISREG(st.st_mode) ? open_direct(out, diag) : open_partial(out, diag);
	if (err)
		pgt_file_out_release(out);
	return err;
}

/* An error that an earlier write left behind has lost its number. */
static int flush(FILE *stream)
{
	errno = 0;
	if (fflush(stream))
		return errno ? -errno : -EIO;
	return ferror(stream) ? -EIO : 0;
}

static int write_failed(const char *name, int err, struct pgt_diag *diag)
{
	return err ? pgt_fail(diag, err, "%s: cannot write: %s", name, strerror(-err)) : 0;
}

int pgt_stdout_flush(struct pgt_diag *diag)
{
	return write_failed("standard output", flush(stdout), diag);
}

int pgt_file_out_commit(struct pgt_file_out *out, struct pgt_diag *diag)
{
	FILE *stream = out->stream;
	int err = flush(stream);

	if (!err && out->partial && fsync(fileno(stream)))
		err = -errno;
	if (!err && out->nameless)
		err = name_partial(out);
	out->stream = NULL;
	/* Standard output too is closed, so that who reads it sees the end now. */
	if (fclose(stream) && !err)
		err = -errno;
	if (!err && out->partial && rename(out->partial, out->path))
		err = -errno;
	if (err)
		return write_failed(out->path ? out->path : "standard output", err, diag);
	free(out->partial);
	out->partial = NULL;
	return 0;
}

void pgt_file_out_release(struct pgt_file_out *out)
{
	if (out->stream && out->stream != stdout)
		fclose(out->stream);
	if (out->partial && !out->nameless)
		unlink(out->partial);
	free(out->partial);
	free(out->path);
	*out = (struct pgt_file_out){ 0 };
}

int pgt_file_out_finish(struct pgt_file_out *out, int err, struct pgt_diag *diag)
{
	if (!err)
		err = pgt_file_out_commit(out, diag);
	pgt_file_out_release(out);
	return err;
}

int pgt_file_write(const char *path, const struct pgt_buf *content, struct pgt_diag *diag)
{
	struct pgt_file_out out;
	int err = pgt_file_out_open(&out, path, diag);

	if (err)
		return err;
	if (content->len)	/* else there may be no content->at */
		fwrite(content->at, 1, content->len, out.stream);
	return pgt_file_out_finish(&out, 0, diag);
}

static int dir_failed(const char *path, int err, struct pgt_diag *diag)
{
	return pgt_fail(diag, err, "%s: cannot make the directory: %s", path, strerror(-err));
}

/* 0, or why this is no directory that can be used. */
static int see_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int pgt_dir_make(const char *path, struct pgt_diag *diag)
{
	char *copy = strdup(path);
	int err = 0;

	if (!copy)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	for (char *c = copy + (*copy != '\0'); ; c++) {
		char was = *c;

		if (was != '/' && was != '\0')
			continue;
		*c = '\0';
		if (mkdir(copy, 0755))
			err = errno == EEXIST ? see_directory(copy) : -errno;
		if (err) {
			dir_failed(copy, err, diag);
			break;
		}
		*c = was;
		if (was == '\0')
			break;
	}
	free(copy);
	return err;
}

int pgt_dir_check(const char *path, struct pgt_diag *diag)
{
	char *copy = strdup(path), *at = copy;
	int err;

	if (!copy)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	err = *path ? see_directory(at) : -EINVAL;
	while (err == -ENOENT) {	/* ends at "/" or ".", which exist */
		at = dirname(at);
		err = see_directory(at);
	}
	if (err)
		dir_failed(path, err, diag);
	else if (access(at, W_OK | X_OK))
		err = pgt_fail(diag, -errno, "%s: cannot write into %s: %s", path, at,
			       strerror(errno));
	free(copy);
	return err;
}
