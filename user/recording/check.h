/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check.h - what must hold between the lines of a recording.  For recording_read.c.
 */
#ifndef PGT_RECORDING_CHECK_H
#define PGT_RECORDING_CHECK_H

struct pgt_boot;
struct pgt_diag;
struct pgt_place;
struct pgt_recording;

/*
 * No value and no loss line is there twice, and each repeat that has values has a loss line.
 * at is the place of the end line.  Returns 0, -EPROTO, or -ENOMEM.
 */
int pgt_boot_check(const struct pgt_boot *boot, const struct pgt_place *at,
		   struct pgt_diag *diag);

/* All boots are of one architecture.  Returns 0 or -EPROTO. */
int pgt_recording_check(const struct pgt_recording *recording, struct pgt_diag *diag);

#endif /* PGT_RECORDING_CHECK_H */
