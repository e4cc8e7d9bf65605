/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmu.h - the modelled TLBs of one vCPU: two of the first level, one of the second.
 *
 * Each access looks its first-level structure up, a miss there the second level, and a miss
 * there walks the guest's page tables and fills both.  Accesses are lookups: one for every page
 * that a block of instructions touches each time it runs, one for every page that a data access
 * touches.  What a core does ahead of execution (speculation, prefetching) is not there.
 *
 * Memory can only be read through the addresses of the running exception level, and EL0 can
 * read no page tables.  So what EL0 misses waits in a queue, and with it all accesses that
 * follow, in their order; the queue is worked off when the vCPU next runs the kernel proper,
 * before the first access of that is looked up.  Until then nothing can have changed the page
 * tables but another vCPU.  Consecutive accesses of one side to one page are one entry with a
 * count, which changes no result: the second finds the most recently used entry.
 *
 * Page tables are read through the linear map.  Where that is follows from TCR and is checked
 * once per window by translating the linear address of the kernel's first table back.
 *
 * Nothing here is shared between threads: whoever has several vCPUs passes invalidations on.
 */
#ifndef PGT_TCG_MMU_H
#define PGT_TCG_MMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tcg/tlb.h"
#include "tcg/tlbi.h"
#include "tcg/walk.h"
#include "tcg/where.h"

struct pgt_core;
struct pgt_diag;

enum pgt_mmu_structure {
	PGT_MMU_L1D,
	PGT_MMU_L1I,
	PGT_MMU_L2,
	PGT_N_MMU_STRUCTURES,
};

enum pgt_mmu_left_out {		/* what is in no count of accesses */
	PGT_LEFT_OUT_GONE,	/* accesses: not mapped any more when it could be walked */
	PGT_LEFT_OUT_OVERFLOW,	/* accesses: the queue was full */
	PGT_LEFT_OUT_UNFINISHED,	/* accesses: the guest ended first */
	PGT_LEFT_OUT_UNSEEN,	/* instructions: vector loads and stores that cannot be observed */
	PGT_N_LEFT_OUT,
};

struct pgt_mmu_cell {
	uint64_t accesses, misses;
};

struct pgt_mmu_counts {
	struct pgt_mmu_cell cells[PGT_N_MMU_STRUCTURES][PGT_N_WHERE];
	uint64_t left_out[PGT_N_LEFT_OUT];
};

struct pgt_mmu_memory {
	/* Read 8 bytes at a virtual address of the kernel, from EL1.  0 or -errno. */
	pgt_walk_read_fn read;
	void *context;
	uint64_t ram;		/* physical address that the linear map begins with */
};

/*
 * Most blocks run after another one of the same page.  Translated code need not call for those:
 * it adds each block to n, and calls pgt_mmu_fetch() only where the page is not this one.
 */
struct pgt_mmu_fetches {
	uint64_t page;		/* 4K, as pgt_mmu_page_of() numbers them; UINT64_MAX: none */
	uint64_t n;		/* blocks that belong to the latest fetch and are not counted yet */
};

struct pgt_mmu_entry;		/* of the queue */

struct pgt_mmu {
	struct pgt_tlb tlb[PGT_N_MMU_STRUCTURES];
	struct pgt_regime regime;
	uint16_t asid;
	unsigned int page_shift;
	struct pgt_areas areas;
	struct pgt_mmu_memory memory;
	struct pgt_walk_cache tables;
	uint64_t kernel_ttbr1;	/* whose tables are walked; 0: not checked yet */
	bool bad_linear_map;	/* the check has failed: nothing can be walked */
	bool kernel;		/* the block that runs is of EL1 */
	bool counting;
	struct {		/* the latest access of each first-level side */
		uint64_t page;
		uint64_t *count;	/* what another one of this page adds to */
	} last[PGT_MMU_L2];
	struct pgt_mmu_fetches *fetches;	/* NULL: every block calls */
	struct pgt_mmu_entry *queue;
	size_t n_queued, queue_size;
	bool lost_tlbi;		/* one found no place in the queue */
	struct pgt_mmu_counts counts;
};

/* "dtlb.l1", "itlb.l1", "tlb.l2". */
const char *pgt_mmu_structure_name(enum pgt_mmu_structure structure);
/* A sentence's subject, e.g. "user accesses beyond what could be kept". */
const char *pgt_mmu_left_out_name(enum pgt_mmu_left_out what);

/* queue_size: entries.  -EINVAL or -ENOMEM. */
int pgt_mmu_init(struct pgt_mmu *mmu, const struct pgt_core *core,
		 const struct pgt_mmu_memory *memory, size_t queue_size, struct pgt_diag *diag);
void pgt_mmu_release(struct pgt_mmu *mmu);	/* accepts a zeroed one */

/*
 * Begin a window: empty TLBs, counts of 0.  The image is [image_start, image_end); only code
 * there is taken to run with the kernel's own tables when they are first looked for.
 */
void pgt_mmu_start(struct pgt_mmu *mmu, const struct pgt_regime *regime, uint64_t image_start,
		   uint64_t image_end);

/* End it.  What is queued is still to be counted: see pgt_mmu_is_done(). */
void pgt_mmu_stop(struct pgt_mmu *mmu);

/* Stopped, and the queue is empty. */
bool pgt_mmu_is_done(const struct pgt_mmu *mmu);

/* Give up on what is queued: it counts as left out. */
void pgt_mmu_give_up(struct pgt_mmu *mmu);

/* A system register is about to be written. */
void pgt_mmu_set_regime(struct pgt_mmu *mmu, const struct pgt_regime *regime);

/* A block of instructions runs that goes from one page into the next, at this address. */
void pgt_mmu_fetch_across(struct pgt_mmu *mmu, uint64_t first, uint64_t next);

/* A block runs that is in one page.  Where there are fetches, it adds itself to them. */
void pgt_mmu_fetch(struct pgt_mmu *mmu, uint64_t address);

static inline uint64_t pgt_mmu_page_of(uint64_t address)
{
	return address >> 12;
}

/* The block that runs has accessed n bytes, at least one. */
void pgt_mmu_data(struct pgt_mmu *mmu, uint64_t va, uint64_t n);

/* An invalidation takes effect on this vCPU. */
void pgt_mmu_invalidate(struct pgt_mmu *mmu, const struct pgt_tlbi *tlbi);

#endif /* PGT_TCG_MMU_H */
