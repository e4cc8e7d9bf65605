/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * version.h - the version of pgtrace, as --version prints it and recordings keep it.
 */
#ifndef PGT_BASE_VERSION_H
#define PGT_BASE_VERSION_H

#define PGT_VERSION	"0.1.0"

#endif /* PGT_BASE_VERSION_H */
