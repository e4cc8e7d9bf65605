/* SPDX-License-Identifier: GPL-2.0-only */
/* memory_text.c: what /proc/iomem and /proc/pagetypeinfo say. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "lab/memory_text.h"

#define BLOCK	(UINT64_C(128) << 20)

Test(lab_memory_text, iomem)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{ NULL, 0 }, { "", 0 }, { "\n\n", 0 },
		{ "40000000-bfffffff : System RAM\n  40210000-418effff : Kernel code\n", 0 },
		/* the driver's own resource, which is there while it is bound, has no memory */
		{ "140000000-17fffffff : virtio0\n", 0 },
		{ "140000000-17fffffff : virtio0\n"
		  "  140000000-147ffffff : System RAM (virtio_mem)\n", BLOCK },
		{ "140000000-147ffffff : System RAM (virtio_mem)", BLOCK },
		{ "140000000-17fffffff : virtio0\n"
		  "  140000000-15fffffff : System RAM (virtio_mem)\n"
		  "180000000-187ffffff : virtio1\n"
		  "  180000000-187ffffff : System RAM (virtio_mem)\n", 5 * BLOCK },
		/* what somebody else has added, and what is no range */
		{ "140000000-147ffffff : System RAM (kmem)\n"
		  "140000000-147ffffff : no System RAM (virtio_mem)\n"
		  "System RAM (virtio_mem)\n" "12 : System RAM (virtio_mem)\n"
		  "140000000-147ffffff\n : System RAM (virtio_mem)\n", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(u64, pgt_iomem_virtio_mem_bytes(cases[i].text), cases[i].bytes), "%s",
			  cases[i].text ? cases[i].text : "NULL");
}

Test(lab_memory_text, pageblock)
{
	static const struct {
		const char *text;
		uint64_t pages;
	} cases[] = {
		{ "Page block order: 9\nPages per block:  512\n\nFree pages count\n", 512 },
		{ "Page block order: 13\nPages per block:  8192", 8192 },
		{ "Page block order: 9\n", 0 }, { "Pages per block: many\n", 0 }, { "", 0 }, { NULL, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(u64, pgt_pageblock_pages(cases[i].text), cases[i].pages), "%s",
			  cases[i].text ? cases[i].text : "NULL");
}
