/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tcg_line.h - one line of what the plugin counted, checked and stored.  For tcg_result.c.
 */
#ifndef PGT_LAB_TCG_LINE_H
#define PGT_LAB_TCG_LINE_H

#include <jansson.h>

#include "lab/tcg_result.h"
#include "recording/json_lines.h"

/* The first line.  Returns 0, -EPROTO, -EPROTONOSUPPORT for another schema, or -ENOMEM. */
int pgt_tcg_line_first(struct pgt_tcg_result *result, json_t *line, const struct pgt_place *at,
		       struct pgt_diag *diag);

/*
 * Any other line but the end; a type that is not known is skipped.  What was stored before a
 * failure stays, to be released with the result.  Returns 0, -EPROTO, or -ENOMEM.
 */
int pgt_tcg_line_store(struct pgt_tcg_result *result, const char *type, json_t *line,
		       const struct pgt_place *at, struct pgt_diag *diag);

/* Free all that lines have stored. */
void pgt_tcg_line_release(struct pgt_tcg_result *result);

#endif /* PGT_LAB_TCG_LINE_H */
