/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - in which order the boots of a comparison happen.
 */
#ifndef PGT_LAB_ORDER_H
#define PGT_LAB_ORDER_H

#include <stddef.h>

/*
 * A machine drifts (it warms up, its neighbours come and go), so n sides take turns, boots times
 * each.  Every second round goes backwards, which cancels a linear drift, and each pair of
 * rounds starts two sides further on, so that none is always the first, or beside the same other:
 * ABBAABBA of two, ABCDDCBACDABBADC of four.
 *
 * Which side the boot at this place belongs to: 0 to n - 1.  What stands behind the n * boots
 * places of those is of sides that follow in their order, all boots of one and then of the next.
 */
size_t pgt_order_side(size_t place, size_t n, size_t boots);

#endif /* PGT_LAB_ORDER_H */
