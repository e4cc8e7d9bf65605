/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ab.h - boot kernels in alternation and collect a recording of each.
 */
#ifndef PGT_LAB_AB_H
#define PGT_LAB_AB_H

#include <stddef.h>
#include <stdio.h>

struct pgt_boot_job;
struct pgt_diag;
struct pgt_lab;
struct pgt_rig;

struct pgt_ab_side {		/* one recording, of the boots of one kernel */
	const char *name;	/* of the file in the output directory, without ".jsonl" */
	size_t kernel;		/* of the rig; several sides may have the same */
};

struct pgt_ab_text {		/* one more file of the output directory */
	const char *name;
	const char *text;	/* NULL: there shall be none, as an earlier run may have left it */
};

struct pgt_ab {
	const struct pgt_ab_side *sides;
	size_t n_sides;
	size_t n_turns;		/* so many, the first ones, take turns; the others follow: order.h */
	size_t boots;		/* of each side, in each setup of the rig */
	size_t at_a_time;
	const char *dir;
	const struct pgt_ab_text *texts;
	size_t n_texts;
};

/* Two kernels, and the first one again as a control. */
enum pgt_boot_side { PGT_SIDE_BASE, PGT_SIDE_TEST, PGT_SIDE_CONTROL, PGT_N_SIDES };
extern const struct pgt_ab_side pgt_ab_pair[PGT_N_SIDES];

/* The path of a side's recording in dir; NULL where memory ran out. */
char *pgt_ab_path(const char *dir, const struct pgt_ab_side *side);

/*
 * Boot the sides in each setup of the rig.  Then make dir and write a recording of each
 * side, its boots one after the other, and the texts: all of these or none.
 */
int pgt_ab_run(const struct pgt_lab *lab, const struct pgt_rig *rig, const struct pgt_ab *ab,
	       struct pgt_diag *diag);

/* One boot of the rig's first kernel in its first setup; the recording is written to out. */
int pgt_ab_run_one(const struct pgt_lab *lab, const struct pgt_rig *rig, FILE *out,
		   struct pgt_diag *diag);

/* The same, with the files of the boot: *out is one job, for pgt_boots_release(). */
int pgt_ab_boot_one(struct pgt_boot_job **out, const struct pgt_lab *lab,
		    const struct pgt_rig *rig, struct pgt_diag *diag);

/* Copy one boot's recording, a file, to the end of a stream. */
int pgt_ab_append(FILE *stream, const char *recording, struct pgt_diag *diag);

#endif /* PGT_LAB_AB_H */
