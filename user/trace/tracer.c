/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/tracer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/diag.h"
#include "base/progress.h"
#include "pgtrace.skel.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "trace/breakpoints.h"
#include "trace/cpus.h"
#include "trace/fentry.h"
#include "trace/perf_event.h"
#include "trace/plant.h"
#include "trace/tracefs.h"
#include "trace/watch.h"
#include "trace/window.h"

struct pgt_tracer {
	struct pgtrace *skel;
	struct pgt_plan *plan;
	struct pgt_sites *sites;
	const struct pgt_text *text;
	struct pgt_watch watch;
	struct pgt_cpus cpus;
	uint32_t window;		/* number of the last one opened */
	uint64_t missed, recursion;	/* losses within all windows so far */

	struct pgt_event site_event, entry_event;
	struct pgt_event return_event[PGT_FUNC_MAX];
	struct bpf_link *site_link, *entry_link;
	struct bpf_link *return_link[PGT_FUNC_MAX];
	struct pgt_fentry fentry;
	struct pgt_breakpoints breakpoints;
	void *cells;			/* one map's values of all CPUs, while reading */
};

/*
 * Attach a program to a tracefs event.  The program runs on every CPU; the CPU given to
 * perf_event_open() matters only to perf's own sampling, which is not used.
 */
static int attach_event(struct bpf_program *program, const struct pgt_event *event,
			uint64_t cookie, struct bpf_link **out, struct pgt_diag *diag)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = cookie);
	struct bpf_link *link;
	uint64_t id;
	int fd, err;

	err = pgt_event_id(event, &id, diag);
	if (err)
		return err;
	attr.config = id;
	fd = pgt_perf_event_open(&attr, 0);
	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: perf_event_open: %s", event->name, strerror(errno));
	link = bpf_program__attach_perf_event_opts(program, fd, &opts);
	if (!link) {
		err = pgt_fail(diag, -errno, "%s: cannot attach a BPF program: %s", event->name,
			       strerror(errno));
		close(fd);
		return err;
	}
	*out = link;	/* owns fd */
	return 0;
}

/* ---- loading ---- */

static void describe_functions(struct pgt_tracer *tracer)
{
	long page = sysconf(_SC_PAGESIZE);

	tracer->skel->rodata->page_shift = (uint32_t)__builtin_ctzl((unsigned long)page);
	tracer->skel->rodata->pmd_pages = (uint32_t)(page / 8);	/* one table of 8-byte entries */
	for (size_t i = 0; i < tracer->plan->n; i++) {
		const struct pgt_plan_func *func = &tracer->plan->func[i];

		/* not memcpy: the members are const volatile for the verifier only */
		struct pgt_func *to = (struct pgt_func *)&tracer->skel->rodata->funcs[i];

		to->probe = (uint8_t)func->probe;
		to->pages = (uint8_t)func->row->pages;
		to->arg = func->row->arg;
	}
}

/* libbpf explains at length what one line of ours says; who debugs a program wants both. */
__attribute__((format(printf, 2, 0)))
static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list args)
{
	if (level == LIBBPF_DEBUG || !getenv("PGTRACE_LIBBPF"))
		return 0;
	return vfprintf(stderr, fmt, args);
}

static int fail_load(int err, struct pgt_diag *diag)
{
	if (err == -EACCES || err == -EINVAL)
		return pgt_fail(diag, err,
				"BPF object: this kernel's verifier refuses a program (%s): set PGTRACE_LIBBPF=1 to see its log",
				strerror(-err));
	return pgt_fail(diag, err,
			"BPF object: cannot load: %s: pgtrace needs root (CAP_BPF, CAP_PERFMON), CONFIG_DEBUG_INFO_BTF, CONFIG_KPROBES and no lockdown",
			strerror(-err));
}

