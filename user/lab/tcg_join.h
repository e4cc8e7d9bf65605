/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tcg_join.h - what the emulator's plugin counted, put into the recording of the same boot.
 *
 * Metrics of its own, never added to those that the guest counted:
 *
 *   source "tcg:scope"  of the whole boot, workload boot-2g: linear_map.*;
 *                       of each window that counted calls: calls and pages of add_memory, where
 *                       it was called
 *   source "tcg:boot"   of the whole boot, of each probe: .calls, .full, .unsized, .pages and
 *                       .pages_per_call.N, which are not the same in every boot
 *   source "tcg:window" unseen.insn.*, and the "unseen" lines: executed in such a window where
 *                       the recording says that no mechanism reaches
 *   source "tcg:model"  model.* of such a window
 *
 * The guest has recorded with --every-site, and all that it counted is held against the plugin's
 * counts (verify.h): each repeat of a workload gets a "truth" line.
 *
 * A scope that the kernel has no function for is not counted, with the reason, and one with
 * calls that never returned is a lower bound.
 */
#ifndef PGT_LAB_TCG_JOIN_H
#define PGT_LAB_TCG_JOIN_H

#include <stdbool.h>

struct pgt_diag;
struct pgt_scope_plan;
struct pgt_symbols;

struct pgt_tcg_join {
	const char *arch;
	const struct pgt_symbols *symbols;
	const struct pgt_scope_plan *plan;
	bool every_site;	/* keep the lines of sites without hits, which a comparison needs not */
	const char *boot;	/* workload of what the whole boot executed; NULL: not asked for */
};

/*
 * Rewrite the recording, of one boot, with the counts added before its end line: wholly or not
 * at all.  Returns 0, or what reading the two gave, or
 *   -EXDEV   they are of different kernels, or of another than the symbols;
 *   -EINVAL  the guest was not booted with nokaslr;
 *   -EPROTO  they do not fit each other: a window or a scope of the plan is missing;
 *   -ENODATA the recording does not have every site, or a window was not opened by all CPUs;
 *   -ENOMEM.
 */
int pgt_tcg_join(const char *recording, const char *counts, const struct pgt_tcg_join *join,
		 struct pgt_diag *diag);

#endif /* PGT_LAB_TCG_JOIN_H */
