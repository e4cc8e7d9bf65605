/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/plan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "tcg/format.h"

#define FIELDS_MAX	6

struct reader {
	struct pgt_tcg_plan plan;
	struct pgt_diag *diag;
	const char *name;
	unsigned int line;
	bool ended;
};

static int complain(const struct reader *reader, int err, const char *what)
{
	return pgt_fail(reader->diag, err, "%s:%u: %s (write the plan anew with the pgtrace that "
			"this plugin came with)", reader->name, reader->line, what);
}

/* Digits and nothing else. */
static bool number_of(const char *text, int base, uint64_t *out)
{
	char *end;

	if (base == 16) {
		if (strncmp(text, "0x", 2))
			return false;
		text += 2;
	}
	if (!*text || strspn(text, base == 16 ? "0123456789abcdef" : "0123456789") != strlen(text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, base);
	return !errno && !*end;
}

static int read_build_id(struct reader *reader, char **field)
{
	if (reader->plan.build_id)
		return complain(reader, -EPROTO, "a second build_id");
	if (!*field[1] || strspn(field[1], "0123456789abcdef") != strlen(field[1]))
		return complain(reader, -EPROTO, "build_id is not hexadecimal");
	reader->plan.build_id = strdup(field[1]);
	return reader->plan.build_id ? 0 : complain(reader, -ENOMEM, "out of memory");
}

static int read_vcpus(struct reader *reader, char **field)
{
	uint64_t n;

	if (!number_of(field[1], 10, &n) || !n)
		return complain(reader, -EPROTO, "vcpus is not a number above 0");
	if (n > PGT_TCG_VCPUS_MAX)
		return complain(reader, -E2BIG, "more vcpus than the plugin can count");
	reader->plan.vcpus = (unsigned int)n;
	return 0;
}

static int read_text(struct reader *reader, char **field)
{
	struct pgt_tcg_plan *plan = &reader->plan;
	uint64_t start, end;

	if (!number_of(field[1], 16, &start) || !number_of(field[2], 16, &end) || end <= start)
		return complain(reader, -EPROTO, "text is not two ascending addresses");
	plan->text_start = start;
	plan->text_end = end;
	return 0;
}

static int read_image(struct reader *reader, char **field)
{
	struct pgt_tcg_plan *plan = &reader->plan;

	if (!number_of(field[1], 16, &plan->image_start) ||
	    !number_of(field[2], 16, &plan->image_end) || plan->image_end <= plan->image_start)
		return complain(reader, -EPROTO, "image is not two ascending addresses");
	return 0;
}

static int read_switch(struct reader *reader, char **field)
{
	if (!number_of(field[1], 16, &reader->plan.switch_to) || !reader->plan.switch_to)
		return complain(reader, -EPROTO, "switch is not an address");
	return 0;
}

/* A name that can stand in JSON as it is. */
static bool is_name(const char *text)
{
	return *text && !strpbrk(text, "\"\\") && !text[strcspn(text, "\t\r")];
}

static int find_scope(struct reader *reader, const char *name, size_t *out)
{
	struct pgt_tcg_plan *plan = &reader->plan;

	for (size_t i = 0; i < plan->n_scopes; i++) {
		if (!strcmp(plan->scopes[i], name)) {
			*out = i;
			return 0;
		}
	}
	if (plan->n_scopes == PGT_TCG_SCOPES_MAX)
		return complain(reader, -E2BIG, "more scopes than the plugin can count");
	plan->scopes[plan->n_scopes] = strdup(name);
	if (!plan->scopes[plan->n_scopes])
		return complain(reader, -ENOMEM, "out of memory");
	*out = plan->n_scopes++;
	return 0;
}

static int read_scope(struct reader *reader, char **field)
{
	struct pgt_tcg_plan *plan = &reader->plan;
	struct pgt_tcg_entry *entries;
	uint64_t address, pages, arg;
	size_t scope = 0;
	int err;

	if (!is_name(field[1]) || !is_name(field[5]))
		return complain(reader, -EPROTO, "scope without a name or a function");
	if (!number_of(field[2], 16, &address) || !address)
		return complain(reader, -EPROTO, "scope without an address");
	if (!number_of(field[3], 10, &pages) || pages > PGT_PAGES_GATHER ||
	    !number_of(field[4], 10, &arg) || arg > 6)
		return complain(reader, -EPROTO, "scope names its pages in an unknown way");
	err = find_scope(reader, field[1], &scope);
	if (err)
		return err;
	entries = reallocarray(plan->entries, plan->n_entries + 1, sizeof(*entries));
	if (!entries)
		return complain(reader, -ENOMEM, "out of memory");
	plan->entries = entries;
	entries[plan->n_entries] = (struct pgt_tcg_entry){
		.address = address, .scope = scope, .pages = (enum pgt_pages)pages,
		.arg = (unsigned int)arg, .function = strdup(field[5]),
	};
	if (!entries[plan->n_entries++].function)
		return complain(reader, -ENOMEM, "out of memory");
	return 0;
}

/* 1 + the number of a scope that an earlier line has named; 0 for none. */
static size_t known_scope(const struct pgt_tcg_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n_scopes; i++)
		if (!strcmp(plan->scopes[i], name))
			return i + 1;
	return 0;
}

