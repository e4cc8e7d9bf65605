/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "recording/check.h"
#include "recording/line.h"
#include "recording/recording.h"

struct reader {
	struct pgt_recording *recording;
	struct pgt_boot *boot;		/* the one whose end line is still to come, or NULL */
	struct pgt_place at;
	size_t first_line;		/* of that boot */
	bool has_host;
	struct pgt_diag *diag;
};

static int copy_text(char **out, json_t *line, const char *name, struct reader *reader)
{
	const char *text = json_string_value(json_object_get(line, name));

	if (!text || !*text)
		return pgt_place_refuse(&reader->at, reader->diag,
					"\"%s\" is missing or not a string", name);
	*out = strdup(text);
	if (!*out)
		return pgt_fail(reader->diag, -ENOMEM, "%s: out of memory", reader->at.path);
	return 0;
}

static int begin_boot(struct reader *reader, json_t *line)
{
	struct pgt_recording *recording = reader->recording;
	struct pgt_boot *boots;
	int64_t schema;
	int err;

	if (reader->boot)
		return pgt_fail(reader->diag, -ENODATA, "%s:%zu: a recording starts, but the one "
				"that started at line %zu has no \"end\" line: it is truncated",
				reader->at.path, reader->at.line, reader->first_line);
	err = pgt_line_integer(line, "schema", INT64_MIN, &schema, &reader->at, reader->diag);
	if (err)
		return err;
	if (schema != PGT_RECORDING_SCHEMA)
		return pgt_fail(reader->diag, -EPROTONOSUPPORT, "%s:%zu: the recording has schema "
				"%lld, this pgtrace reads schema %d: use the pgtrace that wrote it",
				reader->at.path, reader->at.line, (long long)schema,
				PGT_RECORDING_SCHEMA);
	boots = reallocarray(recording->boots, recording->n_boots + 1, sizeof(*boots));
	if (!boots)
		return pgt_fail(reader->diag, -ENOMEM, "%s: out of memory", reader->at.path);
	recording->boots = boots;
	reader->boot = &boots[recording->n_boots++];
	memset(reader->boot, 0, sizeof(*reader->boot));
	reader->first_line = reader->at.line;
	reader->has_host = false;
	err = copy_text(&reader->boot->tool, line, "tool", reader);
	if (err)
		return err;
	return copy_text(&reader->boot->started_at, line, "started_at", reader);
}

static int end_boot(struct reader *reader, json_t *line)
{
	int err = pgt_line_end(line, reader->at.line - reader->first_line + 1, &reader->at,
			       reader->diag);

	if (err)
		return err;
	if (!reader->has_host)
		return pgt_place_refuse(&reader->at, reader->diag,
					"the recording that ends here has no \"host\" line");
	err = pgt_boot_check(reader->boot, &reader->at, reader->diag);
	reader->boot = NULL;
	return err;
}

static int store(struct reader *reader, const char *type, json_t *line)
{
	if (!strcmp(type, "recording"))
		return begin_boot(reader, line);
	if (!reader->boot)
		return pgt_place_refuse(&reader->at, reader->diag, "a line of type \"%s\" stands "
					"where a \"recording\" line must", type);
	if (!strcmp(type, "end"))
		return end_boot(reader, line);
	if (!strcmp(type, "host")) {
		if (reader->has_host)
			return pgt_place_refuse(&reader->at, reader->diag,
						"a second \"host\" line in one recording");
		reader->has_host = true;
	}
	return pgt_line_store(reader->boot, type, line, &reader->at, reader->diag);
}

static int take_line(void *data, json_t *line)
{
	struct reader *reader = data;
	void *first = json_object_iter(line);		/* NULL for what is no object, too */

	if (!first || strcmp(json_object_iter_key(first), "type") ||
	    !json_is_string(json_object_iter_value(first)))
		return pgt_place_refuse(&reader->at, reader->diag,
					"not an object whose first member is \"type\"");
	return store(reader, json_string_value(json_object_iter_value(first)), line);
}

static int read_lines(struct reader *reader, const struct pgt_buf *text)
{
	int err = pgt_json_lines_read(text, &reader->at, take_line, reader, reader->diag);

	if (err)
		return err;
	if (reader->boot)
		return pgt_fail(reader->diag, -ENODATA, "%s: the recording that starts at line %zu "
				"has no \"end\" line: it is truncated", reader->at.path,
				reader->first_line);
	if (!reader->recording->n_boots)
		return pgt_fail(reader->diag, -ENODATA, "%s: the file is empty", reader->at.path);
	return 0;
}

int pgt_recording_parse(struct pgt_recording *out, const char *path,
			const struct pgt_buf *text, struct pgt_diag *diag)
{
	struct pgt_recording recording = { strdup(path), NULL, 0 };
	struct reader reader = { &recording, NULL, { path, 0 }, 0, false, diag };
	int err;

	if (!recording.path)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	err = read_lines(&reader, text);
	if (!err)
		err = pgt_recording_check(&recording, diag);
	if (err) {
		pgt_recording_release(&recording);
		return err;
	}
	*out = recording;
	return 0;
}

int pgt_recording_read(struct pgt_recording *out, const char *path, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(path, &text, diag);

	if (!err)
		err = pgt_recording_parse(out, path, &text, diag);
	pgt_buf_release(&text);
	return err;
}

void pgt_recording_release(struct pgt_recording *recording)
{
	for (size_t i = 0; i < recording->n_boots; i++) {
		pgt_line_release(&recording->boots[i]);
		free(recording->boots[i].tool);
		free(recording->boots[i].started_at);
	}
	free(recording->boots);
	free(recording->path);
	*recording = (struct pgt_recording){ NULL, NULL, 0 };
}