static int load(struct pgt_tracer *tracer, struct pgt_diag *diag)
{
	int err;

	libbpf_set_print(print_libbpf);

	tracer->skel = pgtrace__open();
	if (!tracer->skel)
		return pgt_fail(diag, -errno, "BPF object: cannot open: %s", strerror(errno));
	describe_functions(tracer);
	pgt_fentry_aim(&tracer->fentry, tracer->skel->obj, tracer->plan,
		       tracer->skel->rodata->fentry_func);
	err = pgtrace__load(tracer->skel);
	if (err && tracer->fentry.n) {
		/* a kernel without trampolines may refuse fentry already here: do without */
		pgtrace__destroy(tracer->skel);
		tracer->fentry.n = 0;
		tracer->skel = pgtrace__open();
		if (!tracer->skel)
			return pgt_fail(diag, -errno, "BPF object: cannot open: %s", strerror(errno));
		describe_functions(tracer);
		err = pgtrace__load(tracer->skel);
	}
	return err ? fail_load(err, diag) : 0;
}

/* ---- functions ---- */

static int put(struct bpf_map *map, uint64_t address, const void *value, size_t size,
	       struct pgt_diag *diag)
{
	int err = bpf_map__update_elem(map, &address, sizeof(address), value, size, BPF_NOEXIST);

	return err ? pgt_fail(diag, err, "BPF map of %s: %s", bpf_map__name(map), strerror(-err)) : 0;
}

/* Tell the programs what the planted addresses mean, and attach them. */
static int attach_planted(struct pgt_tracer *tracer, const struct pgt_planted_list *list,
			  struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; i < list->n && !err; i++) {
		struct pgt_entry entry = { list->at[i].func, list->at[i].kind };

		err = put(tracer->skel->maps.entries, list->at[i].address, &entry, sizeof(entry), diag);
	}
	for (size_t i = 0; i < tracer->plan->n && !err; i++)
		if (tracer->return_event[i].n)
			err = attach_event(tracer->skel->progs.func_return, &tracer->return_event[i], i,
					   &tracer->return_link[i], diag);
	if (err || !tracer->entry_event.n)
		return err;
	return attach_event(tracer->skel->progs.func_entry, &tracer->entry_event, 0,
			    &tracer->entry_link, diag);
}

static int attach_functions(struct pgt_tracer *tracer, struct pgt_progress *progress,
			    struct pgt_diag *diag)
{
	struct pgt_planted_list list = { 0 };
	int err;

	pgt_fentry_attach(&tracer->fentry, tracer->skel->obj, tracer->plan);
	err = pgt_plant_functions(tracer->plan, tracer->text, &tracer->entry_event,
				  tracer->return_event, &list, progress, diag);
	if (!err)
		err = attach_planted(tracer, &list, diag);
	pgt_planted_release(&list);
	return err;
}

/* ---- sites ---- */

static int plant_sites(struct pgt_tracer *tracer, struct pgt_progress *progress,
		       struct pgt_diag *diag)
{
	uint32_t number = 0;
	int err = pgt_plant_sites(tracer->sites, tracer->text, &tracer->site_event, progress, diag);

	if (!err)
		err = pgt_watch_plant(&tracer->watch, tracer->sites, tracer->plan, tracer->text,
				      &tracer->site_event, progress, diag);
	if (!err && tracer->sites->n + tracer->watch.n_points > PGT_POINT_MAX)
		err = pgt_fail(diag, -E2BIG, "%zu sites and %zu watching points: raise PGT_POINT_MAX",
			       tracer->sites->n, tracer->watch.n_points);
	for (size_t i = 0; i < tracer->sites->n && !err; i++, number++)
		err = put(tracer->skel->maps.sites, tracer->sites->at[i].address, &number,
			  sizeof(number), diag);
	for (size_t i = 0; i < tracer->watch.n_points && !err; i++, number++)
		err = put(tracer->skel->maps.sites, tracer->watch.point[i].address, &number,
			  sizeof(number), diag);
	return err;
}

int pgt_tracer_enable_sites(struct pgt_tracer *tracer, bool on, struct pgt_diag *diag)
{
	if (!on) {
		bpf_link__destroy(tracer->site_link);
		tracer->site_link = NULL;
		return 0;
	}
	if (tracer->site_link || !tracer->site_event.n)
		return 0;
	return attach_event(tracer->skel->progs.site_kprobe, &tracer->site_event, 0,
			    &tracer->site_link, diag);
}

const struct pgt_watch *pgt_tracer_watch(const struct pgt_tracer *tracer)
{
	return &tracer->watch;
}

size_t pgt_tracer_n_points(const struct pgt_tracer *tracer)
{
	return tracer->sites->n + tracer->watch.n_points;
}

/* ---- breakpoints ---- */

