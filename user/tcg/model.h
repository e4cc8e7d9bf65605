/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - the TLB model within the plugin: one modelled MMU (mmu.h) for each vCPU.
 *
 * It runs only while a window is open, for the CPUs that have opened it.  Outside, nothing is
 * planted for it: where the first CPU opens a window, and where the last one has closed it, all
 * translated blocks are thrown away and translated anew, with and without its callbacks.  So a
 * CPU's model begins with the block after the one that opened the window, with empty TLBs.
 *
 * A broadcast invalidation reaches another CPU before the next block that it executes, or at the
 * latest when it next goes to another page of instructions.  Only the DSB after it bounds that in a
 * real machine too: which of two CPUs is ahead within it is as undefined there as the order of the
 * emulator's threads is here.
 *
 * What the emulator does not show as an access (accesses.h) is looked up all the same: cache
 * maintenance by address, and memory copies and sets with one access for each page.  The accesses of
 * SVE loads and stores by elements cannot be: such instructions are counted as left out.  An
 * atomic operation may be two accesses of one page; a block that an exception leaves early counts
 * whole.
 */
#ifndef PGT_TCG_MODEL_H
#define PGT_TCG_MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "tcg/qemu_plugin.h"

struct pgt_diag;
struct pgt_model;
struct pgt_tcg_plan;

/* -EINVAL where there is no such core, -ENOMEM. */
int pgt_model_make(struct pgt_model **out, const char *core, const struct pgt_tcg_plan *plan,
		   struct pgt_diag *diag);
void pgt_model_free(struct pgt_model *model);	/* accepts NULL */

/* The registers of a CPU that is made. */
void pgt_model_on_cpu(struct pgt_model *model, unsigned int vcpu, const GArray *registers);

/* Plant what a block needs, where a window is open. */
void pgt_model_translate(struct pgt_model *model, struct qemu_plugin_tb *tb);

/* A CPU opens or closes a window. */
void pgt_model_open(struct pgt_model *model, unsigned int vcpu, uint64_t window);
void pgt_model_close(struct pgt_model *model, unsigned int vcpu);

/* All translated blocks are gone; those that come are for the windows that are open now. */
void pgt_model_on_reset(struct pgt_model *model);

/* The guest has ended: what still waits counts as left out. */
void pgt_model_finish(struct pgt_model *model);

/* Why there is no result; NULL: there is one. */
const char *pgt_model_lost(const struct pgt_model *model);

/* Print the lines of tcg/format.h and add their number to *lines. */
void pgt_model_print(const struct pgt_model *model, FILE *stream, uint64_t *lines);

#endif /* PGT_TCG_MODEL_H */
