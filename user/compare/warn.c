/* SPDX-License-Identifier: GPL-2.0-only */
#include "compare/warn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/recording.h"

struct member {			/* of struct pgt_host */
	const char *words;
	size_t offset;
	bool is_text;		/* else int64_t */
	bool within_only;	/* two kernels may differ in it, two boots of one not */
	bool is_rough;		/* see roughly_same() */
};

#define MEMBER(words, name, is_text, within_only) \
	{ words, offsetof(struct pgt_host, name), is_text, within_only, false }
static const struct member members[] = {
	MEMBER("CPU", cpu, true, false),
	MEMBER("number of CPUs", n_cpus, false, false),
	MEMBER("page size", page_size, false, false),
	{ "memory", offsetof(struct pgt_host, memory_bytes), false, false, true },
	MEMBER("accelerator", accelerator, true, false),
	MEMBER("build id", build_id, true, true),
	MEMBER("config digest", config_digest, true, true),
};

static int add_warning(struct pgt_comparison *comparison, struct pgt_diag *diag,
		       const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static int add_warning(struct pgt_comparison *comparison, struct pgt_diag *diag,
		       const char *fmt, ...)
{
	char **grown = reallocarray(comparison->warnings, comparison->n_warnings + 1,
				    sizeof(*grown));
	va_list args;
	int n;

	if (!grown)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	comparison->warnings = grown;
	va_start(args, fmt);
	n = vasprintf(&grown[comparison->n_warnings], fmt, args);
	va_end(args);
	if (n < 0)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (size_t i = 0; i < comparison->n_warnings; i++)
		if (!strcmp(grown[i], grown[comparison->n_warnings])) {
			free(grown[comparison->n_warnings]);
			return 0;
		}
	comparison->n_warnings++;
	return 0;
}

/* The member as text; unknown where the recording has null. */
static const char *member_text(const struct pgt_host *host, const struct member *member,
			       char *number, size_t size)
{
	const char *at = (const char *)host + member->offset;
	const char *text;

	if (member->is_text) {
		text = *(char *const *)(const void *)at;
		return text ? text : "not known";
	}
	snprintf(number, size, "%" PRId64, *(const int64_t *)(const void *)at);
	return number;
}

/* A kernel reports its memory without what it keeps for itself: a sixteenth is no difference. */
static bool roughly_same(const struct pgt_host *a, const struct pgt_host *b)
{
	int64_t less = a->memory_bytes < b->memory_bytes ? a->memory_bytes : b->memory_bytes;
	int64_t more = a->memory_bytes < b->memory_bytes ? b->memory_bytes : a->memory_bytes;

	return more - less <= more / 16;
}

static int warn_members(struct pgt_comparison *comparison, const struct pgt_host *a,
			const struct pgt_host *b, const char *name_a, const char *name_b,
			bool within, struct pgt_diag *diag)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		char number_a[24], number_b[24];
		const char *text_a, *text_b;
		int err;

		if ((members[i].within_only && !within) ||
		    (members[i].is_rough && roughly_same(a, b)))
			continue;
		text_a = member_text(a, &members[i], number_a, sizeof(number_a));
		text_b = member_text(b, &members[i], number_b, sizeof(number_b));
		if (!strcmp(text_a, text_b))
			continue;
		err = add_warning(comparison, diag, "the %s differs: %s %s, %s %s",
				  members[i].words, name_a, text_a, name_b, text_b);
		if (err)
			return err;
	}
	return 0;
}

/* Have two boots a workload in common, so that anything of them is compared? */
static bool do_same(const struct pgt_boot *a, const struct pgt_boot *b)
{
	const char *last = "";

	for (size_t i = 0; i < a->n_values; i++) {
		const char *workload = a->values[i].workload;

		if (!strcmp(workload, last))
			continue;
		last = workload;
		for (size_t j = 0; j < b->n_values; j++)
			if (!strcmp(b->values[j].workload, workload))
				return true;
	}
	return !a->n_values && !b->n_values;
}

/* The first of n boots that does some of what a boot does; n where none does. */
static size_t find_alike(const struct pgt_boot *boots, size_t n, const struct pgt_boot *boot)
{
	size_t i = 0;

	while (i < n && !do_same(&boots[i], boot))
		i++;
	return i;
}

/* Boots of one side that differ from the first that does the same. */
static int warn_within(struct pgt_comparison *comparison, const struct pgt_recording *side,
		       const char *name, struct pgt_diag *diag)
{
	for (size_t i = 1; i < side->n_boots; i++) {
		size_t alike = find_alike(side->boots, i, &side->boots[i]);
		char first[32], other[48];
		int err;

		if (alike == i)
			continue;
		snprintf(first, sizeof(first), "%s boot %zu", name, alike + 1);
		snprintf(other, sizeof(other), "%s boot %zu", name, i + 1);
		err = warn_members(comparison, &side->boots[alike].host, &side->boots[i].host,
				   first, other, true, diag);
		if (err)
			return err;
	}
	return 0;
}

