/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plugin.h - the plugin's state, and the way from a guest's instruction to what counts it.
 *
 *   plugin.c     arguments, start and end
 *   translate.c  called when QEMU translates a block: plants what is below
 *   count.c      counters: one number a place, kind and CPU, added to within the block
 *   events.c     called when something executes that needs more than an addition
 */
#ifndef PGT_TCG_PLUGIN_H
#define PGT_TCG_PLUGIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "tcg/kinds.h"
#include "tcg/model.h"
#include "tcg/options.h"
#include "tcg/places.h"
#include "tcg/plan.h"
#include "tcg/qemu_plugin.h"
#include "tcg/returns.h"
#include "tcg/scopes.h"
#include "tcg/steps.h"
#include "tcg/windows.h"

#define PGT_TCG_CHUNK		2048	/* places in one scoreboard */
#define PGT_TCG_CHUNKS_MAX	64

/* What translated blocks add to and compare with, for each CPU. */
struct pgt_tcg_cell {
	uint64_t instructions;
	uint64_t watch;			/* pgt_tcg_scopes_watch() */
	uint64_t kinds[PGT_TCG_KINDS_MAX];
};

struct pgt_tcg_cpu {			/* used by this CPU's thread alone */
	struct qemu_plugin_register *x[31], *sp, *sp_el0;
	GByteArray *bytes;
	uint64_t *hits;			/* for a window's edge */
	size_t n_hits;
	struct pgt_tcg_steps steps;
};

/*
 * The only global: QEMU's callbacks about the plugin as a whole take no user data.
 * lock guards the tables, which all CPUs' threads translate into.
 */
struct pgt_tcg {
	qemu_plugin_id_t id;
	struct pgt_tcg_options options;
	struct pgt_tcg_plan plan;
	struct pgt_file_out out;
	struct qemu_plugin_scoreboard *cells;
	struct pgt_tcg_cpu cpu[PGT_TCG_VCPUS_MAX];
	pthread_mutex_t lock;
	struct qemu_plugin_scoreboard *chunk[PGT_TCG_CHUNKS_MAX];
	struct pgt_tcg_kinds kinds;
	struct pgt_tcg_places places;
	struct pgt_tcg_scopes scopes;
	struct pgt_tcg_returns returns;
	struct pgt_tcg_windows windows;
	struct pgt_model *model;	/* NULL: none */
	bool executed;			/* the guest, anything */
	bool switched;			/* from one task to another, at the plan's address */
	const char *lost;		/* why what was counted is not whole; NULL: it is */
};

extern struct pgt_tcg pgt_tcg;

/* ---- plugin.c ---- */

/*
 * Have QEMU throw all translated blocks away, as soon as no CPU executes one; what counts is
 * kept.  That is before this CPU's next block: QEMU asks for it at the head of each.
 */
void pgt_tcg_retranslate(void);

/* ---- translate.c ---- */

void pgt_tcg_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);

/* ---- count.c ---- */

/* A place and its counter; NULL where there is no more room (pgt_tcg.lost is set).  Locked. */
struct pgt_tcg_place *pgt_tcg_place_get(uint64_t address, uint32_t word, enum pgt_tcg_via via,
					size_t kind);
qemu_plugin_u64 pgt_tcg_place_counter(const struct pgt_tcg_place *place);

/* A CPU's cell, and a number of all cells. */
struct pgt_tcg_cell *pgt_tcg_cell_of(unsigned int vcpu);
#define pgt_tcg_counter(member)	\
	((qemu_plugin_u64){ pgt_tcg.cells, offsetof(struct pgt_tcg_cell, member) })

/* Add to a counter of a CPU from that CPU's own thread. */
void pgt_tcg_count(unsigned int vcpu, qemu_plugin_u64 counter, uint64_t n);

/* Copy a CPU's hits of the first n places. */
void pgt_tcg_hits_copy(uint64_t *to, unsigned int vcpu, size_t n);

/* ---- events.c: callbacks of one instruction ---- */

/* A CPU's register by its name; ends QEMU where there is none. */
struct qemu_plugin_register *pgt_tcg_register_find(const GArray *registers, const char *name);
uint64_t pgt_tcg_register_read(struct qemu_plugin_register *handle, GByteArray *scratch);

void pgt_tcg_on_cpu(qemu_plugin_id_t id, unsigned int vcpu);	/* a CPU is made */
void pgt_tcg_on_entry(unsigned int vcpu, void *entry);		/* struct pgt_tcg_entry */
void pgt_tcg_on_return(unsigned int vcpu, void *address);
void pgt_tcg_on_switch(unsigned int vcpu, void *unused);
void pgt_tcg_on_hint(unsigned int vcpu, void *number);
void pgt_tcg_on_brk(unsigned int vcpu, void *address);		/* "brk #4" of a kprobe */
void pgt_tcg_on_slot(unsigned int vcpu, void *kind_and_word);	/* kind << 32 | word */

#endif /* PGT_TCG_PLUGIN_H */
