/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/boots.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/progress.h"
#include "lab/console_log.h"
#include "lab/lab.h"
#include "lab/tcg_join.h"
#include "recording/recording.h"

#define STEP_MS		100

static int start(struct pgt_boot_job *job, const struct pgt_lab *lab, struct pgt_diag *diag)
{
	int err = pgt_guest_start(&job->guest, lab, job->plan, diag);

	job->started = job->running = !err;
	return err;
}

/* What the plugin counted joins the recording of the boot that it watched. */
static int take_counts(struct pgt_boot_job *job, const struct pgt_lab *lab, size_t index,
		       struct pgt_diag *diag)
{
	int err;

	job->counts = pgt_format("%s/counts-%zu.jsonl", lab->scratch, index);
	if (!job->counts)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	if (rename(job->guest.counts, job->counts)) {
		struct pgt_buf said = PGT_BUF_INIT;

		err = pgt_fail(diag, -errno, "%s: the plugin wrote no counts: %s",
			       job->plan->label, pgt_guest_complaint(&job->guest, &said));
		pgt_buf_release(&said);
		return err;
	}
	err = pgt_tcg_join(job->recording, job->counts, job->plan->join, diag);
	return err ? pgt_wrap(diag, err, "%s", job->plan->label) : 0;
}

/* A recording counts only once the reader that will compare it accepts it. */
static int take_recording(struct pgt_boot_job *job, const struct pgt_lab *lab, size_t index,
			  struct pgt_diag *diag)
{
	struct pgt_recording recording;
	int err = 0;

	job->recording = pgt_format("%s/boot-%zu.jsonl", lab->scratch, index);
	if (!job->recording)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	if (rename(job->guest.recording, job->recording))
		return pgt_fail(diag, -errno, "%s: no recording came from the guest: %s",
				job->plan->label, strerror(errno));
	if (job->plan->plugin)
		err = take_counts(job, lab, index, diag);
	if (err)
		return err;
	err = pgt_recording_read(&recording, job->recording, diag);
	if (err)
		return pgt_wrap(diag, err, "%s: the guest's recording", job->plan->label);
	pgt_recording_release(&recording);
	return 0;
}

/* One guest has ended: take what it left, or boot it once more where it hung. */
static int finish(struct pgt_boot_job *job, const struct pgt_lab *lab, size_t index,
		  struct pgt_diag *diag)
{
	int err = pgt_guest_result(&job->guest, diag);

	job->running = false;
	if (!err)
		err = take_recording(job, lab, index, diag);
	pgt_guest_release(&job->guest);
	if (err != -ETIMEDOUT || job->retried)
		return err;
	pgt_progress_note(lab->progress, "%s; booting it once more", diag->text);
	job->retried = true;
	return start(job, lab, diag);
}

/* What the guest itself says it is doing. */
static void show_detail(const struct pgt_boot_job *job, const struct pgt_lab *lab)
{
	char line[96], detail[160];

	if (!job->guest.log.at ||
	    !pgt_console_last_line(job->guest.log.at, line, sizeof(line)))
		return;
	snprintf(detail, sizeof(detail), "%.60s: %s", job->plan->label, line);
	pgt_progress_detail(lab->progress, detail);
}

/* Start what may start, look at what runs.  Returns the number still to be done, or -errno. */
static long step(struct pgt_boot_job *jobs, size_t n, size_t at_a_time,
		 const struct pgt_lab *lab, struct pgt_diag *diag)
{
	const struct pgt_boot_job *last = NULL;
	size_t running = 0, done = 0;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		struct pgt_boot_job *job = &jobs[i];

		if (job->running && !pgt_guest_step(&job->guest))
			err = finish(job, lab, i, diag);
		running += job->running;
		if (job->running)
			last = job;
	}
	if (last)
		show_detail(last, lab);
	for (size_t i = 0; !err && i < n && running < at_a_time; i++) {
		if (jobs[i].started)
			continue;
		err = start(&jobs[i], lab, diag);
		running++;
	}
	for (size_t i = 0; i < n; i++)
		done += jobs[i].started && !jobs[i].running;
	return err ? err : (long)(n - done);
}

int pgt_boots_run(struct pgt_boot_job *jobs, size_t n, size_t at_a_time,
		  const struct pgt_lab *lab, struct pgt_diag *diag)
{
	struct pollfd stop = { .fd = lab->interrupt_fd, .events = POLLIN };
	long left;

	while ((left = step(jobs, n, at_a_time, lab, diag)) > 0) {
		pgt_progress_update(lab->progress, n - (size_t)left);
		if (poll(&stop, 1, STEP_MS) > 0)
			return pgt_fail(diag, -EINTR, "interrupted");
	}
	if (!left)
		pgt_progress_update(lab->progress, n);
	return (int)left;
}

void pgt_boots_release(struct pgt_boot_job *jobs, size_t n)
{
	for (size_t i = 0; jobs && i < n; i++) {
		pgt_guest_release(&jobs[i].guest);
		free(jobs[i].recording);
		free(jobs[i].counts);
	}
	free(jobs);
}