static int read_pages_of(struct reader *reader, char **field)
{
	struct pgt_tcg_plan *plan = &reader->plan;
	size_t outer = known_scope(plan, field[1]), inner = known_scope(plan, field[2]);

	if (!outer || !inner || outer == inner)
		return complain(reader, -EPROTO, "pages_of is not two scopes named before");
	if (plan->pages_of[outer - 1])
		return complain(reader, -EPROTO, "a second pages_of of one scope");
	plan->pages_of[outer - 1] = inner;
	return 0;
}

static int read_end(struct reader *reader, char **field)
{
	(void)field;
	reader->ended = true;
	return 0;
}

static const struct {
	const char *name;
	size_t n_fields;
	int (*read)(struct reader *reader, char **field);
} items[] = {
	{ "build_id", 2, read_build_id },
	{ "vcpus", 2, read_vcpus },
	{ "text", 3, read_text },
	{ "image", 3, read_image },
	{ "switch", 2, read_switch },
	{ "scope", 6, read_scope },
	{ "pages_of", 3, read_pages_of },
	{ "end", 1, read_end },
};

static int read_line(struct reader *reader, char *line)
{
	char *field[FIELDS_MAX + 1], *rest = line;
	size_t n = 0;

	if (reader->ended)
		return complain(reader, -EPROTO, "text behind the end");
	while (rest && n <= FIELDS_MAX)
		field[n++] = strsep(&rest, " ");
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		if (strcmp(field[0], items[i].name))
			continue;
		if (n != items[i].n_fields)
			return complain(reader, -EPROTO, "too many or too few fields");
		return items[i].read(reader, field);
	}
	return complain(reader, -EPROTO, "unknown item");
}

static int read_version(struct reader *reader, const char *line)
{
	static const char lead[] = "pgtrace-tcg ";
	uint64_t version;

	reader->line = 1;
	if (!line || strncmp(line, lead, sizeof(lead) - 1) ||
	    !number_of(line + sizeof(lead) - 1, 10, &version))
		return complain(reader, -EPROTO, "not a plan: it does not begin with pgtrace-tcg "
				"and a version");
	if (version != PGT_TCG_PLAN_VERSION)
		return complain(reader, -EPROTONOSUPPORT, "a plan of another version");
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct pgt_tcg_entry *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* By scope, where one address enters several. */
static int by_address_and_scope(const void *a, const void *b)
{
	const struct pgt_tcg_entry *x = a, *y = b;
	int order = by_address(a, b);

	return order ? order : x->scope < y->scope ? -1 : x->scope > y->scope;
}

static int check(struct reader *reader)
{
	struct pgt_tcg_plan *plan = &reader->plan;

	if (!reader->ended)
		return complain(reader, -EPROTO, "the plan is cut off: no end");
	if (!plan->build_id || !plan->vcpus || !plan->text_end)
		return complain(reader, -EPROTO, "build_id, vcpus or text is missing");
	if (!plan->image_end) {
		plan->image_start = plan->text_start;
		plan->image_end = plan->text_end;
	}
	if (plan->n_entries && !plan->switch_to)
		return complain(reader, -EPROTO, "scopes need switch, or they count other tasks");
	if (plan->n_entries)
		qsort(plan->entries, plan->n_entries, sizeof(*plan->entries),
		      by_address_and_scope);
	for (size_t i = 1; i < plan->n_entries; i++)
		if (!by_address_and_scope(&plan->entries[i - 1], &plan->entries[i]))
			return complain(reader, -EPROTO, "a scope is entered twice at one address");
	return 0;
}

int pgt_tcg_plan_parse(struct pgt_tcg_plan *out, char *text, const char *name,
		       struct pgt_diag *diag)
{
	struct reader reader = { .diag = diag, .name = name };
	char *line = strsep(&text, "\n");
	int err = read_version(&reader, line);

	while (!err && (line = strsep(&text, "\n"))) {
		if (!text && !*line)
			break;		/* behind the last newline */
		reader.line++;
		err = read_line(&reader, line);
	}
	if (!err)
		err = check(&reader);
	if (err)
		pgt_tcg_plan_release(&reader.plan);
	else
		*out = reader.plan;
	return err;
}

int pgt_tcg_plan_read(struct pgt_tcg_plan *out, const char *path, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(path, &text, diag);

	if (!err)
		err = pgt_tcg_plan_parse(out, text.at, path, diag);
	pgt_buf_release(&text);
	return err;
}

void pgt_tcg_plan_release(struct pgt_tcg_plan *plan)
{
	for (size_t i = 0; i < plan->n_scopes; i++)
		free(plan->scopes[i]);
	for (size_t i = 0; i < plan->n_entries; i++)
		free(plan->entries[i].function);
	free(plan->entries);
	free(plan->build_id);
	*plan = (struct pgt_tcg_plan){ .build_id = NULL };
}

const struct pgt_tcg_entry *pgt_tcg_plan_entry(const struct pgt_tcg_plan *plan, uint64_t address)
{
	const struct pgt_tcg_entry key = { .address = address }, *found;

	if (!plan->n_entries)
		return NULL;
	found = bsearch(&key, plan->entries, plan->n_entries, sizeof(key), by_address);
	while (found && found > plan->entries && found[-1].address == address)
		found--;
	return found;
}
