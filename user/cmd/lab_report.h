/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab_report.h - from the recordings of "lab ab" to its report files.
 */
#ifndef PGT_CMD_LAB_REPORT_H
#define PGT_CMD_LAB_REPORT_H

struct pgt_diag;

/*
 * Read base.jsonl, test.jsonl and control.jsonl in dir, write report.txt, report.md and
 * report.json beside them, and print the one that format names on standard output.
 */
int pgt_lab_report(const char *dir, const char *format, struct pgt_diag *diag);

#endif /* PGT_CMD_LAB_REPORT_H */
