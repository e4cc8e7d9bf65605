/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * catalogue.h - what there is to measure.
 *
 * A *probe* is a name that means the same on every kernel; a *row* names one function
 * that does the probe's work on one architecture, and where its arguments say how many
 * pages a call covers.  A new probe, function or architecture is a row here.
 */
#ifndef PGT_PROBE_CATALOGUE_H
#define PGT_PROBE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "../bpf/pgtrace_abi.h"

struct pgt_probe {
	const char *name;
	const char *help;		/* one line */
};

/* A probe's number is its index here; at most PGT_PROBE_MAX. */
extern const struct pgt_probe pgt_probes[];
extern const size_t pgt_n_probes;

/* By name; -1 where there is none. */
int pgt_probe_find(const char *name);

struct pgt_catalogue_row {
	const char *arch;
	const char *probe;
	const char *function;		/* without the compiler's .isra.N, .constprop.N, ... */
	enum pgt_pages pages;		/* how the arguments name the pages */
	unsigned char arg;		/* which argument, from 0; the first of a range */
};

extern const struct pgt_catalogue_row pgt_catalogue[];
extern const size_t pgt_n_catalogue;

/*
 * A *scope* is a part of the kernel's work that is counted from outside, from a function's entry
 * to its return.  Its functions stand in order of preference: the first that the kernel has as a
 * function of its own is used, for the compiler may have put the others into their callers.
 */
struct pgt_scope_row {
	const char *arch;
	const char *scope;
	const char *function;
	enum pgt_pages pages;		/* how the arguments name the pages */
	unsigned char arg;
	const char *pages_of;		/* a probe whose calls within the scope name its pages, or NULL */
	bool booting;			/* done while the kernel boots; else in a window */
};

extern const struct pgt_scope_row pgt_scopes[];	/* those of a scope stand together */
extern const size_t pgt_n_scopes;

/*
 * Is symbol the function or a copy of it that the compiler made?  "f", "f.isra.0" and
 * "f.constprop.0.isra.1" are f; "f.cold" is a part of f that nobody calls.
 */
bool pgt_symbol_is(const char *symbol, const char *function);
bool pgt_symbol_is_part(const char *symbol);

/*
 * The row of a symbol on an architecture, so that an instruction's function tells the
 * probe that it belongs to; NULL where it belongs to none.
 */
const struct pgt_catalogue_row *pgt_catalogue_of(const char *arch, const char *symbol);

/*
 * Whether a symbol is part of switching from one task to another, or of reading the clock, which
 * the scheduler does first.  A task may be switched away from in the middle of any probe, and what
 * that executes is no work of the probe.
 */
bool pgt_symbol_is_incidental(const char *arch, const char *symbol);

/*
 * Whether a function is entered only by the hardware or on a task of its own: an exception, a
 * reset, a wake-up, another CPU's call, a stopped machine, a sysctl, tracing itself.  None of these is
 * called from within a probe, and what an exception executes is no work of the probe that it
 * interrupts.
 */
bool pgt_symbol_is_asynchronous(const char *arch, const char *symbol);

#endif /* PGT_PROBE_CATALOGUE_H */
