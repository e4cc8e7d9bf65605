/* SPDX-License-Identifier: GPL-2.0-only */
/* json_lines.c: every line in its turn, and what is wrong is named with its place. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "recording/json_lines.h"

struct seen {
	struct pgt_place at;
	size_t n;
	json_int_t sum;
	json_int_t refused;		/* take() fails at this "x" */
};

static int take(void *reader, json_t *line)
{
	struct seen *seen = reader;
	json_int_t x = json_integer_value(json_object_get(line, "x"));

	seen->n++;
	cr_expect(eq(sz, seen->at.line, seen->n));
	seen->sum += x;
	return x == seen->refused ? -EPERM : 0;
}

static int read_text(struct seen *seen, const char *text, struct pgt_diag *diag)
{
	struct pgt_buf buf = PGT_BUF_INIT;
	int err;

	*seen = (struct seen){ .at = { "f", 0 }, .refused = 5 };
	cr_assert(zero(int, pgt_buf_add(&buf, text, strlen(text))));
	err = pgt_json_lines_read(&buf, &seen->at, take, seen, diag);
	pgt_buf_release(&buf);
	return err;
}

Test(json_lines, are_handed_over_in_order)
{
	struct pgt_diag diag = { "" };
	struct seen seen;

	cr_expect(zero(int, read_text(&seen, "", &diag)), "nothing has no lines");
	cr_expect(zero(sz, seen.n));
	cr_expect(zero(int, read_text(&seen, "{\"x\":1}\n{\"x\":2}\n{}\n", &diag)));
	cr_expect(eq(sz, seen.n, 3));
	cr_expect(eq(i64, seen.sum, 3));
}

Test(json_lines, end_where_the_reader_refuses_one)
{
	struct pgt_diag diag = { "" };
	struct seen seen;

	cr_expect(eq(int, read_text(&seen, "{\"x\":1}\n{\"x\":5}\n{\"x\":2}\n", &diag), -EPERM));
	cr_expect(eq(sz, seen.n, 2));
}

Test(json_lines, that_are_none_are_named)
{
	static const struct {
		const char *text, *said;
		int err;
		size_t taken;
	} cases[] = {
		{ "{\"x\":1}\n{\"x\":", "f:2: the last line is cut off", -ENODATA, 1 },
		{ "{\"x\":1}\n\n", "f:2: not a line of JSON", -EPROTO, 1 },
		{ "{\"x\":1,\"x\":1}\n", "f:1: not a line of JSON: duplicate object key", -EPROTO, 0 },
		{ "{\"x\":1} {}\n", "f:1: not a line of JSON", -EPROTO, 0 },
		{ "7\n", "f:1: not a line of JSON", -EPROTO, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_diag diag = { "" };
		struct seen seen;

		cr_expect(eq(int, read_text(&seen, cases[i].text, &diag), cases[i].err));
		cr_expect(not(zero(ptr, strstr(diag.text, cases[i].said))), "%s", diag.text);
		cr_expect(eq(sz, seen.n, cases[i].taken));
	}
}

Test(json_lines, members_have_their_kind)
{
	const struct pgt_place at = { "f", 3 };
	json_t *line = json_pack("{s:i, s:b, s:n}", "lines", 4, "yes", 1, "none");
	struct pgt_diag diag = { "" };
	int64_t number = 0;
	bool flag = false;

	cr_assert(not(zero(ptr, line)));
	cr_expect(zero(int, pgt_line_integer(line, "lines", 4, &number, &at, &diag)));
	cr_expect(eq(i64, number, 4));
	cr_expect(eq(int, pgt_line_integer(line, "lines", 5, &number, &at, &diag), -EPROTO));
	cr_expect(eq(str, diag.text, "f:3: \"lines\" is 4: less than 5"));
	cr_expect(eq(int, pgt_line_integer(line, "yes", 0, &number, &at, &diag), -EPROTO));
	cr_expect(zero(int, pgt_line_flag(line, "yes", &flag, &at, &diag)));
	cr_expect(flag);
	cr_expect(eq(int, pgt_line_flag(line, "none", &flag, &at, &diag), -EPROTO));
	cr_expect(eq(str, diag.text, "f:3: \"none\" is not true or false"));
	cr_expect(eq(int, pgt_line_flag(line, "absent", &flag, &at, &diag), -EPROTO));
	cr_expect(zero(int, pgt_line_end(line, 4, &at, &diag)));
	cr_expect(eq(int, pgt_line_end(line, 3, &at, &diag), -EPROTO));
	cr_expect(eq(str, diag.text, "f:3: the \"end\" line counts 4 lines, but there are 3: lines "
		     "were lost or added"));
	json_decref(line);
}
