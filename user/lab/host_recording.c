/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/host_recording.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/measure_lines.h"
#include "probe/ksyms.h"
#include "recording/recording.h"

/* One line is "address type name[\t[module]]"; modules come last and are left out. */
static bool is_wanted(const char *line, size_t n)
{
	const char *type = memchr(line, ' ', n);

	if (!type || type + 3 >= line + n || memchr(line, '\t', n))
		return false;
	return pgt_ksym_is_text(type[1], type + 3) ||
	       (n - (size_t)(type + 3 - line) == 6 && !memcmp(type + 3, "_etext", 6));
}

static int keep_text(struct pgt_buf *out, const char *symbols)
{
	int err = pgt_buf_add(out, "", 0);

	for (const char *line = symbols, *end; !err && *line; line = end + (*end == '\n')) {
		end = strchrnul(line, '\n');
		if (is_wanted(line, (size_t)(end - line)))
			err = pgt_buf_addf(out, "%.*s\n", (int)(end - line), line);
	}
	return err;
}

static int write_symbols(struct pgt_writer *writer, struct pgt_diag *diag)
{
	struct pgt_buf all = PGT_BUF_INIT, text = PGT_BUF_INIT;
	struct pgt_ksyms ksyms;
	int err = pgt_file_read("/proc/kallsyms", &all, diag);

	if (!err && keep_text(&text, all.at ? all.at : ""))
		err = pgt_fail(diag, -ENOMEM, "kallsyms: out of memory");
	if (!err)
		err = pgt_ksyms_parse(&ksyms, text.at, true, diag);	/* only to see that it can be */
	if (!err) {
		pgt_ksyms_release(&ksyms);
		err = pgt_writer_line(writer, json_pack("{s:s, s:s}", "type", "kallsyms",
							"text", text.at), diag);
	}
	pgt_buf_release(&all);
	pgt_buf_release(&text);
	return err;
}

int pgt_host_record(struct pgt_writer *writer, bool symbols, struct pgt_diag *diag)
{
	int err = pgt_lines_start(writer, diag);

	if (!err && symbols)
		err = write_symbols(writer, diag);
	return err ? err : pgt_writer_finish(writer, diag);
}
