// SPDX-License-Identifier: GPL-2.0-only
/* mmu.c: a whole vCPU over a small memory, and misses known by construction. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "tcg/cores.h"
#include "tcg/mmu.h"

#define BIT(n)		(UINT64_C(1) << (n))
#define TABLE		UINT64_C(3)
#define PAGE		(UINT64_C(3) | BIT(10))
#define BLOCK		(UINT64_C(1) | BIT(10))
#define NG		BIT(11)
#define CONT		BIT(52)

#define RAM		UINT64_C(0x40000000)
#define LINEAR		UINT64_C(0xffff000000000000)
#define IMAGE		UINT64_C(0xffff800080010000)
#define IMAGE_END	UINT64_C(0xffff800082000000)
#define USER		UINT64_C(0x10000000)		/* 4K pages from here */
#define USER_CONT	UINT64_C(0x20000000)		/* contiguous ranges of 64K */
#define CODE		UINT64_C(0x00400000)		/* user instructions */

enum { KERNEL_ROOT, LINEAR_L1, LINEAR_L2, VMALLOC_L1, IMAGE_L2, USER_ROOT, USER_L1, USER_L2,
       CODE_L3, USER_L3, USER_L3_LAST = USER_L3 + 7, CONT_L3, CONT_L3_LAST = CONT_L3 + 7,
       N_TABLES };

struct machine {
	uint64_t (*tables)[512];
	bool el0;		/* nothing can be read */
	unsigned int n_reads;
	struct pgt_mmu mmu;
	struct pgt_regime regime;
};

static uint64_t table_pa(unsigned int n)
{
	return RAM + 0x100000 + n * 4096;
}

static int read_linear(void *context, uint64_t va, uint64_t *value)
{
	struct machine *machine = context;
	uint64_t offset = va - LINEAR - 0x100000;

	machine->n_reads++;
	if (machine->el0 || offset >= N_TABLES * 4096)
		return -EFAULT;
	*value = machine->tables[offset / 4096][offset % 4096 / 8];
	return 0;
}

/* The kernel: a linear map of 2M blocks, an image of one 2M block.  A user with 4K pages. */
static void make_tables(struct machine *machine)
{
	uint64_t (*t)[512] = machine->tables;

	t[KERNEL_ROOT][0] = table_pa(LINEAR_L1) | TABLE;
	t[LINEAR_L1][0] = table_pa(LINEAR_L2) | TABLE;
	for (unsigned int i = 0; i < 512; i++)
		t[LINEAR_L2][i] = (RAM + i * BIT(21)) | BLOCK;
	t[KERNEL_ROOT][256] = table_pa(VMALLOC_L1) | TABLE;
	t[VMALLOC_L1][2] = table_pa(IMAGE_L2) | TABLE;
	t[IMAGE_L2][0] = (RAM + BIT(21)) | BLOCK;

	t[USER_ROOT][0] = table_pa(USER_L1) | TABLE;
	t[USER_L1][0] = table_pa(USER_L2) | TABLE;
	t[USER_L2][CODE >> 21] = table_pa(CODE_L3) | TABLE;
	t[CODE_L3][0] = (RAM + BIT(28)) | PAGE | NG;
	t[CODE_L3][1] = (RAM + BIT(28) + 4096) | PAGE | NG;
	for (unsigned int n = 0; n < 8; n++) {
		t[USER_L2][(USER >> 21) + n] = table_pa(USER_L3 + n) | TABLE;
		t[USER_L2][(USER_CONT >> 21) + n] = table_pa(CONT_L3 + n) | TABLE;
		for (unsigned int i = 0; i < 512; i++) {
			t[USER_L3 + n][i] = (RAM + BIT(26) + (n * 512 + i) * 4096) | PAGE | NG;
			t[CONT_L3 + n][i] = (RAM + BIT(27) + (n * 512 + i) * 4096) | PAGE | NG | CONT;
		}
	}
}

