/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_renderers.h - one renderer per file, for the table in steps_renderers.c.
 */
#ifndef PGT_REPORT_STEPS_RENDERERS_H
#define PGT_REPORT_STEPS_RENDERERS_H

#include "report/steps.h"

extern const struct pgt_steps_renderer pgt_steps_renderer_text;
extern const struct pgt_steps_renderer pgt_steps_renderer_markdown;
extern const struct pgt_steps_renderer pgt_steps_renderer_json;

#endif /* PGT_REPORT_STEPS_RENDERERS_H */
