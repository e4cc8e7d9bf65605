/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * renderers.h - one renderer per file, for the table in renderers.c.
 */
#ifndef PGT_REPORT_RENDERERS_H
#define PGT_REPORT_RENDERERS_H

#include "report/report.h"

extern const struct pgt_renderer pgt_renderer_text;
extern const struct pgt_renderer pgt_renderer_markdown;
extern const struct pgt_renderer pgt_renderer_json;

#endif /* PGT_REPORT_RENDERERS_H */
