/* SPDX-License-Identifier: GPL-2.0-only */
/* flash_text.c: a device tree's registers, and what /proc/iomem calls RAM. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "lab/flash_text.h"

/* As QEMU's machine virt has it: two banks of 64 MiB. */
static const unsigned char virt_reg[] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x04, 0, 0, 0,
	0, 0, 0, 0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0x04, 0, 0, 0,
};

static const char iomem[] =
	"04000000-07ffffff : flash\n"
	"09000000-09000fff : pl011@9000000\n"
	"40000000-bfffffff : System RAM\n"
	"  40210000-41b6ffff : Kernel code\n"
	"8000000000-ffffffffff : PCI ECAM\n"
	"100000000-13fffffff : System RAM (virtio_mem)\n";

/* A copy of its own size, so that a byte too many is noticed. */
static bool reg_last(const unsigned char *property, size_t len, uint32_t address_cells,
		     uint32_t size_cells, struct pgt_range *out)
{
	unsigned char *copy = malloc(len + !len);
	bool found;

	memcpy(copy, property, len);
	found = pgt_reg_last(copy, len, address_cells, size_cells, out);
	free(copy);
	return found;
}

Test(flash_text, reg)
{
	struct pgt_range range = { 1, 2 };

	cr_assert(reg_last(virt_reg, sizeof(virt_reg), 2, 2, &range));
	cr_expect(eq(u64, range.start, 0x4000000));
	cr_expect(eq(u64, range.bytes, 0x4000000));
	cr_assert(reg_last(virt_reg, sizeof(virt_reg) / 2, 2, 2, &range));
	cr_expect(zero(u64, range.start));
	cr_expect(eq(u64, range.bytes, 0x4000000));
	cr_assert(reg_last((const unsigned char *)"\x81\x02\x03\x04\x05\x06\x07\x88\0\0\0\x09", 12,
			   2, 1, &range));
	cr_expect(eq(u64, range.start, 0x8102030405060788));
	cr_expect(eq(u64, range.bytes, 9));
	cr_assert(reg_last((const unsigned char *)"\xf1\x02\x03\x04\0\0\x10\0", 8, 1, 1, &range));
	cr_expect(eq(u64, range.start, 0xf1020304));
	cr_expect(eq(u64, range.bytes, 0x1000));
}

Test(flash_text, reg_that_is_none)
{
	struct pgt_range range;

	for (size_t len = 0; len < sizeof(virt_reg); len++)
		cr_expect(eq(int, reg_last(virt_reg, len, 2, 2, &range), len == 16), "%zu", len);
	for (uint32_t cells = 0; cells < 5; cells += cells ? 2 : 3) {
		cr_expect(not(reg_last(virt_reg, sizeof(virt_reg), cells, 2, &range)));
		cr_expect(not(reg_last(virt_reg, sizeof(virt_reg), 2, cells, &range)));
	}
	cr_expect(not(reg_last(virt_reg, sizeof(virt_reg), UINT32_MAX, 1, &range)));
}

Test(flash_text, compatible)
{
	static const char two[] = "vendor,flash\0cfi-flash";

	cr_expect(pgt_compatible_has("cfi-flash", sizeof("cfi-flash"), "cfi-flash"));
	cr_expect(pgt_compatible_has(two, sizeof(two), "cfi-flash"));
	cr_expect(pgt_compatible_has(two, sizeof(two), "vendor,flash"));
	cr_expect(not(pgt_compatible_has(two, sizeof(two), "flash")));
	cr_expect(not(pgt_compatible_has(two, sizeof(two), "vendor")));
	cr_expect(not(pgt_compatible_has(two, sizeof(two) - 1, "cfi-flash")), "no NUL at the end");
	cr_expect(not(pgt_compatible_has("", 0, "cfi-flash")));
	cr_expect(not(pgt_compatible_has("\0\0", 2, "cfi-flash")));
}

Test(flash_text, ram)
{
	static const struct {
		struct pgt_range range;
		bool ram;
	} cases[] = {
		{ { 0x4000000, 0x4000000 }, false },
		{ { 0x3ffff000, 0x1000 }, false },
		{ { 0x3ffff000, 0x1001 }, true },
		{ { 0x40000000, 1 }, true },
		{ { 0xbfffffff, 1 }, true },
		{ { 0xc0000000, 0x1000 }, false },
		{ { 0, UINT64_MAX }, true },
		{ { 0x13fffffff, 0x1000 }, true },
		{ { 0x8000000000, 0x1000 }, false },
		{ { UINT64_MAX - 0xfff, 0x1000 }, false },
		{ { UINT64_MAX - 0xfff, 0x1001 }, true },
		{ { 0x4000000, 0 }, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(int, pgt_iomem_has_ram(iomem, &cases[i].range), cases[i].ram), "%zu", i);
	cr_expect(not(pgt_iomem_has_ram("", &cases[3].range)));
}

Test(flash_text, hidden)
{
	cr_expect(pgt_iomem_is_readable(iomem));
	cr_expect(not(pgt_iomem_is_readable("00000000-00000000 : System RAM\n"
					    "00000000-00000000 : System RAM\n")));
	cr_expect(not(pgt_iomem_is_readable("")));
	cr_expect(pgt_iomem_is_readable("00000000-00000000 : System RAM\n"
					"40000000-bfffffff : System RAM"));
}
