/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/measure.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "base/progress.h"
#include "lab/breakpoint_choice.h"
#include "lab/measure_lines.h"
#include "lab/workload.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "recording/counts.h"
#include "recording/recording.h"
#include "trace/host.h"
#include "trace/tracer.h"
#include "trace/watch.h"

#define EVEN_TRIES	6
#define BREAKPOINT_WAITS	600	/* of 100 ms each */
#define BREAKPOINTS	6	/* what arm64 has; the tracer says where there are fewer */

struct window {
	int64_t number, ns;
};

struct measure {
	struct pgt_writer *writer;
	const struct pgt_measure_settings *settings;
	struct pgt_progress *progress;
	struct pgt_diag *diag;

	struct pgt_ksyms ksyms;
	struct pgt_text text;
	struct pgt_sites sites;
	struct pgt_plan plan;
	struct pgt_tracer *tracer;
	struct pgt_snapshot before, after;

	uint32_t *breakpoint_site;	/* sites that need one in the repeat under way */
	size_t n_breakpoint_sites;
	unsigned char missed[PGT_FUNC_MAX];	/* whether calls of a function may have been */
	uint16_t *known;		/* one a site: enum pgt_known of the repeat under way */
	int64_t *counted_in;		/* one a site: the window that tells its hits in that repeat */
	int64_t n_runs;			/* of the job under way */
	size_t n_skipped;		/* jobs that the machine cannot do */
	struct pgt_diag first_lack;	/* of the first of these */
};

/* ---- setting up ---- */

static void skip_foreign_sites(struct measure *m)
{
	for (size_t i = 0; i < m->sites.n; i++) {
		struct pgt_site *site = &m->sites.at[i];

		if (site->reach == PGT_REACH_UNTRIED &&
		    (site->owner < 0 || !(m->settings->probes & 1u << site->owner)))
			site->reach = PGT_REACH_SKIPPED;
	}
}

static int read_kernel(struct measure *m)
{
	const struct pgt_insn_decoder *decoder = pgt_insn_decoder_find(pgt_host_arch());
	int err;

	if (!decoder)
		return pgt_fail(m->diag, -EOPNOTSUPP,
				"%s: not supported yet: pgtrace has no instruction decoder for it",
				pgt_host_arch());
	err = pgt_ksyms_read(&m->ksyms, "/proc/kallsyms", m->diag);
	if (!err)
		err = pgt_text_read(&m->text, decoder, &m->ksyms, "/proc/kcore", m->diag);
	if (!err)
		err = pgt_sites_find(&m->sites, &m->text, m->diag);
	if (!err)
		err = pgt_plan_make(&m->plan, pgt_host_arch(), &m->ksyms, m->settings->probes, m->diag);
	if (!err && !m->settings->all_sites)
		skip_foreign_sites(m);
	return err;
}

static int allocate(struct measure *m)
{
	m->breakpoint_site = calloc(m->sites.n + 1, sizeof(*m->breakpoint_site));
	m->known = calloc(m->sites.n + 1, sizeof(*m->known));
	m->counted_in = calloc(m->sites.n + 1, sizeof(*m->counted_in));
	if (!m->breakpoint_site || !m->known || !m->counted_in)
		return pgt_fail(m->diag, -ENOMEM, "measure: out of memory");
	return 0;
}

static int set_up(struct measure *m)
{
	int err = pgt_host_check(m->diag);

	if (!err)
		err = read_kernel(m);
	if (!err)
		err = pgt_tracer_open(&m->tracer, &m->plan, &m->sites, &m->text, m->progress, m->diag);
	if (!err)
		err = allocate(m);
	if (!err)
		err = pgt_snapshot_init(&m->before, pgt_tracer_n_points(m->tracer), m->diag);
	if (!err)
		err = pgt_snapshot_init(&m->after, pgt_tracer_n_points(m->tracer), m->diag);
	return err;
}

static int tear_down(struct measure *m, int err)
{
	struct pgt_diag ignored;
	int closed;

	closed = pgt_tracer_close(m->tracer, err ? &ignored : m->diag);
	pgt_snapshot_release(&m->before);
	pgt_snapshot_release(&m->after);
	pgt_plan_release(&m->plan);
	pgt_sites_release(&m->sites);
	pgt_text_release(&m->text);
	pgt_ksyms_release(&m->ksyms);
	free(m->breakpoint_site);
	free(m->known);
	free(m->counted_in);
	return err ? err : closed;
}

/* ---- windows ---- */

