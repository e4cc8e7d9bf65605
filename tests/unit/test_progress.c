/* SPDX-License-Identifier: GPL-2.0-only */
/* progress.c on a stream that is no terminal: few lines, and none twice. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/progress.h"

Test(progress, sparse_lines)
{
	FILE *file = tmpfile();
	struct pgt_progress progress;
	char text[512] = "";

	cr_assert(ne(ptr, file, NULL));
	pgt_progress_init(&progress, file);
	pgt_progress_begin(&progress, 8, "booting %d guests", 8);
	for (uint64_t done = 0; done <= 8; done++)
		pgt_progress_update(&progress, done);
	pgt_progress_update(&progress, 8);
	pgt_progress_note(&progress, "a note");
	pgt_progress_end(&progress);
	pgt_progress_update(&progress, 9);
	rewind(file);
	cr_assert(gt(sz, fread(text, 1, sizeof(text) - 1, file), 0));
	cr_expect(eq(str, text, (char *)
		     "booting 8 guests\nbooting 8 guests: 25%\nbooting 8 guests: 50%\n"
		     "booting 8 guests: 75%\nbooting 8 guests: 100%\na note\n"));
	fclose(file);
}

Test(progress, nothing_to_show_it_on)
{
	pgt_progress_begin(NULL, 1, "x");
	pgt_progress_update(NULL, 1);
	pgt_progress_note(NULL, "y");
	pgt_progress_end(NULL);
}
