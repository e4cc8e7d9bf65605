// SPDX-License-Identifier: GPL-2.0-only
#include "tcg/mmu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "tcg/cores.h"

#define NO_PAGE		UINT64_MAX

/* One of so many places is for invalidations only, which must not be lost. */
#define TLBI_SHARE	8

struct pgt_mmu_entry {
	bool is_tlbi;
	union {
		struct pgt_tlbi tlbi;
		struct {
			uint64_t va, count;
			uint64_t ttbr0;
			uint16_t asid;
			uint8_t side;
		} access;
	};
};

static const char *const structure_names[PGT_N_MMU_STRUCTURES] = {
	[PGT_MMU_L1D] = "dtlb.l1", [PGT_MMU_L1I] = "itlb.l1", [PGT_MMU_L2] = "tlb.l2",
};

static const char *const left_out_names[PGT_N_LEFT_OUT] = {
	[PGT_LEFT_OUT_GONE] = "unmapped", [PGT_LEFT_OUT_OVERFLOW] = "overflow",
	[PGT_LEFT_OUT_UNFINISHED] = "unfinished", [PGT_LEFT_OUT_UNSEEN] = "vector",
};

const char *pgt_mmu_structure_name(enum pgt_mmu_structure structure)
{
	return structure_names[structure];
}

const char *pgt_mmu_left_out_name(enum pgt_mmu_left_out what)
{
	return left_out_names[what];
}

/* The blocks that have run since the latest fetch were of its page. */
static void count_fetches(struct pgt_mmu *mmu)
{
	if (!mmu->fetches)
		return;
	if (mmu->last[PGT_MMU_L1I].page != NO_PAGE)
		*mmu->last[PGT_MMU_L1I].count += mmu->fetches->n;
	mmu->fetches->n = 0;
	mmu->fetches->page = NO_PAGE;
}

static void forget_last(struct pgt_mmu *mmu)
{
	count_fetches(mmu);
	for (int side = 0; side < PGT_MMU_L2; side++)
		mmu->last[side].page = NO_PAGE;
}

int pgt_mmu_init(struct pgt_mmu *mmu, const struct pgt_core *core,
		 const struct pgt_mmu_memory *memory, size_t queue_size, struct pgt_diag *diag)
{
	const struct pgt_tlb_shape *const shapes[PGT_N_MMU_STRUCTURES] = {
		[PGT_MMU_L1D] = &core->l1d, [PGT_MMU_L1I] = &core->l1i, [PGT_MMU_L2] = &core->l2,
	};
	struct pgt_mmu made = { .memory = *memory, .queue_size = queue_size };
	int err;

	for (int i = 0; i < PGT_N_MMU_STRUCTURES; i++) {
		err = pgt_tlb_init(&made.tlb[i], shapes[i], diag);
		if (err)
			goto fail;
	}
	made.queue = calloc(queue_size, sizeof(*made.queue));
	if (!made.queue) {
		err = pgt_fail(diag, -ENOMEM, "out of memory for %zu waiting accesses", queue_size);
		goto fail;
	}
	forget_last(&made);
	*mmu = made;
	return 0;

fail:
	pgt_mmu_release(&made);
	return err;
}

void pgt_mmu_release(struct pgt_mmu *mmu)
{
	for (int i = 0; i < PGT_N_MMU_STRUCTURES; i++)
		pgt_tlb_release(&mmu->tlb[i]);
	free(mmu->queue);
	memset(mmu, 0, sizeof(*mmu));
}

