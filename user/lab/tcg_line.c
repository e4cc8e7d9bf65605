/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/tcg_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "tcg/format.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum kind {
	TEXT,			/* a string, not empty */
	TEXT_OR_NULL,
	NAMES,			/* an array of strings, not empty; stored parted by ", " */
	COUNT,			/* an integer, 0 or more */
	ORDINAL,		/* an integer, 1 or more */
	COUNT_OR_NULL,		/* null is stored as -1 */
	WINDOW,			/* null, stored as PGT_TCG_BOOT, or the number of one that was opened */
	ADDRESS,		/* "0x...", 64 bits */
	WORD,			/* "0x...", 32 bits */
	FLAG,
};

struct field {
	const char *name;
	enum kind kind;
	size_t offset;		/* of the member in the struct */
};

struct type {
	const char *name;
	const struct field *fields;
	size_t n_fields, size;		/* size: of one element */
	size_t array, n;		/* offsets in struct pgt_tcg_result */
	int (*check)(const struct pgt_tcg_result *result, const void *object,
		     const struct pgt_place *at, struct pgt_diag *diag);
};

/* ---- what one field does not say ---- */

static int check_instructions(const struct pgt_tcg_result *result, int64_t instructions,
			      const struct pgt_place *at, struct pgt_diag *diag)
{
	if ((instructions >= 0) == result->instructions)
		return 0;
	return pgt_place_refuse(at, diag, "\"instructions\" %s, but the first line says that they "
				"were %scounted", instructions < 0 ? "is null" : "is a number",
				result->instructions ? "" : "not ");
}

static int check_window(const struct pgt_tcg_result *result, const void *object,
			const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct pgt_tcg_window *window = object;

	if (window->window == PGT_TCG_BOOT)
		return pgt_place_refuse(at, diag, "\"window\" is null, but the whole boot is no "
					"window that anybody opened");
	if (window->vcpus > result->vcpus)
		return pgt_place_refuse(at, diag, "%" PRId64 " vCPUs opened window %" PRId64
					", but there are %" PRId64, window->vcpus, window->window,
					result->vcpus);
	return check_instructions(result, window->instructions, at, diag);
}

static int check_site(const struct pgt_tcg_result *result, const void *object,
		      const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct pgt_tcg_site *site = object;

	(void)result;
	if (site->stepped > site->hits)
		return pgt_place_refuse(at, diag, "%" PRId64 " of %" PRId64 " hits were stepped: "
					"more than there are", site->stepped, site->hits);
	return 0;
}

static int check_scope(const struct pgt_tcg_result *result, const void *object,
		       const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct pgt_tcg_scope *scope = object;

	if (scope->full > scope->calls || scope->unsized > scope->calls - scope->full)
		return pgt_place_refuse(at, diag, "scope \"%s\" has more full and unsized calls "
					"than calls", scope->scope);
	return check_instructions(result, scope->instructions, at, diag);
}

static int check_scope_pages(const struct pgt_tcg_result *result, const void *object,
			     const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct pgt_tcg_scope_pages *bin = object;

	(void)result;
	if (bin->pages & (bin->pages - 1))
		return pgt_place_refuse(at, diag, "\"pages\" is %" PRId64 ": neither 0 nor a power "
					"of two", bin->pages);
	return 0;
}

static int check_model(const struct pgt_tcg_result *result, const void *object,
		       const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct pgt_tcg_model *model = object;

	if (!result->model)
		return pgt_place_refuse(at, diag, "counts of a model, but the first line says that "
					"there was none");
	if (model->misses > model->accesses)
		return pgt_place_refuse(at, diag, "%s has %" PRId64 " misses in %" PRId64
					" accesses", model->structure, model->misses,
					model->accesses);
	return 0;
}

/* ---- the members of each type ---- */

#define FIELD(type, name, kind)	{ #name, kind, offsetof(struct pgt_tcg_##type, name) }

static const struct field first_fields[] = {
	FIELD(result, vcpus, ORDINAL), FIELD(result, build_id, TEXT),
	FIELD(result, instructions, FLAG), FIELD(result, model, TEXT_OR_NULL),
	{ "windows", COUNT, offsetof(struct pgt_tcg_result, n_opened) },
	FIELD(result, open, FLAG),
};

static const struct field window_fields[] = {
	FIELD(window, window, WINDOW), FIELD(window, vcpus, ORDINAL),
	FIELD(window, instructions, COUNT_OR_NULL),
};

static const struct field site_fields[] = {
	FIELD(site, window, WINDOW), FIELD(site, address, ADDRESS), FIELD(site, word, WORD),
	FIELD(site, kind, TEXT), FIELD(site, hits, ORDINAL), FIELD(site, stepped, COUNT),
};

