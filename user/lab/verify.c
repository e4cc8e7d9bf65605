/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lab/tcg_result.h"
#include "probe/ksyms.h"
#include "recording/recording.h"

struct verify {
	struct pgt_verify *out;
	const struct pgt_boot *boot;
	const struct pgt_tcg_result *result;
	const struct pgt_ksyms *ksyms;
	struct pgt_diag *diag;
	size_t first_site, n_sites;	/* of the recording: those of the repeat under way */
};

/* ---- may the two be compared? ---- */

static int check_same_kernel(const struct verify *v)
{
	const struct pgt_host *host = &v->boot->host;

	if (!host->build_id)
		return pgt_fail(v->diag, -EINVAL, "the guest's kernel has no build id, so nobody knows "
				"whether the emulator's counts are of the same one");
	if (strcmp(host->build_id, v->result->build_id))
		return pgt_fail(v->diag, -EINVAL, "the recording is of the kernel with build id %s, the "
				"emulator's counts are of %s: they cannot be compared",
				host->build_id, v->result->build_id);
	if (host->n_cpus != v->result->vcpus)
		return pgt_fail(v->diag, -EINVAL, "the recording is of %lld CPUs, the emulator's counts "
				"are of %lld", (long long)host->n_cpus,
				(long long)v->result->vcpus);
	if (v->result->open)
		return pgt_fail(v->diag, -ENODATA, "a window was still open when the guest ended");
	return 0;
}

static const struct pgt_tcg_window *find_window(const struct pgt_tcg_result *result,
						int64_t number)
{
	for (size_t i = 0; i < result->n_windows; i++)
		if (result->windows[i].window == number)
			return &result->windows[i];
	return NULL;
}

static int check_windows(const struct verify *v)
{
	for (size_t i = 0; i < v->boot->n_runs; i++) {
		const struct pgt_run *run = &v->boot->runs[i];
		const struct pgt_tcg_window *window = find_window(v->result, run->window);

		if (!run->window)
			return pgt_fail(v->diag, -ENODATA, "the recording does not number its windows");
		if (!window)
			return pgt_fail(v->diag, -ENODATA, "%s: the emulator saw no window %lld",
					run->workload, (long long)run->window);
		if (window->vcpus != v->boot->host.n_cpus)
			return pgt_fail(v->diag, -ENODATA, "%s: %lld of %lld CPUs opened window %lld "
					"themselves", run->workload, (long long)window->vcpus,
					(long long)v->boot->host.n_cpus,
					(long long)run->window);
	}
	return 0;
}

/* ---- repeats ---- */

/* The window with the kprobes of a workload's n-th repeat: what a breakpoint counts is later. */
static const struct pgt_run *kprobe_run(const struct pgt_boot *boot, const char *workload,
					int64_t repeat)
{
	for (size_t i = 0; i < boot->n_runs; i++) {
		const struct pgt_run *run = &boot->runs[i];

		if (!strcmp(run->workload, workload) && run->mechanism &&
		    !strcmp(run->mechanism, "kprobe") && !--repeat)
			return run;
	}
	return NULL;
}

static bool is_of(const struct pgt_site_hits *site, const struct pgt_verify_sum *sum)
{
	return site->repeat == sum->repeat && !strcmp(site->workload, sum->workload);
}

/* One a repeat of a workload, which is what has a loss line. */
static int list_repeats(struct verify *v)
{
	const struct pgt_boot *boot = v->boot;
	struct pgt_verify *out = v->out;

	out->sums = calloc(boot->n_losses + 1, sizeof(*out->sums));
	if (!out->sums)
		return pgt_fail(v->diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < boot->n_losses; i++) {
		const struct pgt_loss *loss = &boot->losses[i];

		if (!kprobe_run(boot, loss->workload, loss->repeat))
			continue;	/* not of a guest's windows: what the lab has added */
		out->sums[out->n_sums++] = (struct pgt_verify_sum){
			.workload = loss->workload, .repeat = loss->repeat,
		};
		out->lost += loss->missed + loss->recursion + loss->overflow + loss->unbalanced;
	}
	if (!out->n_sums)
		return pgt_fail(v->diag, -ENODATA, "the recording has no windows: nothing was compared");
	return 0;
}