static struct machine *make_machine_of(const char *core, size_t queue_size)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	struct pgt_mmu_memory memory = { .read = read_linear, .context = machine, .ram = RAM };
	struct pgt_diag diag = { "" };

	cr_assert(not(zero(ptr, machine)));
	machine->tables = calloc(N_TABLES, sizeof(*machine->tables));
	cr_assert(not(zero(ptr, machine->tables)));
	make_tables(machine);
	machine->regime = (struct pgt_regime){
		.ttbr0 = table_pa(USER_ROOT) | BIT(48), .ttbr1 = table_pa(KERNEL_ROOT),
		.tcr = 16 | 16 << 16 | BIT(31) | BIT(36),
	};
	cr_assert(zero(int, pgt_mmu_init(&machine->mmu, pgt_core_find(core), &memory, queue_size,
					 &diag)), "%s", diag.text);
	pgt_mmu_start(&machine->mmu, &machine->regime, IMAGE, IMAGE_END);
	return machine;
}

static struct machine *make_machine(void)
{
	return make_machine_of("neoverse-n1", 65536);
}

static void free_machine(struct machine *machine)
{
	pgt_mmu_release(&machine->mmu);
	free(machine->tables);
	free(machine);
}

static void run(struct machine *machine, uint64_t pc)
{
	machine->el0 = !pgt_va_is_upper(pc);
	pgt_mmu_fetch(&machine->mmu, pc);
}

/* A loop of EL0 that reads a word of each page. */
static void walk_pages(struct machine *machine, uint64_t start, unsigned int n_pages,
		       unsigned int rounds)
{
	while (rounds--)
		for (unsigned int i = 0; i < n_pages; i++) {
			run(machine, CODE);
			pgt_mmu_data(&machine->mmu, start + i * UINT64_C(4096), 8);
		}
}

static struct pgt_mmu_cell cell(const struct machine *machine, enum pgt_mmu_structure structure,
				enum pgt_where where)
{
	return machine->mmu.counts.cells[structure][where];
}

static void expect_cell(const struct machine *machine, enum pgt_mmu_structure structure,
			enum pgt_where where, uint64_t accesses, uint64_t misses)
{
	cr_expect(eq(u64, cell(machine, structure, where).accesses, accesses), "%d %d", structure,
		  where);
	cr_expect(eq(u64, cell(machine, structure, where).misses, misses), "%d %d", structure, where);
}

static void expect_nothing_left_out(const struct machine *machine)
{
	for (int i = 0; i < PGT_N_LEFT_OUT; i++)
		cr_expect(zero(u64, machine->mmu.counts.left_out[i]), "%d", i);
}

/* More pages than both levels hold, every set overflowing: every access misses both. */
Test(mmu, walk_larger_than_all)
{
	struct machine *machine = make_machine();

	walk_pages(machine, USER, 2048, 4);
	cr_expect(zero(u64, cell(machine, PGT_MMU_L1D, PGT_WHERE_USER).accesses), "counted unwalked");
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 8192, 8192);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_USER, 8192, 1);
	expect_cell(machine, PGT_MMU_L2, PGT_WHERE_USER, 8193, 8193);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_IMAGE, 1, 1);
	expect_nothing_left_out(machine);
	free_machine(machine);
}

/* The same bytes in contiguous ranges: a sixteenth, of which the second level holds all. */
Test(mmu, walk_through_contiguous_ranges)
{
	struct machine *machine = make_machine();

	walk_pages(machine, USER_CONT, 2048, 4);
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 8192, 8192 / 16);
	expect_cell(machine, PGT_MMU_L2, PGT_WHERE_USER, 8192 / 16 + 1, 128 + 1);
	expect_nothing_left_out(machine);
	free_machine(machine);
}

Test(mmu, what_fits_misses_once)
{
	struct machine *machine = make_machine();

	walk_pages(machine, USER, 48, 10);
	run(machine, IMAGE);
	walk_pages(machine, USER, 48, 10);		/* hits need no walk and do not wait */
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 960, 48);
	expect_cell(machine, PGT_MMU_L2, PGT_WHERE_USER, 49, 49);
	free_machine(machine);
}

