/* SPDX-License-Identifier: GPL-2.0-only */
/* counts.c: what was counted, written as metrics and read back from the recording. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "probe/catalogue.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "probe/sites.h"
#include "recording/counts.h"
#include "recording/metric.h"
#include "recording/recording.h"

enum { CREATE, VMAP, FLUSH, UNMAP };	/* as in pgt_probes[] */

#define SITES	4

/* A kernel with a function for vmap_pte_range, two for flush_tlb and none for the others. */
struct measured {
	struct pgt_ksym symbol[3];
	struct pgt_plan_func func[3];
	struct pgt_plan plan;
	unsigned char missed[3];
	struct pgt_probe_cell probe[PGT_PROBE_MAX];
	struct pgt_site site[SITES];
	struct pgt_site_cell cell[SITES];
	uint16_t known[SITES];
	size_t n_sites;
	uint64_t lost;
};

static void add_func(struct measured *m, const char *name, int probe, enum pgt_mechanism mechanism)
{
	size_t i = m->plan.n++;

	m->symbol[i] = (struct pgt_ksym){ 0x1000 * (i + 1), name };
	m->func[i] = (struct pgt_plan_func){ .row = pgt_catalogue_of("arm64", name),
		.symbol = &m->symbol[i], .probe = probe, .mechanism = mechanism };
}

static void measured_init(struct measured *m)
{
	*m = (struct measured){ .plan = { m->func, 0, 1u << VMAP | 1u << FLUSH } };
	cr_assert(eq(int, pgt_probe_find("create_pgd_mapping"), CREATE));
	cr_assert(eq(int, pgt_probe_find("vmap_pte_range"), VMAP));
	cr_assert(eq(int, pgt_probe_find("flush_tlb"), FLUSH));
	cr_assert(eq(int, pgt_probe_find("try_to_unmap_one"), UNMAP));
	add_func(m, "vmap_range_noflush", VMAP, PGT_MECHANISM_FENTRY);
	add_func(m, "flush_tlb_mm", FLUSH, PGT_MECHANISM_KPROBE);
	add_func(m, "tlb_flush", FLUSH, PGT_MECHANISM_CALL_SITE);
}

static struct pgt_site *add_site(struct measured *m, enum pgt_op op, const char *kind, int owner,
				 enum pgt_reach reach, unsigned int known)
{
	size_t i = m->n_sites++;

	m->site[i] = (struct pgt_site){ .insn.op = op, .owner = owner, .reach = reach };
	snprintf(m->site[i].insn.kind, sizeof(m->site[i].insn.kind), "%s", kind);
	m->known[i] = (uint16_t)known;
	return &m->site[i];
}

static void write_frame(struct pgt_writer *writer, struct pgt_diag *diag)
{
	cr_assert(zero(int, pgt_writer_line(writer, json_pack("{s:s, s:i, s:s, s:s}",
		"type", "recording", "schema", PGT_RECORDING_SCHEMA, "tool", "pgtrace 0",
		"started_at", "T"), diag)));
	cr_assert(zero(int, pgt_writer_line(writer, json_pack(
		"{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:s}",
		"type", "host", "arch", "arm64", "kernel_release", "6.1", "kernel_version", "v",
		"build_id", "aa", "config_digest", "bb", "cpu", "c", "n_cpus", 2,
		"page_size", 4096, "memory_bytes", 1048576, "accelerator", "tcg", "cmdline", "",
		"boot_id", "b"), diag)));
	cr_assert(zero(int, pgt_writer_line(writer, json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i}",
		"type", "loss", "workload", "w", "repeat", 2, "missed", 0, "recursion", 0,
		"overflow", 0, "unbalanced", 0), diag)));
}

static int write_counts(struct pgt_writer *writer, const struct measured *m,
			struct pgt_diag *diag)
{
	const struct pgt_counts counts = { .workload = "w", .repeat = 2, .window_ns = 1234,
		.plan = &m->plan, .missed = m->missed, .probe = m->probe, .site = m->site,
		.cell = m->cell, .known = m->known, .n_sites = m->n_sites, .lost = m->lost };

	return pgt_counts_write(writer, &counts, diag);
}

/* Write what was measured, or what cannot be (lack is why), and read it back. */
static struct pgt_recording recorded_or_not(const struct measured *m, const char *lack)
{
	struct pgt_recording recording;
	struct pgt_writer *writer;
	struct pgt_diag diag = { "" };
	char dir[] = "/tmp/pgtrace-test-counts.XXXXXX", path[64];

