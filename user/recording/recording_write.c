/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "recording/recording.h"

struct pgt_writer {
	struct pgt_file_out out;
	int64_t n_lines;
	bool failed;		/* a line was lost: the file must never be finished */
};

int pgt_writer_open(struct pgt_writer **out, const char *path, struct pgt_diag *diag)
{
	struct pgt_writer *writer = calloc(1, sizeof(*writer));
	int err;

	if (!writer)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	err = pgt_file_out_open(&writer->out, path, diag);
	if (err) {
		free(writer);
		return err;
	}
	*out = writer;
	return 0;
}

static const char *writer_name(const struct pgt_writer *writer)
{
	return writer->out.path ? writer->out.path : "standard output";
}

static bool starts_with_type(json_t *line)
{
	void *first = json_object_iter(line);

	return first && !strcmp(json_object_iter_key(first), "type") &&
	       json_is_string(json_object_iter_value(first));
}

static int write_line(struct pgt_writer *writer, json_t *line, struct pgt_diag *diag)
{
	const char *name = writer_name(writer);

	if (!line)
		return pgt_fail(diag, -ENOMEM, "%s: cannot build line %lld: out of memory, or "
				"text that is not UTF-8", name, (long long)writer->n_lines + 1);
	if (!starts_with_type(line))
		return pgt_fail(diag, -EINVAL, "%s: line %lld is not an object that starts "
				"with \"type\"", name, (long long)writer->n_lines + 1);
	errno = 0;
	if (json_dumpf(line, writer->out.stream, JSON_COMPACT) ||
	    putc('\n', writer->out.stream) == EOF)
		return pgt_fail(diag, errno ? -errno : -EIO, "%s: cannot write: %s", name,
				strerror(errno ? errno : EIO));
	writer->n_lines++;
	return 0;
}

int pgt_writer_line(struct pgt_writer *writer, struct json_t *line, struct pgt_diag *diag)
{
	int err = write_line(writer, line, diag);

	json_decref(line);
	if (err)
		writer->failed = true;
	return err;
}

int pgt_writer_finish(struct pgt_writer *writer, struct pgt_diag *diag)
{
	json_t *end;
	int err;

	if (writer->failed)
		return pgt_fail(diag, -EIO, "%s: not finished, because a line could not be "
				"written", writer_name(writer));
	end = json_pack("{s:s, s:I}", "type", "end", "lines",
			(json_int_t)writer->n_lines + 1);
	err = pgt_writer_line(writer, end, diag);
	if (err)
		return err;
	return pgt_file_out_commit(&writer->out, diag);
}

void pgt_writer_free(struct pgt_writer *writer)
{
	if (!writer)
		return;
	pgt_file_out_release(&writer->out);
	free(writer);
}