int pgt_tracer_set_breakpoints(struct pgt_tracer *tracer, const uint32_t *site, size_t n,
			       size_t *n_set, struct pgt_diag *diag)
{
	uint64_t address[PGT_BREAKPOINTS_MAX];

	if (n > PGT_BREAKPOINTS_MAX)
		n = PGT_BREAKPOINTS_MAX;
	for (size_t i = 0; i < n; i++)
		address[i] = tracer->sites->at[site[i]].address;
	return pgt_breakpoints_set(&tracer->breakpoints, address, n, n_set, diag);
}

/* ---- windows and counts ---- */

/* Add up n values of size bytes, each present once a possible CPU. */
static int read_cells(struct pgt_tracer *tracer, struct bpf_map *map, void *out, size_t size,
		      uint32_t n, struct pgt_diag *diag)
{
	uint32_t count = n, keys[PGT_POINT_MAX], next;
	const uint64_t *from = tracer->cells;
	int err;

	if (!n)
		return 0;
	err = bpf_map_lookup_batch(bpf_map__fd(map), NULL, &next, keys, tracer->cells, &count, NULL);
	if (err && !(err == -ENOENT && count == n))	/* -ENOENT: the whole map was read */
		return pgt_fail(diag, err, "%s: cannot read: %s", bpf_map__name(map), strerror(-err));
	if (count != n)
		return pgt_fail(diag, -EIO, "%s: %u of %u values read", bpf_map__name(map), count, n);
	memset(out, 0, size * n);
	for (size_t i = 0; i < n; i++)
		for (size_t cpu = 0; cpu < tracer->cpus.n_possible; cpu++)
			for (size_t k = 0; k < size / 8; k++)
				((uint64_t *)out)[i * size / 8 + k] += *from++;
	return 0;
}

static int read_missed(struct pgt_tracer *tracer, uint64_t *out, struct pgt_diag *diag)
{
	struct pgt_event *event[PGT_FUNC_MAX + 2] = { &tracer->site_event, &tracer->entry_event };
	size_t n = 2;
	uint64_t sum = 0;

	for (size_t i = 0; i < tracer->plan->n; i++)
		event[n++] = &tracer->return_event[i];
	for (size_t i = 0; i < n; i++) {
		uint64_t missed = 0;
		int err = event[i]->n ? pgt_event_missed(event[i], &missed, diag) : 0;

		if (err)
			return err;
		sum += missed;
	}
	*out = sum;
	return 0;
}

static int read_recursion(struct pgt_tracer *tracer, uint64_t *out, struct pgt_diag *diag)
{
	struct bpf_program *program;
	uint64_t sum = 0;

	bpf_object__for_each_program(program, tracer->skel->obj) {
		struct bpf_prog_info info = { 0 };
		uint32_t len = sizeof(info);

		if (bpf_program__fd(program) < 0)
			continue;
		if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &len))
			return pgt_fail(diag, -errno, "%s: cannot read recursion_misses: %s",
					bpf_program__name(program), strerror(errno));
		sum += info.recursion_misses;
	}
	*out = sum;
	return 0;
}

struct losses {
	uint64_t missed, recursion;
};

static int read_losses(struct pgt_tracer *tracer, struct losses *out, struct pgt_diag *diag)
{
	int err = read_missed(tracer, &out->missed, diag);

	return err ? err : read_recursion(tracer, &out->recursion, diag);
}

/*
 * The kernel's own loss counters are read close around the window: reading a BPF map keeps
 * programs from running meanwhile, which counts as loss although nothing is armed.
 */
int pgt_tracer_arm(struct pgt_tracer *tracer, int64_t *window, struct pgt_diag *diag)
{
	struct losses losses;
	int err = read_losses(tracer, &losses, diag);

	if (err)
		return err;
	tracer->missed -= losses.missed;
	tracer->recursion -= losses.recursion;
	__atomic_store_n(&tracer->skel->bss->window, ++tracer->window, __ATOMIC_SEQ_CST);
	pgt_window_open(tracer->skel->bss->window_of, &tracer->cpus, tracer->window);
	*window = tracer->window;
	return 0;
}

