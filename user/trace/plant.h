/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plant.h - put kprobes where the plan and the site list want them, as far as the kernel lets.
 *
 * Only tracefs events are written here; what a planted address means to the BPF programs
 * is returned as a list, for the tracer to load into their maps.
 */
#ifndef PGT_TRACE_PLANT_H
#define PGT_TRACE_PLANT_H

#include <stddef.h>
#include <stdint.h>

#include "../bpf/pgtrace_abi.h"

struct pgt_diag;
struct pgt_event;
struct pgt_plan;
struct pgt_progress;
struct pgt_sites;
struct pgt_text;

struct pgt_planted {
	uint64_t address;
	uint32_t func;			/* number in the plan */
	enum pgt_event_kind kind;
};

struct pgt_planted_list {
	struct pgt_planted *at;
	size_t n, size;
};

void pgt_planted_release(struct pgt_planted_list *list);

/*
 * For every function of the plan without a mechanism: kprobes at its entry and its returns, or
 * a kretprobe (one event each function, returns[i]), or else kprobes on the direct calls of
 * it.  Sets its mechanism and, where calls are missed, its reason.
 */
int pgt_plant_functions(struct pgt_plan *plan, const struct pgt_text *text,
			struct pgt_event *entries, struct pgt_event *returns,
			struct pgt_planted_list *out, struct pgt_progress *progress,
			struct pgt_diag *diag);

/* A kprobe on each site that is untried; sets its reach. */
int pgt_plant_sites(struct pgt_sites *sites, const struct pgt_text *text, struct pgt_event *event,
		    struct pgt_progress *progress, struct pgt_diag *diag);

#endif /* PGT_TRACE_PLANT_H */
