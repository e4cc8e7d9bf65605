/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * knob.h - set what a file of /sys or /proc/sys controls.
 */
#ifndef PGT_LAB_KNOB_H
#define PGT_LAB_KNOB_H

struct pgt_diag;

/* Write a value to a file that exists, in one write.  Returns 0 or -errno. */
int pgt_knob_write(const char *path, const char *value, struct pgt_diag *diag);

#endif /* PGT_LAB_KNOB_H */
