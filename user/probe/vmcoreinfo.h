/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmcoreinfo.h - what an arm64 kernel says of itself in its note VMCOREINFO, for whoever reads
 * its memory (Documentation/admin-guide/kdump/vmcoreinfo.rst).
 */
#ifndef PGT_PROBE_VMCOREINFO_H
#define PGT_PROBE_VMCOREINFO_H

#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_vmcoreinfo {
	uint64_t page_size;		/* bytes */
	uint64_t va_bits;		/* that the kernel was built for */
	uint64_t t1sz;			/* TCR_EL1.T1SZ: 64 minus the bits that it runs with */
	uint64_t kimage_voffset;	/* virtual minus physical address of the kernel's image */
	uint64_t swapper_pg_dir;	/* virtual address of the root of its page tables */
	uint64_t stext;			/* virtual address of _stext */
};

/*
 * Parse the note's text of len bytes, lines of NAME=VALUE.  -ENODATA where it lacks a value,
 * -EPROTO where one is no number.
 */
int pgt_vmcoreinfo_parse(struct pgt_vmcoreinfo *out, const char *text, size_t len,
			 struct pgt_diag *diag);

#endif /* PGT_PROBE_VMCOREINFO_H */
