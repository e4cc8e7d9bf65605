/* SPDX-License-Identifier: GPL-2.0-only */
/* verify.c: every site of every window, and what makes a comparison worthless. */
#include <errno.h>
#include <string.h>

#include "lines.h"

#include "lab/tcg_result.h"
#include "lab/verify.h"
#include "probe/ksyms.h"

#define A	"0xffff800080000010"	/* counted by a kprobe */
#define B	"0xffff800080000020"	/* by a breakpoint, in a window of its own */
#define C	"0xffff800080000030"	/* in a function that was not entered */
#define D	"0xffff800080000040"	/* out of reach */

static const uint64_t a = 0xffff800080000010, b = 0xffff800080000020, c = 0xffff800080000030,
		      d = 0xffff800080000040;

static void add_run(struct lines *lines, const char *workload, int run, const char *mechanism,
		    int n_sites, int window)
{
	lines_addf(lines, "{'type':'run','workload':'%s','run':%d,'pass':'counts','mechanism':'%s',"
		   "'n_sites':%d,'first_site':null,'window':%d,'window_ns':1}", workload, run,
		   mechanism, n_sites, window);
}

static void add_site(struct lines *lines, int repeat, int site, const char *address,
		     const char *mechanism, int window, int hits)
{
	lines_addf(lines, "{'type':'site','workload':'w','repeat':%d,'site':%d,'function':'f',"
		   "'offset':%d,'address':'%s','kind':'dsb.ish','mechanism':'%s','window':%d,"
		   "'hits':%d,'in_probe':0,'outside':0,'interrupt':0}", repeat, site, 4 * site,
		   address, mechanism, window, hits);
}

static void add_unseen(struct lines *lines, int repeat, int site, const char *address)
{
	lines_addf(lines, "{'type':'site','workload':'w','repeat':%d,'site':%d,'function':'g',"
		   "'offset':4,'address':'%s','kind':'isb','mechanism':null,'window':null,"
		   "'hits':null,'in_probe':null,'outside':null,'interrupt':null,'reason':'why'}",
		   repeat, site, address);
}

/* One repeat: the window with the kprobes and the one behind it, for a breakpoint. */
static void add_repeat(struct lines *lines, int repeat, int window)
{
	add_run(lines, "w", window, "kprobe", 1, window);
	add_run(lines, "w", window + 1, "breakpoint", 1, window + 1);
	add_site(lines, repeat, 0, A, "kprobe", window, 7);
	add_site(lines, repeat, 1, B, "breakpoint", window + 1, 5);
	add_site(lines, repeat, 2, C, "watched", window, 0);
	add_unseen(lines, repeat, 3, D);
	lines_loss(lines, "w", repeat, 0, 0);
}

static struct pgt_recording simple(void)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	add_repeat(&lines, 1, 2);
	lines_end(&lines);
	return lines_recording(&lines, "guest");
}

/* What the plugin saw of it; tests change what they are about. */
struct seen {
	struct pgt_tcg_window windows[5];
	struct pgt_tcg_site sites[10];
	struct pgt_tcg_slot slots[2];
	struct pgt_tcg_result result;
};

static struct seen see(void)
{
	return (struct seen){
		.windows = { { 1, 2, -1 }, { 2, 2, -1 }, { 3, 2, -1 }, { 4, 2, -1 }, { 5, 2, -1 } },
		.sites = {
			{ .window = PGT_TCG_BOOT, .address = a, .hits = 100, .kind = (char *)"dsb.ish" },
			{ .window = 2, .address = a, .hits = 7, .kind = (char *)"dsb.ish" },
			{ .window = 2, .address = b, .hits = 6, .kind = (char *)"dsb.ish" },
			{ .window = 2, .address = d, .hits = 9, .kind = (char *)"isb" },
			{ .window = 3, .address = a, .hits = 8, .kind = (char *)"dsb.ish" },
			{ .window = 3, .address = b, .hits = 5, .kind = (char *)"dsb.ish" },
		},
		.result = { .build_id = (char *)"aa", .vcpus = 2, .n_windows = 5, .n_sites = 6 },
	};
}

static int verify(struct pgt_verify *out, const struct pgt_recording *recording, struct seen *seen,
		  const struct pgt_ksyms *ksyms, struct pgt_diag *diag)
{
	seen->result.windows = seen->windows;
	seen->result.sites = seen->sites;
	seen->result.slots = seen->slots;
	return pgt_verify_make(out, &recording->boots[0], &seen->result, ksyms, diag);
}

