/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/scope_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "probe/ksyms.h"
#include "tcg/format.h"

#define IMAGE_ALIGNMENT	(UINT64_C(2) << 20)	/* Documentation/arch/arm64/booting.rst */

static bool planned(const struct pgt_scope_plan *plan, const char *scope, uint64_t address)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->entries[i].address == address && !strcmp(plan->entries[i].scope, scope))
			return true;
	return false;
}

static bool has_scope(const struct pgt_scope_plan *plan, const char *scope)
{
	for (size_t i = 0; i < plan->n; i++)
		if (!strcmp(plan->entries[i].scope, scope))
			return true;
	return false;
}

/* Every copy of a function, under the names that the kernel gives them. */
static int add_function(struct pgt_scope_plan *plan, const struct pgt_ksyms *ksyms,
			const struct pgt_scope_entry *entry)
{
	for (size_t i = 0; i < ksyms->n; i++) {
		const struct pgt_ksym *symbol = &ksyms->at[i];
		struct pgt_scope_entry *grown;

		if (!pgt_symbol_is(symbol->name, entry->function) ||
		    pgt_symbol_is_part(symbol->name) ||
		    planned(plan, entry->scope, symbol->address))
			continue;
		grown = reallocarray(plan->entries, plan->n + 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		plan->entries = grown;
		grown[plan->n] = *entry;
		grown[plan->n].function = symbol->name;
		grown[plan->n++].address = symbol->address;
	}
	return 0;
}

static int add_scopes(struct pgt_scope_plan *plan, const char *arch,
		      const struct pgt_ksyms *ksyms)
{
	int err = 0;

	for (size_t i = 0; !err && i < pgt_n_scopes; i++) {
		const struct pgt_scope_row *row = &pgt_scopes[i];

		if (!strcmp(row->arch, arch) && !has_scope(plan, row->scope))
			err = add_function(plan, ksyms, &(struct pgt_scope_entry){
				.scope = row->scope, .function = row->function,
				.pages = row->pages, .arg = row->arg });
	}
	return err;
}

/* The catalogue's rows of a probe need not stand together. */
static int add_probe(struct pgt_scope_plan *plan, const char *arch, const char *probe,
		     const struct pgt_ksyms *ksyms)
{
	int err = 0;

	for (size_t i = 0; !err && i < pgt_n_catalogue; i++) {
		const struct pgt_catalogue_row *row = &pgt_catalogue[i];

		if (!strcmp(row->arch, arch) && !strcmp(row->probe, probe))
			err = add_function(plan, ksyms, &(struct pgt_scope_entry){
				.scope = row->probe, .function = row->function,
				.pages = row->pages, .arg = row->arg });
	}
	return err;
}

int pgt_scope_plan_make(struct pgt_scope_plan *out, const char *arch,
			const struct pgt_ksyms *ksyms, struct pgt_diag *diag)
{
	struct pgt_scope_plan plan = { NULL, 0 };
	int err = add_scopes(&plan, arch, ksyms);

	for (size_t i = 0; !err && i < pgt_n_probes; i++)
		err = add_probe(&plan, arch, pgt_probes[i].name, ksyms);
	if (err) {
		pgt_scope_plan_release(&plan);
		return pgt_fail(diag, err, "out of memory");
	}
	*out = plan;
	return 0;
}

void pgt_scope_plan_release(struct pgt_scope_plan *plan)
{
	free(plan->entries);
	*plan = (struct pgt_scope_plan){ NULL, 0 };
}

bool pgt_scope_plan_has(const struct pgt_scope_plan *plan, const char *scope)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->entries[i].pages != PGT_PAGES_SPAN &&
		    !strcmp(plan->entries[i].scope, scope))
			return true;
	return false;
}

static int add_candidate(struct pgt_buf *out, const char *function)
{
	return pgt_buf_addf(out, "%s%s", out->len ? ", " : "", function);
}

int pgt_scope_candidates(struct pgt_buf *out, const char *arch, const char *scope)
{
	int err = pgt_buf_add(out, "", 0);

	for (size_t i = 0; !err && i < pgt_n_scopes; i++)
		if (!strcmp(pgt_scopes[i].arch, arch) && !strcmp(pgt_scopes[i].scope, scope))
			err = add_candidate(out, pgt_scopes[i].function);
	for (size_t i = 0; !err && i < pgt_n_catalogue; i++)
		if (!strcmp(pgt_catalogue[i].arch, arch) &&
		    !strcmp(pgt_catalogue[i].probe, scope) &&
		    pgt_catalogue[i].pages != PGT_PAGES_SPAN)
			err = add_candidate(out, pgt_catalogue[i].function);
	return err;
}

/* Scopes whose pages are those that calls of a probe name within them. */
static int add_pages_of(struct pgt_buf *out, const struct pgt_scope_plan *plan, const char *arch)
{
	int err = 0;

	for (size_t i = 0; !err && i < pgt_n_scopes; i++) {
		const struct pgt_scope_row *row = &pgt_scopes[i];

		if (row->pages_of && !strcmp(row->arch, arch) &&
		    (!i || strcmp(row[-1].scope, row->scope)) && has_scope(plan, row->scope) &&
		    has_scope(plan, row->pages_of))
			err = pgt_buf_addf(out, "pages_of %s %s\n", row->scope, row->pages_of);
	}
	return err;
}

int pgt_scope_plan_text(struct pgt_buf *out, const struct pgt_scope_plan *plan, const char *arch,
			const struct pgt_ksyms *ksyms, uint64_t image_bytes,
			const char *build_id, unsigned int n_cpus, struct pgt_diag *diag)
{
	const struct pgt_ksym *switch_to = pgt_ksyms_find(ksyms, "cpu_switch_to");
	uint64_t image = ksyms->start & ~(IMAGE_ALIGNMENT - 1);
	int err;

	if (!switch_to)
		return pgt_fail(diag, -ENOENT, "the kernel has no cpu_switch_to(), without which work "
				"cannot be told by task");
	err = pgt_buf_addf(out, "pgtrace-tcg %d\nbuild_id %s\nvcpus %u\n"
			   "text 0x%" PRIx64 " 0x%" PRIx64 "\n", PGT_TCG_PLAN_VERSION, build_id,
			   n_cpus, ksyms->start, ksyms->end);
	if (!err && image_bytes)
		err = pgt_buf_addf(out, "image 0x%" PRIx64 " 0x%" PRIx64 "\n", image,
				   image + image_bytes);
	if (!err)
		err = pgt_buf_addf(out, "switch 0x%" PRIx64 "\n", switch_to->address);
	for (size_t i = 0; !err && i < plan->n; i++) {
		const struct pgt_scope_entry *entry = &plan->entries[i];

		err = pgt_buf_addf(out, "scope %s 0x%" PRIx64 " %d %d %s\n", entry->scope,
				   entry->address, (int)entry->pages, entry->arg,
				   entry->function);
	}
	if (!err)
		err = add_pages_of(out, plan, arch);
	if (!err)
		err = pgt_buf_addf(out, "end\n");
	return err ? pgt_fail(diag, err, "out of memory") : 0;
}
