/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_recording.c - any bytes as a recording: refused in one line, or compared and rendered.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined ... fuzz_recording.c libpgtrace.a ...
 *   fuzz_recording -max_total_time=60 NEW-CORPUS tests/fuzz/corpus/recording
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "recording/recording.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void render_all(const struct pgt_report *report)
{
	for (size_t i = 0; pgt_renderers[i]; i++) {
		char *text = NULL;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		if (!out || pgt_renderers[i]->render(report, out))
			abort();
		fclose(out);
		free(text);
	}
}

static void use(const struct pgt_recording *recording)
{
	struct pgt_comparison comparison;
	struct pgt_report report;
	struct pgt_diag diag = { "" };

	if (pgt_compare(&comparison, recording, recording, 0.05, &diag)) {
		if (!diag.text[0])
			abort();
		return;
	}
	if (pgt_report_make(&report, &comparison, &comparison, &diag))
		abort();
	render_all(&report);
	pgt_report_release(&report);
	pgt_comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_recording recording;
	struct pgt_diag diag = { "" };

	if (pgt_buf_add(&text, bytes, size))
		abort();
	if (!pgt_recording_parse(&recording, "fuzz", &text, &diag)) {
		use(&recording);
		pgt_recording_release(&recording);
	} else if (!diag.text[0] || strchr(diag.text, '\n')) {
		abort();
	}
	pgt_buf_release(&text);
	return 0;
}