	cr_assert(not(zero(ptr, mkdtemp(dir))));
	snprintf(path, sizeof(path), "%s/counts.jsonl", dir);
	cr_assert(zero(int, pgt_writer_open(&writer, path, &diag)), "%s", diag.text);
	write_frame(writer, &diag);
	cr_assert(zero(int, lack ? pgt_counts_write_unsupported(writer, &m->plan, "w", lack, &diag) :
				   write_counts(writer, m, &diag)), "%s", diag.text);
	cr_assert(zero(int, pgt_writer_finish(writer, &diag)), "%s", diag.text);
	pgt_writer_free(writer);
	cr_assert(zero(int, pgt_recording_read(&recording, path, &diag)), "%s", diag.text);
	unlink(path);
	rmdir(dir);
	cr_assert(eq(sz, recording.n_boots, 1));
	return recording;
}

static struct pgt_recording recorded(const struct measured *m)
{
	return recorded_or_not(m, NULL);
}

static const struct pgt_value *find(const struct pgt_recording *recording, const char *metric)
{
	const struct pgt_boot *boot = &recording->boots[0];

	for (size_t i = 0; i < boot->n_values; i++)
		if (!strcmp(boot->values[i].metric, metric))
			return &boot->values[i];
	return NULL;
}

static void expect(const struct pgt_recording *recording, const char *metric, int64_t value,
		   const char *source, bool lower_bound)
{
	const struct pgt_value *got = find(recording, metric);

	cr_assert(not(zero(ptr, (void *)got)), "%s has no line", metric);
	cr_assert(zero(ptr, got->reason), "%s: %s", metric, got->reason);
	cr_expect(eq(i64, got->value, value), "%s", metric);
	cr_expect(eq(str, got->source, (char *)source), "%s", metric);
	cr_expect(eq(int, got->lower_bound, lower_bound), "%s: lower bound", metric);
	cr_expect(eq(str, got->workload, "w"), "%s", metric);
	cr_expect(eq(i64, got->repeat, 2), "%s", metric);
}

#define EXACT	false
#define AT_LEAST	true

static void expect_absent(const struct pgt_recording *recording, const char *metric,
			  const char *reason)
{
	const struct pgt_value *got = find(recording, metric);

	cr_assert(not(zero(ptr, (void *)got)), "%s has no line", metric);
	cr_assert(not(zero(ptr, got->reason)), "%s has the value %lld", metric,
		  (long long)got->value);
	cr_expect(eq(str, got->reason, (char *)reason), "%s", metric);
	cr_expect(zero(ptr, got->source), "%s", metric);
}

#define NOT_COUNTED	\
	"not counted: none of its sites was asked for or could be counted in this workload"

static void expect_no_line(const struct pgt_recording *recording, const char *metric)
{
	cr_expect(zero(ptr, (void *)find(recording, metric)), "%s has a line", metric);
}

Test(counts, each_view_has_its_own_answer)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	/* in the code of vmap_range_noflush, thrice reached by a jump past its entry */
	add_site(&m, PGT_OP_DSB, "dsb.ishst", VMAP, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED);
	m.cell[0] = (struct pgt_site_cell){
		.innermost = { [VMAP] = 10, [PGT_IN_OUTSIDE] = 3, [PGT_IN_INTERRUPT] = 2 },
		.inclusive = { [VMAP] = 10 } };
	/* in nobody's code: four hits in a flush within vmap, one in vmap itself */
	add_site(&m, PGT_OP_ISB, "isb", -1, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED);
	m.cell[1] = (struct pgt_site_cell){
		.innermost = { [VMAP] = 1, [FLUSH] = 4, [PGT_IN_OUTSIDE] = 7, [PGT_IN_INTERRUPT] = 1 },
		.inclusive = { [VMAP] = 5, [FLUSH] = 4 } };
	recording = recorded(&m);
	expect(&recording, "vmap_pte_range.insn.dsb", 13, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.insn.dsb.ishst", 13, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.self.dsb", 13, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.self.dsb.ishst", 13, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.innermost.dsb", 10, "kprobe", EXACT);
	expect_no_line(&recording, "vmap_pte_range.innermost.dsb.ishst");
	expect(&recording, "flush_tlb.insn.dsb", 0, "kprobe", EXACT);
	expect_no_line(&recording, "flush_tlb.insn.dsb.ishst");
	expect(&recording, "outside.insn.dsb", 0, "kprobe", EXACT);
	expect(&recording, "interrupt.insn.dsb", 2, "kprobe", EXACT);
	expect(&recording, "interrupt.insn.dsb.ishst", 2, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.insn.isb", 5, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.self.isb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.innermost.isb", 1, "kprobe", EXACT);
	expect(&recording, "flush_tlb.insn.isb", 4, "kprobe", EXACT);
	expect(&recording, "flush_tlb.self.isb", 0, "kprobe", EXACT);
	expect(&recording, "flush_tlb.innermost.isb", 4, "kprobe", EXACT);
	expect(&recording, "outside.insn.isb", 7, "kprobe", EXACT);
	expect(&recording, "interrupt.insn.isb", 1, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.insn.tlbi", 0, "kprobe", EXACT);
	expect(&recording, "window.ns", 1234, "clock", EXACT);
	pgt_recording_release(&recording);
}