/* The lines of a repeat's sites stand together, and repeats nearly always in one order. */
static void find_sites(struct verify *v, const struct pgt_verify_sum *sum)
{
	const struct pgt_boot *boot = v->boot;
	size_t start = v->first_site + v->n_sites;

	v->n_sites = 0;
	for (size_t i = 0; i < boot->n_sites; i++) {
		v->first_site = (start + i) % boot->n_sites;
		if (is_of(&boot->sites[v->first_site], sum))
			break;
	}
	while (v->first_site + v->n_sites < boot->n_sites &&
	       is_of(&boot->sites[v->first_site + v->n_sites], sum))
		v->n_sites++;
}

/*
 * Without a line for every site that a window counted, 0 and "not counted" look alike, and a
 * hit that the guest missed would pass for one that it cannot see.
 */
static int check_every_site(const struct verify *v, const struct pgt_verify_sum *sum,
			    const struct pgt_run *run)
{
	int64_t n = 0;

	for (size_t i = 0; i < v->n_sites; i++) {
		const struct pgt_site_hits *site = &v->boot->sites[v->first_site + i];

		if (!site->address || (site->hits >= 0 && !site->window))
			return pgt_fail(v->diag, -ENODATA, "the recording does not say at which address, "
					"or in which window, its sites are");
		n += site->window == run->window && site->mechanism &&
		     strcmp(site->mechanism, "watched") != 0;
	}
	if (n != run->n_sites)
		return pgt_fail(v->diag, -ENODATA, "%s: the recording has %lld of the %lld sites that "
				"window %lld counted: record with --every-site", sum->workload,
				(long long)n, (long long)run->n_sites, (long long)run->window);
	return 0;
}

/* ---- rows ---- */

static struct pgt_verify_row *add_row(struct verify *v, const struct pgt_verify_sum *sum)
{
	struct pgt_verify *out = v->out;
	struct pgt_verify_row *rows = out->rows;

	if ((out->n_rows & (out->n_rows - 1)) == 0) {	/* space doubles */
		rows = reallocarray(rows, out->n_rows ? 2 * out->n_rows : 1, sizeof(*rows));
		if (!rows)
			return NULL;
		out->rows = rows;
	}
	rows[out->n_rows] = (struct pgt_verify_row){
		.workload = sum->workload, .repeat = sum->repeat, .counted = -1,
	};
	return &rows[out->n_rows++];
}

/* At one address more than one instruction may have been executed in turn. */
static int64_t executed_at(const struct pgt_tcg_result *result, int64_t window, uint64_t address)
{
	const struct pgt_tcg_site *end = result->sites + result->n_sites;
	const struct pgt_tcg_site *at = pgt_tcg_result_site(result, window, address);
	int64_t hits = 0;

	while (at && at > result->sites && at[-1].window == window && at[-1].address == address)
		at--;
	for (; at && at < end && at->window == window && at->address == address; at++)
		if (pgt_tcg_is_probed(at->kind))
			hits += at->hits;
	return hits;
}

