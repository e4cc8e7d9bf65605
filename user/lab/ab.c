/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/ab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/boots.h"
#include "lab/lab.h"
#include "lab/order.h"
#include "lab/rig.h"

const struct pgt_ab_side pgt_ab_pair[PGT_N_SIDES] = {
	[PGT_SIDE_BASE] = { "base", 0 },
	[PGT_SIDE_TEST] = { "test", 1 },
	[PGT_SIDE_CONTROL] = { "control", 0 },
};

int pgt_ab_append(FILE *stream, const char *recording, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(recording, &text, diag);

	if (!err && fwrite(text.at, 1, text.len, stream) != text.len)
		err = pgt_fail(diag, -EIO, "cannot write the recording");
	pgt_buf_release(&text);
	return err;
}

char *pgt_ab_path(const char *dir, const struct pgt_ab_side *side)
{
	return pgt_format("%s/%s.jsonl", dir, side->name);
}

/* ---- the files of a run ---- */

static int open_named(struct pgt_file_out *out, char *path, struct pgt_diag *diag)
{
	int err = path ? pgt_file_out_open(out, path, diag)
		       : pgt_fail(diag, -ENOMEM, "out of memory");

	free(path);
	return err;
}

/* Boots of one setup follow each other, all sides of it, before those of the next. */
static size_t side_of(const struct pgt_ab *ab, size_t job)
{
	return pgt_order_side(job % (ab->boots * ab->n_sides), ab->n_turns, ab->boots);
}

static int write_recordings(struct pgt_file_out *out, const struct pgt_ab *ab,
			    const struct pgt_boot_job *jobs, size_t n, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < ab->n_sides; i++)
		err = open_named(&out[i], pgt_ab_path(ab->dir, &ab->sides[i]), diag);
	for (size_t i = 0; !err && i < n; i++)
		err = pgt_ab_append(out[side_of(ab, i)].stream, jobs[i].recording, diag);
	return err;
}

static int write_texts(struct pgt_file_out *out, const struct pgt_ab *ab, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < ab->n_texts; i++) {
		if (!ab->texts[i].text)
			continue;
		err = open_named(&out[i], pgt_format("%s/%s", ab->dir, ab->texts[i].name), diag);
		if (!err && fputs(ab->texts[i].text, out[i].stream) == EOF)
			err = pgt_fail(diag, -EIO, "%s: cannot write", ab->texts[i].name);
	}
	return err;
}

/* What an earlier run has left would be taken for a part of this one. */
static int remove_stale(const struct pgt_ab *ab, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < ab->n_texts; i++) {
		char *path = pgt_format("%s/%s", ab->dir, ab->texts[i].name);

		if (!path)
			err = pgt_fail(diag, -ENOMEM, "out of memory");
		else if (!ab->texts[i].text && unlink(path) && errno != ENOENT)
			err = pgt_fail(diag, -errno, "%s: cannot remove: %s", path,
				       strerror(errno));
		free(path);
	}
	return err;
}

/* All are written beside their names before the first takes its own. */
static int assemble(const struct pgt_ab *ab, const struct pgt_boot_job *jobs, size_t n,
		    struct pgt_diag *diag)
{
	size_t n_files = ab->n_sides + ab->n_texts;
	struct pgt_file_out *out = calloc(n_files, sizeof(*out));
	int err = out ? pgt_dir_make(ab->dir, diag) : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err)
		err = write_recordings(out, ab, jobs, n, diag);
	if (!err)
		err = write_texts(out + ab->n_sides, ab, diag);
	for (size_t i = 0; !err && i < n_files; i++)
		if (out[i].stream)
			err = pgt_file_out_commit(&out[i], diag);
	if (!err)
		err = remove_stale(ab, diag);
	for (size_t i = 0; out && i < n_files; i++)
		pgt_file_out_release(&out[i]);
	free(out);
	return err;
}

/* ---- running ---- */

int pgt_ab_run(const struct pgt_lab *lab, const struct pgt_rig *rig, const struct pgt_ab *ab,
	       struct pgt_diag *diag)
{
	size_t n = rig->n_setups * ab->boots * ab->n_sides;
	struct pgt_boot_job *jobs = calloc(n, sizeof(*jobs));
	int err;

	if (!jobs)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct pgt_rig_setup *setup = &rig->setups[i / (ab->boots * ab->n_sides)];

		jobs[i].plan = &setup->plan[ab->sides[side_of(ab, i)].kernel];
	}
	pgt_progress_begin(lab->progress, n, "booting %zu guests", n);
	err = pgt_boots_run(jobs, n, ab->at_a_time, lab, diag);
	pgt_progress_end(lab->progress);
	if (!err)
		err = assemble(ab, jobs, n, diag);
	pgt_boots_release(jobs, n);
	return err;
}

int pgt_ab_boot_one(struct pgt_boot_job **out, const struct pgt_lab *lab,
		    const struct pgt_rig *rig, struct pgt_diag *diag)
{
	struct pgt_boot_job *job = calloc(1, sizeof(*job));
	int err;

	if (!job)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	job->plan = &rig->setups[0].plan[0];
	pgt_progress_begin(lab->progress, 1, "booting %s", job->plan->label);
	err = pgt_boots_run(job, 1, 1, lab, diag);
	pgt_progress_end(lab->progress);
	if (err)
		pgt_boots_release(job, 1);
	else
		*out = job;
	return err;
}

int pgt_ab_run_one(const struct pgt_lab *lab, const struct pgt_rig *rig, FILE *out,
		   struct pgt_diag *diag)
{
	struct pgt_boot_job *job;
	int err = pgt_ab_boot_one(&job, lab, rig, diag);

	if (err)
		return err;
	err = pgt_ab_append(out, job->recording, diag);
	pgt_boots_release(job, 1);
	return err;
}
