/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/kernel_index.h"

#include <stddef.h>

#include "lab/apt.h"
#include "lab/arch.h"

static const char *const suites[] = {
	"bookworm", "bookworm-updates", "bookworm-backports", "trixie", "trixie-backports", NULL
};
static const char *const security_suites[] = { "bookworm-security", "trixie-security", NULL };

int pgt_kernel_index_open(struct pgt_apt *apt, const struct pgt_lab *lab,
			  const struct pgt_arch *arch, struct pgt_diag *diag)
{
	struct pgt_apt_root root = {
		.name = arch->name, .arch = arch->name,
		.suites = suites, .security_suites = security_suites,
	};

	return pgt_apt_open(apt, lab, &root, diag);
}
