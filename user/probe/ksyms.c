/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/ksyms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

/*
 * Some names of an address say less than others: position-independent aliases, section
 * bounds and the assembler's mapping symbols.
 */
static int dullness(const char *name)
{
	size_t n = strlen(name);

	if (name[0] == '$')
		return 3;
	if ((n > 5 && !strcmp(name + n - 6, "_start")) || (n > 3 && !strcmp(name + n - 4, "_end")) ||
	    !strcmp(name, "_stext"))
		return 2;
	return !strncmp(name, "__pi_", 5);
}

static int by_address(const void *a, const void *b)
{
	const struct pgt_ksym *x = a, *y = b;
	int dx, dy;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	dx = dullness(x->name);
	dy = dullness(y->name);
	return dx != dy ? dx - dy : strcmp(x->name, y->name);
}

static int add(struct pgt_ksyms *ksyms, size_t *size, uint64_t address, const char *name,
	       struct pgt_diag *diag)
{
	if (ksyms->n == *size) {
		size_t more = *size ? *size * 2 : 65536;
		struct pgt_ksym *at = realloc(ksyms->at, more * sizeof(*at));

		if (!at)
			return pgt_fail(diag, -ENOMEM, "kallsyms: out of memory");
		ksyms->at = at;
		*size = more;
	}
	ksyms->at[ksyms->n++] = (struct pgt_ksym){ address, name };
	return 0;
}

bool pgt_ksym_is_text(char type, const char *name)
{
	return strchr("tTwW", type) && name[0] != '$';
}

/*
 * One line is "address type name[\t[module]]"; modules come last.  Returns 1 at the
 * first module, 0 otherwise.
 */
static int take_line(struct pgt_ksyms *ksyms, size_t *size, char *line, bool *hidden,
		     struct pgt_diag *diag)
{
	char *end, *name;
	uint64_t address = strtoull(line, &end, 16);
	char type;

	if (end == line || *end != ' ' || !end[1] || end[2] != ' ')
		return 0;
	type = end[1];
	name = end + 3;
	if (strchr(name, '\t'))
		return 1;
	if (address)
		*hidden = false;
	if (!strcmp(name, "_stext"))
		ksyms->start = address;
	if (!strcmp(name, "_etext"))
		ksyms->end = address;
	if (!pgt_ksym_is_text(type, name))
		return 0;
	return add(ksyms, size, address, name, diag);
}

static int take_lines(struct pgt_ksyms *ksyms, struct pgt_diag *diag)
{
	size_t size = 0;
	bool hidden = true;
	char *save, *line;

	for (line = strtok_r(ksyms->names, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		int err = take_line(ksyms, &size, line, &hidden, diag);

		if (err < 0)
			return err;
		if (err)
			break;
	}
	if (hidden)
		return pgt_fail(diag, -EPERM,
				"kallsyms: the kernel hides its addresses: run as root, with "
				"kernel.kptr_restrict at most 1");
	if (!ksyms->start || ksyms->end <= ksyms->start)
		return pgt_fail(diag, -EPROTO, "kallsyms: no _stext and _etext: not a kernel that pgtrace knows");
	return 0;
}

static void keep_core_text(struct pgt_ksyms *ksyms)
{
	size_t kept = 0;

	for (size_t i = 0; i < ksyms->n; i++)
		if (ksyms->at[i].address >= ksyms->start && ksyms->at[i].address < ksyms->end)
			ksyms->at[kept++] = ksyms->at[i];
	ksyms->n = kept;
}

int pgt_ksyms_parse(struct pgt_ksyms *out, const char *text, bool booting, struct pgt_diag *diag)
{
	struct pgt_ksyms ksyms = { .names = strdup(text) };
	int err = ksyms.names ? take_lines(&ksyms, diag) :
				pgt_fail(diag, -ENOMEM, "kallsyms: out of memory");

	if (err) {
		pgt_ksyms_release(&ksyms);
		return err;
	}
	if (!booting)
		keep_core_text(&ksyms);
	qsort(ksyms.at, ksyms.n, sizeof(*ksyms.at), by_address);
	*out = ksyms;
	return 0;
}

int pgt_ksyms_read(struct pgt_ksyms *out, const char *path, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(path, &text, diag);

	if (!err)
		err = pgt_ksyms_parse(out, text.at ? text.at : "", false, diag);
	pgt_buf_release(&text);
	return err;
}

void pgt_ksyms_release(struct pgt_ksyms *ksyms)
{
	free(ksyms->at);
	free(ksyms->names);
	*ksyms = (struct pgt_ksyms){ 0 };
}

const struct pgt_ksym *pgt_ksyms_at(const struct pgt_ksyms *ksyms, uint64_t address)
{
	size_t lo = 0, hi = ksyms->n;

	if (address < ksyms->start || address >= ksyms->end)
		return NULL;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ksyms->at[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	while (lo > 1 && ksyms->at[lo - 2].address == ksyms->at[lo - 1].address)
		lo--;
	return &ksyms->at[lo - 1];
}

uint64_t pgt_ksyms_end(const struct pgt_ksyms *ksyms, const struct pgt_ksym *ksym)
{
	size_t i = (size_t)(ksym - ksyms->at);

	while (i < ksyms->n && ksyms->at[i].address == ksym->address)
		i++;
	return i < ksyms->n ? ksyms->at[i].address : ksyms->end;
}

const struct pgt_ksym *pgt_ksyms_find(const struct pgt_ksyms *ksyms, const char *name)
{
	for (size_t i = 0; i < ksyms->n; i++)
		if (!strcmp(ksyms->at[i].name, name))
			return &ksyms->at[i];
	return NULL;
}
