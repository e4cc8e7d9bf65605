/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * digest.h - SHA-256, computed by the kernel's own crypto (AF_ALG, linux/if_alg.h).
 */
#ifndef PGT_TRACE_DIGEST_H
#define PGT_TRACE_DIGEST_H

#include <stddef.h>

struct pgt_diag;

#define PGT_DIGEST_HEX	65	/* 64 digits and a NUL */

/* -EAFNOSUPPORT or -ENOENT where the kernel has no AF_ALG or no SHA-256. */
int pgt_digest_sha256(const void *bytes, size_t len, char hex[PGT_DIGEST_HEX],
		      struct pgt_diag *diag);

#endif /* PGT_TRACE_DIGEST_H */
