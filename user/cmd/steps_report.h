/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_report.h - from the recordings of a topic's steps to its report files.
 */
#ifndef PGT_CMD_STEPS_REPORT_H
#define PGT_CMD_STEPS_REPORT_H

#include <stdbool.h>

struct pgt_diag;

/*
 * Read dir/steps and the recordings that it names, and dir/control.jsonl, dir/oracle and
 * dir/published where they are there; write dir/report.txt, report.md and report.json where
 * write_files; and print the report in format on standard output.
 *
 * Returns 0, or -EBADE where an oracle does not hold (the report is written all the same), or
 * what reading, comparing or writing failed with.
 */
int pgt_steps_report(const char *dir, const char *format, bool write_files,
		     struct pgt_diag *diag);

#endif /* PGT_CMD_STEPS_REPORT_H */