/* A working set between the levels: the second holds it. */
Test(mmu, second_level)
{
	struct machine *machine = make_machine();

	walk_pages(machine, USER, 512, 3);
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 1536, 1536);
	expect_cell(machine, PGT_MMU_L2, PGT_WHERE_USER, 1537, 513);
	free_machine(machine);
}

Test(mmu, kernel_accesses)
{
	struct machine *machine = make_machine();

	run(machine, IMAGE);
	for (uint64_t i = 0; i < 1024; i++)
		pgt_mmu_data(&machine->mmu, LINEAR + i * 4096, 8);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_LINEAR_MAP, 1024, 2);
	pgt_mmu_data(&machine->mmu, LINEAR + 0x1ffff8, 16);		/* crosses: two */
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_LINEAR_MAP, 1026, 2);
	pgt_mmu_data(&machine->mmu, LINEAR, 3 * 4096);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_LINEAR_MAP, 1029, 2);
	/* A tag in the upper byte makes no other page. */
	pgt_mmu_data(&machine->mmu, LINEAR & ~BIT(58), 8);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_LINEAR_MAP, 1030, 2);
	/* The kernel copies from a user page. */
	pgt_mmu_data(&machine->mmu, USER, 8);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 1, 1);
	/* A block over the edge of a page looks up both. */
	pgt_mmu_fetch_across(&machine->mmu, IMAGE + 0xff8, IMAGE + 0x1000);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_IMAGE, 3, 1);
	free_machine(machine);
}

/* As translated code does it: only a block of another page calls, and all are counted. */
static void run_translated(struct machine *machine, struct pgt_mmu_fetches *fetches, uint64_t pc)
{
	if (fetches->page != pgt_mmu_page_of(pc))
		run(machine, pc);
	fetches->n++;
}

Test(mmu, blocks_that_do_not_call)
{
	struct machine *machine = make_machine();
	struct pgt_mmu_fetches fetches = { .page = 1, .n = 99 };
	const struct pgt_tlbi all = { .what = PGT_TLBI_ALL };

	machine->mmu.fetches = &fetches;
	pgt_mmu_start(&machine->mmu, &machine->regime, IMAGE, IMAGE_END);
	for (int i = 0; i < 10; i++)
		run_translated(machine, &fetches, CODE + (uint64_t)i * 8);
	for (int i = 0; i < 5; i++)
		run_translated(machine, &fetches, IMAGE);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_USER, 10, 1);
	pgt_mmu_invalidate(&machine->mmu, &all);
	for (int i = 0; i < 5; i++)
		run_translated(machine, &fetches, IMAGE);
	pgt_mmu_fetch_across(&machine->mmu, IMAGE + 0xff8, IMAGE + 0x1000);
	run_translated(machine, &fetches, IMAGE);
	/* Two that wait, and then hits that do not. */
	pgt_mmu_invalidate(&machine->mmu, &all);
	for (int i = 0; i < 2; i++)
		run_translated(machine, &fetches, CODE);
	for (int i = 0; i < 3; i++)
		run_translated(machine, &fetches, IMAGE);
	for (int i = 0; i < 4; i++)
		run_translated(machine, &fetches, CODE);
	pgt_mmu_stop(&machine->mmu);
	run_translated(machine, &fetches, IMAGE);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_USER, 10 + 2 + 4, 2);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_IMAGE, 5 + 5 + 2 + 1 + 3, 3);
	expect_nothing_left_out(machine);
	free_machine(machine);
}