static int check_interrupt(struct pgt_diag *diag)
{
	sigset_t pending;

	sigpending(&pending);
	if (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
	    sigismember(&pending, SIGHUP))
		return pgt_fail(diag, -EINTR, "interrupted");
	return 0;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The window itself: from here to there, only the workload's run(). */
static int run_armed(struct measure *m, const struct pgt_job *job, struct window *window)
{
	struct pgt_diag ignored;
	int64_t start;
	int err = pgt_tracer_arm(m->tracer, &window->number, m->diag), disarmed;

	if (err)
		return err;
	start = now_ns();
	err = job->workload->run(job->state, m->diag);
	window->ns = now_ns() - start;
	disarmed = pgt_tracer_disarm(m->tracer, err ? &ignored : m->diag);
	return err ? err : disarmed;
}

/* Do the work once within a window; m->before and m->after become what was counted around it. */
static int run_window(struct measure *m, const struct pgt_job *job, struct pgt_work *work,
		      struct window *window)
{
	const struct pgt_workload *workload = job->workload;
	struct pgt_work done = { "", 0, 0 };
	struct pgt_diag ignored;
	int err = check_interrupt(m->diag), checked;

	if (!err)
		err = pgt_tracer_read(m->tracer, &m->before, m->diag);
	if (!err && workload->before_run)
		err = workload->before_run(job->state, m->diag);
	if (err)
		return pgt_wrap(m->diag, err, "%s", job->label);
	err = run_armed(m, job, window);
	checked = workload->after_run(job->state, &done, err ? &ignored : m->diag);
	if (!err)
		err = checked;
	if (!err)
		err = pgt_tracer_read(m->tracer, &m->after, m->diag);
	if (err)
		return pgt_wrap(m->diag, err, "%s", job->label);
	m->n_runs++;
	*work = done;
	return 0;
}

/*
 * Set as many of n breakpoints as there are.  Another recording, or a debugger, may hold all of
 * them: a recording gives them back after each window, so wait.
 */
static int set_breakpoints(struct measure *m, const uint32_t *site, size_t n, size_t *n_set)
{
	const struct timespec pause = { 0, 100000000 };
	size_t want = n < BREAKPOINTS ? n : BREAKPOINTS;
	int err = -ENOSPC;

	for (int i = 0; err == -ENOSPC && i < BREAKPOINT_WAITS; i++) {
		if (i)
			nanosleep(&pause, NULL);
		if (i == 10)
			pgt_progress_note(m->progress,
					  "waiting for hardware breakpoints, which somebody else holds");
		err = check_interrupt(m->diag);
		if (!err)
			err = pgt_tracer_set_breakpoints(m->tracer, site, want, n_set, m->diag);
	}
	if (err == -ENOSPC)
		return pgt_fail(m->diag, err,
				"hardware breakpoints: others hold all of them: end the debugger "
				"or the other recording, and run this again");
	return err;
}

/* Work that cannot be done again has one window, and its breakpoints have to be chosen before. */
static int set_blind_breakpoints(struct measure *m, size_t *n_set)
{
	uint64_t *target = calloc(m->sites.n + 1, sizeof(*target));
	struct pgt_call *call = NULL;
	size_t n_targets = 0, n_calls = 0;
	int err;

	*n_set = 0;
	if (!target)
		return pgt_fail(m->diag, -ENOMEM, "measure: out of memory");
	for (size_t i = 0; i < m->sites.n; i++)		/* sites and so functions ascend */
		if (m->sites.at[i].reach == PGT_REACH_BREAKPOINT)
			target[n_targets++] = m->sites.at[i].function->address;
	err = pgt_text_calls(&m->text, target, n_targets, &call, &n_calls, m->diag);
	if (!err)
		m->n_breakpoint_sites = pgt_choose_blind(&m->sites, &m->plan, &m->ksyms,
							 pgt_tracer_watch(m->tracer), call, n_calls,
							 m->breakpoint_site);
	free(call);
	free(target);
	if (err || !m->n_breakpoint_sites)
		return err;
	return set_breakpoints(m, m->breakpoint_site, m->n_breakpoint_sites, n_set);
}

static int write_run(struct measure *m, const struct pgt_job *job, enum pgt_reach mechanism,
		     size_t n_sites, int64_t first_site, const struct window *window)
{
	const struct pgt_run_line line = {
		.workload = job->label, .run = m->n_runs, .mechanism = mechanism,
		.n_sites = n_sites, .first_site = first_site,
		.window = window->number, .window_ns = window->ns,
	};

	return pgt_lines_run(m->writer, &line, m->diag);
}

/* The window that counts calls and kprobe sites. */
static int run_kprobes(struct measure *m, const struct pgt_job *job, struct pgt_snapshot *sum,
		       struct pgt_work *work, struct window *window)
{
	size_t n = 0, n_set = 0, none;
	int err = pgt_tracer_enable_sites(m->tracer, true, m->diag);

	if (!err && !job->workload->repeatable)
		err = set_blind_breakpoints(m, &n_set);
	if (!err)
		err = run_window(m, job, work, window);
	if (!err && n_set)
		err = pgt_tracer_set_breakpoints(m->tracer, NULL, 0, &none, m->diag);
	if (!err)
		err = pgt_tracer_enable_sites(m->tracer, false, m->diag);
	if (err)
		return err;
	for (size_t i = 0; i < m->sites.n; i++) {
		m->known[i] = m->sites.at[i].reach == PGT_REACH_KPROBE ? PGT_KNOWN_COUNTED : 0;
		m->counted_in[i] = window->number;
		n += m->sites.at[i].reach == PGT_REACH_KPROBE;
	}
	pgt_snapshot_add_difference(sum, &m->after, &m->before);
	err = pgt_watch_judge(pgt_tracer_watch(m->tracer), &m->sites, &m->plan,
			      sum->site + m->sites.n, m->known, m->missed, m->diag);
	if (err)
		return err;
	for (size_t i = 0; i < n_set; i++)
		m->known[m->breakpoint_site[i]] |= PGT_KNOWN_COUNTED;
	m->n_breakpoint_sites = pgt_choose_needed(&m->sites, m->known, m->breakpoint_site);
	return write_run(m, job, PGT_REACH_KPROBE, n + n_set, -1, window);
}

/* Were the probes called as often, and for as many pages, as in the window with the kprobes? */
static bool is_even(const struct measure *m, const struct pgt_snapshot *sum)
{
	return pgt_snapshot_same_calls(sum, &m->after, &m->before);
}

/* Of a breakpoint's window only its sites and its losses count: the calls were counted before. */
static void add_breakpoint_window(struct measure *m, struct pgt_snapshot *sum, const uint32_t *site,
				  size_t n, int64_t number)
{
	uint16_t known = PGT_KNOWN_COUNTED | (is_even(m, sum) ? 0 : PGT_KNOWN_UNEVEN);

	for (size_t i = 0; i < n; i++) {
		m->known[site[i]] |= known;
		m->counted_in[site[i]] = number;
	}
	memset(m->after.probe, 0, sizeof(m->after.probe));
	memset(m->before.probe, 0, sizeof(m->before.probe));
	pgt_snapshot_add_difference(sum, &m->after, &m->before);
}

/*
 * The machine has other work too, such as starting a kernel thread, which maps its stack: try
 * a few times to get a window in which the probes saw just what they saw with the kprobes.
 */
static int run_even_window(struct measure *m, const struct pgt_job *job,
			   const struct pgt_snapshot *sum, struct window *window)
{
	struct pgt_work work;
	int err;

	for (int tries = 0; tries < EVEN_TRIES; tries++) {
		err = run_window(m, job, &work, window);
		if (err || is_even(m, sum))
			return err;
	}
	return 0;
}

static int run_breakpoints(struct measure *m, const struct pgt_job *job, struct pgt_snapshot *sum)
{
	size_t n_set = 0, none;
	int err = 0;

	pgt_progress_begin(m->progress, m->n_breakpoint_sites, "%s: sites that need breakpoints",
			   job->label);
	for (size_t i = 0; i < m->n_breakpoint_sites && !err; i += n_set) {
		const uint32_t *site = m->breakpoint_site + i;
		size_t left = m->n_breakpoint_sites - i;
		struct window window;

		err = set_breakpoints(m, site, left, &n_set);
		if (!err)
			err = run_even_window(m, job, sum, &window);
		if (err)
			break;
		add_breakpoint_window(m, sum, site, n_set, window.number);
		err = write_run(m, job, PGT_REACH_BREAKPOINT, n_set, *site, &window);
		pgt_progress_update(m->progress, i + n_set);
	}
	pgt_progress_end(m->progress);
	pgt_tracer_set_breakpoints(m->tracer, NULL, 0, &none, m->diag);
	return err;
}

static int write_repeat(struct measure *m, const struct pgt_job *job, int64_t repeat,
			const struct pgt_snapshot *sum, const struct pgt_work *work,
			int64_t window_ns)
{
	struct pgt_counts counts = {
		.workload = job->label,
		.repeat = repeat,
		.window_ns = window_ns,
		.plan = &m->plan,
		.probe = sum->probe,
		.site = m->sites.at,
		.cell = sum->site,
		.known = m->known,
		.missed = m->missed,
		.n_sites = m->sites.n,
		.lost = pgt_snapshot_lost(sum),
	};
	const struct pgt_site_lines sites = {
		.workload = job->label, .repeat = repeat, .sites = &m->sites, .cell = sum->site,
		.known = m->known, .window = m->counted_in, .every = m->settings->every_site,
	};
	int err = pgt_lines_sites(m->writer, &sites, m->diag);

	if (!err)
		err = pgt_counts_write(m->writer, &counts, m->diag);
	if (!err)
		err = pgt_lines_loss(m->writer, job->label, repeat, sum, m->diag);
	if (!err)
		err = pgt_lines_work(m->writer, job->label, repeat, work, m->diag);
	return err;
}

static int run_repeat(struct measure *m, const struct pgt_job *job, int64_t repeat)
{
	struct pgt_snapshot sum;
	struct pgt_work work;
	struct window window;
	int err = pgt_snapshot_init(&sum, pgt_tracer_n_points(m->tracer), m->diag);

	if (err)
		return err;
	err = run_kprobes(m, job, &sum, &work, &window);
	if (!err && job->workload->repeatable)
		err = run_breakpoints(m, job, &sum);
	if (!err)
		err = write_repeat(m, job, repeat, &sum, &work, window.ns);
	pgt_snapshot_release(&sum);
	return err;
}

/* The workload was asked for, and the recording says why it was not done. */
static int skip_job(struct measure *m, const struct pgt_job *job)
{
	struct pgt_diag lack = *m->diag;
	int err = pgt_counts_write_unsupported(m->writer, &m->plan, job->label, lack.text, m->diag);

	if (err)
		return err;
	if (!m->n_skipped++) {
		m->first_lack = lack;
		pgt_wrap(&m->first_lack, 0, "%s", job->label);
	}
	pgt_progress_note(m->progress, "%s: skipped: %s", job->label, lack.text);
	return 0;
}

static int run_job(struct measure *m, const struct pgt_job *job)
{
	struct pgt_work work;
	struct window window;
	int err;

	if (job->workload->write)
		return job->workload->write(job->state, job->label, m->writer, m->diag);
	err = job->workload->prepare(job->state, m->diag);
	if (err == -ENODEV && m->settings->skip_unsupported)
		return skip_job(m, job);
	if (err)
		return pgt_wrap(m->diag, err, "%s", job->label);
	m->n_runs = 0;
	/* once uncounted, so that caches and pools of threads are filled alike in all windows */
	if (job->workload->repeatable)
		err = run_window(m, job, &work, &window);
	for (int64_t repeat = 1; repeat <= m->settings->repeats && !err; repeat++) {
		if (repeat > 1 && !job->workload->repeatable)
			break;
		err = run_repeat(m, job, repeat);
	}
	return err;
}

static int run_jobs(struct measure *m, const struct pgt_job *job, size_t n_jobs)
{
	int err = 0;

	for (size_t i = 0; i < n_jobs && !err; i++)
		err = run_job(m, &job[i]);
	if (err || !m->n_skipped || m->n_skipped < n_jobs)
		return err;
	return pgt_fail(m->diag, -ENODEV, "%s%s", m->first_lack.text,
			n_jobs > 1 ? "; and no other workload is supported here either" : "");
}

/* The states among the jobs, while no probe has changed anything. */
static int observe_states(struct measure *m, const struct pgt_job *job, size_t n_jobs)
{
	int err = 0;

	for (size_t i = 0; i < n_jobs && !err; i++)
		if (job[i].workload->observe)
			err = job[i].workload->observe(job[i].state, m->diag);
	return err;
}

/* States alone need no probes, and so nothing of what these need. */
static bool has_work(const struct pgt_job *job, size_t n_jobs)
{
	for (size_t i = 0; i < n_jobs; i++)
		if (job[i].workload->run)
			return true;
	return false;
}

int pgt_measure(struct pgt_writer *writer, const struct pgt_measure_settings *settings,
		const struct pgt_job *job, size_t n_jobs, struct pgt_progress *progress,
		struct pgt_diag *diag)
{
	struct measure m = { .writer = writer, .settings = settings, .progress = progress,
			     .diag = diag };
	bool work = has_work(job, n_jobs);
	int err = observe_states(&m, job, n_jobs);

	if (!err && work)
		err = set_up(&m);
	if (!err)
		err = pgt_lines_start(writer, diag);
	if (!err && work)
		err = pgt_lines_head(writer, &m.plan, &m.sites, diag);
	if (!err)
		err = run_jobs(&m, job, n_jobs);
	/* The recording is whole before the slow part, removing the probes, begins. */
	if (!err)
		err = pgt_writer_finish(writer, diag);
	return tear_down(&m, err);
}
