/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "probe/catalogue.h"
#include "probe/kcore.h"
#include "probe/ksyms.h"

int pgt_text_read(struct pgt_text *out, const struct pgt_insn_decoder *decoder,
		  const struct pgt_ksyms *ksyms, const char *kcore, struct pgt_diag *diag)
{
	size_t len = ksyms->end - ksyms->start;
	uint8_t *bytes = malloc(len);
	int err;

	if (!bytes)
		return pgt_fail(diag, -ENOMEM, "kernel text: out of memory for %zu bytes", len);
	err = pgt_kcore_read(kcore, ksyms->start, bytes, len, diag);
	if (err) {
		free(bytes);
		return err;
	}
	*out = (struct pgt_text){ decoder, ksyms, ksyms->start, len, bytes, kcore };
	return 0;
}

void pgt_text_release(struct pgt_text *text)
{
	free(text->bytes);
	*text = (struct pgt_text){ 0 };
}

uint32_t pgt_text_word(const struct pgt_text *text, size_t offset)
{
	uint32_t word;

	memcpy(&word, text->bytes + offset, sizeof(word));
	return word;
}

/* What a site's function is by any of its names: copies that are alike may share an address. */
static void describe_function(struct pgt_site *site, const struct pgt_text *text)
{
	const struct pgt_ksym *end = text->ksyms->at + text->ksyms->n;
	const char *arch = text->decoder->arch;

	for (const struct pgt_ksym *alias = site->function;
	     alias < end && alias->address == site->function->address; alias++) {
		const struct pgt_catalogue_row *row = pgt_catalogue_of(arch, alias->name);

		if (row && site->owner < 0)
			site->owner = pgt_probe_find(row->probe);
		site->incidental |= pgt_symbol_is_incidental(arch, alias->name);
		site->asynchronous |= pgt_symbol_is_asynchronous(arch, alias->name);
	}
}

static int add_site(struct pgt_sites *sites, const struct pgt_text *text, size_t offset,
		    const struct pgt_insn *insn, struct pgt_diag *diag)
{
	struct pgt_site *site;

	if (sites->n == PGT_SITE_MAX)
		return pgt_fail(diag, -E2BIG, "kernel text: more than %d sites: raise PGT_SITE_MAX",
				PGT_SITE_MAX);
	site = &sites->at[sites->n];
	*site = (struct pgt_site){
		.address = text->start + offset,
		.function = pgt_ksyms_at(text->ksyms, text->start + offset),
		.insn = *insn,
		.owner = -1,
	};
	if (!site->function)
		return 0;
	describe_function(site, text);
	sites->n++;
	return 0;
}

static bool starts_flush(const struct pgt_site *site)
{
	return !strcmp(site->insn.kind, "dsb.ishst") || !strcmp(site->insn.kind, "dsb.nshst");
}

/*
 * A flush is a store barrier, invalidations, a full barrier, and for kernel addresses an
 * ISB.  Mark one that begins at sites[i] as flush_tlb's; returns how many sites it has,
 * 0 where none begins there.
 */
static size_t mark_flush(struct pgt_site *site, size_t n, int flush)
{
	size_t i = 1;

	if (!starts_flush(site) || n < 2 || site[1].insn.op != PGT_OP_TLBI)
		return 0;
	while (i < n && site[i].insn.op == PGT_OP_TLBI)
		i++;
	if (i < n && site[i].insn.op == PGT_OP_DSB && !starts_flush(&site[i]))
		i++;
	if (i < n && site[i].insn.op == PGT_OP_ISB && site[i].address == site[i - 1].address + 4)
		i++;
	for (size_t k = 0; k < i; k++)
		site[k].owner = flush;
	site->inlined_flush = true;
	return i;
}

/* In functions that belong to no probe, give the inlined flushes to flush_tlb. */
static void mark_inlined_flushes(struct pgt_sites *sites)
{
	int flush = pgt_probe_find("flush_tlb");

	for (size_t i = 0; i < sites->n; ) {
		const struct pgt_ksym *function = sites->at[i].function;
		size_t end = i;

		while (end < sites->n && sites->at[end].function == function)
			end++;
		/*
		 * A CPU that comes up, or that runs out of ASIDs, flushes all: no mapping changed.
		 * Out of reach are flushes of other tables than the kernel's: the hypervisor's.
		 */
		if (sites->at[i].owner >= 0 || sites->at[i].asynchronous || sites->at[i].incidental ||
		    sites->at[i].reach == PGT_REACH_NONE) {
			i = end;
			continue;
		}
		while (i < end) {
			size_t n = mark_flush(&sites->at[i], end - i, flush);

			if (!n && sites->at[i].insn.op == PGT_OP_TLBI)
				sites->at[i].owner = flush;
			i += n ? n : 1;
		}
	}
}

/*
 * Code that neither a kprobe nor a breakpoint can see, because it runs at another exception
 * level, at another address, or with debug exceptions masked.
 */
