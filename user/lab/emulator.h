/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emulator.h - a QEMU that is new enough: the user's, one in PATH, or one from the cache.
 *
 * The cached one is unpacked from bookworm-backports, with the libraries that the system
 * does not have beside it; it is never installed, because installing it can pull half a
 * newer Debian in.
 */
#ifndef PGT_LAB_EMULATOR_H
#define PGT_LAB_EMULATOR_H

#include <stdbool.h>

struct pgt_arch;
struct pgt_diag;
struct pgt_lab;

#define PGT_EMULATOR_MIN_MAJOR	10	/* the first with what later reports need: plugin API 4 */

struct pgt_emulator {
	char *program;		/* path, or a name in PATH */
	char *firmware;		/* for -L; NULL: QEMU finds it by itself */
	char *environment;	/* "LD_LIBRARY_PATH=..."; NULL for none */
	char *version;		/* "10.0.2" */
	bool kvm;		/* the host can run this architecture's guests natively */
};

/*
 * path is what the user named, or NULL.  Returns 0, -ENOENT, -EPROTONOSUPPORT where the user's is
 * too old, or what fetching gave.
 */
int pgt_emulator_get(struct pgt_emulator *out, const struct pgt_lab *lab,
		     const struct pgt_arch *arch, const char *path, struct pgt_diag *diag);
void pgt_emulator_release(struct pgt_emulator *emulator);	/* accepts a zeroed one */

/* "QEMU emulator version 10.0.2 (Debian ...)" -> "10.0.2" and 10; NULL for anything else. */
char *pgt_emulator_parse_version(const char *text, int *major);

#endif /* PGT_LAB_EMULATOR_H */
