/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - what the JSON documents share: parts of a report as JSON values.
 *
 * What returns a json_t returns a new reference, or NULL where memory ran out.
 */
#ifndef PGT_REPORT_PACK_H
#define PGT_REPORT_PACK_H

#include <jansson.h>
#include <stdio.h>

#include "report/report.h"

/* Write `before` and the value, which is released; -ENOMEM where it is NULL. */
int pgt_pack_put(FILE *out, const char *before, json_t *value);

json_t *pgt_pack_text(const char *text);	/* null for NULL */

/* Counts are integers; only medians between two of them, ratios and p are not.  NAN is null. */
json_t *pgt_pack_number(double value);
json_t *pgt_pack_probability(double p);

json_t *pgt_pack_side(const struct pgt_report_side *side);
json_t *pgt_pack_loss(const struct pgt_loss_sum *loss);
json_t *pgt_pack_truth(const struct pgt_truth_sum *truth);	/* null where nothing was held */
json_t *pgt_pack_unreached(const struct pgt_unreached_sum *sum);

json_t *pgt_pack_notes(uint32_t notes);
json_t *pgt_pack_row(const struct pgt_row *row);

/*
 * Set NAME_reason, NAME_source, NAME_boots, NAME_range, NAME_interval and NAME_lower_bound of an
 * object, or the same without a prefix where name is "".  Returns 0, or -1 where memory ran out.
 */
int pgt_pack_add_side(json_t *object, const char *name, const struct pgt_side *side);

#endif /* PGT_REPORT_PACK_H */