static const struct field slot_fields[] = {
	FIELD(slot, window, WINDOW), FIELD(slot, kind, TEXT), FIELD(slot, hits, ORDINAL),
};

static const struct field scope_fields[] = {
	FIELD(scope, window, WINDOW), FIELD(scope, scope, TEXT), FIELD(scope, functions, NAMES),
	FIELD(scope, calls, COUNT), FIELD(scope, full, COUNT), FIELD(scope, unsized, COUNT),
	FIELD(scope, pages, COUNT), FIELD(scope, instructions, COUNT_OR_NULL),
	FIELD(scope, unfinished, COUNT),
};

static const struct field scope_insn_fields[] = {
	FIELD(scope_insn, window, WINDOW), FIELD(scope_insn, scope, TEXT),
	FIELD(scope_insn, kind, TEXT), FIELD(scope_insn, count, COUNT),
};

static const struct field scope_pages_fields[] = {
	FIELD(scope_pages, window, WINDOW), FIELD(scope_pages, scope, TEXT),
	FIELD(scope_pages, pages, COUNT), FIELD(scope_pages, calls, COUNT),
};

static const struct field model_fields[] = {
	FIELD(model, window, WINDOW), FIELD(model, structure, TEXT), FIELD(model, where, TEXT),
	FIELD(model, accesses, COUNT), FIELD(model, misses, COUNT),
};

static const struct field left_out_fields[] = {
	FIELD(left_out, window, WINDOW), FIELD(left_out, what, TEXT), FIELD(left_out, n, COUNT),
};

