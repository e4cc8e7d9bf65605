/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sentences_steps.h - cells and sentences of a topic's report, as ASCII.
 *
 * All functions append to out and return 0 or -ENOMEM.
 */
#ifndef PGT_REPORT_SENTENCES_STEPS_H
#define PGT_REPORT_SENTENCES_STEPS_H

#include "report/steps.h"

struct pgt_buf;
struct pgt_shown;

/* ---- cells ---- */

/* As pgt_cell_value(). */
int pgt_cell_step(struct pgt_buf *out, const struct pgt_steps_cell *cell, const char *unit);

/*
 * The change against the first side, and the marks of whatever is not an exact verdict:
 * "-99.6 % (/255.5)", "+0.3 % =", "from 0", "-37.5 % uf"; nothing where a side has no value.
 */
int pgt_cell_step_change(struct pgt_buf *out, const struct pgt_steps_cell *cell);

/* A value or a quotient of the linear map; its change, that of a quotient without marks. */
int pgt_cell_map(struct pgt_buf *out, const struct pgt_steps_map_cell *cell);
int pgt_cell_map_change(struct pgt_buf *out, const struct pgt_steps_map_cell *cell);

/* A published value, and its change against the first row; nothing in that row. */
int pgt_cell_published(struct pgt_buf *out, const struct pgt_published *published, size_t row,
		       size_t column);
int pgt_cell_published_change(struct pgt_buf *out, const struct pgt_published *published,
			      size_t row, size_t column);

/* Add what the legend has to explain of a cell: the marks of its change, and what they stand for. */
void pgt_step_shown(struct pgt_shown *shown, const struct pgt_steps_cell *cell);


/*
 * For the legend: the sign of a verdict that is not exact, what it means, and whether any of the
 * verdicts shown (1 << enum pgt_verdict, or-ed) has it; false for all but one that share a sign.
 */
char pgt_sign_of(enum pgt_verdict verdict);
const char *pgt_sentence_of_sign(enum pgt_verdict verdict);
bool pgt_sign_is_used(enum pgt_verdict verdict, uint32_t verdicts);

/* ---- sentences ---- */

/* "the same in all", where it is, and how much less where it is not to the byte. */
int pgt_sentence_attribute(struct pgt_buf *out, const struct pgt_steps *steps,
			   const struct pgt_steps_attribute *attribute);

/* "no-cont-remap, batched: the CPU differs: base ..., test ..." */
int pgt_sentence_warning(struct pgt_buf *out, const struct pgt_steps *steps,
			 const struct pgt_steps_warning *warning);

/* The lines on loss and on truth, of all sides and the control. */
int pgt_sentence_steps_loss(struct pgt_buf *out, const struct pgt_steps *steps);
int pgt_sentence_steps_truth(struct pgt_buf *out, const struct pgt_steps *steps);

/* "for each page mapped", "for as many pages as one table ... maps: 512" */
int pgt_sentence_map_part(struct pgt_buf *out, const struct pgt_steps *steps,
			  enum pgt_boot_part part);

/* "LABEL: base 3..5, test 4, p 0.1" of what is not exact; nothing where it is. */
int pgt_sentence_step_spread(struct pgt_buf *out, const char *label,
			     const struct pgt_steps_cell *cell);

/* The same of a cell of the linear map, which it names: "DSB, 1G, no-cont-remap: ...". */
int pgt_sentence_map_spread(struct pgt_buf *out, const struct pgt_steps *steps,
			    const struct pgt_steps_map_line *line, size_t size);

/* Whose figures these are. */
int pgt_sentence_published(struct pgt_buf *out, const struct pgt_published *published);

/* What was expected, what was measured, and whether it holds. */
int pgt_sentence_oracle(struct pgt_buf *out, const struct pgt_steps_oracle *oracle);

/* "holds", "DOES NOT HOLD", "not checked" */
extern const char *const pgt_oracle_words[PGT_ORACLE_VIOLATED + 1];

/* Rows of a class that is not shown in the table: how many, or which; nothing where none. */
int pgt_sentence_class(struct pgt_buf *out, const struct pgt_steps *steps,
		       const struct pgt_steps_workload *workload, enum pgt_steps_class class);

/* What a legend begins with. */
extern const char pgt_steps_legend[];

/* "12,850 pages of work a run"; nothing where the recordings do not say. */
int pgt_sentence_steps_work(struct pgt_buf *out, const struct pgt_steps_workload *workload);

extern const char pgt_heading_beside[];

/* Whether the last step executes more than a kernel beside it. */
int pgt_sentence_beside(struct pgt_buf *out, const struct pgt_steps *steps,
			const struct pgt_steps_beside *beside);

/* "2,668, and 2,532 there (+5.4 %)"; "kind" where that kernel never executes it. */
int pgt_sentence_excess(struct pgt_buf *out, const struct pgt_steps_excess *excess);

/* What the control found in one row: "309,903, and again 309,904 (+0.0003 %)". */
int pgt_sentence_again(struct pgt_buf *out, const struct pgt_row *row);

#endif /* PGT_REPORT_SENTENCES_STEPS_H */
