/* SPDX-License-Identifier: GPL-2.0-only */
/* Windows of several CPUs, and the lines that the plugin writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "tcg/kinds.h"
#include "tcg/output.h"
#include "tcg/places.h"
#include "tcg/plan.h"
#include "tcg/scopes.h"
#include "tcg/windows.h"

#define AT(...)	((const uint64_t[]){ __VA_ARGS__ })

static struct pgt_tcg_windows windows_of(unsigned int cpus)
{
	struct pgt_tcg_windows windows;
	struct pgt_diag diag;

	cr_assert(zero(int, pgt_tcg_windows_init(&windows, cpus, &diag)));
	return windows;
}

Test(tcg_windows, sum_what_each_cpu_counted_in_its_own)
{
	struct pgt_tcg_windows windows = windows_of(2);

	cr_assert(eq(sz, pgt_tcg_windows_current(&windows, 0), 0));
	pgt_tcg_windows_open(&windows, 0, AT(5, 7), 2, 100);
	cr_assert(eq(sz, pgt_tcg_windows_current(&windows, 0), 1));
	cr_assert(eq(sz, pgt_tcg_windows_current(&windows, 1), 0));
	pgt_tcg_windows_open(&windows, 1, AT(1, 1), 2, 50);
	pgt_tcg_windows_close(&windows, 1, AT(1, 4), 2, 53);
	cr_assert(pgt_tcg_windows_any_open(&windows));
	pgt_tcg_windows_close(&windows, 0, AT(6, 9, 30), 3, 111);	/* a new place */
	cr_assert(not(pgt_tcg_windows_any_open(&windows)));
	cr_assert(eq(sz, windows.n, 1));
	cr_assert(eq(u32, windows.window[0].closed, 2));
	cr_assert(eq(u64, windows.window[0].instructions, 14));
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 1, 0), 1));
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 1, 1), 5));
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 1, 2), 30));
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 1, 3), 0));
	pgt_tcg_windows_release(&windows);
}

/* What a CPU counts between two windows is in neither. */
Test(tcg_windows, are_numbered_by_each_cpu)
{
	struct pgt_tcg_windows windows = windows_of(2);

	pgt_tcg_windows_open(&windows, 0, AT(0), 1, 0);
	pgt_tcg_windows_close(&windows, 0, AT(1), 1, 0);
	pgt_tcg_windows_open(&windows, 0, AT(11), 1, 0);
	pgt_tcg_windows_open(&windows, 1, AT(0), 1, 0);
	cr_assert(eq(sz, pgt_tcg_windows_current(&windows, 0), 2));
	cr_assert(eq(sz, pgt_tcg_windows_current(&windows, 1), 1));
	pgt_tcg_windows_close(&windows, 1, AT(100), 1, 0);
	pgt_tcg_windows_close(&windows, 0, AT(13), 1, 0);
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 1, 0), 101));
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 2, 0), 2));
	cr_assert(zero(u64, windows.ignored));
	pgt_tcg_windows_release(&windows);
}

Test(tcg_windows, ignore_hints_without_their_pair)
{
	struct pgt_tcg_windows windows = windows_of(1);

	pgt_tcg_windows_close(&windows, 0, AT(1), 1, 0);
	cr_assert(eq(sz, windows.n, 0));
	cr_assert(eq(u64, windows.ignored, 1));
	pgt_tcg_windows_open(&windows, 0, AT(2), 1, 0);
	pgt_tcg_windows_open(&windows, 0, AT(5), 1, 0);
	cr_assert(eq(u64, windows.ignored, 2));
	pgt_tcg_windows_close(&windows, 0, AT(9), 1, 0);
	cr_assert(eq(u64, pgt_tcg_windows_hits(&windows, 1, 0), 7));
	cr_assert(eq(sz, windows.n, 1));
	pgt_tcg_windows_release(&windows);
}

struct counted {
	struct pgt_tcg_plan plan;
	struct pgt_tcg_kinds kinds;
	struct pgt_tcg_places places;
	struct pgt_tcg_scopes scopes;
	struct pgt_tcg_windows windows;
	struct pgt_tcg_counted all;
};

static const uint64_t boot_hits[] = { 10, 4, 3, 0, 2 };

/*
 * Five places, number 3 never executed, 1 stepped of 0; one window, with one hit of place 0,
 * two of the stepped and a call in it.
 */
