/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apt.h - packages of any Debian suite and architecture, without touching the system.
 *
 * Each root below <cache>/apt/ has its own sources, index and downloads; apt-get is told of
 * them by a configuration file of the root.  The mirror is the one in the system's own
 * sources.  Nothing is ever installed: packages are downloaded and unpacked.  The index is
 * refreshed when it is older than a day; where that fails and there is an older
 * one, it serves, and the reader is told.
 */
#ifndef PGT_LAB_APT_H
#define PGT_LAB_APT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/apt_text.h"

struct pgt_buf;
struct pgt_diag;
struct pgt_lab;

struct pgt_apt {
	const struct pgt_lab *lab;
	const char *name;	/* of the root, and of its lock */
	char *root, *conf;
	int lock_fd;		/* held from open to release */
	bool fresh;		/* the index was refreshed in this process */
};

struct pgt_apt_root {		/* what a root is for */
	const char *name;
	const char *arch;
	const char *const *suites;		/* of the main archive; NULL-terminated */
	const char *const *security_suites;	/* likewise, of the security archive, may be NULL */
	bool installed;		/* count what the system has installed as there already */
};

/* Lock and write the root, and refresh its index where it is old or missing. */
int pgt_apt_open(struct pgt_apt *apt, const struct pgt_lab *lab,
		 const struct pgt_apt_root *what, struct pgt_diag *diag);
void pgt_apt_release(struct pgt_apt *apt);	/* accepts a zeroed one */

/* Refresh now, unless this process did. */
int pgt_apt_refresh(struct pgt_apt *apt, struct pgt_diag *diag);

/* Append the names of the packages that start with prefix, one a line. */
int pgt_apt_names(const struct pgt_apt *apt, const char *prefix, struct pgt_buf *out,
		  struct pgt_diag *diag);

/*
 * What would be downloaded for these packages ("name", "name/suite" or "name=version");
 * with dependencies, also all that they need beyond what is installed.
 */
int pgt_apt_plan(const struct pgt_apt *apt, const char *const *packages, bool dependencies,
		 struct pgt_debs *out, struct pgt_diag *diag);

/*
 * Download what the plan lists and unpack all of it into the directory dest, which is
 * made.  -ENOSPC where the disk is too small for both.
 */
int pgt_apt_unpack(const struct pgt_apt *apt, const char *const *packages, bool dependencies,
		   const struct pgt_debs *plan, const char *dest, const char *label,
		   struct pgt_diag *diag);

#endif /* PGT_LAB_APT_H */