static struct pgt_verify verified(const struct pgt_recording *recording, struct seen *seen)
{
	struct pgt_verify out;
	struct pgt_diag diag = { "" };
	int err = verify(&out, recording, seen, NULL, &diag);

	cr_assert(zero(int, err), "%s", diag.text);
	return out;
}

static const struct pgt_verify_row *row_at(const struct pgt_verify *verify, uint64_t address)
{
	for (size_t i = 0; i < verify->n_rows; i++)
		if (verify->rows[i].address == address)
			return &verify->rows[i];
	cr_fatal("no row at %llx", (unsigned long long)address);
	return NULL;
}

static void release(struct pgt_verify *verify, struct pgt_recording *recording)
{
	pgt_verify_release(verify);
	pgt_recording_release(recording);
}

Test(verify, equal)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();
	struct pgt_verify got = verified(&recording, &seen);

	cr_expect(eq(int, pgt_verify_holds(&got), true));
	cr_assert(eq(sz, got.n_sums, 1));
	cr_expect(eq(i64, got.sums[0].sites, 3), "what was not entered was counted, too");
	cr_expect(eq(i64, got.sums[0].hits, 12));
	cr_expect(eq(i64, got.sums[0].differ, 0));
	cr_expect(eq(i64, got.sums[0].unseen, 9));
	cr_expect(eq(i64, got.sums[0].windows, 2));
	cr_expect(eq(sz, got.n_rows, 4));
	cr_expect(eq(i64, row_at(&got, b)->window, 3), "not the 6 of the window before");
	cr_expect(eq(i64, row_at(&got, b)->executed, 5));
	cr_expect(eq(i64, row_at(&got, d)->counted, -1));
	cr_expect(eq(i64, row_at(&got, d)->executed, 9));
	cr_expect(eq(str, (char *)row_at(&got, d)->reason, "why"));
	cr_expect(eq(int, row_at(&got, d)->verdict, PGT_VERIFY_UNSEEN));
	release(&got, &recording);
	release(&got, &recording);	/* harmless */
}

/* One more, one less, and one where there should be none. */
Test(verify, differing)
{
	const struct {
		const char *name;
		size_t site;
		int64_t hits;
	} cases[] = { { "one more", 1, 8 }, { "one less", 1, 6 }, { "other window", 5, 6 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_recording recording = simple();
		struct seen seen = see();
		struct pgt_verify got;

		seen.sites[cases[i].site].hits = cases[i].hits;
		got = verified(&recording, &seen);
		cr_expect(eq(int, pgt_verify_holds(&got), false), "%s", cases[i].name);
		cr_expect(eq(i64, got.sums[0].differ, 1), "%s", cases[i].name);
		release(&got, &recording);
	}
}

Test(verify, not_executed_is_a_difference)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();
	struct pgt_verify got;

	seen.result.n_sites = 5;	/* without the breakpoint's */
	got = verified(&recording, &seen);
	cr_expect(eq(int, pgt_verify_holds(&got), false));
	cr_expect(eq(i64, row_at(&got, b)->executed, 0));
	cr_expect(eq(int, row_at(&got, b)->verdict, PGT_VERIFY_DIFFERS));
	release(&got, &recording);
}

Test(verify, watched_but_executed)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();
	struct pgt_verify got;

	seen.sites[2].address = c;
	got = verified(&recording, &seen);
	cr_expect(eq(int, pgt_verify_holds(&got), false));
	cr_expect(eq(i64, row_at(&got, c)->counted, 0));
	cr_expect(eq(i64, row_at(&got, c)->executed, 6));
	cr_expect(eq(str, (char *)row_at(&got, c)->mechanism, "watched"));
	release(&got, &recording);
}

Test(verify, lost)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct seen seen = see();
	struct pgt_verify got;

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	add_run(&lines, "w", 1, "kprobe", 1, 2);
	add_site(&lines, 1, 0, A, "kprobe", 2, 7);
	lines_loss(&lines, "w", 1, 3, 1);
	lines_end(&lines);
	recording = lines_recording(&lines, "guest");
	got = verified(&recording, &seen);
	cr_expect(eq(i64, got.lost, 4));
	cr_expect(eq(i64, got.sums[0].differ, 0));
	cr_expect(eq(int, pgt_verify_holds(&got), false));
	release(&got, &recording);
}