/* The two sides: boots that do the same, or, where none do, the first of each. */
static int warn_between(struct pgt_comparison *comparison, struct pgt_diag *diag)
{
	const struct pgt_recording *base = comparison->base, *test = comparison->test;
	bool any = false;
	int err = 0;

	for (size_t i = 0; !err && i < base->n_boots; i++) {
		size_t alike = find_alike(test->boots, test->n_boots, &base->boots[i]);

		if (alike == test->n_boots ||
		    find_alike(base->boots, i, &base->boots[i]) < i)
			continue;
		any = true;
		err = warn_members(comparison, &base->boots[i].host, &test->boots[alike].host,
				   "base", "test", false, diag);
	}
	if (!err && !any)
		err = warn_members(comparison, &base->boots[0].host, &test->boots[0].host, "base",
				   "test", false, diag);
	return err;
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* One boot is one sample: the same boot twice is no more evidence. */
static int warn_same_boots(struct pgt_comparison *comparison, const struct pgt_recording *a,
			   const struct pgt_recording *b, const char *names,
			   struct pgt_diag *diag)
{
	for (size_t i = 0; i < a->n_boots; i++)
		for (size_t j = a == b ? i + 1 : 0; j < b->n_boots; j++) {
			const char *boot_id = a->boots[i].host.boot_id;

			if (same_text(boot_id, b->boots[j].host.boot_id))
				return add_warning(comparison, diag, "boot %s is there twice (%s): "
						   "its values are no independent samples",
						   boot_id, names);
		}
	return 0;
}

static bool is_same_kernel(const struct pgt_host *base, const struct pgt_host *test)
{
	return !strcmp(base->kernel_release, test->kernel_release) &&
	       same_text(base->build_id, test->build_id);
}

static int warn_work(struct pgt_comparison *comparison, const struct pgt_work_pair *work,
		     struct pgt_diag *diag)
{
	const struct pgt_work_done *base = work->base, *test = work->test;

	if (!base || !test || (base->done == test->done && !strcmp(base->unit, test->unit)))
		return 0;
	return add_warning(comparison, diag, "%s: the work differs: base %" PRId64 " %s, test %"
			   PRId64 " %s", work->workload, base->done, base->unit, test->done,
			   test->unit);
}

/* Repeats and boots of one side that did another amount than its first. */
static int warn_work_within(struct pgt_comparison *comparison,
			    const struct pgt_recording *side, const struct pgt_work_done *first,
			    const char *name, struct pgt_diag *diag)
{
	for (size_t i = 0; first && i < side->n_boots; i++)
		for (size_t j = 0; j < side->boots[i].n_works; j++) {
			const struct pgt_work_done *work = &side->boots[i].works[j];

			if (strcmp(work->workload, first->workload) ||
			    strcmp(work->unit, first->unit) || work->done == first->done)
				continue;
			return add_warning(comparison, diag, "%s: the work differs within %s: %"
					   PRId64 " %s, and %" PRId64, first->workload, name,
					   first->done, first->unit, work->done);
		}
	return 0;
}

static int warn_works(struct pgt_comparison *comparison, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < comparison->n_works; i++) {
		const struct pgt_work_pair *work = &comparison->works[i];

		err = warn_work(comparison, work, diag);
		if (!err)
			err = warn_work_within(comparison, comparison->base, work->base, "base",
					       diag);
		if (!err)
			err = warn_work_within(comparison, comparison->test, work->test, "test",
					       diag);
	}
	return err;
}

int pgt_comparison_warn(struct pgt_comparison *comparison, struct pgt_diag *diag)
{
	const struct pgt_recording *base = comparison->base, *test = comparison->test;
	int err;

	comparison->same_kernel = is_same_kernel(&base->boots[0].host, &test->boots[0].host);
	err = warn_between(comparison, diag);
	if (!err)
		err = warn_within(comparison, base, "base", diag);
	if (!err)
		err = warn_within(comparison, test, "test", diag);
	if (!err)
		err = warn_same_boots(comparison, base, base, "in base", diag);
	if (!err)
		err = warn_same_boots(comparison, test, test, "in test", diag);
	if (!err)
		err = warn_same_boots(comparison, base, test, "in base and in test", diag);
	if (!err)
		err = warn_works(comparison, diag);
	return err;
}
