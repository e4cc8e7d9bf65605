/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel_name.c on names as Debian's index has them. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "lab/kernel_name.h"

static const char names[] =
	"linux-image-arm64\n"
	"linux-image-6.12-arm64\n"			/* metapackage */
	"linux-image-arm64-signed-template\n"
	"linux-image-6.1.0-9-arm64-unsigned\n"
	"linux-image-6.1.0-57-cloud-arm64-unsigned\n"
	"linux-image-6.1.0-58-rt-arm64-unsigned\n"
	"linux-image-6.1.0-57-arm64-unsigned\n"
	"linux-image-6.1.0-57-arm64\n"
	"linux-image-6.1.0-59-arm64-dbg\n"
	"linux-image-6.12.95+deb12-arm64-unsigned\n"
	"linux-image-6.12.117+deb12-arm64-unsigned\n"
	"linux-image-6.12.115+deb13.1-arm64-unsigned\n"
	"linux-image-6.12.117+deb13-arm64\n"
	"linux-image-6.12.117+deb13-arm64-unsigned\n"
	"linux-image-6.12.118+deb13-arm64-16k\n"
	"linux-image-6.12.118+deb13-arm64-16k-unsigned\n"
	"linux-image-6.12.118+deb13-amd64-unsigned\n"
	"linux-image-6.16.3+deb13-arm64\n"
	"linux-image-6.16.12+deb13-arm64\n"
	"linux-image-6.19.14+deb13-arm64\n"		/* empty: its parts are below */
	"linux-binary-6.19.14+deb13-arm64\n"		/* without its modules */
	"linux-image-7.3.4+deb13-arm64\n"
	"linux-binary-7.3.4+deb13-arm64\n"
	"linux-binary-unsigned-7.3.4+deb13-arm64\n"
	"linux-modules-7.3.4+deb13-arm64\n"
	"linux-base-7.3.4+deb13-arm64\n";

Test(lab_kernel_name, newest_of_a_series)
{
	static const struct {
		const char *spec, *image, *modules, *base, *release;
	} cases[] = {
		{ "6.1", "linux-image-6.1.0-57-arm64-unsigned", "", "", "6.1.0-57-arm64" },
		{ "6.12", "linux-image-6.12.117+deb13-arm64-unsigned", "", "",
		  "6.12.117+deb13-arm64" },
		{ "6.16", "linux-image-6.16.12+deb13-arm64", "", "", "6.16.12+deb13-arm64" },
		{ "7.3", "linux-binary-unsigned-7.3.4+deb13-arm64", "linux-modules-7.3.4+deb13-arm64",
		  "linux-base-7.3.4+deb13-arm64", "7.3.4+deb13-arm64" },
		/* by name */
		{ "linux-image-6.12.95+deb12-arm64-unsigned",
		  "linux-image-6.12.95+deb12-arm64-unsigned", "", "", "6.12.95+deb12-arm64" },
		{ "linux-binary-7.3.4+deb13-arm64", "linux-binary-7.3.4+deb13-arm64",
		  "linux-modules-7.3.4+deb13-arm64", "linux-base-7.3.4+deb13-arm64",
		  "7.3.4+deb13-arm64" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_kernel_name got;

		cr_assert(zero(int, pgt_kernel_name_pick(names, "arm64", cases[i].spec, &got)),
			  "%s", cases[i].spec);
		cr_expect(eq(str, got.image, (char *)cases[i].image));
		cr_expect(eq(str, got.modules, (char *)cases[i].modules));
		cr_expect(eq(str, got.base, (char *)cases[i].base));
		cr_expect(eq(str, got.release, (char *)cases[i].release));
	}
}

Test(lab_kernel_name, what_is_not_there)
{
	static const char *const specs[] = {
		"6", "6.2", "6.19", "7", "linux-image-arm64", "linux-image-6.12-arm64",
		"linux-image-6.1.0-57-cloud-arm64-unsigned", "linux-image-6.19.14+deb13-arm64",
		"linux-image-6.12.118+deb13-amd64-unsigned", "", "linux-",
	};
	struct pgt_kernel_name got = { .release = "untouched" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		cr_expect(eq(int, pgt_kernel_name_pick(names, "arm64", specs[i], &got), -ENOENT),
			  "%s", specs[i]);
	cr_expect(eq(int, pgt_kernel_name_pick("", "arm64", "6.1", &got), -ENOENT));
	cr_expect(eq(str, got.release, (char *)"untouched"));
}

Test(lab_kernel_name, series)
{
	cr_expect(pgt_kernel_is_series("6.1"));
	cr_expect(pgt_kernel_is_series("10.20"));
	cr_expect(not(pgt_kernel_is_series("6")));
	cr_expect(not(pgt_kernel_is_series("6.")));
	cr_expect(not(pgt_kernel_is_series("6.1.2")));
	cr_expect(not(pgt_kernel_is_series("v6.1")));
	cr_expect(not(pgt_kernel_is_series("")));
}