/* Each repeat has windows of its own, and a number in one of them is not the other's. */
Test(verify, repeats)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct seen seen = see();
	struct pgt_verify got;

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	add_repeat(&lines, 1, 2);
	add_repeat(&lines, 2, 4);
	lines_end(&lines);
	recording = lines_recording(&lines, "guest");
	memcpy(&seen.sites[6], &seen.sites[1], sizeof(seen.sites[0]));
	seen.sites[6].window = 4;
	memcpy(&seen.sites[7], &seen.sites[5], sizeof(seen.sites[0]));
	seen.sites[7].window = 5;
	seen.sites[7].hits = 4;
	seen.result.n_sites = 8;
	got = verified(&recording, &seen);
	cr_assert(eq(sz, got.n_sums, 2));
	cr_expect(eq(i64, got.sums[0].differ, 0));
	cr_expect(eq(i64, got.sums[1].differ, 1));
	cr_expect(eq(i64, got.sums[1].hits, 11));
	release(&got, &recording);
}

/* Places that the recording has no site for get the name of their symbol, where there is one. */
Test(verify, other_places)
{
	struct pgt_ksym symbol[] = { { 0xffff800080000100, "late" } };
	const struct pgt_ksyms ksyms = { symbol, 1, 0xffff800080000000, 0xffff800080001000, NULL };
	struct pgt_recording recording = simple();
	struct seen seen = see();
	struct pgt_diag diag = { "" };
	struct pgt_verify got;

	seen.sites[4] = (struct pgt_tcg_site){ .window = 2, .address = 0xffff80007a000000,
					       .hits = 3, .kind = (char *)"dsb.sy" };
	seen.sites[6] = (struct pgt_tcg_site){ .window = 2, .address = 0xffff800080000108,
					       .hits = 1, .kind = (char *)"tlbi.vmalle1is" };
	seen.sites[7] = (struct pgt_tcg_site){ .window = 2, .address = 0x400000, .hits = 2,
					       .kind = (char *)"isb" };
	seen.sites[8] = (struct pgt_tcg_site){ .window = 2, .address = 0xffff800080000200,
					       .hits = 50, .kind = (char *)"dmb.ish" };
	seen.sites[9] = (struct pgt_tcg_site){ .window = 1, .address = 0xffff800080000300,
					       .hits = 50, .kind = (char *)"isb" };
	seen.result.n_sites = 10;
	/* the table is in order of window and address: put it there */
	for (int i = 0; i < 10; i++)
		for (int k = i + 1; k < 10; k++)
			if (seen.sites[k].window < seen.sites[i].window ||
			    (seen.sites[k].window == seen.sites[i].window &&
			     seen.sites[k].address < seen.sites[i].address)) {
				struct pgt_tcg_site swap = seen.sites[i];

				seen.sites[i] = seen.sites[k];
				seen.sites[k] = swap;
			}
	cr_assert(zero(int, verify(&got, &recording, &seen, &ksyms, &diag)), "%s", diag.text);
	cr_expect(eq(int, pgt_verify_holds(&got), true), "what nobody counts cannot differ");
	cr_expect(eq(i64, got.sums[0].unseen, 9 + 3 + 1 + 2), "no DMB, and no other window");
	cr_expect(eq(sz, got.n_rows, 7));
	cr_expect(eq(ptr, (void *)row_at(&got, 0xffff80007a000000)->function, NULL));
	cr_expect(eq(str, (char *)row_at(&got, 0xffff800080000108)->function, "late"));
	cr_expect(eq(u64, row_at(&got, 0xffff800080000108)->offset, 8));
	cr_expect(eq(str, (char *)row_at(&got, 0x400000)->reason, "executed by a program"));
	for (size_t i = 1; i < got.n_rows; i++)
		cr_expect(lt(u64, got.rows[i - 1].address, got.rows[i].address), "in order");
	release(&got, &recording);
}