Test(counts, an_inlined_flush_is_a_call_where_none_is_active)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	m.probe[FLUSH].calls = 2;
	m.probe[FLUSH].pages = 2;
	add_site(&m, PGT_OP_DSB, "dsb.ishst", FLUSH, PGT_REACH_KPROBE,
		 PGT_KNOWN_COUNTED)->inlined_flush = true;
	m.cell[0] = (struct pgt_site_cell){
		.innermost = { [VMAP] = 5, [FLUSH] = 2, [PGT_IN_OUTSIDE] = 3, [PGT_IN_INTERRUPT] = 9 },
		.inclusive = { [VMAP] = 7, [FLUSH] = 2 } };
	recording = recorded(&m);
	expect(&recording, "flush_tlb.calls", 10, "kprobe+call-site", EXACT);
	expect(&recording, "flush_tlb.unsized", 8, "kprobe+call-site", EXACT);
	expect(&recording, "flush_tlb.pages", 2, "kprobe+call-site", EXACT);
	expect(&recording, "flush_tlb.insn.dsb", 10, "kprobe", EXACT);
	expect(&recording, "flush_tlb.self.dsb", 10, "kprobe", EXACT);
	expect(&recording, "flush_tlb.innermost.dsb", 2, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.insn.dsb", 7, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.innermost.dsb", 5, "kprobe", EXACT);
	expect(&recording, "outside.insn.dsb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.calls", 0, "fentry", EXACT);
	pgt_recording_release(&recording);
}

/* The first site of an inlined flush, with other states of knowledge; calls seen: 2. */
Test(counts, an_inlined_flush_that_was_not_counted_bounds_the_calls)
{
	const struct {
		unsigned int known;
		int64_t calls;
		bool lower_bound;
	} cases[] = {
		{ 0, 2, AT_LEAST },
		{ PGT_KNOWN_NOT_IN_PROBES, 2, AT_LEAST },
		{ PGT_KNOWN_NOT_OUTSIDE, 2, AT_LEAST },
		{ PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_OUTSIDE, 2, EXACT },
		{ PGT_KNOWN_COUNTED, 6, EXACT },
		{ PGT_KNOWN_COUNTED | PGT_KNOWN_UNEVEN, 6, AT_LEAST },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pgt_recording recording;
		struct measured m;

		measured_init(&m);
		m.probe[FLUSH].calls = 2;
		add_site(&m, PGT_OP_DSB, "dsb.ishst", FLUSH, PGT_REACH_BREAKPOINT,
			 cases[i].known)->inlined_flush = true;
		if (cases[i].known & PGT_KNOWN_COUNTED)
			m.cell[0].innermost[PGT_IN_OUTSIDE] = 4;
		recording = recorded(&m);
		expect(&recording, "flush_tlb.calls", cases[i].calls, "kprobe+call-site",
		       cases[i].lower_bound);
		pgt_recording_release(&recording);
	}
}

