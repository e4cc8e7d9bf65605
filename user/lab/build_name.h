/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build_name.h - which kernel of a topic is meant: TOPIC/STEP[:debug][:16K|:64K].  Pure.
 */
#ifndef PGT_LAB_BUILD_NAME_H
#define PGT_LAB_BUILD_NAME_H

#include <stddef.h>

#include "lab/series.h"

struct pgt_diag;

enum pgt_build_config { PGT_BUILD_MEASURED, PGT_BUILD_DEBUG };
enum pgt_build_pages { PGT_BUILD_4K, PGT_BUILD_16K, PGT_BUILD_64K };

/* NULL-terminated, in the order of the enums, as options and file names have them. */
extern const char *const pgt_build_configs[], *const pgt_build_page_sizes[];

struct pgt_build_name {
	char topic[PGT_TOPIC_NAME_MAX + 1];
	char step[PGT_TOPIC_NAME_MAX + 1];
	enum pgt_build_config config;
	enum pgt_build_pages pages;
};

/* Returns 0, or -EINVAL with what is wrong. */
int pgt_build_name_parse(struct pgt_build_name *out, const char *spec, struct pgt_diag *diag);

/* What stands behind the version in the kernel's release: "-TOPIC-STEP[-debug][-16k]". */
void pgt_build_name_suffix(const struct pgt_build_name *name, char *out, size_t size);

#endif /* PGT_LAB_BUILD_NAME_H */