int pgt_tracer_disarm(struct pgt_tracer *tracer, struct pgt_diag *diag)
{
	struct losses losses;
	int err;

	pgt_window_close(tracer->skel->bss->window_of, &tracer->cpus);
	__atomic_store_n(&tracer->skel->bss->window, 0, __ATOMIC_SEQ_CST);
	err = read_losses(tracer, &losses, diag);
	if (err)
		return err;
	tracer->missed += losses.missed;
	tracer->recursion += losses.recursion;
	return 0;
}

int pgt_tracer_read(struct pgt_tracer *tracer, struct pgt_snapshot *out, struct pgt_diag *diag)
{
	int err;

	err = read_cells(tracer, tracer->skel->maps.probe_cells, out->probe, sizeof(out->probe[0]),
			 PGT_PROBE_MAX, diag);
	if (!err)
		err = read_cells(tracer, tracer->skel->maps.site_cells, out->site,
				 sizeof(out->site[0]), (uint32_t)out->n_sites, diag);
	if (!err)
		err = read_cells(tracer, tracer->skel->maps.loss_cells, &out->loss,
				 sizeof(out->loss), 1, diag);
	out->missed = tracer->missed;
	out->recursion = tracer->recursion;
	return err;
}

/* ---- life cycle ---- */

static int allocate(struct pgt_tracer *tracer, struct pgt_diag *diag)
{
	int err = pgt_cpus_read(&tracer->cpus, PGT_CPUS_DIR, diag);

	if (err)
		return err;
	tracer->cells = calloc(PGT_POINT_MAX * tracer->cpus.n_possible, sizeof(struct pgt_site_cell));
	if (!tracer->cells)
		return pgt_fail(diag, -ENOMEM, "tracer: out of memory");
	pgt_event_init(&tracer->site_event, "site");
	pgt_event_init(&tracer->entry_event, "entry");
	return 0;
}

int pgt_tracer_open(struct pgt_tracer **out, struct pgt_plan *plan, struct pgt_sites *sites,
		    const struct pgt_text *text, struct pgt_progress *progress,
		    struct pgt_diag *diag)
{
	struct pgt_tracer *tracer = calloc(1, sizeof(*tracer));
	struct pgt_diag ignored;
	int err;

	if (!tracer)
		return pgt_fail(diag, -ENOMEM, "tracer: out of memory");
	tracer->plan = plan;
	tracer->sites = sites;
	tracer->text = text;
	err = pgt_event_remove_stale(diag);
	if (!err)
		err = allocate(tracer, diag);
	if (!err)
		err = load(tracer, diag);
	if (!err)
		err = pgt_breakpoints_init(&tracer->breakpoints, tracer->skel->progs.site_breakpoint,
					   &tracer->cpus, diag);
	if (!err)
		err = attach_functions(tracer, progress, diag);
	if (!err)
		err = plant_sites(tracer, progress, diag);
	if (err) {
		pgt_tracer_close(tracer, &ignored);
		return err;
	}
	*out = tracer;
	return 0;
}

static void detach(struct pgt_tracer *tracer)
{
	pgt_breakpoints_release(&tracer->breakpoints);
	bpf_link__destroy(tracer->site_link);
	bpf_link__destroy(tracer->entry_link);
	for (size_t i = 0; i < PGT_FUNC_MAX; i++)
		bpf_link__destroy(tracer->return_link[i]);
	pgt_fentry_release(&tracer->fentry);
}

static int remove_events(struct pgt_tracer *tracer, struct pgt_diag *diag)
{
	int err = 0, one;
	struct pgt_diag ignored;

	for (size_t i = 0; i < PGT_FUNC_MAX + 2; i++) {
		struct pgt_event *event = i == 0 ? &tracer->site_event :
					  i == 1 ? &tracer->entry_event : &tracer->return_event[i - 2];

		if (!event->n && event->fd <= 0)
			continue;
		one = pgt_event_remove(event, err ? &ignored : diag);
		if (one && !err)
			err = one;
	}
	return err;
}

int pgt_tracer_close(struct pgt_tracer *tracer, struct pgt_diag *diag)
{
	int err;

	if (!tracer)
		return 0;
	detach(tracer);
	err = remove_events(tracer, diag);
	pgtrace__destroy(tracer->skel);
	pgt_watch_release(&tracer->watch);
	pgt_cpus_release(&tracer->cpus);
	free(tracer->cells);
	free(tracer);
	return err;
}