Test(counts, what_is_incidental_is_nobodys_work)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	add_site(&m, PGT_OP_ISB, "isb", -1, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED)->incidental = true;
	m.cell[0] = (struct pgt_site_cell){
		.innermost = { [VMAP] = 6, [PGT_IN_OUTSIDE] = 4, [PGT_IN_INTERRUPT] = 1 },
		.inclusive = { [VMAP] = 6 } };
	recording = recorded(&m);
	expect(&recording, "vmap_pte_range.insn.isb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.innermost.isb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.self.isb", 0, "kprobe", EXACT);
	expect(&recording, "outside.insn.isb", 10, "kprobe", EXACT);
	expect(&recording, "interrupt.insn.isb", 1, "kprobe", EXACT);
	pgt_recording_release(&recording);
}

/* Its hits within probes are outside's too: to know of those outside probes is not enough. */
Test(counts, a_switch_is_known_zero_only_where_no_task_made_one)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	add_site(&m, PGT_OP_ISB, "isb", -1, PGT_REACH_BREAKPOINT,
		 PGT_KNOWN_NOT_OUTSIDE)->incidental = true;
	add_site(&m, PGT_OP_DSB, "dsb.sy", -1, PGT_REACH_BREAKPOINT,
		 PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_PROBES)->incidental = true;
	recording = recorded(&m);
	expect_absent(&recording, "outside.insn.isb", NOT_COUNTED);
	expect(&recording, "outside.insn.dsb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.insn.isb", 0, "kprobe", EXACT);
	pgt_recording_release(&recording);
}

Test(counts, an_uncounted_site_makes_a_lower_bound_and_nothing_counted_makes_none)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	add_site(&m, PGT_OP_DSB, "dsb.ish", FLUSH, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED);
	m.cell[0].innermost[FLUSH] = 4;
	m.cell[0].inclusive[FLUSH] = 4;
	add_site(&m, PGT_OP_DSB, "dsb.ishst", FLUSH, PGT_REACH_SKIPPED, 0);
	add_site(&m, PGT_OP_ISB, "isb", FLUSH, PGT_REACH_BREAKPOINT, 0);
	m.cell[2].innermost[FLUSH] = 99;	/* must not show: the site was not counted */
	add_site(&m, PGT_OP_TLBI, "tlbi.vae1is", FLUSH, PGT_REACH_NONE, 0);
	recording = recorded(&m);
	expect(&recording, "flush_tlb.self.dsb", 4, "kprobe", AT_LEAST);
	expect(&recording, "flush_tlb.self.dsb.ish", 4, "kprobe", EXACT);
	expect_no_line(&recording, "flush_tlb.self.dsb.ishst");	/* 0 at least, as its total */
	expect(&recording, "flush_tlb.insn.dsb", 4, "kprobe", AT_LEAST);
	expect_absent(&recording, "flush_tlb.self.isb", NOT_COUNTED);
	expect_absent(&recording, "flush_tlb.insn.isb", NOT_COUNTED);
	expect_absent(&recording, "vmap_pte_range.insn.isb", NOT_COUNTED);
	expect(&recording, "vmap_pte_range.self.isb", 0, "kprobe", EXACT);	/* has no such site */
	expect(&recording, "outside.insn.isb", 0, "kprobe", EXACT);
	expect_absent(&recording, "interrupt.insn.isb", NOT_COUNTED);
	/* one out of reach may have executed: the probe it belongs to has no count */
	expect_absent(&recording, "flush_tlb.self.tlbi", NOT_COUNTED);
	expect(&recording, "vmap_pte_range.insn.tlbi", 0, "kprobe", EXACT);
	expect(&recording, "flush_tlb.calls", 0, "kprobe+call-site", EXACT);
	pgt_recording_release(&recording);
}

Test(counts, zero_can_be_known_for_one_view_and_not_for_another)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	add_site(&m, PGT_OP_DSB, "dsb.sy", -1, PGT_REACH_BREAKPOINT, PGT_KNOWN_NOT_IN_PROBE(VMAP));
	add_site(&m, PGT_OP_ISB, "isb", VMAP, PGT_REACH_BREAKPOINT,
		 PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_IN_INTERRUPT);
	add_site(&m, PGT_OP_TLBI, "tlbi.vae1is", VMAP, PGT_REACH_BREAKPOINT,
		 PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_OUTSIDE);
	recording = recorded(&m);
	expect(&recording, "vmap_pte_range.insn.dsb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.innermost.dsb", 0, "kprobe", EXACT);
	expect_absent(&recording, "flush_tlb.insn.dsb", NOT_COUNTED);
	expect_absent(&recording, "flush_tlb.innermost.dsb", NOT_COUNTED);
	expect_absent(&recording, "outside.insn.dsb", NOT_COUNTED);
	expect_absent(&recording, "interrupt.insn.dsb", NOT_COUNTED);
	/* an owner's site counts for it outside all probes too */
	expect_absent(&recording, "vmap_pte_range.insn.isb", NOT_COUNTED);
	expect_absent(&recording, "vmap_pte_range.self.isb", NOT_COUNTED);
	expect(&recording, "vmap_pte_range.innermost.isb", 0, "kprobe", EXACT);
	expect(&recording, "flush_tlb.insn.isb", 0, "kprobe", EXACT);
	expect(&recording, "interrupt.insn.isb", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.insn.tlbi", 0, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.self.tlbi", 0, "kprobe", EXACT);
	expect_absent(&recording, "interrupt.insn.tlbi", NOT_COUNTED);
	pgt_recording_release(&recording);
}

