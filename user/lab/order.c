/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/order.h"

size_t pgt_order_side(size_t place, size_t n, size_t boots)
{
	size_t round = place / n, turn = place % n;

	if (place >= n * boots)
		return place / boots;
	if (round % 2)
		return (n - 1 - turn + round - 1) % n;
	return (turn + round) % n;
}
