/* SPDX-License-Identifier: GPL-2.0-only */
/* order.c: sides take turns, there and back, and then come those that follow. */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "lab/order.h"

/* The first n of n_all sides take turns. */
static char *order(char *out, size_t n, size_t n_all, size_t boots)
{
	for (size_t i = 0; i < n_all * boots; i++)
		out[i] = "ABCDEFGHIJKLMNOPQ"[pgt_order_side(i, n, boots)];
	out[n_all * boots] = '\0';
	return out;
}

Test(lab_order, two_kernels_alternate_and_end_with_the_control)
{
	static const char *const want[] = {
		NULL, "ABC", "ABBACC", "ABBAABCCC", "ABBAABBACCCC", "ABBAABBAABCCCCC",
	};
	char got[32];

	for (size_t boots = 1; boots < sizeof(want) / sizeof(want[0]); boots++)
		cr_expect(eq(str, order(got, 2, 3, boots), (char *)want[boots]));
}

Test(lab_order, more_than_two_start_elsewhere_in_each_pair_of_rounds)
{
	char got[64];

	cr_expect(eq(str, order(got, 1, 1, 3), (char *)"AAA"));
	cr_expect(eq(str, order(got, 3, 3, 6), (char *)"ABCCBACABBACBCAACB"));
	cr_expect(eq(str, order(got, 4, 4, 5), (char *)"ABCDDCBACDABBADCABCD"));
	cr_expect(eq(str, order(got, 3, 5, 2), (char *)"ABCCBADDEE"));
}

Test(lab_order, every_side_has_its_boots)
{
	for (size_t n = 1; n <= 17; n++)
		for (size_t boots = 1; boots <= 100; boots++) {
			size_t n_of[17] = { 0 };

			for (size_t i = 0; i < n * boots; i++)
				n_of[pgt_order_side(i, n, boots)]++;
			for (size_t i = 0; i < n; i++)
				cr_assert(eq(sz, n_of[i], boots));
		}
}

/* An even number of rounds has the places of every side around the same middle. */
Test(lab_order, a_linear_drift_cancels)
{
	for (size_t n = 2; n <= 17; n++)
		for (size_t boots = 2; boots <= 20; boots += 2) {
			size_t sum[17] = { 0 };

			for (size_t i = 0; i < n * boots; i++)
				sum[pgt_order_side(i, n, boots)] += i;
			for (size_t i = 1; i < n; i++)
				cr_assert(eq(sz, sum[i], sum[0]));
		}
}

Test(lab_order, no_side_is_always_first)
{
	for (size_t n = 2; n <= 17; n++)
		cr_assert(ne(sz, pgt_order_side(0, n, 2), pgt_order_side(n, n, 2)));
}
