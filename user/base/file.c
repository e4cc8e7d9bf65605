/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/file.h"

#include <errno.h>
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

int pgt_file_out_open(struct pgt_file_out *out, const char *path, struct pgt_diag *diag)
{
	int fd, err;

	*out = (struct pgt_file_out){ NULL, NULL, NULL };
	if (!strcmp(path, "-")) {
		out->stream = stdout;
		return 0;
	}
	out->path = strdup(path);
	out->partial = malloc(strlen(path) + sizeof(".XXXXXX"));
	if (!out->path || !out->partial) {
		err = pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
		goto fail;
	}
	sprintf(out->partial, "%s.XXXXXX", path);
	fd = mkstemp(out->partial);
	if (fd < 0) {
		err = pgt_fail(diag, -errno, "%s: cannot create: %s", path, strerror(errno));
		free(out->partial);
		out->partial = NULL;
		goto fail;
	}
	if (fchmod(fd, 0644) || !(out->stream = fdopen(fd, "w"))) {
		err = pgt_fail(diag, -errno, "%s: cannot create: %s", path, strerror(errno));
		close(fd);
		goto fail;
	}
	return 0;

fail:
	pgt_file_out_release(out);
	return err;
}

int pgt_file_out_commit(struct pgt_file_out *out, struct pgt_diag *diag)
{
	const char *name = out->path ? out->path : "standard output";
	FILE *stream = out->stream;
	bool failed;

	failed = ferror(stream) || fflush(stream);
	out->stream = NULL;
	if (!out->path)		/* closed, so that who reads it sees the end now */
		failed = fclose(stream) || failed;
	if (!out->path)
		return failed ? pgt_fail(diag, -EIO, "%s: cannot write: %s", name,
					 strerror(errno)) : 0;
	failed = failed || fsync(fileno(stream));
	failed = fclose(stream) || failed;
	if (failed || rename(out->partial, out->path))
		return pgt_fail(diag, errno ? -errno : -EIO, "%s: cannot write: %s", name,
				strerror(errno));
	free(out->partial);
	out->partial = NULL;
	return 0;
}

void pgt_file_out_release(struct pgt_file_out *out)
{
	if (out->stream && out->stream != stdout)
		fclose(out->stream);
	if (out->partial)
		unlink(out->partial);
	free(out->partial);
	free(out->path);
	*out = (struct pgt_file_out){ NULL, NULL, NULL };
}

int pgt_dir_make(const char *path, struct pgt_diag *diag)
{
	char *copy = strdup(path);
	int err = 0;

	if (!copy)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	for (char *c = copy + 1; ; c++) {
		char was = *c;

		if (was != '/' && was != '\0')
			continue;
		*c = '\0';
		if (mkdir(copy, 0755) && errno != EEXIST) {
			err = pgt_fail(diag, -errno, "%s: cannot make the directory: %s",
				       copy, strerror(errno));
			break;
		}
		*c = was;
		if (was == '\0')
			break;
	}
	free(copy);
	return err;
}
