/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.h - one line of a recording: its members, checked and stored.  For recording_read.c.
 */
#ifndef PGT_RECORDING_LINE_H
#define PGT_RECORDING_LINE_H

#include <jansson.h>

#include "recording/json_lines.h"

struct pgt_boot;
struct pgt_diag;

/*
 * Check a line of the given type and store what a comparison needs of it in boot; a type
 * that is not known is skipped.  What was stored before a failure stays, to be released
 * with the boot.  Returns 0, -EPROTO, or -ENOMEM.
 */
int pgt_line_store(struct pgt_boot *boot, const char *type, json_t *line,
		   const struct pgt_place *at, struct pgt_diag *diag);

/* Free all that lines have stored in boot. */
void pgt_line_release(struct pgt_boot *boot);

#endif /* PGT_RECORDING_LINE_H */
