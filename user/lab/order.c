/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/order.h"

enum pgt_boot_side pgt_order_side(size_t place, size_t boots)
{
	if (place >= 2 * boots)
		return PGT_SIDE_CONTROL;
	return place % 4 == 1 || place % 4 == 2 ? PGT_SIDE_TEST : PGT_SIDE_BASE;
}