Test(counts, the_source_names_what_counted_and_uneven_is_a_lower_bound)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	add_site(&m, PGT_OP_DSB, "dsb.ishst", VMAP, PGT_REACH_BREAKPOINT, PGT_KNOWN_COUNTED);
	add_site(&m, PGT_OP_DSB, "dsb.ish", VMAP, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED);
	add_site(&m, PGT_OP_ISB, "isb", VMAP, PGT_REACH_BREAKPOINT,
		 PGT_KNOWN_COUNTED | PGT_KNOWN_UNEVEN);
	for (int i = 0; i < 3; i++) {
		m.cell[i].innermost[VMAP] = 5;
		m.cell[i].inclusive[VMAP] = 5;
	}
	recording = recorded(&m);
	expect(&recording, "vmap_pte_range.self.dsb", 10, "kprobe+breakpoint", EXACT);
	expect(&recording, "vmap_pte_range.self.dsb.ishst", 5, "breakpoint", EXACT);
	expect(&recording, "vmap_pte_range.self.dsb.ish", 5, "kprobe", EXACT);
	expect(&recording, "vmap_pte_range.self.isb", 5, "breakpoint", AT_LEAST);
	expect(&recording, "vmap_pte_range.insn.isb", 5, "breakpoint", AT_LEAST);
	pgt_recording_release(&recording);
}

Test(counts, calls_pages_and_their_histogram)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	m.probe[VMAP] = (struct pgt_probe_cell){ .calls = 9, .interrupt_calls = 1, .full = 2,
		.unsized = 3, .pages = 7, .bucket = { 1, 2, 0, 1, [PGT_BUCKETS - 1] = 5 } };
	recording = recorded(&m);
	expect(&recording, "vmap_pte_range.calls", 9, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.interrupt_calls", 1, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.full", 2, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.unsized", 3, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.pages", 7, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.pages_per_call.0", 1, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.pages_per_call.1", 2, "fentry", EXACT);
	expect_no_line(&recording, "vmap_pte_range.pages_per_call.2");
	expect(&recording, "vmap_pte_range.pages_per_call.4", 1, "fentry", EXACT);
	expect(&recording, "vmap_pte_range.pages_per_call.274877906944", 5, "fentry", EXACT);
	expect(&recording, "flush_tlb.calls", 0, "kprobe+call-site", EXACT);
	pgt_recording_release(&recording);
}

Test(counts, missed_calls_bound_the_probe_that_missed_them)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	m.missed[2] = 1;
	m.probe[FLUSH].calls = 3;
	m.probe[FLUSH].bucket[1] = 3;
	recording = recorded(&m);
	expect(&recording, "flush_tlb.calls", 3, "kprobe+call-site", AT_LEAST);
	expect(&recording, "flush_tlb.pages_per_call.1", 3, "kprobe+call-site", AT_LEAST);
	expect(&recording, "vmap_pte_range.calls", 0, "fentry", EXACT);
	pgt_recording_release(&recording);
}

Test(counts, a_loss_bounds_everything_but_the_clock)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	m.lost = 1;
	recording = recorded(&m);
	for (size_t i = 0; i < recording.boots[0].n_values; i++) {
		const struct pgt_value *value = &recording.boots[0].values[i];

		cr_expect(eq(int, value->lower_bound, strcmp(value->metric, "window.ns") != 0), "%s",
			  value->metric);
	}
	pgt_recording_release(&recording);
}

