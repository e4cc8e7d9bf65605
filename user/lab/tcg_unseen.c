/* SPDX-License-Identifier: GPL-2.0-only */
/* What a window executed where no mechanism of a live machine reaches. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lab/symbols.h"
#include "lab/tcg_join.h"
#include "lab/tcg_lines.h"
#include "lab/tcg_result.h"
#include "recording/recording.h"

#define SOURCE		"tcg:window"
#define KERNEL_HALF	(UINT64_C(1) << 63)	/* addresses below are those of user space */

struct unseen {			/* instructions of one kind, of one function */
	const char *function, *kind, *reason;
	int64_t hits;
};

struct list {
	struct unseen *at;
	size_t n;
};

static bool is_of_type(json_t *line, const char *type)
{
	const char *own = json_string_value(json_object_get(line, "type"));

	return own && !strcmp(own, type);
}

/* Why the recording says that nobody reaches the function's sites; NULL where it does not. */
static const char *reason_of(const struct pgt_tcg_target *target, const char *function)
{
	json_t *line;
	size_t i;

	json_array_foreach(target->recording, i, line) {
		const char *own = json_string_value(json_object_get(line, "function"));

		if (is_of_type(line, "unreached") && own && !strcmp(own, function))
			return json_string_value(json_object_get(line, "reason"));
	}
	return NULL;
}

/* Did the guest count this place, in whatever window?  Not all sites of a function are alike. */
static bool was_reached(const struct pgt_tcg_target *target, uint64_t address)
{
	json_t *line;
	size_t i;

	json_array_foreach(target->recording, i, line) {
		const char *text = json_string_value(json_object_get(line, "address"));

		if (is_of_type(line, "site") && text && strtoull(text, NULL, 16) == address &&
		    json_is_integer(json_object_get(line, "hits")))
			return true;
	}
	return false;
}

static int add(const struct pgt_tcg_target *target, struct list *list, const char *function,
	       const char *kind, const char *reason, int64_t hits)
{
	struct unseen *grown;

	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->at[i].function, function) && !strcmp(list->at[i].kind, kind)) {
			list->at[i].hits += hits;
			return 0;
		}
	grown = reallocarray(list->at, list->n + 1, sizeof(*grown));
	if (!grown)
		return pgt_fail(target->diag, -ENOMEM, "out of memory");
	list->at = grown;
	grown[list->n++] = (struct unseen){ function, kind, reason, hits };
	return 0;
}

static int add_site(const struct pgt_tcg_target *target, struct list *list,
		    const struct pgt_tcg_site *site)
{
	const struct pgt_ksym *function = pgt_ksyms_at(&target->join->symbols->ksyms,
						       site->address);
	const char *reason;

	if (!pgt_tcg_is_probed(site->kind) || site->address < KERNEL_HALF)
		return 0;
	if (!function)
		return add(target, list, "(no function of the core kernel)", site->kind,
			   "outside the core kernel's text, the only one that is searched for sites",
			   site->hits);
	reason = reason_of(target, function->name);
	if (!reason || was_reached(target, site->address))
		return 0;
	return add(target, list, function->name, site->kind, reason, site->hits);
}

static int collect(const struct pgt_tcg_target *target, struct list *list)
{
	const struct pgt_tcg_result *result = target->result;
	int err = 0;

	for (size_t i = 0; !err && i < result->n_sites; i++)
		if (result->sites[i].window == target->window)
			err = add_site(target, list, &result->sites[i]);
	for (size_t i = 0; !err && i < result->n_slots; i++)
		if (result->slots[i].window == target->window &&
		    pgt_tcg_is_probed(result->slots[i].kind))
			err = add(target, list, "(a probe's slot)", result->slots[i].kind,
				  "executed in the slot of a probe whose place is not known",
				  result->slots[i].hits);
	return err;
}

static int write_lines(const struct pgt_tcg_target *target, const struct list *list)
{
	int err = 0;

	for (size_t i = 0; !err && i < list->n; i++)
		err = pgt_writer_line(target->writer, json_pack(
			"{s:s, s:s, s:I, s:s, s:s, s:I, s:s, s:s}", "type", "unseen",
			"workload", target->workload, "repeat", (json_int_t)target->repeat,
			"function", list->at[i].function, "kind", list->at[i].kind,
			"hits", (json_int_t)list->at[i].hits, "source", SOURCE,
			"reason", list->at[i].reason), target->diag);
	return err;
}

/* One kind over all functions; the first entry of it writes. */
static int write_kind(const struct pgt_tcg_target *target, const struct list *list, size_t i)
{
	int64_t sum = 0;

	for (size_t j = 0; j < list->n; j++) {
		if (strcmp(list->at[j].kind, list->at[i].kind))
			continue;
		if (j < i)
			return 0;
		sum += list->at[j].hits;
	}
	return pgt_tcg_lines_value(target, SOURCE, sum, false, "unseen.insn.%s",
				   list->at[i].kind);
}

static int write_metrics(const struct pgt_tcg_target *target, const struct list *list)
{
	static const char *const instructions[] = { "dsb", "isb", "tlbi" };
	int err = 0;

	for (size_t k = 0; !err && k < sizeof(instructions) / sizeof(instructions[0]); k++) {
		int64_t sum = 0;

		for (size_t i = 0; i < list->n; i++)
			if (!strncmp(list->at[i].kind, instructions[k], strlen(instructions[k])))
				sum += list->at[i].hits;
		err = pgt_tcg_lines_value(target, SOURCE, sum, false, "unseen.insn.%s",
					  instructions[k]);
	}
	for (size_t i = 0; !err && i < list->n; i++)
		if (strchr(list->at[i].kind, '.'))
			err = write_kind(target, list, i);
	return err;
}

int pgt_tcg_lines_unseen(const struct pgt_tcg_target *target)
{
	struct list list = { NULL, 0 };
	int err = collect(target, &list);

	if (!err)
		err = write_lines(target, &list);
	if (!err)
		err = write_metrics(target, &list);
	free(list.at);
	return err;
}
