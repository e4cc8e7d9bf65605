/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fentry.h - attach functions by fentry and fexit, as far as the kernel takes them.
 *
 * One slot is a pair of programs in bpf/pgtrace.bpf.c.  For tracer.c.
 */
#ifndef PGT_TRACE_FENTRY_H
#define PGT_TRACE_FENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "../bpf/pgtrace_abi.h"

struct bpf_link;
struct bpf_object;
struct pgt_plan;

struct pgt_fentry {
	struct bpf_link *entry[PGT_FENTRY_MAX], *exit[PGT_FENTRY_MAX];
	uint32_t func[PGT_FENTRY_MAX];	/* number in the plan */
	size_t n;			/* slots aimed */
};

/*
 * Before load: aim slots at functions of the plan that BTF can name, and mark their programs
 * for loading.  slot_func is the object's own table of what func[] says.
 */
void pgt_fentry_aim(struct pgt_fentry *fentry, struct bpf_object *object,
		    const struct pgt_plan *plan, const volatile uint32_t *slot_func);

/* After load: attach, and set the mechanism of the functions where both programs did. */
void pgt_fentry_attach(struct pgt_fentry *fentry, struct bpf_object *object, struct pgt_plan *plan);

void pgt_fentry_release(struct pgt_fentry *fentry);

#endif /* PGT_TRACE_FENTRY_H */