void pgt_mmu_start(struct pgt_mmu *mmu, const struct pgt_regime *regime, uint64_t image_start,
		   uint64_t image_end)
{
	for (int i = 0; i < PGT_N_MMU_STRUCTURES; i++)
		pgt_tlb_clear(&mmu->tlb[i]);
	memset(&mmu->counts, 0, sizeof(mmu->counts));
	pgt_walk_cache_clear(&mmu->tables);
	mmu->n_queued = 0;
	mmu->lost_tlbi = false;
	mmu->kernel_ttbr1 = 0;
	mmu->bad_linear_map = false;
	pgt_areas_init(&mmu->areas, regime, image_start, image_end);
	/* Where TCR is reserved nothing can be walked either; 4K only keeps pages apart. */
	mmu->page_shift = pgt_regime_page_shift(regime, true);
	if (!mmu->page_shift)
		mmu->page_shift = 12;
	for (int side = 0; side < PGT_MMU_L2; side++)
		mmu->last[side].page = NO_PAGE;		/* nothing is left to count */
	pgt_mmu_set_regime(mmu, regime);
	mmu->kernel = false;
	mmu->counting = true;
}

void pgt_mmu_stop(struct pgt_mmu *mmu)
{
	count_fetches(mmu);
	mmu->counting = false;
}

bool pgt_mmu_is_done(const struct pgt_mmu *mmu)
{
	return !mmu->counting && !mmu->n_queued;
}

void pgt_mmu_give_up(struct pgt_mmu *mmu)
{
	for (size_t i = 0; i < mmu->n_queued; i++)
		if (!mmu->queue[i].is_tlbi)
			mmu->counts.left_out[PGT_LEFT_OUT_UNFINISHED] += mmu->queue[i].access.count;
	mmu->n_queued = 0;
	forget_last(mmu);
}

void pgt_mmu_set_regime(struct pgt_mmu *mmu, const struct pgt_regime *regime)
{
	mmu->regime = *regime;
	mmu->asid = pgt_regime_asid(regime);
	forget_last(mmu);
}

/* ---- reading page tables ---- */

static int read_physical(void *context, uint64_t pa, uint64_t *value)
{
	struct pgt_mmu *mmu = context;

	return mmu->memory.read(mmu->memory.context,
				mmu->areas.linear_start + (pa - mmu->memory.ram), value);
}

/* The kernel's first table must be found at its own linear address. */
static void check_linear_map(struct pgt_mmu *mmu)
{
	uint64_t root = pgt_regime_root(&mmu->regime, true);
	uint64_t linear = mmu->areas.linear_start + (root - mmu->memory.ram);
	struct pgt_mapping map;

	if (pgt_walk(&mmu->regime, linear, read_physical, mmu, NULL, &map) ||
	    map.pa + (linear - map.va) != root)
		mmu->bad_linear_map = true;
	else
		mmu->kernel_ttbr1 = mmu->regime.ttbr1;
}

/* With the kernel's tables, not those of the trampoline that EL0 enters it through. */
static bool can_walk(const struct pgt_mmu *mmu)
{
	const struct pgt_regime kernel = { .ttbr1 = mmu->kernel_ttbr1, .tcr = mmu->regime.tcr };

	return mmu->kernel && mmu->kernel_ttbr1 &&
	       pgt_regime_root(&mmu->regime, true) == pgt_regime_root(&kernel, true);
}

/* The address was accessed with this TTBR0 and ASID, perhaps some time ago. */
static int walk(struct pgt_mmu *mmu, uint64_t va, uint64_t ttbr0, uint16_t asid,
		struct pgt_mapping *map)
{
	const struct pgt_regime regime = {
		.ttbr0 = ttbr0, .ttbr1 = mmu->kernel_ttbr1, .tcr = mmu->regime.tcr,
	};
	int err = pgt_walk(&regime, va, read_physical, mmu, &mmu->tables, map);

	if (err)
		return err;
	if (!map->global)
		map->asid = asid;
	map->label = (uint8_t)pgt_where(&mmu->areas, va);
	return 0;
}

/* ---- looking up ---- */

