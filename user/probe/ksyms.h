/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ksyms.h - the running kernel's own symbols, from /proc/kallsyms.
 *
 * Only symbols of the core kernel's text, in order of address.  Several names of one
 * address stay beside each other, the one to show first.
 */
#ifndef PGT_PROBE_KSYMS_H
#define PGT_PROBE_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

struct pgt_ksym {
	uint64_t address;
	const char *name;
};

struct pgt_ksyms {
	struct pgt_ksym *at;	/* sorted by address */
	size_t n;
	uint64_t start, end;	/* core text: _stext up to _etext */
	char *names;		/* owns the names */
};

/*
 * Read path (normally "/proc/kallsyms").  -EPERM where the kernel hides addresses, -ENOENT
 * without KALLSYMS, -EPROTO where it has no _stext.
 */
int pgt_ksyms_read(struct pgt_ksyms *out, const char *path, struct pgt_diag *diag);

/*
 * The same of text that is in memory already.  A booting kernel also has the code outside its
 * core text that is freed afterwards: pgt_ksyms_find() then finds it.
 */
int pgt_ksyms_parse(struct pgt_ksyms *out, const char *text, bool booting, struct pgt_diag *diag);
void pgt_ksyms_release(struct pgt_ksyms *ksyms);

/* Whether a line of kallsyms names code: by its type, and not one of the assembler's marks. */
bool pgt_ksym_is_text(char type, const char *name);

/* The symbol that address lies in, or NULL outside the core text. */
const struct pgt_ksym *pgt_ksyms_at(const struct pgt_ksyms *ksyms, uint64_t address);

/* The address of the next other symbol, the end of this one's code. */
uint64_t pgt_ksyms_end(const struct pgt_ksyms *ksyms, const struct pgt_ksym *ksym);

/* The first symbol of exactly this name, or NULL. */
const struct pgt_ksym *pgt_ksyms_find(const struct pgt_ksyms *ksyms, const char *name);

#endif /* PGT_PROBE_KSYMS_H */