static void mark_out_of_reach(struct pgt_sites *sites, const struct pgt_ksyms *ksyms)
{
	static const struct {
		const char *start, *end, *reason;
	} range[] = {
		{ "__hyp_text_start", "__hyp_text_end",
		  "hypervisor text: runs at EL2, where no probe can be set" },
		{ "__hyp_idmap_text_start", "__hyp_idmap_text_end",
		  "hypervisor text: runs at EL2, where no probe can be set" },
		{ "__idmap_text_start", "__idmap_text_end",
		  "identity-mapped text: runs at its physical address" },
		{ "__entry_text_start", "__entry_text_end",
		  "exception entry: runs with debug exceptions masked" },
	};

	for (size_t r = 0; r < sizeof(range) / sizeof(range[0]); r++) {
		const struct pgt_ksym *start = pgt_ksyms_find(ksyms, range[r].start);
		const struct pgt_ksym *end = pgt_ksyms_find(ksyms, range[r].end);

		for (size_t i = 0; start && end && i < sites->n; i++) {
			struct pgt_site *site = &sites->at[i];

			if (site->address < start->address || site->address >= end->address)
				continue;
			site->reach = PGT_REACH_NONE;
			site->reason = range[r].reason;
		}
	}
}

int pgt_sites_find(struct pgt_sites *out, const struct pgt_text *text, struct pgt_diag *diag)
{
	struct pgt_sites sites = { calloc(PGT_SITE_MAX, sizeof(*sites.at)), 0 };

	if (!sites.at)
		return pgt_fail(diag, -ENOMEM, "kernel text: out of memory");
	for (size_t offset = 0; offset + 4 <= text->len; offset += text->decoder->step) {
		struct pgt_insn insn;
		int err = 0;

		text->decoder->decode(pgt_text_word(text, offset), &insn);
		if (insn.op != PGT_OP_NONE)
			err = add_site(&sites, text, offset, &insn, diag);
		if (err) {
			pgt_sites_release(&sites);
			return err;
		}
	}
	mark_out_of_reach(&sites, text->ksyms);
	mark_inlined_flushes(&sites);
	*out = sites;
	return 0;
}

void pgt_sites_release(struct pgt_sites *sites)
{
	free(sites->at);
	*sites = (struct pgt_sites){ 0 };
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void pgt_targets_sort(uint64_t *target, size_t n)
{
	qsort(target, n, sizeof(*target), ascending);
}

static bool is_target(const uint64_t *targets, size_t n, uint64_t address)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (targets[mid] < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && targets[lo] == address;
}

/* A jump from within the function itself is a loop, not a call. */
static bool comes_from_itself(const struct pgt_text *text, uint64_t address, uint64_t target)
{
	const struct pgt_ksym *from = pgt_ksyms_at(text->ksyms, address);

	return from && from->address == target;
}

int pgt_text_calls(const struct pgt_text *text, const uint64_t *targets, size_t n,
		   struct pgt_call **out, size_t *n_out, struct pgt_diag *diag)
{
	struct pgt_call *calls = NULL;
	size_t n_calls = 0, size = 0;

	for (size_t offset = 0; offset + 4 <= text->len; offset += text->decoder->step) {
		uint64_t address = text->start + offset, target = 0;
		enum pgt_flow flow = text->decoder->flow(pgt_text_word(text, offset), address, &target);

		if ((flow != PGT_FLOW_CALL && flow != PGT_FLOW_JUMP) || !is_target(targets, n, target) ||
		    (flow == PGT_FLOW_JUMP && comes_from_itself(text, address, target)))
			continue;
		if (n_calls == size) {
			struct pgt_call *more;

			size = size ? size * 2 : 64;
			more = reallocarray(calls, size, sizeof(*calls));
			if (!more) {
				free(calls);
				return pgt_fail(diag, -ENOMEM, "kernel text: out of memory");
			}
			calls = more;
		}
		calls[n_calls++] = (struct pgt_call){ address, target, flow == PGT_FLOW_JUMP };
	}
	*out = calls;
	*n_out = n_calls;
	return 0;
}

int pgt_text_returns(const struct pgt_text *text, const struct pgt_ksym *function, uint64_t *out,
		     size_t size, size_t *n)
{
	uint64_t end = pgt_ksyms_end(text->ksyms, function);

	*n = 0;
	for (uint64_t at = function->address; at < end; at += text->decoder->step) {
		uint64_t target = 0;
		enum pgt_flow flow = text->decoder->flow(pgt_text_word(text, at - text->start), at, &target);

		switch (flow) {
		case PGT_FLOW_RETURN:
			if (*n == size)
				return -E2BIG;
			out[(*n)++] = at;
			break;
		case PGT_FLOW_JUMP:
		case PGT_FLOW_CONDITIONAL:
			if (target < function->address || target >= end)
				return -EXDEV;
			break;
		case PGT_FLOW_INDIRECT:
			return -EXDEV;
		default:
			break;
		}
	}
	return *n ? 0 : -EXDEV;
}