static void make(struct counted *made, bool instructions)
{
	char text[] = "pgtrace-tcg 1\nbuild_id ab\nvcpus 1\ntext 0x1000 0x2000\nswitch 0x1000\n"
		      "scope map 0x1100 5 0 f\nscope map 0x1200 5 0 g\nend\n";
	uint64_t kinds[PGT_TCG_KINDS_MAX] = { 0 };
	struct pgt_diag diag;

	memset(made, 0, sizeof(*made));
	cr_assert(zero(int, pgt_tcg_plan_parse(&made->plan, text, "plan", &diag)));
	cr_assert(zero(int, pgt_tcg_scopes_init(&made->scopes, &made->plan, &diag)));
	made->windows = windows_of(1);
	pgt_tcg_kinds_add(&made->kinds, "dsb.ish");
	pgt_tcg_kinds_add(&made->kinds, "isb");
	pgt_tcg_places_add(&made->places, 0x1234, 0xd5033b9f, PGT_TCG_DIRECT, 0);
	pgt_tcg_places_add(&made->places, 0x1234, 0xd5033b9f, PGT_TCG_STEPPED, 0);
	pgt_tcg_places_add(&made->places, 0, 0xd5033fdf, PGT_TCG_SLOT, 1);
	pgt_tcg_places_add(&made->places, 0x1238, 0xd5033fdf, PGT_TCG_DIRECT, 1);
	pgt_tcg_places_add(&made->places, 0x123c, 0xd5033fdf, PGT_TCG_STEPPED, 1);
	pgt_tcg_windows_open(&made->windows, 0, AT(9, 2, 3, 0, 2), 5, 1000);
	pgt_tcg_scopes_enter(&made->scopes, 0, 0, 0x1104, 0x8000,
			     pgt_tcg_call_of(PGT_PAGES_BYTES, 0x3000, 0), 1,
			     (struct pgt_tcg_now){ 1000, kinds });
	kinds[1] = 6;
	pgt_tcg_scopes_return(&made->scopes, 0, 0x1104, 0x8000, 1,
			      (struct pgt_tcg_now){ 1044, kinds });
	pgt_tcg_windows_close(&made->windows, 0, AT(10, 4, 3, 0, 2), 5, 1050);
	made->all = (struct pgt_tcg_counted){ &made->plan, &made->kinds, &made->places,
					      &made->scopes, &made->windows, boot_hits,
					      instructions, NULL };
}

static void release(struct counted *made)
{
	pgt_tcg_windows_release(&made->windows);
	pgt_tcg_scopes_release(&made->scopes);
	pgt_tcg_places_release(&made->places);
	pgt_tcg_plan_release(&made->plan);
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part);
}

static char *print(const struct pgt_tcg_counted *counted)
{
	char *text = NULL;
	size_t len;
	FILE *stream = open_memstream(&text, &len);
	struct pgt_diag diag;
	uint64_t lines;

	cr_assert(zero(int, pgt_tcg_output_counts(stream, counted, &lines, &diag)));
	pgt_tcg_output_end(stream, lines);
	fclose(stream);
	return text;
}

#define SITE(window, address, word, kind, hits, stepped)				\
	"{\"type\":\"site\",\"window\":" window ",\"address\":\"" address "\",\"word\":\""	\
	word "\",\"kind\":\"" kind "\",\"hits\":" hits ",\"stepped\":" stepped "}\n"
#define SCOPE(window)									\
	"{\"type\":\"scope\",\"window\":" window ",\"scope\":\"map\",\"functions\":[\"f\",\"g\"],"	\
	"\"calls\":1,\"full\":0,\"unsized\":0,\"pages\":3,\"instructions\":44,\"unfinished\":0}\n"	\
	"{\"type\":\"scope_insn\",\"window\":" window ",\"scope\":\"map\",\"kind\":\"isb\",\"count\":6}\n" \
	"{\"type\":\"scope_pages\",\"window\":" window ",\"scope\":\"map\",\"pages\":2,\"calls\":1}\n"

Test(tcg_output, is_what_the_format_says)
{
	struct counted made;
	char *text;

	make(&made, true);
	text = print(&made.all);
	cr_assert(eq(str, text, (char *)
		"{\"type\":\"tcg\",\"schema\":1,\"qemu_api\":4,\"vcpus\":1,\"build_id\":\"ab\","
		"\"instructions\":true,\"model\":null,\"windows\":1,\"open\":false}\n"
		"{\"type\":\"window\",\"window\":1,\"vcpus\":1,\"instructions\":50}\n"
		"{\"type\":\"slot\",\"window\":null,\"word\":\"0xd5033fdf\",\"kind\":\"isb\","
		"\"hits\":3}\n"
		SITE("null", "0x1234", "0xd5033b9f", "dsb.ish", "14", "4")
		SITE("null", "0x123c", "0xd5033fdf", "isb", "2", "2")
		SCOPE("null")
		SITE("1", "0x1234", "0xd5033b9f", "dsb.ish", "3", "2")
		SCOPE("1")
		"{\"type\":\"end\",\"lines\":13}\n"));
	free(text);
	release(&made);
}

Test(tcg_output, does_not_call_uncounted_instructions_zero)
{
	struct counted made;
	char *text;

	make(&made, false);
	pgt_tcg_windows_open(&made.windows, 0, AT(0), 1, 0);
	made.all.model = "neoverse-n1";
	text = print(&made.all);
	cr_assert(has(text, "\"instructions\":false,\"model\":\"neoverse-n1\",\"windows\":2,"
		      "\"open\":true}"), "%s", text);
	cr_assert(has(text, "\"window\":1,\"vcpus\":1,\"instructions\":null}"), "%s", text);
	cr_assert(has(text, "\"pages\":3,\"instructions\":null,"), "%s", text);
	cr_assert(has(text, "\"window\":2,\"vcpus\":0,"), "%s", text);
	cr_assert(not(has(text, "\"instructions\":44")));
	free(text);
	release(&made);
}
