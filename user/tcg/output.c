/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/diag.h"
#include "tcg/format.h"
#include "tcg/kinds.h"
#include "tcg/places.h"
#include "tcg/plan.h"
#include "tcg/scopes.h"
#include "tcg/windows.h"

struct output {
	FILE *stream;
	const struct pgt_tcg_counted *counted;
	const struct pgt_tcg_place **places;
	uint64_t lines;
};

/* Begin a line; the window is null for the boot. */
static void begin(struct output *output, const char *type, size_t window)
{
	fprintf(output->stream, "{\"type\":\"%s\",\"window\":", type);
	if (window)
		fprintf(output->stream, "%zu", window);
	else
		fputs("null", output->stream);
}

static void end(struct output *output)
{
	fputs("}\n", output->stream);
	output->lines++;
}

static void print_instructions(struct output *output, uint64_t n)
{
	if (output->counted->instructions)
		fprintf(output->stream, ",\"instructions\":%" PRIu64, n);
	else
		fputs(",\"instructions\":null", output->stream);
}

static void print_head(struct output *output)
{
	const struct pgt_tcg_counted *counted = output->counted;

	fprintf(output->stream, "{\"type\":\"tcg\",\"schema\":%d,\"qemu_api\":%d,\"vcpus\":%u,"
		"\"build_id\":\"%s\",\"instructions\":%s,\"model\":", PGT_TCG_SCHEMA, PGT_TCG_API,
		counted->plan->vcpus, counted->plan->build_id,
		counted->instructions ? "true" : "false");
	if (counted->model)
		fprintf(output->stream, "\"%s\"", counted->model);
	else
		fputs("null", output->stream);
	fprintf(output->stream, ",\"windows\":%zu,\"open\":%s", counted->windows->n,
		pgt_tcg_windows_any_open(counted->windows) ? "true" : "false");
	end(output);
}

static void print_windows(struct output *output)
{
	const struct pgt_tcg_windows *windows = output->counted->windows;

	for (size_t i = 0; i < windows->n; i++) {
		begin(output, "window", i + 1);
		fprintf(output->stream, ",\"vcpus\":%u", windows->window[i].closed);
		print_instructions(output, windows->window[i].instructions);
		end(output);
	}
}

static uint64_t hits_of(const struct output *output, size_t window,
			const struct pgt_tcg_place *place)
{
	if (!window)
		return output->counted->hits[place->number];
	return pgt_tcg_windows_hits(output->counted->windows, window, place->number);
}

static void print_site(struct output *output, size_t window, const struct pgt_tcg_place *place,
		       uint64_t hits, uint64_t stepped)
{
	if (!hits)
		return;
	begin(output, "site", window);
	fprintf(output->stream, ",\"address\":\"0x%" PRIx64 "\",\"word\":\"0x%08" PRIx32 "\","
		"\"kind\":\"%s\",\"hits\":%" PRIu64 ",\"stepped\":%" PRIu64, place->address,
		place->word, output->counted->kinds->name[place->kind], hits, stepped);
	end(output);
}

static void print_slot(struct output *output, size_t window, const struct pgt_tcg_place *place,
		       uint64_t hits)
{
	if (!hits)
		return;
	begin(output, "slot", window);
	fprintf(output->stream, ",\"word\":\"0x%08" PRIx32 "\",\"kind\":\"%s\",\"hits\":%" PRIu64,
		place->word, output->counted->kinds->name[place->kind], hits);
	end(output);
}

/* A place and what was stepped of it are neighbours, and one line. */
static void print_places(struct output *output, size_t window)
{
	size_t n = output->counted->places->n;

	for (size_t i = 0; i < n; i++) {
		const struct pgt_tcg_place *place = output->places[i];
		const struct pgt_tcg_place *next = i + 1 < n ? output->places[i + 1] : NULL;
		uint64_t hits = hits_of(output, window, place), stepped = 0;

		if (place->via == PGT_TCG_SLOT) {
			print_slot(output, window, place, hits);
			continue;
		}
		if (place->via == PGT_TCG_STEPPED) {
			stepped = hits;
		} else if (next && next->via == PGT_TCG_STEPPED &&
			   next->address == place->address && next->word == place->word) {
			stepped = hits_of(output, window, next);
			hits += stepped;
			i++;
		}
		print_site(output, window, place, hits, stepped);
	}
}

static void print_functions(struct output *output, size_t scope)
{
	const struct pgt_tcg_plan *plan = output->counted->plan;
	const char *comma = "";

	fputs(",\"functions\":[", output->stream);
	for (size_t i = 0; i < plan->n_entries; i++) {
		if (plan->entries[i].scope != scope)
			continue;
		fprintf(output->stream, "%s\"%s\"", comma, plan->entries[i].function);
		comma = ",";
	}
	fputc(']', output->stream);
}

static void print_scope_pages(struct output *output, size_t window, const char *name,
			      const struct pgt_tcg_total *total)
{
	for (size_t i = 0; i < PGT_BUCKETS; i++) {
		if (!total->bucket[i])
			continue;
		begin(output, "scope_pages", window);
		fprintf(output->stream, ",\"scope\":\"%s\",\"pages\":%" PRIu64 ",\"calls\":%" PRIu64,
			name, i ? UINT64_C(1) << (i - 1) : 0, total->bucket[i]);
		end(output);
	}
}

static void print_scope_insns(struct output *output, size_t window, const char *name,
			      const struct pgt_tcg_total *total)
{
	const struct pgt_tcg_kinds *kinds = output->counted->kinds;

	for (size_t i = 0; i < kinds->n; i++) {
		if (!total->kinds[i])
			continue;
		begin(output, "scope_insn", window);
		fprintf(output->stream, ",\"scope\":\"%s\",\"kind\":\"%s\",\"count\":%" PRIu64,
			name, kinds->name[i], total->kinds[i]);
		end(output);
	}
}

static void print_scope(struct output *output, size_t window, size_t scope)
{
	const char *name = output->counted->plan->scopes[scope];
	struct pgt_tcg_total total = pgt_tcg_scopes_total(output->counted->scopes, window, scope);

	begin(output, "scope", window);
	fprintf(output->stream, ",\"scope\":\"%s\"", name);
	print_functions(output, scope);
	fprintf(output->stream, ",\"calls\":%" PRIu64 ",\"full\":%" PRIu64 ",\"unsized\":%" PRIu64
		",\"pages\":%" PRIu64, total.calls, total.full, total.unsized, total.pages);
	print_instructions(output, total.instructions);
	fprintf(output->stream, ",\"unfinished\":%" PRIu64,
		total.entered - total.calls - total.spans);
	end(output);
	print_scope_insns(output, window, name, &total);
	print_scope_pages(output, window, name, &total);
}

int pgt_tcg_output_counts(FILE *stream, const struct pgt_tcg_counted *counted, uint64_t *lines,
			  struct pgt_diag *diag)
{
	struct output output = { .stream = stream, .counted = counted,
				 .places = pgt_tcg_places_list(counted->places) };

	if (!output.places)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	print_head(&output);
	print_windows(&output);
	for (size_t window = 0; window <= counted->windows->n; window++) {
		print_places(&output, window);
		for (size_t scope = 0; scope < counted->plan->n_scopes; scope++)
			print_scope(&output, window, scope);
	}
	free(output.places);
	*lines = output.lines;
	return 0;
}

void pgt_tcg_output_end(FILE *stream, uint64_t lines)
{
	fprintf(stream, "{\"type\":\"end\",\"lines\":%" PRIu64 "}\n", lines + 1);
}
