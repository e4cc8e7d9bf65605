/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arch.h - what differs between architectures in the lab, as rows of one table.
 */
#ifndef PGT_LAB_ARCH_H
#define PGT_LAB_ARCH_H

#include <stddef.h>

struct pgt_arch {
	const char *name;		/* Debian's name, also of the guest binary's directory */
	const char *machine;		/* uname -m of a host that could run it with KVM */
	const char *qemu;		/* program */
	const char *qemu_package;	/* Debian package that holds the program */
	const char *qemu_machine;	/* -M */
	const char *qemu_machine_kvm;
	const char *cpu;		/* -cpu under TCG */
	const char *console;		/* kernel's console= of the first serial port */
	const char *cross;		/* prefix of its compiler's name, also when not crossing */
	const char *kernel_image;	/* that make(1) leaves, below the build directory */
	unsigned short elf_machine;	/* e_machine of the guest binary, <elf.h> */
	/* Development packages that a static build of pgtrace needs; NULL-terminated. */
	const char *const *sysroot_packages;
};

/* By Debian's name; NULL where the table has no such row. */
const struct pgt_arch *pgt_arch_find(const char *name);

/* The n-th row; NULL past the last. */
const struct pgt_arch *pgt_arch_row(size_t n);

#endif /* PGT_LAB_ARCH_H */
