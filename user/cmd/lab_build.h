/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PGT_CMD_LAB_BUILD_H
#define PGT_CMD_LAB_BUILD_H

/* "pgtrace lab build": argv[0] is "build".  Returns an exit status. */
int pgt_lab_build(int argc, char **argv);

#endif /* PGT_CMD_LAB_BUILD_H */
