/* SPDX-License-Identifier: GPL-2.0-only */
/* pointers.c: functions whose address a small kernel computes or stores. */
#include <errno.h>

#include "probe/pointers.h"

#include "kernel.h"

#define ADD_IMM(rd, rn, imm)	(0x91000000u | (uint32_t)(imm) << 10 | (rn) << 5 | (rd))

/* The immediate of ADR and ADRP: two low bits apart from the others. */
static uint32_t adr(uint32_t opcode, int64_t immediate, unsigned int rd)
{
	uint32_t bits = (uint32_t)immediate;

	return opcode | (bits & 3) << 29 | (bits >> 2 & 0x7ffff) << 5 | rd;
}

static void add_adr(struct kernel *kernel, uint64_t target)
{
	kernel_insn(kernel, adr(0x10000000, (int64_t)(target - kernel_here(kernel)), 0));
}

static void add_adrp(struct kernel *kernel, uint64_t target, unsigned int rd)
{
	int64_t pages = (int64_t)(target >> 12) - (int64_t)(kernel_here(kernel) >> 12);

	kernel_insn(kernel, adr(0x90000000, pages, rd));
}

static void nops(struct kernel *kernel, size_t n)
{
	while (n--)
		kernel_insn(kernel, NOP);
}

/* Text of three pages, one target a page; what takes their addresses comes in the last. */
struct targets {
	uint64_t at[3];
};

static struct targets begin(struct kernel *kernel)
{
	struct targets targets;

	kernel_init(kernel);
	kernel_symbol(kernel, "start");
	for (int i = 0; i < 3; i++) {
		nops(kernel, 4);
		targets.at[i] = kernel_symbol(kernel, "target");
		nops(kernel, 1020);
	}
	kernel_symbol(kernel, "user");
	return targets;
}

/* A bit for each target that was struck. */
static unsigned int struck(struct kernel *kernel, const struct targets *targets)
{
	uint64_t at[3] = { targets->at[0], targets->at[1], targets->at[2] };
	struct pgt_diag diag = { "" };
	unsigned int set = 0;

	if (!kernel->text_len)
		kernel_end_text(kernel);
	kernel_read(kernel);
	cr_assert(zero(int, pgt_pointers_strike(&kernel->text, at, 3, &diag)), "%s", diag.text);
	for (unsigned int i = 0; i < 3; i++) {
		if (at[i])
			cr_expect(eq(u64, at[i], targets->at[i]));
		else
			set |= 1u << i;
	}
	kernel_release(kernel);
	return set;
}

Test(pointers, none_is_taken)
{
	struct kernel kernel;
	struct targets targets = begin(&kernel);

	kernel_branch(&kernel, BL, targets.at[0]);	/* a call is not an address taken */
	add_adr(&kernel, targets.at[1] + 4);
	cr_expect(eq(u32, struck(&kernel, &targets), 0));
}

Test(pointers, adr_backwards_and_forwards)
{
	struct kernel kernel;
	struct targets targets;

	kernel_init(&kernel);
	kernel_symbol(&kernel, "user");
	add_adr(&kernel, KERNEL_START + 16);
	add_adr(&kernel, KERNEL_START + 12);
	nops(&kernel, 1);
	targets.at[0] = kernel_symbol(&kernel, "a");
	nops(&kernel, 1);
	targets.at[1] = kernel_symbol(&kernel, "b");
	nops(&kernel, 1);
	targets.at[2] = kernel_symbol(&kernel, "c");
	nops(&kernel, 4);
	cr_expect(eq(u32, struck(&kernel, &targets), 3));

	targets = begin(&kernel);
	add_adr(&kernel, targets.at[2]);
	cr_expect(eq(u32, struck(&kernel, &targets), 4));
}