#define TYPE(name, fields, member, check)					\
	{ name, fields, ARRAY_SIZE(fields),					\
	  sizeof(*((struct pgt_tcg_result *)NULL)->member),			\
	  offsetof(struct pgt_tcg_result, member),				\
	  offsetof(struct pgt_tcg_result, n_##member), check }

static const struct type types[] = {
	TYPE("window", window_fields, windows, check_window),
	TYPE("site", site_fields, sites, check_site),
	TYPE("slot", slot_fields, slots, NULL),
	TYPE("scope", scope_fields, scopes, check_scope),
	TYPE("scope_insn", scope_insn_fields, scope_insns, NULL),
	TYPE("scope_pages", scope_pages_fields, scope_pages, check_scope_pages),
	TYPE("model", model_fields, models, check_model),
	TYPE("model_left_out", left_out_fields, left_out, NULL),
};

/* ---- members ---- */

static int store_text(char **out, const struct field *field, json_t *member,
		      const struct pgt_place *at, struct pgt_diag *diag)
{
	if (field->kind == TEXT_OR_NULL && json_is_null(member))
		return 0;
	if (!json_string_length(member))
		return pgt_place_refuse(at, diag, "\"%s\" is missing, empty or not a string",
					field->name);
	*out = strdup(json_string_value(member));
	return *out ? 0 : pgt_fail(diag, -ENOMEM, "%s: out of memory", at->path);
}

static int store_names(char **out, const struct field *field, json_t *member,
		       const struct pgt_place *at, struct pgt_diag *diag)
{
	struct pgt_buf names = PGT_BUF_INIT;
	json_t *name;
	size_t i;
	int err = 0;

	json_array_foreach(member, i, name) {
		if (!json_string_length(name)) {
			pgt_buf_release(&names);
			break;
		}
		err = pgt_buf_addf(&names, "%s%s", i ? ", " : "", json_string_value(name));
		if (err)
			break;
	}
	if (!err && !names.len)
		return pgt_place_refuse(at, diag, "\"%s\" is not a list of names", field->name);
	*out = names.at;
	return err ? pgt_fail(diag, err, "%s: out of memory", at->path) : 0;
}

static int store_integer(int64_t *out, const struct field *field, json_t *line,
			 const struct pgt_place *at, struct pgt_diag *diag)
{
	if (field->kind == COUNT_OR_NULL && json_is_null(json_object_get(line, field->name))) {
		*out = -1;
		return 0;
	}
	return pgt_line_integer(line, field->name, field->kind == ORDINAL, out, at, diag);
}

static int store_window(int64_t *out, const struct pgt_tcg_result *result,
			const struct field *field, json_t *line, const struct pgt_place *at,
			struct pgt_diag *diag)
{
	int err;

	if (json_is_null(json_object_get(line, field->name))) {
		*out = PGT_TCG_BOOT;
		return 0;
	}
	err = pgt_line_integer(line, field->name, 1, out, at, diag);
	if (!err && *out > result->n_opened)
		return pgt_place_refuse(at, diag, "window %" PRId64 ", but the first line says that "
					"%" PRId64 " were opened", *out, result->n_opened);
	return err;
}

static int parse_hex(uint64_t *out, const struct field *field, json_t *member, uint64_t max,
		     const struct pgt_place *at, struct pgt_diag *diag)
{
	const char *text = json_string_value(member);
	size_t n = text && !strncmp(text, "0x", 2) ?
		   strspn(text + 2, "0123456789abcdef") : 0;

	if (!n || n > 16 || text[2 + n] || strtoull(text, NULL, 16) > max)
		return pgt_place_refuse(at, diag, "\"%s\" is not a string with a hexadecimal number "
					"of at most %d bits", field->name,
					max == UINT32_MAX ? 32 : 64);
	*out = strtoull(text, NULL, 16);
	return 0;
}

static int store_word(uint32_t *out, const struct field *field, json_t *member,
		      const struct pgt_place *at, struct pgt_diag *diag)
{
	uint64_t word;
	int err = parse_hex(&word, field, member, UINT32_MAX, at, diag);

	if (!err)
		*out = (uint32_t)word;
	return err;
}

static int store_field(void *object, const struct pgt_tcg_result *result,
		       const struct field *field, json_t *line, const struct pgt_place *at,
		       struct pgt_diag *diag)
{
	json_t *member = json_object_get(line, field->name);
	void *out = (char *)object + field->offset;

	switch (field->kind) {
	case TEXT:
	case TEXT_OR_NULL:
		return store_text(out, field, member, at, diag);
	case NAMES:
		return store_names(out, field, member, at, diag);
	case WINDOW:
		return store_window(out, result, field, line, at, diag);
	case ADDRESS:
		return parse_hex(out, field, member, UINT64_MAX, at, diag);
	case WORD:
		return store_word(out, field, member, at, diag);
	case FLAG:
		return pgt_line_flag(line, field->name, out, at, diag);
	default:
		return store_integer(out, field, line, at, diag);
	}
}

static int store_fields(void *object, const struct pgt_tcg_result *result,
			const struct field *fields, size_t n, json_t *line,
			const struct pgt_place *at, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = store_field(object, result, &fields[i], line, at, diag);
	return err;
}

int pgt_tcg_line_first(struct pgt_tcg_result *result, json_t *line, const struct pgt_place *at,
		       struct pgt_diag *diag)
{
	int64_t schema;
	int err = pgt_line_integer(line, "schema", INT64_MIN, &schema, at, diag);

	if (!err && schema != PGT_TCG_SCHEMA)
		return pgt_fail(diag, -EPROTONOSUPPORT, "%s:%zu: the plugin's counts have schema %"
				PRId64 ", this pgtrace reads schema %d: build both from one source",
				at->path, at->line, schema, PGT_TCG_SCHEMA);
	if (!err)
		err = store_fields(result, result, first_fields, ARRAY_SIZE(first_fields), line, at,
				   diag);
	return err;
}

/* ---- where lines of a type go ---- */

/* One more zeroed element.  Space doubles, so n is a power of two when it runs out. */
static void *grow(struct pgt_tcg_result *result, const struct type *type)
{
	char **array = (char **)(void *)((char *)result + type->array);
	size_t *n = (size_t *)(void *)((char *)result + type->n);
	char *element;

	if ((*n & (*n - 1)) == 0) {
		char *grown = reallocarray(*array, *n ? 2 * *n : 1, type->size);

		if (!grown)
			return NULL;
		*array = grown;
	}
	element = *array + (*n)++ * type->size;
	memset(element, 0, type->size);
	return element;
}

int pgt_tcg_line_store(struct pgt_tcg_result *result, const char *type_name, json_t *line,
		       const struct pgt_place *at, struct pgt_diag *diag)
{
	const struct type *type = types;
	void *object;
	int err;

	while (type < types + ARRAY_SIZE(types) && strcmp(type->name, type_name))
		type++;
	if (type == types + ARRAY_SIZE(types))
		return 0;
	object = grow(result, type);
	if (!object)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", at->path);
	err = store_fields(object, result, type->fields, type->n_fields, line, at, diag);
	if (!err && type->check)
		err = type->check(result, object, at, diag);
	return err;
}

static void release_texts(void *object, const struct field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fields[i].kind <= NAMES)
			free(*(char **)(void *)((char *)object + fields[i].offset));
}

void pgt_tcg_line_release(struct pgt_tcg_result *result)
{
	release_texts(result, first_fields, ARRAY_SIZE(first_fields));
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		char *array = *(char **)(void *)((char *)result + types[i].array);
		size_t n = *(size_t *)(void *)((char *)result + types[i].n);

		for (size_t j = 0; j < n; j++)
			release_texts(array + j * types[i].size, types[i].fields,
				      types[i].n_fields);
		free(array);
	}
}
