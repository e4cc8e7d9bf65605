/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_name.h - which of many package names is the newest stock kernel of a series.
 *
 * Debian's names for one kernel V of architecture A, as of 2026:
 *   linux-image-V-A-unsigned, linux-image-V-A          all in one; up to 6.18
 *   linux-binary-unsigned-V-A, linux-binary-V-A        the image alone; from 6.19
 *     with linux-modules-V-A and, with the config, linux-base-V-A
 *   linux-image-V-A                                    from 6.19 on: empty, depends on those
 * Flavours (cloud, rt, 16k), debug packages and metapackages are not stock kernels.
 */
#ifndef PGT_LAB_KERNEL_NAME_H
#define PGT_LAB_KERNEL_NAME_H

#include <stdbool.h>

struct pgt_kernel_name {
	char image[160];	/* package with the image */
	char modules[160];	/* package with the modules; "" where they are in image */
	char base[160];		/* package with the config; "" where there is none of its own */
	char release[128];	/* as uname -r will say */
};

/* "6.12": two numbers and nothing else. */
bool pgt_kernel_is_series(const char *spec);

/*
 * Pick from names (one a line): the newest of a series, or the package of that very name.
 * Returns 0, or -ENOENT.
 */
int pgt_kernel_name_pick(const char *names, const char *arch, const char *spec,
			 struct pgt_kernel_name *out);

#endif /* PGT_LAB_KERNEL_NAME_H */
