/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tcg_result.h - what the QEMU plugin counted (tcg/format.h), read and checked.
 */
#ifndef PGT_LAB_TCG_RESULT_H
#define PGT_LAB_TCG_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

#define PGT_TCG_BOOT	INT64_C(0)	/* as a window: the whole boot */

struct pgt_tcg_window {
	int64_t window, vcpus;
	int64_t instructions;		/* -1: not counted */
};

struct pgt_tcg_site {
	int64_t window, hits, stepped;
	uint64_t address;
	uint32_t word;
	char *kind;
};

struct pgt_tcg_slot {			/* stepped somewhere that nobody knows */
	int64_t window, hits;
	char *kind;
};

struct pgt_tcg_scope {
	int64_t window, calls, full, unsized, pages, unfinished;
	int64_t instructions;		/* -1: not counted */
	char *scope;
	char *functions;		/* their names, parted by ", " */
};

struct pgt_tcg_scope_insn {
	int64_t window, count;
	char *scope, *kind;
};

struct pgt_tcg_scope_pages {
	int64_t window, pages, calls;
	char *scope;
};

struct pgt_tcg_model {
	int64_t window, accesses, misses;
	char *structure, *where;
};

struct pgt_tcg_left_out {
	int64_t window, n;
	char *what;
};

struct pgt_tcg_result {
	char *build_id;
	char *model;			/* NULL: none */
	int64_t vcpus, n_opened;	/* windows */
	bool open;			/* one was open when the guest ended */
	bool instructions;
	struct pgt_tcg_window *windows;
	struct pgt_tcg_site *sites;	/* ordered by window, address, and word */
	struct pgt_tcg_slot *slots;
	struct pgt_tcg_scope *scopes;
	struct pgt_tcg_scope_insn *scope_insns;
	struct pgt_tcg_scope_pages *scope_pages;
	struct pgt_tcg_model *models;
	struct pgt_tcg_left_out *left_out;
	size_t n_windows, n_sites, n_slots, n_scopes, n_scope_insns, n_scope_pages, n_models,
	       n_left_out;
};

/*
 * Returns 0 and fills *out, or
 *   -ENOENT, ...  the file cannot be read: the plugin wrote none;
 *   -EPROTO   a line is not what the format says;
 *   -ENODATA  it has no end line;
 *   -EPROTONOSUPPORT  its schema is not ours; -ENOMEM.
 */
int pgt_tcg_result_read(struct pgt_tcg_result *out, const char *path, struct pgt_diag *diag);
void pgt_tcg_result_release(struct pgt_tcg_result *result);	/* accepts a zeroed one */

/*
 * The site of a window at an address; NULL where it was not executed.  Where the kernel changed
 * the instruction in between, it is the first of those that were executed there, and the others
 * follow it.
 */
const struct pgt_tcg_site *pgt_tcg_result_site(const struct pgt_tcg_result *result, int64_t window,
					       uint64_t address);

/* Whether pgtrace in a guest counts instructions of the kind: the plugin also counts DMB and SB. */
bool pgt_tcg_is_probed(const char *kind);

#endif /* PGT_LAB_TCG_RESULT_H */
