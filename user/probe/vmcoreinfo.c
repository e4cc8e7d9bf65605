/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/vmcoreinfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

static const struct value {
	const char *name;
	size_t offset;		/* in struct pgt_vmcoreinfo */
	int base;		/* symbols are hexadecimal without a 0x; numbers say what they are */
} values[] = {
	{ "PAGESIZE", offsetof(struct pgt_vmcoreinfo, page_size), 0 },
	{ "NUMBER(VA_BITS)", offsetof(struct pgt_vmcoreinfo, va_bits), 0 },
	{ "NUMBER(TCR_EL1_T1SZ)", offsetof(struct pgt_vmcoreinfo, t1sz), 0 },
	{ "NUMBER(kimage_voffset)", offsetof(struct pgt_vmcoreinfo, kimage_voffset), 0 },
	{ "SYMBOL(swapper_pg_dir)", offsetof(struct pgt_vmcoreinfo, swapper_pg_dir), 16 },
	{ "SYMBOL(_stext)", offsetof(struct pgt_vmcoreinfo, stext), 16 },
};

/* The text behind "name=" of the line that starts with it, and its length; NULL without one. */
static const char *find_line(const char *text, size_t len, const char *name, size_t *n)
{
	size_t name_len = strlen(name);
	const char *end = text + len;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t line_len = (size_t)((newline ? newline : end) - text);

		if (line_len > name_len && !memcmp(text, name, name_len) && text[name_len] == '=') {
			*n = line_len - name_len - 1;
			return text + name_len + 1;
		}
		text += line_len + 1;
	}
	return NULL;
}

static int take_value(const struct value *value, const char *text, size_t len, uint64_t *out,
		      struct pgt_diag *diag)
{
	char number[32], *end;
	size_t n = 0;
	const char *found = find_line(text, len, value->name, &n);

	if (!found)
		return pgt_fail(diag, -ENODATA,
				"/proc/kcore: its note VMCOREINFO has no %s: the kernel is older "
				"than 5.15, or not arm64",
				value->name);
	if (n < sizeof(number)) {
		memcpy(number, found, n);
		number[n] = '\0';
		errno = 0;
		*out = strtoull(number, &end, value->base);
		if (number[0] >= '0' && !*end && !errno)
			return 0;
	}
	return pgt_fail(diag, -EPROTO, "/proc/kcore: its note VMCOREINFO says %s=%.*s, which is no number",
			value->name, (int)(n < 100 ? n : 100), found);
}

int pgt_vmcoreinfo_parse(struct pgt_vmcoreinfo *out, const char *text, size_t len,
			 struct pgt_diag *diag)
{
	struct pgt_vmcoreinfo info = { 0 };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		uint64_t number = 0;
		int err = take_value(&values[i], text, len, &number, diag);

		if (err)
			return err;
		memcpy((char *)&info + values[i].offset, &number, sizeof(number));
	}
	*out = info;
	return 0;
}
