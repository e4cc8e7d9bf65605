/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/sysroot.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "lab/apt.h"
#include "lab/arch.h"
#include "lab/lab.h"
#include "lab/package.h"

/* Only bookworm: newer libraries need a newer libc than its cross compiler has. */
static const char *const suites[] = { "bookworm", "bookworm-updates", NULL };
static const char *const security_suites[] = { "bookworm-security", NULL };

int pgt_sysroot_get(char **path, const struct pgt_lab *lab, const struct pgt_arch *arch,
		    struct pgt_diag *diag)
{
	char *name = pgt_format("%s-sysroot", arch->name);
	struct pgt_apt_root root = { .name = name, .arch = arch->name, .suites = suites,
				     .security_suites = security_suites };
	struct pgt_package_set set = { .kind = "sysroots", .label = "libraries to link with",
				       .packages = arch->sysroot_packages };
	struct pgt_apt apt = { .lab = NULL };
	int err;

	if (!name)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_apt_open(&apt, lab, &root, diag);
	if (!err)
		err = pgt_package_get(path, lab, &apt, &set, diag);
	pgt_apt_release(&apt);
	free(name);
	return err;
}
