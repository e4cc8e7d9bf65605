/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/file.h"
#include "compare/compare.h"
#include "lab/ab.h"
#include "lab/lab.h"
#include "recording/recording.h"
#include "report/report.h"

#define ALPHA	0.05

static int read_side(struct pgt_recording *out, const char *dir, enum pgt_boot_side side,
		     struct pgt_diag *diag)
{
	char *path = pgt_ab_path(dir, &pgt_ab_pair[side]);
	int err = path ? pgt_recording_read(out, path, diag)
		       : pgt_fail(diag, -ENOMEM, "out of memory");

	free(path);
	return err;
}

static int render(const struct pgt_report *report, const struct pgt_renderer *renderer,
		  const char *path, struct pgt_diag *diag)
{
	struct pgt_file_out out;
	int err = pgt_file_out_open(&out, path, diag);

	if (err)
		return err;
	err = renderer->render(report, out.stream);
	if (err)
		pgt_fail(diag, err, "%s: out of memory", path);
	return pgt_file_out_finish(&out, err, diag);
}

static int render_all(const struct pgt_report *report, const char *dir, const char *format,
		      struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && pgt_renderers[i]; i++) {
		char *path = pgt_format("%s/report%s", dir, pgt_renderers[i]->suffix);

		err = path ? render(report, pgt_renderers[i], path, diag)
			   : pgt_fail(diag, -ENOMEM, "out of memory");
		free(path);
	}
	return err ? err : render(report, pgt_renderer_find(format), "-", diag);
}

int pgt_lab_report(const char *dir, const char *format, struct pgt_diag *diag)
{
	struct pgt_recording side[PGT_N_SIDES] = { { NULL, NULL, 0 } };
	struct pgt_comparison comparison = { .base = NULL }, control = { .base = NULL };
	struct pgt_report report;
	int err = 0;

	for (size_t i = 0; !err && i < PGT_N_SIDES; i++)
		err = read_side(&side[i], dir, (enum pgt_boot_side)i, diag);
	if (!err)
		err = pgt_compare(&comparison, &side[PGT_SIDE_BASE], &side[PGT_SIDE_TEST], ALPHA,
				  diag);
	if (!err)
		err = pgt_compare(&control, &side[PGT_SIDE_BASE], &side[PGT_SIDE_CONTROL], ALPHA,
				  diag);
	if (!err)
		err = pgt_report_make(&report, &comparison, &control, diag);
	if (!err) {
		err = render_all(&report, dir, format, diag);
		pgt_report_release(&report);
	}
	pgt_comparison_release(&control);
	pgt_comparison_release(&comparison);
	for (size_t i = 0; i < PGT_N_SIDES; i++)
		pgt_recording_release(&side[i]);
	return err;
}
