/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/steps_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "recording/recording.h"
#include "report/oracle.h"
#include "report/published.h"
#include "report/sentences_steps.h"
#include "report/steps.h"
#include "report/steps_list.h"

#define ALPHA	0.05

struct work {			/* everything a report holds, so that one place can release it */
	const char *dir;
	struct pgt_steps_list list;
	struct pgt_recording *recordings, control;
	struct pgt_oracle oracle;
	struct pgt_published published;
	char *oracle_path;
	struct pgt_steps steps;
};

/* dir/NAMEsuffix; NULL where memory ran out, which diag then says. */
static char *make_path(const char *dir, const char *name, const char *suffix,
		       struct pgt_diag *diag)
{
	struct pgt_buf path = PGT_BUF_INIT;

	if (pgt_buf_addf(&path, "%s/%s%s", dir, name, suffix)) {
		pgt_buf_release(&path);
		pgt_fail(diag, -ENOMEM, "out of memory");
	}
	return path.at;
}

/* ---- what is there ---- */

/* A text of lines; *out stays without text where the file is optional and not there. */
static int read_text(struct pgt_buf *out, const char *path, bool is_optional,
		     struct pgt_diag *diag)
{
	int err = pgt_file_read(path, out, diag);

	if (err == -ENOENT && is_optional)
		return 0;
	if (!err && strlen(out->at) != out->len)
		err = pgt_fail(diag, -EINVAL, "%s: it has a byte 0: it is no text", path);
	return err;
}

static int read_list(struct work *work, struct pgt_diag *diag)
{
	char *path = make_path(work->dir, "steps", "", diag);
	struct pgt_buf text = PGT_BUF_INIT;
	int err = path ? read_text(&text, path, false, diag) : -ENOMEM;

	if (!err)
		err = pgt_steps_list_parse(&work->list, text.at, path, diag);
	pgt_buf_release(&text);
	free(path);
	return err;
}

static int read_recording(struct pgt_recording *out, const char *dir, const char *name,
			  bool is_optional, struct pgt_diag *diag)
{
	char *path = make_path(dir, name, ".jsonl", diag);
	int err = 0;

	if (!path)
		return -ENOMEM;
	if (!is_optional || !access(path, F_OK))
		err = pgt_recording_read(out, path, diag);
	free(path);
	return err;
}

static int read_recordings(struct work *work, struct pgt_diag *diag)
{
	int err = 0;

	work->recordings = calloc(work->list.n, sizeof(*work->recordings));
	if (!work->recordings)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; !err && i < work->list.n; i++)
		err = read_recording(&work->recordings[i], work->dir, work->list.entries[i].name,
				     false, diag);
	return err ? err : read_recording(&work->control, work->dir, "control", true, diag);
}

static int read_oracle(struct work *work, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err;

	work->oracle_path = make_path(work->dir, "oracle", "", diag);
	err = work->oracle_path ? read_text(&text, work->oracle_path, true, diag) : -ENOMEM;
	if (!err && text.at)
		err = pgt_oracle_parse(&work->oracle, text.at, work->oracle_path, diag);
	pgt_buf_release(&text);
	return err;
}

static int read_published(struct work *work, struct pgt_diag *diag)
{
	char *path = make_path(work->dir, "published", "", diag);
	struct pgt_buf text = PGT_BUF_INIT;
	int err = path ? read_text(&text, path, true, diag) : -ENOMEM;

	if (!err && text.at)
		err = pgt_published_parse(&work->published, text.at, path, diag);
	pgt_buf_release(&text);
	free(path);
	return err;
}

static int build(struct work *work, struct pgt_diag *diag)
{
	struct pgt_steps_input input = { .list = &work->list, .alpha = ALPHA };
	int err = read_list(work, diag);

	if (!err)
		err = read_oracle(work, diag);
	if (!err)
		err = read_published(work, diag);
	if (!err)
		err = read_recordings(work, diag);
	if (err)
		return err;
	input.recordings = work->recordings;
	input.control = work->control.n_boots ? &work->control : NULL;
	input.oracle = work->oracle.n ? &work->oracle : NULL;
	input.published = work->published.n_rows ? &work->published : NULL;
	return pgt_steps_make(&work->steps, &input, diag);
}

static void release(struct work *work)
{
	pgt_steps_release(&work->steps);
	for (size_t i = 0; work->recordings && i < work->list.n; i++)
		pgt_recording_release(&work->recordings[i]);
	free(work->recordings);
	pgt_recording_release(&work->control);
	pgt_oracle_release(&work->oracle);
	free(work->oracle_path);
	pgt_published_release(&work->published);
	pgt_steps_list_release(&work->list);
}

/* ---- what comes of it ---- */

static int render(const struct pgt_steps *steps, const struct pgt_steps_renderer *renderer,
		  const char *path, struct pgt_diag *diag)
{
	struct pgt_file_out out;
	int err = pgt_file_out_open(&out, path, diag);

	if (err)
		return err;
	err = renderer->render(steps, out.stream);
	if (err)
		pgt_fail(diag, err, "%s: out of memory", path);
	return pgt_file_out_finish(&out, err, diag);
}

static int render_files(const struct pgt_steps *steps, const char *dir, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && pgt_steps_renderers[i]; i++) {
		char *path = make_path(dir, "report", pgt_steps_renderers[i]->suffix, diag);

		err = path ? render(steps, pgt_steps_renderers[i], path, diag) : -ENOMEM;
		free(path);
	}
	return err;
}

/* The first oracle that does not hold, and how many do not. */
static int check_oracles(const struct work *work, struct pgt_diag *diag)
{
	const struct pgt_steps *steps = &work->steps;
	struct pgt_buf text = PGT_BUF_INIT;
	size_t i = 0;
	int err;

	if (!steps->n_violated)
		return 0;
	while (steps->oracles[i].verdict != PGT_ORACLE_VIOLATED)
		i++;
	err = pgt_sentence_oracle(&text, &steps->oracles[i]);
	if (err)
		pgt_fail(diag, err, "out of memory");
	else
		err = pgt_fail(diag, -EBADE, "%s:%zu: %zu of %zu oracles do not hold, this the "
			       "first: %s; the kernel or the oracle is wrong", work->oracle_path,
			       steps->oracles[i].entry->line, steps->n_violated, steps->n_oracles,
			       text.at);
	pgt_buf_release(&text);
	return err;
}

int pgt_steps_report(const char *dir, const char *format, bool write_files,
		     struct pgt_diag *diag)
{
	struct work work = { .dir = dir };
	int err = build(&work, diag);

	if (!err && write_files)
		err = render_files(&work.steps, dir, diag);
	if (!err)
		err = render(&work.steps, pgt_steps_renderer_find(format), "-", diag);
	if (!err)
		err = check_oracles(&work, diag);
	release(&work);
	return err;
}
