/* SPDX-License-Identifier: GPL-2.0-only */
#include "recording/line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/metric.h"
#include "recording/recording.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define VALUE_MAX	((int64_t)1 << 53)	/* a double holds every integer up to here */
#define NOT_STORED	((size_t)-1)

enum kind {
	TEXT,			/* a string, not empty */
	TEXT_OR_EMPTY,
	TEXT_OR_NULL,		/* null needs a reason: member "reason" */
	TEXT_OR_REASON,		/* null needs a reason: member NAME_reason */
	TEXT_IF_THERE,
	COUNT,			/* an integer, 0 or more */
	ORDINAL,		/* an integer, 1 or more */
	COUNT_OR_NULL,		/* null is stored as -1 */
	ORDINAL_IF_THERE,	/* absent or null is stored as 0 */
	FLAG,
};

struct field {
	const char *name;
	enum kind kind;
	size_t offset;		/* of the char *, int64_t or bool in the struct */
};

struct type {
	const char *name;
	const struct field *fields;
	size_t n_fields;
	void *(*add)(struct pgt_boot *boot);	/* NULL: checked, not stored */
	int (*check)(void *object, json_t *line, const struct pgt_place *at,
		     struct pgt_diag *diag);
};

/* ---- where lines of a type go ---- */

/* One more zeroed element.  Space doubles, so n is a power of two when it runs out. */
static void *grow(void *array, size_t n, size_t size)
{
	char *grown = array;

	if ((n & (n - 1)) == 0) {
		grown = reallocarray(array, n ? 2 * n : 1, size);
		if (!grown)
			return NULL;
	}
	memset(grown + n * size, 0, size);
	return grown;
}