Test(counts, a_probe_that_the_kernel_lacks_is_no_zero)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	m.plan.probes |= 1u << CREATE;	/* asked for; try_to_unmap_one was not */
	recording = recorded(&m);
	expect_absent(&recording, "create_pgd_mapping.calls",
		      "not supported: the kernel has none of the probe's functions");
	expect_no_line(&recording, "create_pgd_mapping.pages");
	expect_no_line(&recording, "create_pgd_mapping.self.dsb");
	expect_no_line(&recording, "create_pgd_mapping.insn.dsb");
	expect_no_line(&recording, "try_to_unmap_one.calls");
	pgt_recording_release(&recording);
}

/* Its own sites are known by their place; what else it executes, and its calls, are not. */
Test(counts, a_probe_that_nothing_attaches_to_is_no_zero_either)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	m.func[0].mechanism = PGT_MECHANISM_NONE;
	m.missed[0] = 1;
	add_site(&m, PGT_OP_DSB, "dsb.ishst", VMAP, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED);
	m.cell[0].innermost[PGT_IN_OUTSIDE] = 3;
	recording = recorded(&m);
	expect_absent(&recording, "vmap_pte_range.calls",
		      "not counted: tracing reaches none of the probe's functions");
	expect(&recording, "vmap_pte_range.self.dsb", 3, "kprobe", EXACT);
	expect_no_line(&recording, "vmap_pte_range.pages");
	expect_no_line(&recording, "vmap_pte_range.insn.dsb");
	expect_no_line(&recording, "vmap_pte_range.innermost.dsb");
	pgt_recording_release(&recording);
}

/* ---- a workload that the machine cannot do ---- */

/* The metric whose reason is that of this one: its parent's parent, and so on. */
static void find_root(char *out, size_t size, const char *metric)
{
	struct pgt_buf parent = PGT_BUF_INIT;
	struct pgt_metric properties;

	snprintf(out, size, "%s", metric);
	cr_assert(zero(int, pgt_metric_lookup(out, &properties)), "%s", out);
	while (!pgt_metric_parent(out, &properties, &parent)) {
		snprintf(out, size, "%s", parent.at);
		cr_assert(zero(int, pgt_metric_lookup(out, &properties)), "%s", out);
		pgt_buf_release(&parent);
	}
}

/* Whatever a repeat writes, a workload that was not done has the reason for. */
Test(counts, a_workload_that_cannot_be_done_says_why_for_everything)
{
	struct pgt_recording done, not_done;
	struct measured m;

	measured_init(&m);
	m.plan.probes |= 1u << CREATE;	/* asked for, and the kernel has none of it */
	m.probe[FLUSH].bucket[3] = 2;
	for (enum pgt_op op = PGT_OP_NONE + 1; op < PGT_N_OPS; op++) {
		char kind[16];

		snprintf(kind, sizeof(kind), "%s.ish", pgt_op_name(op));
		add_site(&m, op, kind, FLUSH, PGT_REACH_KPROBE, PGT_KNOWN_COUNTED);
		m.cell[op - 1].innermost[PGT_IN_INTERRUPT] = 2;
		m.cell[op - 1].innermost[PGT_IN_OUTSIDE] = 2;
	}
	done = recorded(&m);
	not_done = recorded_or_not(&m, "not supported: this kernel has no module m");
	for (size_t i = 0; i < done.boots[0].n_values; i++) {
		char root[128];

		find_root(root, sizeof(root), done.boots[0].values[i].metric);
		expect_absent(&not_done, root, "not supported here: this kernel has no module m");
	}
	cr_expect(eq(sz, done.boots[0].n_values, 46), "all views, kinds and bins");
	cr_expect(eq(sz, not_done.boots[0].n_values, 10), "and nothing that these do not imply");
	expect_no_line(&not_done, "try_to_unmap_one.calls");
	pgt_recording_release(&done);
	pgt_recording_release(&not_done);
}

Test(counts, why_a_workload_cannot_be_done)
{
	struct pgt_recording recording;
	struct measured m;

	measured_init(&m);
	recording = recorded_or_not(&m, "/bin/x: cannot be executed: not supported: a \"quote\"");
	expect_absent(&recording, "vmap_pte_range.calls", "not supported here: /bin/x: cannot be "
		      "executed: not supported: a \"quote\"");
	cr_expect(eq(i64, find(&recording, "vmap_pte_range.calls")->repeat, 1));
	pgt_recording_release(&recording);
}