/* What waits is looked up in its order, with its own address space. */
Test(mmu, queue_keeps_order_and_address_space)
{
	struct machine *machine = make_machine();
	struct pgt_regime other = machine->regime;

	walk_pages(machine, USER, 1, 1);
	other.ttbr0 = BIT(49) | (machine->regime.ttbr0 & (BIT(48) - 1));
	/* The trampoline runs with other kernel tables: nothing can be walked yet. */
	other.ttbr1 += 0x800000;
	machine->el0 = true;
	pgt_mmu_set_regime(&machine->mmu, &other);
	pgt_mmu_fetch(&machine->mmu, IMAGE_END + 0x1000000);
	pgt_mmu_data(&machine->mmu, USER, 8);
	cr_expect(zero(u64, cell(machine, PGT_MMU_L1D, PGT_WHERE_USER).accesses));
	other.ttbr1 = machine->regime.ttbr1;
	machine->el0 = false;
	pgt_mmu_set_regime(&machine->mmu, &other);
	run(machine, IMAGE);
	/* Once for each address space; the trampoline's page is not in these tables. */
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 2, 2);
	cr_expect(eq(u64, machine->mmu.counts.left_out[PGT_LEFT_OUT_GONE], 1));
	pgt_mmu_data(&machine->mmu, USER, 8);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 3, 2);
	free_machine(machine);
}

Test(mmu, invalidations)
{
	struct machine *machine = make_machine();
	const struct pgt_tlbi page = {
		.what = PGT_TLBI_RANGE, .asid = 1, .first = USER, .last = USER + 4095 };

	run(machine, IMAGE);
	walk_pages(machine, USER, 2, 2);
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 4, 2);
	pgt_mmu_invalidate(&machine->mmu, &page);
	walk_pages(machine, USER, 2, 1);
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 6, 3);
	/* One that comes while accesses wait takes its place among them. */
	pgt_mmu_invalidate(&machine->mmu, &page);
	walk_pages(machine, USER, 2, 1);
	pgt_mmu_invalidate(&machine->mmu, &page);
	walk_pages(machine, USER, 1, 1);
	pgt_mmu_data(&machine->mmu, USER, 8);
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 10, 5);
	/* One that hits something else. */
	pgt_mmu_invalidate(&machine->mmu, &(struct pgt_tlbi){ .what = PGT_TLBI_ASID, .asid = 5 });
	walk_pages(machine, USER, 2, 1);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 12, 5);
	expect_nothing_left_out(machine);
	free_machine(machine);
}

/* What the walker remembers of tables goes with invalidations that are not of leaves only. */
Test(mmu, tables_are_remembered)
{
	struct machine *machine = make_machine();
	const struct pgt_tlbi leaf = { .what = PGT_TLBI_ALL, .leaf = true };
	const struct pgt_tlbi all = { .what = PGT_TLBI_ALL };
	unsigned int n_reads;

	run(machine, IMAGE);
	pgt_mmu_data(&machine->mmu, USER, 8);
	n_reads = machine->n_reads;
	pgt_mmu_invalidate(&machine->mmu, &leaf);
	pgt_mmu_data(&machine->mmu, USER, 8);
	cr_expect(eq(u32, machine->n_reads, n_reads + 1));
	pgt_mmu_invalidate(&machine->mmu, &all);
	pgt_mmu_data(&machine->mmu, USER, 8);
	cr_expect(eq(u32, machine->n_reads, n_reads + 1 + 4));
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 3, 3);
	free_machine(machine);
}

Test(mmu, gone_before_the_walk)
{
	struct machine *machine = make_machine();

	walk_pages(machine, USER, 3, 1);
	pgt_mmu_data(&machine->mmu, USER + 2 * 4096, 8);
	machine->tables[USER_L3][2] = 0;
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 2, 2);
	cr_expect(eq(u64, machine->mmu.counts.left_out[PGT_LEFT_OUT_GONE], 2));
	free_machine(machine);
}

