/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * breakpoints.h - hardware execution breakpoints with a BPF program behind them.  For tracer.c.
 */
#ifndef PGT_TRACE_BREAKPOINTS_H
#define PGT_TRACE_BREAKPOINTS_H

#include <stddef.h>
#include <stdint.h>

struct bpf_link;
struct bpf_program;
struct pgt_cpus;
struct pgt_diag;

struct pgt_breakpoints {
	struct bpf_program *program;	/* borrowed */
	const struct pgt_cpus *cpus;	/* borrowed */
	struct bpf_link **link;		/* n of them: address by address, CPU by CPU */
	size_t n;
};

/* -ENOMEM. */
int pgt_breakpoints_init(struct pgt_breakpoints *out, struct bpf_program *program,
			 const struct pgt_cpus *cpus, struct pgt_diag *diag);

/* As pgt_tracer_set_breakpoints(), by address; n is at most PGT_BREAKPOINTS_MAX. */
int pgt_breakpoints_set(struct pgt_breakpoints *breakpoints, const uint64_t *address, size_t n,
			size_t *n_set, struct pgt_diag *diag);

void pgt_breakpoints_release(struct pgt_breakpoints *breakpoints);

#endif /* PGT_TRACE_BREAKPOINTS_H */
