/* SPDX-License-Identifier: GPL-2.0-only */
/* diag.c: one line, whatever goes in. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"

Test(diag, describes_and_returns_the_code)
{
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, pgt_fail(&diag, -ENOENT, "%s: %d", "file", 7), -ENOENT));
	cr_expect(eq(str, diag.text, "file: 7"));
}

Test(diag, is_one_line)
{
	struct pgt_diag diag = { "" };

	pgt_fail(&diag, -EIO, "a\nb\r\nc");
	cr_expect(eq(str, diag.text, "a b  c"));
	pgt_wrap(&diag, -EIO, "x\ny");
	cr_expect(eq(str, diag.text, "x y: a b  c"));
}

Test(diag, wraps_outside_in)
{
	struct pgt_diag diag = { "" };

	pgt_fail(&diag, -EIO, "inner");
	cr_expect(eq(int, pgt_wrap(&diag, -EINVAL, "middle"), -EINVAL));
	pgt_wrap(&diag, -EINVAL, "outer %d", 1);
	cr_expect(eq(str, diag.text, "outer 1: middle: inner"));
}

Test(diag, cuts_what_does_not_fit)
{
	struct pgt_diag diag = { "" };
	char longer[3000];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	pgt_fail(&diag, -EIO, "%s", longer);
	cr_expect(eq(sz, strlen(diag.text), sizeof(diag.text) - 1));
	pgt_wrap(&diag, -EIO, "%s", longer);
	cr_expect(eq(sz, strlen(diag.text), sizeof(diag.text) - 1));
}
