/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify.h - hold what was counted in a guest against what an emulator's plugin counted.
 *
 * The recording has to be one of "record --every-site": then it says of every site of the
 * kernel's text how often it was executed in one window, or that nobody knows.  The plugin saw
 * all windows from outside (tcg/format.h), and both number them alike.
 */
#ifndef PGT_LAB_VERIFY_H
#define PGT_LAB_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_boot;
struct pgt_diag;
struct pgt_ksyms;
struct pgt_tcg_result;

enum pgt_verify_verdict {
	PGT_VERIFY_EQUAL,
	PGT_VERIFY_DIFFERS,
	PGT_VERIFY_UNSEEN,	/* the guest did not count it */
};

struct pgt_verify_row {			/* one place in one window */
	const char *workload, *kind;
	const char *function;		/* NULL: no symbol is known for the place */
	const char *mechanism;		/* NULL where the guest did not count it, */
	const char *reason;		/* and why not; else NULL */
	int64_t repeat, window;
	uint64_t address, offset;	/* address is 0 where the plugin does not know it either */
	int64_t counted;		/* by pgtrace; -1: not counted */
	int64_t executed;		/* by the plugin */
	enum pgt_verify_verdict verdict;
};

struct pgt_verify_sum {			/* one repeat of a workload */
	const char *workload;
	int64_t repeat;
	int64_t sites;			/* that were counted, those with no hit included */
	int64_t hits;			/* of these, as the plugin counted them */
	int64_t differ;			/* places whose two counts differ */
	int64_t unseen;			/* hits where the guest does not count */
	int64_t windows;
};

struct pgt_verify {			/* all texts are those of boot, result and ksyms */
	struct pgt_verify_row *rows;	/* by repeat of a workload, then by address */
	struct pgt_verify_sum *sums;	/* in the order of the recording */
	size_t n_rows, n_sums;
	int64_t lost;			/* events that the guest says it lost */
};

/*
 * Compare every site of every window.  ksyms names places that the recording does not know,
 * and may be NULL.  boot, result and ksyms must outlive *out.  Returns 0, also where counts
 * differ, or
 *   -EINVAL   the two are not of the same kernel (build ids), or of another number of CPUs;
 *   -ENODATA  the recording does not say what it would have to, a window of it is not in the
 *             result, not all CPUs opened it, or it was open when the guest ended;
 *   -ENOMEM.
 */
int pgt_verify_make(struct pgt_verify *out, const struct pgt_boot *boot,
		    const struct pgt_tcg_result *result, const struct pgt_ksyms *ksyms,
		    struct pgt_diag *diag);
void pgt_verify_release(struct pgt_verify *verify);	/* accepts a zeroed one */

/* Nothing differs and nothing was lost. */
bool pgt_verify_holds(const struct pgt_verify *verify);

#endif /* PGT_LAB_VERIFY_H */
