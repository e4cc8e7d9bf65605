/* SPDX-License-Identifier: GPL-2.0-only */
/* cpio.c against the newc format, byte by byte. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "lab/cpio.h"

struct archive {
	char *bytes;
	size_t size;
	FILE *stream;
	struct pgt_cpio cpio;
};

static void begin(struct archive *archive)
{
	archive->stream = open_memstream(&archive->bytes, &archive->size);
	cr_assert(ne(ptr, archive->stream, NULL));
	pgt_cpio_init(&archive->cpio, archive->stream);
}

static void end(struct archive *archive)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_cpio_finish(&archive->cpio, &diag)), "%s", diag.text);
	fclose(archive->stream);
}

/* Field number i (0 is the inode) of the header at this offset. */
static unsigned long field(const struct archive *archive, size_t at, int i)
{
	char digits[9] = "";

	memcpy(digits, archive->bytes + at + 6 + 8 * i, 8);
	return strtoul(digits, NULL, 16);
}

enum { INODE, MODE, UID, GID, LINKS, TIME, SIZE, MAJOR, MINOR, NODE_MAJOR, NODE_MINOR, NAME };

Test(lab_cpio, a_file)
{
	struct pgt_diag diag = { "" };
	struct archive a;

	begin(&a);
	cr_assert(zero(int, pgt_cpio_file(&a.cpio, "init", 0755, "hello", 5, &diag)));
	end(&a);
	cr_expect(zero(int, memcmp(a.bytes, "070701", 6)));
	cr_expect(eq(ulong, field(&a, 0, INODE), 1));
	cr_expect(eq(ulong, field(&a, 0, MODE), 0100755));
	cr_expect(eq(ulong, field(&a, 0, UID), 0));
	cr_expect(eq(ulong, field(&a, 0, TIME), 0));
	cr_expect(eq(ulong, field(&a, 0, SIZE), 5));
	cr_expect(eq(ulong, field(&a, 0, NAME), 5));
	cr_expect(eq(str, a.bytes + 110, "init"));
	/* 110 + "init\0" = 115, padded to 116; content padded from 121 to 124 */
	cr_expect(zero(int, memcmp(a.bytes + 116, "hello\0\0\0" "070701", 14)));
	cr_expect(eq(str, a.bytes + 124 + 110, "TRAILER!!!"));
	cr_expect(zero(sz, a.size % 4));
	free(a.bytes);
}

Test(lab_cpio, a_device_and_a_directory)
{
	struct pgt_diag diag = { "" };
	struct archive a;

	begin(&a);
	cr_assert(zero(int, pgt_cpio_char_device(&a.cpio, "dev/console", 0600, 5, 1, &diag)));
	cr_assert(zero(int, pgt_cpio_dir(&a.cpio, "lab", &diag)));
	end(&a);
	cr_expect(eq(ulong, field(&a, 0, MODE), 0020600));
	cr_expect(eq(ulong, field(&a, 0, NODE_MAJOR), 5));
	cr_expect(eq(ulong, field(&a, 0, NODE_MINOR), 1));
	/* 110 + "dev/console\0" = 122, padded to 124 */
	cr_expect(eq(ulong, field(&a, 124, MODE), 0040755));
	cr_expect(eq(ulong, field(&a, 124, INODE), 2));
	cr_expect(eq(ulong, field(&a, 124, LINKS), 2));
	free(a.bytes);
}

Test(lab_cpio, the_same_calls_give_the_same_bytes)
{
	struct pgt_diag diag = { "" };
	struct archive a[2];

	for (int i = 0; i < 2; i++) {
		begin(&a[i]);
		cr_assert(zero(int, pgt_cpio_dir(&a[i].cpio, "dev", &diag)));
		cr_assert(zero(int, pgt_cpio_file(&a[i].cpio, "empty", 0644, NULL, 0, &diag)));
		end(&a[i]);
	}
	cr_assert(eq(sz, a[0].size, a[1].size));
	cr_expect(zero(int, memcmp(a[0].bytes, a[1].bytes, a[0].size)));
	free(a[0].bytes);
	free(a[1].bytes);
}

Test(lab_cpio, a_full_disk_is_a_failure)
{
	struct pgt_diag diag = { "" };
	FILE *full = fopen("/dev/full", "w");
	struct pgt_cpio cpio;

	cr_assert(ne(ptr, full, NULL));
	setvbuf(full, NULL, _IONBF, 0);
	pgt_cpio_init(&cpio, full);
	cr_expect(eq(int, pgt_cpio_dir(&cpio, "dev", &diag), -EIO));
	cr_expect(ne(str, diag.text, (char *)""));
	fclose(full);
}
