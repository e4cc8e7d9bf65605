/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/ab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/boots.h"
#include "lab/lab.h"
#include "lab/order.h"
#include "lab/rig.h"

const char *const pgt_ab_names[PGT_N_SIDES] = { "base.jsonl", "test.jsonl", "control.jsonl" };

int pgt_ab_append(FILE *stream, const char *recording, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(recording, &text, diag);

	if (!err && fwrite(text.at, 1, text.len, stream) != text.len)
		err = pgt_fail(diag, -EIO, "cannot write the recording");
	pgt_buf_release(&text);
	return err;
}

static int open_side(struct pgt_file_out *out, const char *dir, enum pgt_boot_side side,
		     struct pgt_diag *diag)
{
	char *path = pgt_format("%s/%s", dir, pgt_ab_names[side]);
	int err = path ? pgt_file_out_open(out, path, diag)
		       : pgt_fail(diag, -ENOMEM, "out of memory");

	free(path);
	return err;
}

/* Boots of one setup follow each other, all sides of it, before those of the next. */
static enum pgt_boot_side side_of(size_t job, size_t boots)
{
	return pgt_order_side(job % (boots * PGT_N_SIDES), boots);
}

/* All three are written beside their names before the first takes its own. */
static int assemble(const struct pgt_boot_job *jobs, size_t n, size_t boots, const char *dir,
		    struct pgt_diag *diag)
{
	struct pgt_file_out out[PGT_N_SIDES] = { { 0 } };
	int err = pgt_dir_make(dir, diag);

	for (size_t side = 0; !err && side < PGT_N_SIDES; side++)
		err = open_side(&out[side], dir, (enum pgt_boot_side)side, diag);
	for (size_t i = 0; !err && i < n; i++)
		err = pgt_ab_append(out[side_of(i, boots)].stream, jobs[i].recording, diag);
	for (size_t side = 0; !err && side < PGT_N_SIDES; side++)
		err = pgt_file_out_commit(&out[side], diag);
	for (size_t side = 0; side < PGT_N_SIDES; side++)
		pgt_file_out_release(&out[side]);
	return err;
}

int pgt_ab_run(const struct pgt_lab *lab, const struct pgt_rig *rig, size_t boots,
	       size_t at_a_time, const char *dir, struct pgt_diag *diag)
{
	size_t n = rig->n_setups * boots * PGT_N_SIDES;
	struct pgt_boot_job *jobs = calloc(n, sizeof(*jobs));
	int err;

	if (!jobs)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		jobs[i].plan = &rig->setups[i / (boots * PGT_N_SIDES)]
					.plan[side_of(i, boots) == PGT_SIDE_TEST];
	pgt_progress_begin(lab->progress, n, "booting %zu guests", n);
	err = pgt_boots_run(jobs, n, at_a_time, lab, diag);
	pgt_progress_end(lab->progress);
	if (!err)
		err = assemble(jobs, n, boots, dir, diag);
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
