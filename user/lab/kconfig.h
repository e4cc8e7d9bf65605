/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kconfig.h - whether a kernel's configuration is what was asked for.  Pure.
 *
 * Kconfig drops an option whose dependencies are not met and says nothing.
 */
#ifndef PGT_LAB_KCONFIG_H
#define PGT_LAB_KCONFIG_H

#include <stddef.h>

/*
 * Find the first line of wanted ("CONFIG_X=value", or "# CONFIG_X is not set", which
 * "CONFIG_X=n" also says) that does not hold in config.  Where wanted has an option twice, the
 * later line counts; other lines are comments.
 *
 * Returns the line and its length, or NULL where all hold.
 */
const char *pgt_kconfig_unmet(const char *wanted, const char *config, size_t *len);

#endif /* PGT_LAB_KCONFIG_H */
