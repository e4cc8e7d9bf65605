/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/oracle.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "recording/metric.h"
#include "report/fields.h"

#define PAGE_SIZE	4096
#define MAX_PER_PART	1000000		/* so that no sum overflows */
#define MAX_COUNT	(INT64_C(1) << 53)	/* up to which a double holds every integer */

/* How many of each part 1 GiB has. */
static const int64_t parts_per_gib[PGT_N_ORACLE_PARTS] = {
	[PGT_PER_PTE] = 262144,
	[PGT_PER_CONT_PTE] = 16384,
	[PGT_PER_PTE_TABLE] = 512,
	[PGT_PER_CONT_PMD] = 32,
	[PGT_PER_PMD_TABLE] = 1,
};

static int out_of_memory(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ENOMEM, "out of memory");
}

/* The sums above hold for one size of pages; of others a GiB is no whole number of PMD tables. */
static int set_page(struct pgt_oracle *oracle, const struct pgt_fields *fields,
		    struct pgt_diag *diag)
{
	if (oracle->page_size)
		return pgt_fields_fail(fields, diag, "a second line 'page'");
	if (!pgt_field_count(fields->rest, PAGE_SIZE, &oracle->page_size) ||
	    oracle->page_size != PAGE_SIZE)
		return pgt_fields_fail(fields, diag, "only pages of 4096 bytes: of others 1 GiB is "
				       "no whole number of tables");
	return 0;
}

/* "4", or "33/8" where something is done once for several parts. */
static bool read_ratio(char *word, struct pgt_oracle_ratio *out)
{
	char *slash = strchr(word, '/');
	bool valid;

	*out = (struct pgt_oracle_ratio){ 0, 1 };
	if (slash)
		*slash = '\0';
	valid = pgt_field_count(word, MAX_PER_PART, &out->n) &&
		(!slash || pgt_field_count(slash + 1, MAX_PER_PART, &out->of)) && out->of;
	if (slash)
		*slash = '/';	/* for a message */
	return valid;
}

static int read_map(struct pgt_oracle_entry *entry, const struct pgt_oracle *oracle,
		    struct pgt_fields *fields, char **insn, struct pgt_diag *diag)
{
	char *words[2 + PGT_N_ORACLE_PARTS];

	if (!oracle->page_size)
		return pgt_fields_fail(fields, diag, "'page 4096' comes before 'linear_map'");
	if (!pgt_fields_split(fields, words, 2 + PGT_N_ORACLE_PARTS))
		return pgt_fields_fail(fields, diag, "not 'linear_map STEP INSN PER_PTE "
				       "PER_CONT_PTE PER_PTE_TABLE PER_CONT_PMD PER_PMD_TABLE'");
	if (strcmp(words[1], "dsb") && strcmp(words[1], "isb") && strcmp(words[1], "tlbi"))
		return pgt_fields_fail(fields, diag, "'%s' is none of dsb, isb, tlbi", words[1]);
	for (size_t i = 0; i < PGT_N_ORACLE_PARTS; i++) {
		struct pgt_oracle_ratio *per = &entry->per[i];

		if (!read_ratio(words[2 + i], per) || per->n * parts_per_gib[i] % per->of)
			return pgt_fields_fail(fields, diag, "'%s' is neither a whole number from "
					       "0 to 1000000 nor a fraction of them that comes to "
					       "a whole number in 1 GiB", words[2 + i]);
		entry->expected += per->n * parts_per_gib[i] / per->of;
	}
	*insn = words[1];
	entry->step = strdup(words[0]);
	return entry->step ? 0 : out_of_memory(diag);
}

static int read_count(struct pgt_oracle_entry *entry, struct pgt_fields *fields,
		      struct pgt_diag *diag)
{
	struct pgt_metric metric;
	char *words[4];

