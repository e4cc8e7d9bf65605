/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites.h - find the barriers, invalidations and calls in a kernel's text.
 *
 * A *site* is the address of one instruction that is counted.  Its *owner* is the probe
 * that it belongs to by its place alone: the probe whose function contains it, or
 * flush_tlb for a flush that the compiler inlined into some other function.
 */
#ifndef PGT_PROBE_SITES_H
#define PGT_PROBE_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/insn.h"

struct pgt_diag;
struct pgt_ksym;
struct pgt_ksyms;

enum pgt_reach {		/* what counts a site */
	PGT_REACH_UNTRIED,
	PGT_REACH_KPROBE,
	PGT_REACH_BREAKPOINT,	/* has to be: the kernel refuses a kprobe here */
	PGT_REACH_SKIPPED,	/* not asked for */
	PGT_REACH_NONE,		/* reason says why */
};

/* What is known of a site's hits in one repeat of a workload; or-ed. */
enum pgt_known {
	PGT_KNOWN_COUNTED = 1,		/* every hit was counted */
	PGT_KNOWN_UNEVEN = 2,		/* in a window in which probes were called otherwise */
	PGT_KNOWN_NOT_OUTSIDE = 4,	/* none in a task with no probe active */
	PGT_KNOWN_NOT_IN_INTERRUPT = 8,	/* none in interrupt context */
	PGT_KNOWN_NOT_IN_PROBES = 0xff00,	/* none while any probe was active */
};

/* None while this probe was active: one bit of PGT_KNOWN_NOT_IN_PROBES for each. */
#define PGT_KNOWN_NOT_IN_PROBE(probe)	(0x100u << (probe))

struct pgt_site {
	uint64_t address;
	const struct pgt_ksym *function;
	struct pgt_insn insn;
	int owner;		/* probe number, or -1 */
	bool incidental;	/* pgt_symbol_is_incidental(): never a probe's work */
	bool asynchronous;	/* in a function that no probe can lead to */
	bool inlined_flush;	/* first instruction of a flush inlined into another function */
	enum pgt_reach reach;
	const char *reason;	/* for PGT_REACH_NONE */
};

struct pgt_call {		/* a direct call or jump to a function of interest */
	uint64_t address;
	uint64_t target;
	bool tail;		/* a jump: the callee returns to the caller's caller */
};

struct pgt_text {
	const struct pgt_insn_decoder *decoder;
	const struct pgt_ksyms *ksyms;
	uint64_t start;
	size_t len;		/* bytes */
	uint8_t *bytes;
	const char *kcore;	/* where it was read */
};

struct pgt_sites {
	struct pgt_site *at;	/* in order of address */
	size_t n;
};

/* Read the core text of the running kernel.  Errors as pgt_kcore_read() and -ENOMEM. */
int pgt_text_read(struct pgt_text *out, const struct pgt_insn_decoder *decoder,
		  const struct pgt_ksyms *ksyms, const char *kcore, struct pgt_diag *diag);
void pgt_text_release(struct pgt_text *text);

/* All sites of the text, owners assigned.  -E2BIG above PGT_SITE_MAX. */
int pgt_sites_find(struct pgt_sites *out, const struct pgt_text *text, struct pgt_diag *diag);
void pgt_sites_release(struct pgt_sites *sites);

/* The word at an offset into the text, which must be at most len - 4. */
uint32_t pgt_text_word(const struct pgt_text *text, size_t offset);

/* Put addresses into ascending order, as the functions that look for them want them. */
void pgt_targets_sort(uint64_t *target, size_t n);

/*
 * All direct calls and jumps from other functions to the n targets, which are in ascending
 * order.  *out is on the heap; its *n_out calls are in order of address.
 */
int pgt_text_calls(const struct pgt_text *text, const uint64_t *targets, size_t n,
		   struct pgt_call **out, size_t *n_out, struct pgt_diag *diag);

/*
 * The return instructions of a function, size of them at most, if it leaves by no other way.
 * -EXDEV where it also leaves, or may leave, by a jump; -E2BIG for more than size.
 */
int pgt_text_returns(const struct pgt_text *text, const struct pgt_ksym *function, uint64_t *out,
		     size_t size, size_t *n);

#endif /* PGT_PROBE_SITES_H */
