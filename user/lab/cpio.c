/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/cpio.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"

#define ALIGNMENT	4
#define TRAILER		"TRAILER!!!"

struct entry {
	const char *name;
	unsigned int mode, n_links, major, minor;
	const void *content;
	size_t size;
};

void pgt_cpio_init(struct pgt_cpio *cpio, FILE *stream)
{
	*cpio = (struct pgt_cpio){ .stream = stream };
}

static void put(struct pgt_cpio *cpio, const void *bytes, size_t n)
{
	cpio->written += fwrite(bytes, 1, n, cpio->stream);
}

static void pad(struct pgt_cpio *cpio)
{
	static const char zeros[ALIGNMENT];

	put(cpio, zeros, (ALIGNMENT - cpio->written % ALIGNMENT) % ALIGNMENT);
}

static int add(struct pgt_cpio *cpio, const struct entry *entry, struct pgt_diag *diag)
{
	char header[6 + 13 * 8 + 1];
	uint32_t inode = strcmp(entry->name, TRAILER) ? ++cpio->n_entries : 0;

	if (entry->size > UINT32_MAX)
		return pgt_fail(diag, -EFBIG, "%s: too large for an initramfs", entry->name);
	/* magic, inode, mode, uid, gid, links, time, size, device, node's device, name, check */
	snprintf(header, sizeof(header), "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		 inode, entry->mode, 0u, 0u, entry->n_links, 0u, (uint32_t)entry->size, 0u, 0u,
		 entry->major, entry->minor, (uint32_t)strlen(entry->name) + 1, 0u);
	put(cpio, header, sizeof(header) - 1);
	put(cpio, entry->name, strlen(entry->name) + 1);
	pad(cpio);
	if (entry->size)
		put(cpio, entry->content, entry->size);
	pad(cpio);
	if (ferror(cpio->stream))
		return pgt_fail(diag, -EIO, "cannot write the initramfs: %s", strerror(errno));
	return 0;
}

int pgt_cpio_dir(struct pgt_cpio *cpio, const char *name, struct pgt_diag *diag)
{
	struct entry entry = { .name = name, .mode = S_IFDIR | 0755, .n_links = 2 };

	return add(cpio, &entry, diag);
}

int pgt_cpio_file(struct pgt_cpio *cpio, const char *name, unsigned int mode,
		  const void *content, size_t size, struct pgt_diag *diag)
{
	struct entry entry = { .name = name, .mode = S_IFREG | mode, .n_links = 1,
			       .content = content, .size = size };

	return add(cpio, &entry, diag);
}

int pgt_cpio_char_device(struct pgt_cpio *cpio, const char *name, unsigned int mode,
			 unsigned int major, unsigned int minor, struct pgt_diag *diag)
{
	struct entry entry = { .name = name, .mode = S_IFCHR | mode, .n_links = 1,
			       .major = major, .minor = minor };

	return add(cpio, &entry, diag);
}

int pgt_cpio_finish(struct pgt_cpio *cpio, struct pgt_diag *diag)
{
	struct entry entry = { .name = TRAILER, .n_links = 1 };

	return add(cpio, &entry, diag);
}