	if (!pgt_fields_split(fields, words, 4))
		return pgt_fields_fail(fields, diag, "not 'count STEP WORKLOAD METRIC N'");
	if (pgt_metric_lookup(words[2], &metric))
		return pgt_fields_fail(fields, diag, "metric '%s' is not known", words[2]);
	if (!pgt_field_count(words[3], MAX_COUNT, &entry->expected))
		return pgt_fields_fail(fields, diag, "'%s' is not a whole number from 0 to 2^53",
				       words[3]);
	entry->step = strdup(words[0]);
	entry->workload = strdup(words[1]);
	entry->metric = strdup(words[2]);
	return entry->step && entry->workload && entry->metric ? 0 : out_of_memory(diag);
}

static void release_entry(struct pgt_oracle_entry *entry)
{
	free(entry->step);
	free(entry->workload);
	free(entry->metric);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Two expectations of one value: one of them is a mistake. */
static int check_unique(const struct pgt_oracle *oracle, const struct pgt_oracle_entry *entry,
			const struct pgt_fields *fields, struct pgt_diag *diag)
{
	for (size_t i = 0; i < oracle->n; i++)
		if (!strcmp(oracle->entries[i].step, entry->step) &&
		    same_text(oracle->entries[i].workload, entry->workload) &&
		    !strcmp(oracle->entries[i].metric, entry->metric))
			return pgt_fields_fail(fields, diag, "expected already in line %zu",
					       oracle->entries[i].line);
	return 0;
}

static int name_metric(struct pgt_oracle_entry *entry, const char *insn, struct pgt_diag *diag)
{
	struct pgt_buf name = PGT_BUF_INIT;

	if (pgt_buf_addf(&name, "linear_map.insn.%s", insn))
		return out_of_memory(diag);
	entry->metric = name.at;	/* which owns it now */
	return 0;
}

static int add_entry(struct pgt_oracle *oracle, struct pgt_fields *fields, bool is_map,
		     struct pgt_diag *diag)
{
	struct pgt_oracle_entry entry = { .line = fields->line };
	struct pgt_oracle_entry *grown;
	char *insn = NULL;
	int err = is_map ? read_map(&entry, oracle, fields, &insn, diag) :
			   read_count(&entry, fields, diag);

	if (!err && is_map)
		err = name_metric(&entry, insn, diag);
	if (!err)
		err = check_unique(oracle, &entry, fields, diag);
	if (!err) {
		grown = reallocarray(oracle->entries, oracle->n + 1, sizeof(*grown));
		err = grown ? 0 : out_of_memory(diag);
	}
	if (err) {
		release_entry(&entry);
		return err;
	}
	oracle->entries = grown;
	grown[oracle->n++] = entry;
	return 0;
}

static int add_line(struct pgt_oracle *oracle, struct pgt_fields *fields, struct pgt_diag *diag)
{
	bool is_map = !strcmp(fields->keyword, "linear_map");

	if (!strcmp(fields->keyword, "page"))
		return set_page(oracle, fields, diag);
	if (is_map || !strcmp(fields->keyword, "count"))
		return add_entry(oracle, fields, is_map, diag);
	return pgt_fields_fail(fields, diag, "'%s' is none of page, linear_map, count",
			       fields->keyword);
}

int pgt_oracle_parse(struct pgt_oracle *out, const char *text, const char *path,
		     struct pgt_diag *diag)
{
	struct pgt_oracle oracle = { .path = path };
	struct pgt_fields fields;
	int err = pgt_fields_open(&fields, text, path, diag);

	while (!err && pgt_fields_next(&fields))
		err = add_line(&oracle, &fields, diag);
	if (!err && !oracle.n)
		err = pgt_fail(diag, -EINVAL, "%s: nothing is expected in it: a file without "
			       "expectations would seem to be checked", path);
	pgt_fields_release(&fields);
	if (err)
		pgt_oracle_release(&oracle);
	else
		*out = oracle;
	return err;
}

void pgt_oracle_release(struct pgt_oracle *oracle)
{
	for (size_t i = 0; i < oracle->n; i++)
		release_entry(&oracle->entries[i]);
	free(oracle->entries);
	*oracle = (struct pgt_oracle){ .n = 0 };
}
