/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sentences.h - cells and sentences that text and markdown share, as ASCII.
 *
 * All functions append to out and return 0 or -ENOMEM.
 */
#ifndef PGT_REPORT_SENTENCES_H
#define PGT_REPORT_SENTENCES_H

#include "report/boot_table.h"
#include "report/report.h"

struct pgt_buf;

/*
 * A value of a metric in unit: "131,329", ">=131,329" for a lower bound, "- [1]" where reason 1
 * says why not.
 */
int pgt_cell_value(struct pgt_buf *out, const struct pgt_side *side, const char *unit,
		   size_t reason);

/* pgt_format_change() where both sides have a value; else nothing. */
int pgt_cell_change(struct pgt_buf *out, const struct pgt_row *row);

/*
 * How a kernel's probe got at a function: "fentry", "fentry [1]" where it misses calls,
 * "- [1]", or "-" where it is not there.
 */
int pgt_cell_mechanism(struct pgt_buf *out, const char *mechanism, size_t reason);

/* A value of the boot-time table: as pgt_cell_value(), or a quotient, "0.00974". */
int pgt_cell_boot(struct pgt_buf *out, const struct pgt_boot_cell *cell, bool is_test);

/* What the table shows, and how it was counted; exact: every row was compared exactly. */
int pgt_sentence_boot(struct pgt_buf *out, bool exact);

/* "for each page", "for each table's worth of pages (512)" */
int pgt_sentence_boot_part(struct pgt_buf *out, const struct pgt_boot_table *table,
			   enum pgt_boot_part part);

/* Ranges, interval and p of a row that was not compared exactly; nothing for others, nor
 * where each side has one value in all of too few boots. */
int pgt_sentence_spread(struct pgt_buf *out, const struct pgt_row *row);

/* One side of the histogram of pages per call: rows holds the n bins of one probe. */
int pgt_sentence_histogram(struct pgt_buf *out, const struct pgt_report_row *rows, size_t n,
			   bool is_base);

/* Is there anything to show in such a histogram? */
bool pgt_histogram_is_empty(const struct pgt_report_row *rows, size_t n);

/* "12,800 pages of work a run"; nothing where the recordings do not say. */
int pgt_sentence_work(struct pgt_buf *out, const struct pgt_work_pair *work);

/* "12 metrics are 0 on both sides: not shown"; nothing where none is. */
int pgt_sentence_zero(struct pgt_buf *out, const struct pgt_report_workload *workload);

/* "14 metrics of flush_tlb have no value on either side: base [1], test [2]" */
int pgt_sentence_not_counted(struct pgt_buf *out, const struct pgt_report_row *row, size_t n);

/* The one loss line: "base nothing in 8 runs; test missed 3 in 8 runs" */
int pgt_sentence_loss(struct pgt_buf *out, const struct pgt_report *report);

/*
 * "base 1,405 counts of sites, 26,843 hits, all equal to the emulator's; ..."; nothing where no
 * recording has been held against an emulator's counts.
 */
int pgt_sentence_truth(struct pgt_buf *out, const struct pgt_report *report);

/* The part of one recording in the two lines above: "base nothing in 8 runs". */
int pgt_sentence_loss_of(struct pgt_buf *out, const char *name, const struct pgt_loss_sum *sum);
int pgt_sentence_truth_of(struct pgt_buf *out, const char *name, const struct pgt_truth_sum *sum);

/* "112 functions with 112 DSB, 149 ISB and 97 TLBI sites" */
int pgt_sentence_unreached(struct pgt_buf *out, const struct pgt_unreached_sum *sum);

/* What the control found, or that there is none. */
int pgt_sentence_control(struct pgt_buf *out, const struct pgt_report *report);

/* "2,048 MiB"; "1,024 MiB to 4,096 MiB" where boots had clearly more than others. */
int pgt_sentence_memory(struct pgt_buf *out, const struct pgt_report_side *side);

/* "2026-11-30T12:00:00Z", or first..last. */
int pgt_sentence_recorded(struct pgt_buf *out, const struct pgt_report_side *side);

/* Said at the top where base and test are one kernel. */
extern const char pgt_sentence_same_kernel[];

/* For the legend: what the names of most metrics mean. */
extern const char pgt_legend_calls[], pgt_legend_insn[];

/*
 * For the legend: what rows of a view show.  Sentence i of pgt_n_view_sentences, or NULL where
 * none of the rows shown (1 << enum pgt_view, or-ed) is of its view.
 */
const char *pgt_sentence_of_view(size_t i, uint32_t shown);
extern const size_t pgt_n_view_sentences;

#endif /* PGT_REPORT_SENTENCES_H */
