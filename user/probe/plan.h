/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.h - which functions of the kernel at hand stand for the probes asked for.
 *
 * The plan names every copy of every catalogue function that the kernel has, by address.
 * How each is reached is filled in by the tracer, which tries and does not assume.
 */
#ifndef PGT_PROBE_PLAN_H
#define PGT_PROBE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/catalogue.h"

struct pgt_diag;
struct pgt_ksym;
struct pgt_ksyms;

enum pgt_mechanism {		/* how a function's calls are seen, in the order tried */
	PGT_MECHANISM_NONE,
	PGT_MECHANISM_FENTRY,	/* fentry and fexit programs */
	PGT_MECHANISM_KPROBE,	/* kprobes on its first and its return instructions */
	PGT_MECHANISM_KRETPROBE,	/* kprobe and kretprobe: it also leaves by a jump */
	PGT_MECHANISM_CALL_SITE,	/* kprobes on the calls of a copy that tracing may not touch */
};

/* "fentry", "kprobe", "kretprobe", "call-site"; NULL for none. */
const char *pgt_mechanism_name(enum pgt_mechanism mechanism);

#define PGT_BLIND_MAX	8

struct pgt_plan_func {
	const struct pgt_catalogue_row *row;
	const struct pgt_ksym *symbol;
	int probe;			/* number in pgt_probes[] */
	bool unique;			/* no other symbol has this name: BTF can name it */
	enum pgt_mechanism mechanism;
	char reason[240];		/* why none, or why calls may be missed; "" otherwise */
	const struct pgt_ksym *blind[PGT_BLIND_MAX];	/* functions whose calls of it are not seen */
	size_t n_blind;
};

struct pgt_plan {
	struct pgt_plan_func *func;	/* at most PGT_FUNC_MAX */
	size_t n;
	unsigned int probes;		/* bit n: probe n was asked for */
};

/*
 * Look the functions of the probes in the mask up.  A catalogue function that the kernel
 * lacks is not in the plan.  -E2BIG for more than PGT_FUNC_MAX copies.
 */
int pgt_plan_make(struct pgt_plan *out, const char *arch, const struct pgt_ksyms *ksyms,
		  unsigned int probes, struct pgt_diag *diag);
void pgt_plan_release(struct pgt_plan *plan);

/* Whether the plan has any function for a probe; if not, the kernel lacks the probe. */
bool pgt_plan_has(const struct pgt_plan *plan, int probe);

#endif /* PGT_PROBE_PLAN_H */