Test(mmu, more_than_the_queue_holds)
{
	struct machine *machine = make_machine_of("neoverse-n1", 16);
	const struct pgt_tlbi all = { .what = PGT_TLBI_ALL };

	/* 14 places: the code and 13 pages. */
	walk_pages(machine, USER, 20, 1);
	pgt_mmu_invalidate(&machine->mmu, &all);
	pgt_mmu_invalidate(&machine->mmu, &all);
	pgt_mmu_invalidate(&machine->mmu, &all);	/* finds no place: forgets all at the end */
	run(machine, IMAGE);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 13, 13);
	cr_expect(eq(u64, machine->mmu.counts.left_out[PGT_LEFT_OUT_OVERFLOW], 7));
	pgt_mmu_data(&machine->mmu, USER, 8);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 14, 14);
	free_machine(machine);
}

Test(mmu, window_ends_in_user_mode)
{
	struct machine *machine = make_machine();

	walk_pages(machine, USER, 3, 1);
	pgt_mmu_stop(&machine->mmu);
	cr_expect(not(pgt_mmu_is_done(&machine->mmu)));
	walk_pages(machine, USER, 100, 1);
	run(machine, IMAGE);
	pgt_mmu_data(&machine->mmu, LINEAR, 8);
	cr_expect(pgt_mmu_is_done(&machine->mmu));
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 3, 3);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_LINEAR_MAP, 0, 0);
	expect_cell(machine, PGT_MMU_L1I, PGT_WHERE_IMAGE, 0, 0);

	/* The next window is cold and counts from 0. */
	pgt_mmu_start(&machine->mmu, &machine->regime, IMAGE, IMAGE_END);
	walk_pages(machine, USER, 3, 2);
	pgt_mmu_stop(&machine->mmu);
	pgt_mmu_give_up(&machine->mmu);
	cr_expect(pgt_mmu_is_done(&machine->mmu));
	/* Three pages twice and the code, whose later runs went to one entry. */
	cr_expect(eq(u64, machine->mmu.counts.left_out[PGT_LEFT_OUT_UNFINISHED], 12));
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 0, 0);
	free_machine(machine);
}

Test(mmu, linear_map_elsewhere)
{
	struct machine *machine = make_machine();

	machine->mmu.memory.ram = RAM + BIT(21);
	walk_pages(machine, USER, 3, 1);
	run(machine, IMAGE);
	cr_expect(machine->mmu.bad_linear_map);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_USER, 0, 0);

	/* A block there that leads elsewhere. */
	pgt_mmu_start(&machine->mmu, &machine->regime, IMAGE, IMAGE_END);
	machine->mmu.memory.ram = RAM;
	machine->tables[LINEAR_L2][0] += BIT(21);
	run(machine, IMAGE);
	cr_expect(machine->mmu.bad_linear_map);
	free_machine(machine);
}

Test(mmu, cores_differ)
{
	struct machine *machine = make_machine_of("cortex-a72", 65536);

	/* Its first level holds no 2M: a fragment of 1M each. */
	run(machine, IMAGE);
	for (uint64_t i = 0; i < 1024; i++)
		pgt_mmu_data(&machine->mmu, LINEAR + i * 4096, 8);
	expect_cell(machine, PGT_MMU_L1D, PGT_WHERE_LINEAR_MAP, 1024, 4);
	expect_cell(machine, PGT_MMU_L2, PGT_WHERE_LINEAR_MAP, 4, 2);
	free_machine(machine);
}

Test(mmu, names_and_release)
{
	struct pgt_mmu nothing = { .page_shift = 0 };

	cr_expect(eq(str, (char *)pgt_mmu_structure_name(PGT_MMU_L1D), "dtlb.l1"));
	cr_expect(eq(str, (char *)pgt_mmu_structure_name(PGT_MMU_L1I), "itlb.l1"));
	cr_expect(eq(str, (char *)pgt_mmu_structure_name(PGT_MMU_L2), "tlb.l2"));
	for (int i = 0; i < PGT_N_LEFT_OUT; i++)
		cr_expect(not(zero(int, (int)strlen(pgt_mmu_left_out_name(i)))));
	pgt_mmu_release(&nothing);
}