static int add_site(struct verify *v, struct pgt_verify_sum *sum,
		    const struct pgt_site_hits *site, int64_t kprobe_window)
{
	int64_t window = site->hits < 0 ? kprobe_window : site->window;
	struct pgt_verify_row *row = add_row(v, sum);

	if (!row)
		return pgt_fail(v->diag, -ENOMEM, "out of memory");
	row->kind = site->kind;
	row->function = site->function;
	row->mechanism = site->mechanism;
	row->reason = site->reason;
	row->window = window;
	row->address = site->address;
	row->offset = (uint64_t)site->offset;
	row->counted = site->hits;
	row->executed = executed_at(v->result, window, site->address);
	if (site->hits < 0) {
		row->verdict = PGT_VERIFY_UNSEEN;
		sum->unseen += row->executed;
		return 0;
	}
	row->verdict = row->counted == row->executed ? PGT_VERIFY_EQUAL : PGT_VERIFY_DIFFERS;
	sum->sites++;
	sum->hits += row->executed;
	sum->differ += row->verdict == PGT_VERIFY_DIFFERS;
	return 0;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void name_place(const struct verify *v, struct pgt_verify_row *row)
{
	const struct pgt_ksym *symbol = v->ksyms ? pgt_ksyms_at(v->ksyms, row->address) : NULL;

	if (row->address >> 63 == 0) {
		row->reason = "executed by a program";
	} else if (symbol) {
		row->function = symbol->name;
		row->offset = row->address - symbol->address;
		row->reason = "the instruction was not there when the kernel's text was scanned";
	} else {
		row->reason = "outside the text that is scanned, such as in a module";
	}
}

/* What the plugin saw in the window at places that the recording does not have. */
static int add_other_places(struct verify *v, struct pgt_verify_sum *sum, int64_t window,
			    const uint64_t *known, size_t n_known)
{
	for (size_t i = 0; i < v->result->n_sites; i++) {
		const struct pgt_tcg_site *site = &v->result->sites[i];
		struct pgt_verify_row *row;

		if (site->window != window || !pgt_tcg_is_probed(site->kind) ||
		    (n_known && bsearch(&site->address, known, n_known, sizeof(*known),
					compare_addresses)))
			continue;
		row = add_row(v, sum);
		if (!row)
			return pgt_fail(v->diag, -ENOMEM, "out of memory");
		row->kind = site->kind;
		row->window = window;
		row->address = site->address;
		row->executed = site->hits;
		row->verdict = PGT_VERIFY_UNSEEN;
		name_place(v, row);
		sum->unseen += site->hits;
	}
	return 0;
}

/* Executed in the slot of a kprobe that belongs to no known place: some site's count is short. */
static int add_slots(struct verify *v, struct pgt_verify_sum *sum, int64_t window)
{
	for (size_t i = 0; i < v->result->n_slots; i++) {
		const struct pgt_tcg_slot *slot = &v->result->slots[i];
		struct pgt_verify_row *row;

		if (slot->window != window || !pgt_tcg_is_probed(slot->kind))
			continue;
		row = add_row(v, sum);
		if (!row)
			return pgt_fail(v->diag, -ENOMEM, "out of memory");
		row->kind = slot->kind;
		row->window = window;
		row->executed = slot->hits;
		row->verdict = PGT_VERIFY_DIFFERS;
		row->reason = "executed in a kprobe's slot that belongs to no known place";
		sum->differ++;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct pgt_verify_row *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return (left->window > right->window) - (left->window < right->window);
}

/* The windows of a repeat are those that counted a site of it. */
static int64_t count_windows(const struct pgt_verify_row *row, size_t n)
{
	int64_t last = 0, windows = 0;

	for (;;) {
		int64_t next = INT64_MAX;

		for (size_t i = 0; i < n; i++)
			if (row[i].window > last && row[i].window < next)
				next = row[i].window;
		if (next == INT64_MAX)
			return windows;
		windows++;
		last = next;
	}
}

static int compare_repeat(struct verify *v, struct pgt_verify_sum *sum)
{
	const struct pgt_run *run = kprobe_run(v->boot, sum->workload, sum->repeat);
	size_t first = v->out->n_rows;
	uint64_t *known;
	int err;

	find_sites(v, sum);
	known = calloc(v->n_sites + 1, sizeof(*known));
	err = known ? check_every_site(v, sum, run) :
		      pgt_fail(v->diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < v->n_sites && !err; i++) {
		const struct pgt_site_hits *site = &v->boot->sites[v->first_site + i];

		known[i] = site->address;
		err = add_site(v, sum, site, run->window);
	}
	if (!err && v->n_sites)
		qsort(known, v->n_sites, sizeof(*known), compare_addresses);
	if (!err)
		err = add_other_places(v, sum, run->window, known, v->n_sites);
	if (!err)
		err = add_slots(v, sum, run->window);
	free(known);
	if (err)
		return err;
	if (v->out->n_rows > first)
		qsort(v->out->rows + first, v->out->n_rows - first, sizeof(*v->out->rows),
		      compare_rows);
	sum->windows = count_windows(v->out->rows + first, v->out->n_rows - first);
	return 0;
}

int pgt_verify_make(struct pgt_verify *out, const struct pgt_boot *boot,
		    const struct pgt_tcg_result *result, const struct pgt_ksyms *ksyms,
		    struct pgt_diag *diag)
{
	struct pgt_verify made = { .rows = NULL };
	struct verify v = { &made, boot, result, ksyms, diag, 0, 0 };
	int err = check_same_kernel(&v);

	if (!err)
		err = check_windows(&v);
	if (!err)
		err = list_repeats(&v);
	for (size_t i = 0; i < made.n_sums && !err; i++)
		err = compare_repeat(&v, &made.sums[i]);
	if (err) {
		pgt_verify_release(&made);
		return err;
	}
	*out = made;
	return 0;
}

void pgt_verify_release(struct pgt_verify *verify)
{
	free(verify->rows);
	free(verify->sums);
	*verify = (struct pgt_verify){ .rows = NULL };
}

bool pgt_verify_holds(const struct pgt_verify *verify)
{
	for (size_t i = 0; i < verify->n_sums; i++)
		if (verify->sums[i].differ)
			return false;
	return !verify->lost;
}