Test(pointers, adrp_and_add)
{
	struct kernel kernel;
	struct targets targets = begin(&kernel);

	add_adrp(&kernel, targets.at[0], 1);
	add_adrp(&kernel, targets.at[2], 2);		/* the compiler may interleave them */
	kernel_insn(&kernel, ADD_IMM(3, 1, targets.at[0] & 4095));
	nops(&kernel, 10);
	kernel_insn(&kernel, ADD_IMM(2, 2, targets.at[2] & 4095));
	cr_expect(eq(u32, struck(&kernel, &targets), 5));
}

Test(pointers, adrp_at_the_head_of_the_text_and_forwards)
{
	struct kernel kernel;
	struct targets targets;

	kernel_init(&kernel);
	kernel_symbol(&kernel, "user");
	add_adrp(&kernel, KERNEL_START + 4096, 1);
	kernel_insn(&kernel, ADD_IMM(1, 1, 8));
	targets.at[0] = kernel_symbol(&kernel, "first");
	nops(&kernel, 1023);
	targets.at[1] = kernel_symbol(&kernel, "almost");
	nops(&kernel, 1);
	targets.at[2] = kernel_symbol(&kernel, "second");
	nops(&kernel, 1);
	cr_expect(eq(u64, targets.at[2], KERNEL_START + 4096 + 8));
	cr_expect(eq(u32, struck(&kernel, &targets), 4));
}

Test(pointers, an_add_that_does_not_complete_the_address)
{
	struct kernel kernel;
	struct targets targets = begin(&kernel);

	add_adrp(&kernel, targets.at[0], 1);
	kernel_insn(&kernel, ADD_IMM(1, 2, targets.at[0] & 4095));	/* another register */
	add_adrp(&kernel, targets.at[1], 1);
	kernel_insn(&kernel, ADD_IMM(1, 1, (targets.at[1] & 4095) + 4));	/* within it */
	add_adrp(&kernel, targets.at[2], 1);				/* the text ends */
	cr_expect(eq(u32, struck(&kernel, &targets), 0));
}

Test(pointers, in_the_data_behind_the_text)
{
	struct kernel kernel;
	struct targets targets = begin(&kernel);

	nops(&kernel, 2);
	kernel_end_text(&kernel);
	kernel_pointer(&kernel, 0);
	kernel_pointer(&kernel, targets.at[1]);
	kernel_pointer(&kernel, targets.at[0] + 4);
	kernel_pointer(&kernel, targets.at[2]);		/* the image's last word */
	cr_expect(eq(u32, struck(&kernel, &targets), 6));
}

/* A word more than is read at once; the end may hold half a word. */
Test(pointers, in_much_data)
{
	for (size_t rest = 0; rest < 2; rest++) {
		struct kernel kernel;
		struct targets targets = begin(&kernel);

		nops(&kernel, 2);
		kernel_end_text(&kernel);
		for (int i = 1; i < (1 << 20) / 8; i++)
			kernel_pointer(&kernel, UINT64_MAX);
		kernel_pointer(&kernel, targets.at[0]);
		kernel_pointer(&kernel, targets.at[2]);
		nops(&kernel, rest);
		cr_expect(eq(u32, struck(&kernel, &targets), 5));
	}
}

Test(pointers, of_no_targets)
{
	struct kernel kernel;
	struct pgt_diag diag = { "" };

	begin(&kernel);
	add_adrp(&kernel, KERNEL_START, 1);
	kernel_insn(&kernel, ADD_IMM(1, 1, 0));
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	cr_expect(zero(int, pgt_pointers_strike(&kernel.text, NULL, 0, &diag)));
	kernel_release(&kernel);
}

Test(pointers, data_that_cannot_be_read)
{
	struct kernel kernel;
	struct targets targets = begin(&kernel);
	struct pgt_diag diag = { "" };
	uint64_t first = targets.at[0];

	add_adr(&kernel, targets.at[0]);
	kernel_end_text(&kernel);
	kernel_read(&kernel);
	unlink(kernel.kcore);
	cr_expect(eq(int, pgt_pointers_strike(&kernel.text, targets.at, 3, &diag), -ENOENT));
	cr_expect(eq(u64, targets.at[0], first), "untouched on failure");
	kernel_release(&kernel);
}