#define DEFINE_ADD(member)							\
static void *add_##member(struct pgt_boot *boot)				\
{										\
	void *grown = grow(boot->member, boot->n_##member, sizeof(*boot->member)); \
										\
	if (!grown)								\
		return NULL;							\
	boot->member = grown;							\
	return &boot->member[boot->n_##member++];				\
}

DEFINE_ADD(values)
DEFINE_ADD(losses)
DEFINE_ADD(functions)
DEFINE_ADD(unreached)
DEFINE_ADD(works)
DEFINE_ADD(runs)
DEFINE_ADD(sites)
DEFINE_ADD(truths)

static void *add_host(struct pgt_boot *boot)
{
	return &boot->host;
}

/* ---- what one field does not say ---- */

static int check_value(void *object, json_t *line, const struct pgt_place *at,
		       struct pgt_diag *diag)
{
	struct pgt_value *value = object;
	json_t *number = json_object_get(line, "value");
	struct pgt_metric metric;

	value->line = at->line;
	if (pgt_metric_lookup(value->metric, &metric))
		return pgt_place_refuse(at, diag, "metric \"%s\" is not known to this pgtrace",
					value->metric);
	if (strcmp(value->unit, metric.unit))
		return pgt_place_refuse(at, diag, "metric \"%s\" has unit \"%s\", not \"%s\"",
					value->metric, metric.unit, value->unit);
	if (json_is_null(number)) {
		if (!value->reason)
			return pgt_place_refuse(at, diag, "\"value\" is null without a "
						"\"reason\"");
		return 0;
	}
	if (value->reason)
		return pgt_place_refuse(at, diag, "\"value\" and \"reason\" exclude each other");
	if (!value->source)
		return pgt_place_refuse(at, diag, "a value needs its \"source\"");
	if (pgt_line_integer(line, "value", 0, &value->value, at, diag))
		return -EPROTO;
	if (value->value > VALUE_MAX)
		return pgt_place_refuse(at, diag, "\"value\" is beyond 2^53, which no count "
					"reaches");
	return 0;
}

static int check_loss(void *object, json_t *line, const struct pgt_place *at,
		      struct pgt_diag *diag)
{
	struct pgt_loss *loss = object;

	(void)line;
	(void)diag;
	loss->line = at->line;
	return 0;
}

static int check_function(void *object, json_t *line, const struct pgt_place *at,
			  struct pgt_diag *diag)
{
	struct pgt_function *function = object;

	(void)line;
	if (!function->mechanism == !function->reason)
		return pgt_place_refuse(at, diag, "a function has either a \"mechanism\" or, "
					"where that is null, a \"reason\"");
	return 0;
}

/* Hits without a count need a reason, and an address is text because it can have 64 bits. */
static int check_site(void *object, json_t *line, const struct pgt_place *at,
		      struct pgt_diag *diag)
{
	struct pgt_site_hits *site = object;
	json_t *address = json_object_get(line, "address");
	const char *text = json_string_value(address);
	char *end = NULL;

	if ((site->hits < 0) != !site->mechanism)
		return pgt_place_refuse(at, diag, "a site has \"hits\" and a \"mechanism\", or "
					"both are null");
	if (!address)
		return 0;
	errno = 0;
	if (text && !strncmp(text, "0x", 2))
		site->address = strtoull(text, &end, 16);
	if (!end || *end || errno || !site->address)
		return pgt_place_refuse(at, diag, "\"address\" is not a hexadecimal number, \"0x...\"");
	return 0;
}

static int check_work(void *object, json_t *line, const struct pgt_place *at,
		      struct pgt_diag *diag)
{
	const struct pgt_work_done *work = object;

	(void)line;
	if (work->done != work->asked)
		return pgt_place_refuse(at, diag, "workload \"%s\" did %lld of %lld %s: its "
					"counts are of other work", work->workload,
					(long long)work->done, (long long)work->asked,
					work->unit);
	return 0;
}

/* ---- the members of each type ---- */

#define HOST(name, kind)	{ #name, kind, offsetof(struct pgt_host, name) }
static const struct field host_fields[] = {
	HOST(arch, TEXT), HOST(kernel_release, TEXT), HOST(kernel_version, TEXT_OR_REASON),
	HOST(build_id, TEXT_OR_REASON), HOST(config_digest, TEXT_OR_REASON),
	HOST(cpu, TEXT_OR_REASON), HOST(n_cpus, ORDINAL), HOST(page_size, ORDINAL),
	HOST(memory_bytes, ORDINAL), HOST(accelerator, TEXT_OR_REASON),
	HOST(cmdline, TEXT_OR_EMPTY), HOST(boot_id, TEXT_OR_REASON),
};

#define FUNCTION(name, kind)	{ #name, kind, offsetof(struct pgt_function, name) }
static const struct field function_fields[] = {
	FUNCTION(probe, TEXT), FUNCTION(function, TEXT), FUNCTION(mechanism, TEXT_OR_NULL),
	FUNCTION(reason, TEXT_IF_THERE), FUNCTION(partial_reason, TEXT_IF_THERE),
};

#define UNREACHED(name, kind)	{ #name, kind, offsetof(struct pgt_unreached, name) }
static const struct field unreached_fields[] = {
	UNREACHED(function, TEXT), UNREACHED(dsb, COUNT), UNREACHED(isb, COUNT),
	UNREACHED(tlbi, COUNT), UNREACHED(reason, TEXT),
};

#define RUN(name, kind)		{ #name, kind, offsetof(struct pgt_run, name) }
static const struct field run_fields[] = {
	RUN(workload, TEXT), RUN(run, ORDINAL), { "pass", TEXT, NOT_STORED },
	RUN(mechanism, TEXT_IF_THERE), RUN(n_sites, COUNT),
	{ "first_site", COUNT_OR_NULL, NOT_STORED }, RUN(window, ORDINAL_IF_THERE),
	{ "window_ns", COUNT, NOT_STORED },
};

#define SITE(name, kind)	{ #name, kind, offsetof(struct pgt_site_hits, name) }
static const struct field site_fields[] = {
	SITE(workload, TEXT), SITE(repeat, ORDINAL), SITE(site, COUNT), SITE(function, TEXT),
	SITE(offset, COUNT), SITE(kind, TEXT), SITE(mechanism, TEXT_OR_NULL),
	SITE(window, ORDINAL_IF_THERE), SITE(hits, COUNT_OR_NULL), SITE(reason, TEXT_IF_THERE),
	{ "in_probe", COUNT_OR_NULL, NOT_STORED }, { "outside", COUNT_OR_NULL, NOT_STORED },
	{ "interrupt", COUNT_OR_NULL, NOT_STORED },
};

#define TRUTH(name, kind)	{ #name, kind, offsetof(struct pgt_truth, name) }
static const struct field truth_fields[] = {
	TRUTH(workload, TEXT), TRUTH(repeat, ORDINAL), TRUTH(sites, COUNT), TRUTH(hits, COUNT),
	TRUTH(differ, COUNT),
};

#define VALUE(name, kind)	{ #name, kind, offsetof(struct pgt_value, name) }
static const struct field value_fields[] = {
	VALUE(workload, TEXT), VALUE(repeat, ORDINAL), VALUE(metric, TEXT), VALUE(unit, TEXT),
	{ "value", COUNT_OR_NULL, NOT_STORED }, VALUE(source, TEXT_OR_NULL),
	VALUE(lower_bound, FLAG), VALUE(reason, TEXT_IF_THERE),
};

#define LOSS(name, kind)	{ #name, kind, offsetof(struct pgt_loss, name) }
static const struct field loss_fields[] = {
	LOSS(workload, TEXT), LOSS(repeat, ORDINAL), LOSS(missed, COUNT),
	LOSS(recursion, COUNT), LOSS(overflow, COUNT), LOSS(unbalanced, COUNT),
};

#define WORK(name, kind)	{ #name, kind, offsetof(struct pgt_work_done, name) }
static const struct field work_fields[] = {
	WORK(workload, TEXT), WORK(repeat, ORDINAL), WORK(unit, TEXT), WORK(asked, COUNT),
	WORK(done, COUNT),
};

#define TYPE(name, fields, add, check)	{ name, fields, ARRAY_SIZE(fields), add, check }
static const struct type types[] = {
	TYPE("host", host_fields, add_host, NULL),
	TYPE("function", function_fields, add_functions, check_function),
	TYPE("unreached", unreached_fields, add_unreached, NULL),
	TYPE("run", run_fields, add_runs, NULL),
	TYPE("site", site_fields, add_sites, check_site),
	TYPE("metric", value_fields, add_values, check_value),
	TYPE("loss", loss_fields, add_losses, check_loss),
	TYPE("work", work_fields, add_works, check_work),
	TYPE("truth", truth_fields, add_truths, NULL),
};

static const struct type *find_type(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

/* ---- members ---- */

static int check_reason(json_t *line, const struct field *field, const struct pgt_place *at,
			struct pgt_diag *diag)
{
	char name[64] = "reason";
	const char *reason;

	if (field->kind == TEXT_OR_REASON)
		snprintf(name, sizeof(name), "%s_reason", field->name);
	reason = json_string_value(json_object_get(line, name));
	if (!reason || !*reason)
		return pgt_place_refuse(at, diag, "\"%s\" is null without a \"%s\"",
					field->name, name);
	return 0;
}

static int store_text(char *object, const struct field *field, json_t *line,
		      const struct pgt_place *at, struct pgt_diag *diag)
{
	json_t *member = json_object_get(line, field->name);
	char *copy;

	if (!member && field->kind == TEXT_IF_THERE)
		return 0;
	if (!member)
		return pgt_place_refuse(at, diag, "\"%s\" is missing", field->name);
	if (json_is_null(member) &&
	    (field->kind == TEXT_OR_NULL || field->kind == TEXT_OR_REASON))
		return check_reason(line, field, at, diag);
	if (!json_is_string(member))
		return pgt_place_refuse(at, diag, "\"%s\" is not a string", field->name);
	if (!json_string_length(member) && field->kind != TEXT_OR_EMPTY)
		return pgt_place_refuse(at, diag, "\"%s\" is empty", field->name);
	if (field->offset == NOT_STORED)
		return 0;
	copy = strdup(json_string_value(member));
	if (!copy)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", at->path);
	*(char **)(void *)(object + field->offset) = copy;
	return 0;
}

static int store_number(char *object, const struct field *field, json_t *line,
			const struct pgt_place *at, struct pgt_diag *diag)
{
	int64_t min = field->kind == ORDINAL || field->kind == ORDINAL_IF_THERE, value = -1;
	json_t *member = json_object_get(line, field->name);
	int err = 0;

	if (field->kind == ORDINAL_IF_THERE && (!member || json_is_null(member)))
		return 0;
	if (field->kind != COUNT_OR_NULL || !json_is_null(member))
		err = pgt_line_integer(line, field->name, min, &value, at, diag);
	if (!err && field->offset != NOT_STORED)
		*(int64_t *)(void *)(object + field->offset) = value;
	return err;
}

static int store_field(char *object, const struct field *field, json_t *line,
		       const struct pgt_place *at, struct pgt_diag *diag)
{
	switch (field->kind) {
	case COUNT:
	case ORDINAL:
	case COUNT_OR_NULL:
	case ORDINAL_IF_THERE:
		return store_number(object, field, line, at, diag);
	case FLAG:
		return pgt_line_flag(line, field->name,
				     (bool *)(void *)(object + field->offset), at, diag);
	default:
		return store_text(object, field, line, at, diag);
	}
}

int pgt_line_store(struct pgt_boot *boot, const char *type_name, json_t *line,
		   const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct type *type = find_type(type_name);
	void *object = NULL;

	if (!type)
		return 0;
	if (type->add) {
		object = type->add(boot);
		if (!object)
			return pgt_fail(diag, -ENOMEM, "%s: out of memory", at->path);
	}
	for (size_t i = 0; i < type->n_fields; i++) {
		int err = store_field(object, &type->fields[i], line, at, diag);

		if (err)
			return err;
	}
	return type->check ? type->check(object, line, at, diag) : 0;
}

static void release_texts(void *object, const struct field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fields[i].kind <= TEXT_IF_THERE && fields[i].offset != NOT_STORED)
			free(*(char **)(void *)((char *)object + fields[i].offset));
}

#define RELEASE(array, n, fields)						\
	do {									\
		for (size_t i_ = 0; i_ < (n); i_++)				\
			release_texts(&(array)[i_], fields, ARRAY_SIZE(fields)); \
		free(array);							\
	} while (0)

void pgt_line_release(struct pgt_boot *boot)
{
	release_texts(&boot->host, host_fields, ARRAY_SIZE(host_fields));
	RELEASE(boot->values, boot->n_values, value_fields);
	RELEASE(boot->losses, boot->n_losses, loss_fields);
	RELEASE(boot->functions, boot->n_functions, function_fields);
	RELEASE(boot->unreached, boot->n_unreached, unreached_fields);
	RELEASE(boot->works, boot->n_works, work_fields);
	RELEASE(boot->runs, boot->n_runs, run_fields);
	RELEASE(boot->sites, boot->n_sites, site_fields);
	RELEASE(boot->truths, boot->n_truths, truth_fields);
}
