/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab_verify.h - print how a guest's counts compare with an emulator's.
 */
#ifndef PGT_CMD_LAB_VERIFY_H
#define PGT_CMD_LAB_VERIFY_H

struct pgt_boot;
struct pgt_diag;
struct pgt_verify;

/*
 * On standard output, as "text" or "json": every place with hits, how it was counted, and the
 * places that only the emulator saw.
 */
int pgt_lab_verify_print(const struct pgt_verify *verify, const struct pgt_boot *boot,
			 const char *format, struct pgt_diag *diag);

/* One sentence: that all counts are equal, or how many are not, or what was lost. */
void pgt_lab_verify_sentence(const struct pgt_verify *verify, char *out, int size);

#endif /* PGT_CMD_LAB_VERIFY_H */