/* What n accesses of one page do; false where that needs a walk. */
static bool try_lookup(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va,
		       uint16_t asid, uint64_t n)
{
	enum pgt_where where = pgt_where(&mmu->areas, va);
	struct pgt_mmu_cell *l1 = &mmu->counts.cells[side][where];
	const struct pgt_mapping *map;

	if (!pgt_tlb_lookup(&mmu->tlb[side], va, asid)) {
		map = pgt_tlb_lookup(&mmu->tlb[PGT_MMU_L2], va, asid);
		if (!map)
			return false;
		pgt_tlb_fill(&mmu->tlb[side], map, va);
		l1->misses++;
		mmu->counts.cells[PGT_MMU_L2][where].accesses++;
	}
	l1->accesses += n;
	return true;
}

/* What they do where both levels miss and the walk found this. */
static void fill(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va,
		 const struct pgt_mapping *map, uint64_t n)
{
	enum pgt_where where = pgt_where(&mmu->areas, va);
	struct pgt_mmu_cell *l1 = &mmu->counts.cells[side][where];
	struct pgt_mmu_cell *l2 = &mmu->counts.cells[PGT_MMU_L2][where];

	pgt_tlb_fill(&mmu->tlb[PGT_MMU_L2], map, va);
	pgt_tlb_fill(&mmu->tlb[side], map, va);
	l1->accesses += n;
	l1->misses++;
	l2->accesses++;
	l2->misses++;
}

/* Whether it counts; false: left out. */
static bool look_up_or_walk(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va,
			    uint64_t ttbr0, uint16_t asid, uint64_t n)
{
	struct pgt_mapping map;

	if (try_lookup(mmu, side, va, asid, n))
		return true;
	if (walk(mmu, va, ttbr0, asid, &map)) {
		mmu->counts.left_out[PGT_LEFT_OUT_GONE] += n;
		return false;
	}
	fill(mmu, side, va, &map, n);
	return true;
}

static void invalidate_all_structures(struct pgt_mmu *mmu, const struct pgt_tlbi *tlbi)
{
	for (int i = 0; i < PGT_N_MMU_STRUCTURES; i++)
		pgt_tlb_invalidate(&mmu->tlb[i], tlbi);
}

/* ---- the queue ---- */

static void drain(struct pgt_mmu *mmu)
{
	for (size_t i = 0; i < mmu->n_queued; i++) {
		const struct pgt_mmu_entry *entry = &mmu->queue[i];

		if (entry->is_tlbi)
			invalidate_all_structures(mmu, &entry->tlbi);
		else
			look_up_or_walk(mmu, entry->access.side, entry->access.va,
					entry->access.ttbr0, entry->access.asid,
					entry->access.count);
	}
	mmu->n_queued = 0;
	if (mmu->lost_tlbi) {
		for (int i = 0; i < PGT_N_MMU_STRUCTURES; i++)
			pgt_tlb_clear(&mmu->tlb[i]);
		mmu->lost_tlbi = false;
	}
	forget_last(mmu);
}

/* Returns what counts the accesses that follow to the same page. */
static uint64_t *enqueue(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va, uint64_t n)
{
	struct pgt_mmu_entry *entry = &mmu->queue[mmu->n_queued];

	if (mmu->n_queued >= mmu->queue_size - mmu->queue_size / TLBI_SHARE) {
		mmu->counts.left_out[PGT_LEFT_OUT_OVERFLOW] += n;
		return &mmu->counts.left_out[PGT_LEFT_OUT_OVERFLOW];
	}
	entry->is_tlbi = false;
	entry->access.va = va;
	entry->access.count = n;
	entry->access.ttbr0 = mmu->regime.ttbr0;
	entry->access.asid = mmu->asid;
	entry->access.side = (uint8_t)side;
	mmu->n_queued++;
	return &entry->access.count;
}

