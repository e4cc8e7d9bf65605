/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab_verify.h - boot a kernel and print how its counts compare with its emulator's.
 */
#ifndef PGT_CMD_LAB_VERIFY_H
#define PGT_CMD_LAB_VERIFY_H

#include <stdio.h>

struct pgt_diag;
struct pgt_lab;
struct pgt_rig;

/*
 * Boot the rig's first kernel and print, as format "text" or "json", every place with hits: how
 * it was counted, how often, and how often the emulator saw it; and the places that only the
 * emulator saw.  The recording is written to recording unless that is NULL.  Besides what
 * booting gives, -EBADE where counts differ or hits were lost; all is then printed and written.
 */
int pgt_lab_verify(const struct pgt_lab *lab, const struct pgt_rig *rig, const char *format,
		   FILE *recording, struct pgt_diag *diag);

#endif /* PGT_CMD_LAB_VERIFY_H */
