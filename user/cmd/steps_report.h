/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_report.h - from the recordings of all sides of a topic to its report files.
 */
#ifndef PGT_CMD_STEPS_REPORT_H
#define PGT_CMD_STEPS_REPORT_H

#include <stdbool.h>

struct pgt_diag;

/*
 * Read dir/steps and the recordings that it names, write report.txt, report.md and report.json
 * beside them (where write_files), and print the one that format names on standard output.
 *
 * -EBADE where an oracle does not hold: the report is written all the same.
 */
int pgt_steps_report(const char *dir, const char *format, bool write_files,
		     struct pgt_diag *diag);

#endif /* PGT_CMD_STEPS_REPORT_H */
