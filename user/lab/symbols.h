/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - the names of a kernel's code, where it runs without KASLR.
 *
 * A kernel is asked itself: it is booted once, runs "pgtrace host --symbols", and what that says
 * is kept in <cache>/symbols/DIGEST.jsonl, by the SHA-256 of the Image.
 */
#ifndef PGT_LAB_SYMBOLS_H
#define PGT_LAB_SYMBOLS_H

#include "probe/ksyms.h"

struct pgt_buf;
struct pgt_diag;
struct pgt_guest_plan;
struct pgt_initramfs;
struct pgt_lab;

struct pgt_symbols {
	struct pgt_ksyms ksyms;		/* of the kernel while it boots: see ksyms.h */
	char *build_id;			/* hex */
};

/*
 * The symbols of the plan's kernel.  guest is how it is booted, and initramfs what it then
 * finds, apart from the command, memory, CPUs and plugin.  Returns 0 and fills *out, or what
 * booting it gave, or -EPROTO where it says nothing that will do.
 */
int pgt_symbols_get(struct pgt_symbols *out, const struct pgt_lab *lab,
		    const struct pgt_guest_plan *guest, const struct pgt_initramfs *initramfs,
		    struct pgt_diag *diag);
void pgt_symbols_release(struct pgt_symbols *symbols);	/* accepts a zeroed one */

/*
 * From the text of a recording with a "kallsyms" line; path is for messages.  Returns 0, what
 * pgt_recording_parse() returns, or -EPROTO: no such line, no build id, or addresses that KASLR
 * has moved.
 */
int pgt_symbols_parse(struct pgt_symbols *out, const char *path, const struct pgt_buf *text,
		      struct pgt_diag *diag);

/* Is a word among the kernel's parameters? */
bool pgt_cmdline_has(const char *cmdline, const char *word);

#endif /* PGT_LAB_SYMBOLS_H */