void pgt_mmu_invalidate(struct pgt_mmu *mmu, const struct pgt_tlbi *tlbi)
{
	forget_last(mmu);
	if (!tlbi->leaf)
		pgt_walk_cache_clear(&mmu->tables);
	if (!mmu->n_queued) {
		invalidate_all_structures(mmu, tlbi);
	} else if (mmu->n_queued < mmu->queue_size) {
		mmu->queue[mmu->n_queued].is_tlbi = true;
		mmu->queue[mmu->n_queued++].tlbi = *tlbi;
	} else {
		mmu->lost_tlbi = true;		/* all goes, when the queue is worked off */
	}
}

/* ---- accesses ---- */

/* n accesses of a page, 0 where what executes them counts itself later. */
static void access_page(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va, uint64_t n)
{
	uint64_t *count = &mmu->counts.cells[side][pgt_where(&mmu->areas, va)].accesses;
	bool walkable = can_walk(mmu);

	if (mmu->n_queued && walkable)
		drain(mmu);
	if (mmu->n_queued) {
		count = enqueue(mmu, side, va, n);
	} else if (walkable) {
		if (!look_up_or_walk(mmu, side, va, mmu->regime.ttbr0, mmu->asid, n))
			count = &mmu->counts.left_out[PGT_LEFT_OUT_GONE];
	} else if (!try_lookup(mmu, side, va, mmu->asid, n)) {
		count = enqueue(mmu, side, va, n);
	}
	mmu->last[side].page = va >> mmu->page_shift;
	mmu->last[side].count = count;
}

/* Most accesses are here: of the same page as the one before, or of one that is soon found. */
static inline bool access_quickly(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va,
				  uint64_t page, uint64_t n)
{
	const struct pgt_mapping *map;

	if (page == mmu->last[side].page) {
		*mmu->last[side].count += n;
		return true;
	}
	if (mmu->n_queued)
		return false;
	map = pgt_tlb_guess(&mmu->tlb[side], va, mmu->asid);
	if (!map)
		return false;
	mmu->last[side].page = page;
	mmu->last[side].count = &mmu->counts.cells[side][map->label].accesses;
	*mmu->last[side].count += n;
	return true;
}

static inline void access_one(struct pgt_mmu *mmu, enum pgt_mmu_structure side, uint64_t va,
			      uint64_t n)
{
	if (!access_quickly(mmu, side, va, va >> mmu->page_shift, n))
		access_page(mmu, side, va, n);
}

/* Whether the block is to be looked up. */
static bool begin_block(struct pgt_mmu *mmu, uint64_t address)
{
	count_fetches(mmu);
	mmu->kernel = pgt_va_is_upper(address);
	if (mmu->kernel && !mmu->kernel_ttbr1 && !mmu->bad_linear_map &&
	    pgt_where(&mmu->areas, address) == PGT_WHERE_IMAGE)
		check_linear_map(mmu);
	if (mmu->counting)
		return true;
	if (mmu->n_queued && can_walk(mmu))
		drain(mmu);
	return false;
}

void pgt_mmu_fetch(struct pgt_mmu *mmu, uint64_t address)
{
	if (!begin_block(mmu, address))
		return;
	access_one(mmu, PGT_MMU_L1I, address, mmu->fetches ? 0 : 1);
	if (mmu->fetches)
		mmu->fetches->page = pgt_mmu_page_of(address);
}

void pgt_mmu_fetch_across(struct pgt_mmu *mmu, uint64_t first, uint64_t next)
{
	if (!begin_block(mmu, first))
		return;
	access_one(mmu, PGT_MMU_L1I, first, 1);
	access_one(mmu, PGT_MMU_L1I, next, 1);
}

void pgt_mmu_data(struct pgt_mmu *mmu, uint64_t va, uint64_t n)
{
	uint64_t last;

	if (!mmu->counting)
		return;
	va = pgt_va_untagged(va);
	last = (va + (n - 1)) >> mmu->page_shift;
	access_one(mmu, PGT_MMU_L1D, va, 1);
	for (uint64_t page = va >> mmu->page_shift; page != last;) {
		page++;
		access_one(mmu, PGT_MMU_L1D, page << mmu->page_shift, 1);
	}
}
