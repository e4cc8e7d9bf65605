/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.h - what the plugin is to count: the plan file of tcg/format.h, read and checked.
 */
#ifndef PGT_TCG_PLAN_H
#define PGT_TCG_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "../bpf/pgtrace_abi.h"

struct pgt_diag;

#define PGT_TCG_SCOPES_MAX	32
#define PGT_TCG_VCPUS_MAX	64

struct pgt_tcg_entry {		/* a function that enters a scope */
	uint64_t address;
	size_t scope;		/* number in scopes[] */
	enum pgt_pages pages;
	unsigned int arg;	/* 0 .. 7 */
	char *function;
};

struct pgt_tcg_plan {
	char *build_id;
	unsigned int vcpus;
	uint64_t text_start, text_end;
	uint64_t image_start, image_end;	/* text and data; the text where it was not given */
	uint64_t switch_to;	/* 0: no scopes, and none given */
	char *scopes[PGT_TCG_SCOPES_MAX];	/* names, in the order of the file */
	size_t pages_of[PGT_TCG_SCOPES_MAX];	/* 1 + number of the scope whose pages are a scope's */
	size_t n_scopes;
	struct pgt_tcg_entry *entries;	/* in order of address, then scope */
	size_t n_entries;
};

/*
 * Read a plan file.  -ENOENT, -EACCES, ... where it cannot be read, -EPROTONOSUPPORT where its
 * version is another, -EPROTO where a line is not what the format says or one is missing,
 * -E2BIG for too many scopes or CPUs, -ENOMEM.
 */
int pgt_tcg_plan_read(struct pgt_tcg_plan *out, const char *path, struct pgt_diag *diag);

/* The same of a text in memory, which is cut up; name is for messages. */
int pgt_tcg_plan_parse(struct pgt_tcg_plan *out, char *text, const char *name,
		       struct pgt_diag *diag);
void pgt_tcg_plan_release(struct pgt_tcg_plan *plan);

/* The first entry at an address, or NULL; those of further scopes there follow it. */
const struct pgt_tcg_entry *pgt_tcg_plan_entry(const struct pgt_tcg_plan *plan, uint64_t address);

#endif /* PGT_TCG_PLAN_H */
