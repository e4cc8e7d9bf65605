/* SPDX-License-Identifier: GPL-2.0-only */
/* buf.c: what goes in comes out, at every size around a reallocation. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"

Test(buf, starts_empty_and_is_terminated_once_used)
{
	struct pgt_buf buf = PGT_BUF_INIT;

	cr_expect(zero(ptr, buf.at));
	cr_assert(zero(int, pgt_buf_add(&buf, "", 0)));
	cr_expect(eq(str, buf.at, ""));
	cr_expect(zero(sz, buf.len));
	pgt_buf_release(&buf);
	cr_expect(zero(ptr, buf.at));
}

Test(buf, grows)
{
	struct pgt_buf buf = PGT_BUF_INIT;

	for (size_t i = 0; i < 5000; i++) {
		cr_assert(zero(int, pgt_buf_add(&buf, "x", 1)));
		cr_assert(eq(sz, strlen(buf.at), i + 1));
	}
	pgt_buf_release(&buf);
}

Test(buf, formats_after_what_is_there)
{
	struct pgt_buf buf = PGT_BUF_INIT;

	cr_assert(zero(int, pgt_buf_addf(&buf, "%d", 12)));
	cr_assert(zero(int, pgt_buf_addf(&buf, "-%s", "ab")));
	cr_expect(eq(str, buf.at, "12-ab"));
	cr_expect(eq(sz, buf.len, 5));
	pgt_buf_release(&buf);
}

Test(buf, keeps_what_it_has_when_it_cannot_grow)
{
	struct pgt_buf buf = PGT_BUF_INIT;

	cr_assert(zero(int, pgt_buf_add(&buf, "abc", 3)));
	cr_expect(eq(int, pgt_buf_add(&buf, NULL, (size_t)-1), -ENOMEM));
	cr_expect(eq(str, buf.at, "abc"));
	pgt_buf_release(&buf);
}
