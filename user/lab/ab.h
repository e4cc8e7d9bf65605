/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ab.h - boot two kernels in alternation and collect three recordings.
 */
#ifndef PGT_LAB_AB_H
#define PGT_LAB_AB_H

#include <stddef.h>
#include <stdio.h>

struct pgt_boot_job;
struct pgt_diag;
struct pgt_lab;
struct pgt_rig;

/* Names of the recordings in the output directory, by enum pgt_boot_side. */
extern const char *const pgt_ab_names[];

/*
 * In each setup of the rig, boot its two kernels, boots times each, and the first as many times
 * again as a control, at_a_time together, in the order of order.h.  Then write base.jsonl,
 * test.jsonl and control.jsonl into dir, which is made: all three or none.
 */
int pgt_ab_run(const struct pgt_lab *lab, const struct pgt_rig *rig, size_t boots,
	       size_t at_a_time, const char *dir, struct pgt_diag *diag);

/* One boot of the rig's first kernel in its first setup; the recording is written to out. */
int pgt_ab_run_one(const struct pgt_lab *lab, const struct pgt_rig *rig, FILE *out,
		   struct pgt_diag *diag);

/* The same, with the files of the boot: *out is one job, for pgt_boots_release(). */
int pgt_ab_boot_one(struct pgt_boot_job **out, const struct pgt_lab *lab,
		    const struct pgt_rig *rig, struct pgt_diag *diag);

/* Copy one boot's recording, a file, to the end of a stream. */
int pgt_ab_append(FILE *stream, const char *recording, struct pgt_diag *diag);

#endif /* PGT_LAB_AB_H */
