/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/arch.h"

#include <elf.h>
#include <string.h>

/* liblzma and libbz2 are what a static libdw needs behind it. */
static const char *const sysroot_packages[] = {
	"libbpf-dev", "libelf-dev", "zlib1g-dev", "libjansson-dev", "libgsl-dev",
	"libdw-dev", "liblzma-dev", "libbz2-dev", NULL,
};

static const struct pgt_arch rows[] = {
	{
		.name = "arm64",
		.machine = "aarch64",
		.qemu = "qemu-system-aarch64",
		.qemu_package = "qemu-system-arm",
		.qemu_machine = "virt",
		.qemu_machine_kvm = "virt,gic-version=host",
		.cpu = "max",
		.console = "ttyAMA0",
		.cross = "aarch64-linux-gnu-",
		.kernel_image = "arch/arm64/boot/Image",
		.elf_machine = EM_AARCH64,
		.sysroot_packages = sysroot_packages,
	},
};

const struct pgt_arch *pgt_arch_row(size_t n)
{
	return n < sizeof(rows) / sizeof(rows[0]) ? &rows[n] : NULL;
}

const struct pgt_arch *pgt_arch_find(const char *name)
{
	const struct pgt_arch *arch;

	for (size_t n = 0; (arch = pgt_arch_row(n)); n++)
		if (!strcmp(arch->name, name))
			return arch;
	return NULL;
}
