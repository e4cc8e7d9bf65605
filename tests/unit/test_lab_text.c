/* SPDX-License-Identifier: GPL-2.0-only */
/* What the lab reads from others: apt-get's output, a console log, a module. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "lab/apt_text.h"
#include "lab/console_log.h"
#include "lab/module_info.h"

Test(lab_text, mirror)
{
	static const char uris[] =
		"'http://extra.example/apt/dists/nodistro/InRelease' extra_InRelease 0 \n"
		"'http://mirror.example/debian/dists/bookworm-updates/InRelease' a_InRelease 0 \n"
		"'http://mirror.example/debian/dists/bookworm/InRelease' b_InRelease 0 \n"
		"'http://mirror.example/security/dists/bookworm-security/InRelease' c_InRelease 0 \n";
	char *mirror = pgt_apt_mirror(uris, "bookworm");
	char *security = pgt_apt_mirror(uris, "bookworm-security");

	cr_expect(eq(str, mirror, (char *)"http://mirror.example/debian"));
	cr_expect(eq(str, security, (char *)"http://mirror.example/security"));
	cr_expect(eq(ptr, pgt_apt_mirror(uris, "trixie"), NULL));
	cr_expect(eq(ptr, pgt_apt_mirror("", "bookworm"), NULL));
	free(mirror);
	free(security);
}

Test(lab_text, uris)
{
	static const char text[] =
		"Reading package lists...\n"
		"'http://m.example/pool/a%2bb_1.deb' a_1%3a2+b_arm64.deb 220364 SHA256:00\n"
		"'http://m.example/pool/c.deb' c_3_all.deb 36 SHA256:11";
	struct pgt_diag diag = { "" };
	struct pgt_debs debs;

	cr_assert(zero(int, pgt_apt_parse_uris(text, &debs, &diag)));
	cr_assert(eq(sz, debs.n, 2));
	cr_expect(eq(str, debs.deb[0].file, (char *)"a_1%3a2+b_arm64.deb"));
	cr_expect(eq(u64, debs.deb[0].size, 220364));
	cr_expect(eq(str, debs.deb[1].file, (char *)"c_3_all.deb"));
	cr_expect(eq(u64, debs.size, 220400));
	pgt_debs_release(&debs);
	cr_assert(zero(int, pgt_apt_parse_uris("", &debs, &diag)));
	cr_expect(zero(sz, debs.n));
	pgt_debs_release(&debs);
	cr_assert(zero(int, pgt_apt_parse_uris("'http://m.example/x' ../../x 1 y\n'unclosed x 1\n",
					       &debs, &diag)));
	cr_expect(zero(sz, debs.n));
	pgt_debs_release(&debs);
}

Test(lab_text, telling_line)
{
	static const struct {
		const char *log, *line;
		int err;
	} cases[] = {
		{ "fine\n", NULL, 0 },
		{ "", NULL, 0 },
		{ "a\n[ 1.0] Kernel panic - not syncing: VFS\r\nb\n",
		  "[ 1.0] Kernel panic - not syncing: VFS", -EIO },
		{ "Kernel panic - not syncing: init killed\n[ 2.0] Out of memory: Killed process 1",
		  "[ 2.0] Out of memory: Killed process 1", -ENOMEM },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int err = 0;
		char *line = pgt_console_telling_line(cases[i].log, &err);

		if (cases[i].line)
			cr_expect(eq(str, line, (char *)cases[i].line));
		else
			cr_expect(eq(ptr, line, NULL));
		cr_expect(eq(int, err, cases[i].err));
		free(line);
	}
}

Test(lab_text, last_line)
{
	static const struct {
		const char *log, *line;
	} cases[] = {
		{ "", NULL },
		{ "not complete", NULL },
		{ "[ 1.0] kernel\r\n", NULL },
		{ "first\r\n[ 1.0] kernel\r\npart", "first" },
		{ "first\nsecond line that is long\n\n", "second lin" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char line[11] = "";

		cr_expect(eq(int, pgt_console_last_line(cases[i].log, line, sizeof(line)),
			     cases[i].line != NULL), "%zu", i);
		cr_expect(eq(str, line, (char *)(cases[i].line ? cases[i].line : "")));
	}
}

#define NAMES	"\0.modinfo\0.shstrtab"

/* The least ELF object that holds a .modinfo section with this content. */
static void make_module(struct pgt_buf *out, const char *info, size_t n_info)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 2,
		.e_shoff = sizeof(header),
	};
	Elf64_Shdr sections[3] = {
		{ .sh_type = SHT_NULL },
		{ .sh_type = SHT_PROGBITS, .sh_name = 1, .sh_size = n_info,
		  .sh_offset = sizeof(header) + sizeof(sections) },
		{ .sh_type = SHT_STRTAB, .sh_name = 10, .sh_size = sizeof(NAMES),
		  .sh_offset = sizeof(header) + sizeof(sections) + n_info },
	};

	pgt_buf_add(out, &header, sizeof(header));
	pgt_buf_add(out, sections, sizeof(sections));
	pgt_buf_add(out, info, n_info);
	pgt_buf_add(out, NAMES, sizeof(NAMES));
}

Test(lab_text, module_depends)
{
	static const char info[] = "license=GPL\0depends=virtio,virtio-ring\0name=x";
	static const char none[] = "license=GPL\0name=x";
	struct pgt_buf module = PGT_BUF_INIT;

	make_module(&module, info, sizeof(info));
	cr_expect(eq(str, (char *)pgt_module_depends(&module), (char *)"virtio,virtio-ring"));
	/* However much of the file is missing, nothing is read beyond its end. */
	for (size_t n = 0; n < module.len; n++) {
		struct pgt_buf part = PGT_BUF_INIT;

		pgt_buf_add(&part, module.at, n);
		if (part.at)
			cr_expect(eq(ptr, (void *)pgt_module_depends(&part), NULL), "%zu", n);
		pgt_buf_release(&part);
	}
	pgt_buf_release(&module);
	make_module(&module, none, sizeof(none));
	cr_expect(eq(ptr, (void *)pgt_module_depends(&module), NULL));
	pgt_buf_release(&module);
}
