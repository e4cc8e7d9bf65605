/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scope_plan.h - which functions of a kernel the emulator's plugin watches, and its plan's text.
 * Pure.
 *
 * Each scope of the catalogue and each of its probes is one scope of the plan.  Of a scope, the
 * first function that the kernel has is taken; of a probe, every function and every copy that
 * the compiler made.  One address belongs to a scope once.
 */
#ifndef PGT_LAB_SCOPE_PLAN_H
#define PGT_LAB_SCOPE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/catalogue.h"

struct pgt_buf;
struct pgt_diag;
struct pgt_ksyms;

struct pgt_scope_entry {
	const char *scope;		/* the catalogue's */
	const char *function;		/* the kernel's name of it, of the symbols */
	uint64_t address;
	enum pgt_pages pages;
	unsigned char arg;
};

struct pgt_scope_plan {
	struct pgt_scope_entry *entries;	/* those of a scope together */
	size_t n;
};

/* ksyms is to be of a booting kernel, and must outlive the plan.  Returns 0 or -ENOMEM. */
int pgt_scope_plan_make(struct pgt_scope_plan *out, const char *arch,
			const struct pgt_ksyms *ksyms, struct pgt_diag *diag);
void pgt_scope_plan_release(struct pgt_scope_plan *plan);	/* accepts a zeroed one */

/* Has the kernel a function whose calls are calls of this scope? */
bool pgt_scope_plan_has(const struct pgt_scope_plan *plan, const char *scope);

/* The functions that would enter a scope, "map_mem or paging_init", for a reason. */
int pgt_scope_candidates(struct pgt_buf *out, const char *arch, const char *scope);

/*
 * Append the text that tcg/format.h describes.  image_bytes: what the kernel's image takes, from
 * the 2 MiB boundary at or before its text, where arm64 images begin; 0: not known.  Returns 0,
 * -ENOENT where the kernel has no cpu_switch_to(), or -ENOMEM.
 */
int pgt_scope_plan_text(struct pgt_buf *out, const struct pgt_scope_plan *plan, const char *arch,
			const struct pgt_ksyms *ksyms, uint64_t image_bytes,
			const char *build_id, unsigned int n_cpus, struct pgt_diag *diag);

#endif /* PGT_LAB_SCOPE_PLAN_H */