/* A slot that nobody knows holds the hit of some site. */
Test(verify, slot_of_nobody)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();
	struct pgt_verify got;

	seen.slots[0] = (struct pgt_tcg_slot){ .window = PGT_TCG_BOOT, .hits = 5,
					       .kind = (char *)"isb" };
	seen.slots[1] = (struct pgt_tcg_slot){ .window = 2, .hits = 1, .kind = (char *)"isb" };
	seen.result.n_slots = 1;
	got = verified(&recording, &seen);
	cr_expect(eq(int, pgt_verify_holds(&got), true), "before the window");
	pgt_verify_release(&got);
	seen.result.n_slots = 2;
	got = verified(&recording, &seen);
	cr_expect(eq(int, pgt_verify_holds(&got), false));
	cr_expect(eq(i64, got.sums[0].differ, 1));
	release(&got, &recording);
}

/* An instruction that was patched is two records of one address; a DMB is none. */
Test(verify, patched_instruction)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();
	struct pgt_verify got;

	seen.sites[1].hits = 3;
	memmove(&seen.sites[4], &seen.sites[2], 4 * sizeof(seen.sites[0]));
	seen.sites[2] = seen.sites[1];
	seen.sites[2].hits = 4;
	seen.sites[3] = seen.sites[1];
	seen.sites[3].kind = (char *)"dmb.ish";
	seen.result.n_sites = 8;
	got = verified(&recording, &seen);
	cr_expect(eq(int, pgt_verify_holds(&got), true));
	cr_expect(eq(i64, row_at(&got, a)->executed, 7));
	release(&got, &recording);
}

static void refuse(const struct pgt_recording *recording, struct seen *seen, int err,
		   const char *why)
{
	struct pgt_verify got = { .lost = 77 };
	struct pgt_diag diag = { "" };

	cr_expect(eq(int, verify(&got, recording, seen, NULL, &diag), err), "%s", why);
	cr_expect(ne(ptr, strstr(diag.text, why), NULL), "\"%s\" has no \"%s\"", diag.text, why);
	cr_expect(eq(i64, got.lost, 77), "*out must be untouched on failure");
}

Test(verify, another_machine_is_refused)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();

	seen.result.build_id = (char *)"bb";
	refuse(&recording, &seen, -EINVAL, "build id aa");
	seen = see();
	seen.result.vcpus = 4;
	refuse(&recording, &seen, -EINVAL, "of 2 CPUs");
	pgt_recording_release(&recording);
}

Test(verify, windows_must_be_there)
{
	struct pgt_recording recording = simple();
	struct seen seen = see();

	seen.result.n_windows = 2;
	refuse(&recording, &seen, -ENODATA, "no window 3");
	seen = see();
	seen.windows[2].vcpus = 1;
	refuse(&recording, &seen, -ENODATA, "1 of 2 CPUs");
	seen = see();
	seen.result.open = true;
	refuse(&recording, &seen, -ENODATA, "still open");
	pgt_recording_release(&recording);
}

static void refuse_lines(struct lines *lines, int err, const char *why)
{
	struct pgt_recording recording;
	struct seen seen = see();

	lines_end(lines);
	recording = lines_recording(lines, "guest");
	refuse(&recording, &seen, err, why);
	pgt_recording_release(&recording);
}

/* A recording with only the sites that were hit cannot tell 0 from unknown. */
Test(verify, recording_must_say_enough)
{
	struct lines lines = { PGT_BUF_INIT, 0 };

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	add_run(&lines, "w", 1, "kprobe", 2, 2);
	add_site(&lines, 1, 0, A, "kprobe", 2, 7);
	add_site(&lines, 1, 2, C, "watched", 2, 0);
	lines_loss(&lines, "w", 1, 0, 0);
	refuse_lines(&lines, -ENODATA, "1 of the 2 sites");

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	refuse_lines(&lines, -ENODATA, "no windows");

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	lines_add(&lines, "{'type':'run','workload':'w','run':1,'pass':'counts',"
		  "'mechanism':'kprobe','n_sites':1,'first_site':null,'window_ns':1}");
	lines_loss(&lines, "w", 1, 0, 0);
	refuse_lines(&lines, -ENODATA, "does not number");

	lines_begin(&lines, LINES_HOST(.build_id = "aa"));
	add_run(&lines, "w", 1, "kprobe", 1, 2);
	lines_add(&lines, "{'type':'site','workload':'w','repeat':1,'site':0,'function':'f',"
		  "'offset':0,'kind':'isb','mechanism':'kprobe','hits':1,'in_probe':0,"
		  "'outside':1,'interrupt':0}");
	lines_loss(&lines, "w", 1, 0, 0);
	refuse_lines(&lines, -ENODATA, "which address");
}
