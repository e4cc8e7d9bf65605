/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/module_info.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"

/* The section header of this number; false where it or its content is out of the file. */
static bool section_at(const struct pgt_buf *object, const Elf64_Ehdr *header, size_t i,
		       Elf64_Shdr *out)
{
	uint64_t at = header->e_shoff + (uint64_t)i * header->e_shentsize;

	if (i >= header->e_shnum || header->e_shentsize < sizeof(*out) ||
	    at > object->len || object->len - at < sizeof(*out))
		return false;
	memcpy(out, object->at + at, sizeof(*out));
	return out->sh_type == SHT_NOBITS ||
	       (out->sh_offset <= object->len && out->sh_size <= object->len - out->sh_offset);
}

static const char *find_entry(const char *at, size_t n, const char *key)
{
	const char *end = at + n;
	size_t n_key = strlen(key);

	while (at < end) {
		size_t entry = strnlen(at, (size_t)(end - at));

		if (at + entry == end)
			return NULL;	/* not terminated */
		if (entry >= n_key && !memcmp(at, key, n_key))
			return at + n_key;
		at += entry + 1;
	}
	return NULL;
}

const char *pgt_module_depends(const struct pgt_buf *object)
{
	Elf64_Ehdr header;
	Elf64_Shdr names, section;

	if (object->len < sizeof(header))
		return NULL;
	memcpy(&header, object->at, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    !section_at(object, &header, header.e_shstrndx, &names))
		return NULL;
	for (size_t i = 0; section_at(object, &header, i, &section); i++) {
		static const char modinfo[] = ".modinfo";

		if (section.sh_type == SHT_NOBITS || section.sh_name > names.sh_size ||
		    names.sh_size - section.sh_name < sizeof(modinfo) ||
		    memcmp(object->at + names.sh_offset + section.sh_name, modinfo,
			   sizeof(modinfo)))
			continue;
		return find_entry(object->at + section.sh_offset, section.sh_size, "depends=");
	}
	return NULL;
}
