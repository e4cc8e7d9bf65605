/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apt_text.h - what apt-get prints, taken apart.  Pure.
 */
#ifndef PGT_LAB_APT_TEXT_H
#define PGT_LAB_APT_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_debs {		/* packages as apt would download them */
	struct pgt_deb {
		char *file;	/* NAME_VERSION_ARCH.deb, ':' of the version as %3a */
		uint64_t size;	/* bytes */
	} *deb;
	size_t n;
	uint64_t size;		/* of all */
};

/*
 * From the output of "apt-get update --print-uris": the first archive that has the
 * suite (security: the first that has SUITE-security).  On the heap, or NULL.
 */
char *pgt_apt_mirror(const char *uris, const char *suite);

/* From the output of "apt-get ... --print-uris": 'URI' FILE SIZE HASH, one a line. */
int pgt_apt_parse_uris(const char *text, struct pgt_debs *out, struct pgt_diag *diag);
void pgt_debs_release(struct pgt_debs *debs);

#endif /* PGT_LAB_APT_TEXT_H */
