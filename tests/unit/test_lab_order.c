/* SPDX-License-Identifier: GPL-2.0-only */
/* order.c: base, test, test, base, and then the control. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "lab/order.h"

Test(lab_order, alternates_and_ends_with_the_control)
{
	static const char *const want[] = {
		NULL, "BTC", "BTTBCC", "BTTBBTCCC", "BTTBBTTBCCCC", "BTTBBTTBBTCCCCC",
	};

	for (size_t boots = 1; boots < sizeof(want) / sizeof(want[0]); boots++) {
		char got[32] = "";

		for (size_t i = 0; i < 3 * boots; i++)
			got[i] = "BTC"[pgt_order_side(i, boots)];
		cr_expect(eq(str, got, (char *)want[boots]));
	}
}

Test(lab_order, every_side_has_its_boots)
{
	for (size_t boots = 1; boots <= 100; boots++) {
		size_t n[PGT_N_SIDES] = { 0 };

		for (size_t i = 0; i < 3 * boots; i++)
			n[pgt_order_side(i, boots)]++;
		cr_expect(eq(sz, n[PGT_SIDE_BASE], boots));
		cr_expect(eq(sz, n[PGT_SIDE_TEST], boots));
		cr_expect(eq(sz, n[PGT_SIDE_CONTROL], boots));
	}
}
