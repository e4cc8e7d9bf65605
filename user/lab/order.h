/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - in which order the boots of a comparison happen.
 */
#ifndef PGT_LAB_ORDER_H
#define PGT_LAB_ORDER_H

#include <stddef.h>

enum pgt_boot_side { PGT_SIDE_BASE, PGT_SIDE_TEST, PGT_SIDE_CONTROL, PGT_N_SIDES };

/*
 * A machine drifts (it warms up, its neighbours come and go), so the sides alternate as
 * base, test, test, base, which cancels a linear drift.  The control, as many boots of
 * the base kernel again, comes after them.
 *
 * Which side the boot at this place (0 to 3 * boots - 1) belongs to.
 */
enum pgt_boot_side pgt_order_side(size_t place, size_t boots);

#endif /* PGT_LAB_ORDER_H */
