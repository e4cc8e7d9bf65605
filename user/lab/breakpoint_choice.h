/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * breakpoint_choice.h - which sites get the few hardware breakpoints.
 */
#ifndef PGT_LAB_BREAKPOINT_CHOICE_H
#define PGT_LAB_BREAKPOINT_CHOICE_H

#include <stddef.h>
#include <stdint.h>

struct pgt_call;
struct pgt_ksyms;
struct pgt_plan;
struct pgt_sites;
struct pgt_watch;

/*
 * Sites that may have been executed within a probe, or that are a probe's own; what else a
 * machine executes meanwhile is not worth a window.  known has one element a site (enum
 * pgt_known, or-ed), out room for all sites.  Returns how many were chosen.
 */
size_t pgt_choose_needed(const struct pgt_sites *sites, const uint16_t *known, uint32_t *out);

/*
 * For work that cannot be done again: first the sites of which nothing else will tell whether
 * they were executed, then those in functions that a probe's functions call.  call has the
 * n_calls calls of functions with sites that need breakpoints.
 */
size_t pgt_choose_blind(const struct pgt_sites *sites, const struct pgt_plan *plan,
			const struct pgt_ksyms *ksyms, const struct pgt_watch *watch,
			const struct pgt_call *call, size_t n_calls, uint32_t *out);

#endif /* PGT_LAB_BREAKPOINT_CHOICE_H */
