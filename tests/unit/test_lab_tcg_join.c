/* SPDX-License-Identifier: GPL-2.0-only */
/* tcg_join.c, tcg_lines.c, tcg_unseen.c: the plugin's counts as lines of the boot's recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "lab/scope_plan.h"
#include "lab/symbols.h"
#include "lab/tcg_join.h"

#include "lines.h"

#define HOST(build_id, cmdline)							\
	"{'type':'host','arch':'arm64','kernel_release':'6.1','kernel_version':'v',"	\
	"'build_id':'" build_id "','config_digest':null,'config_digest_reason':'none','cpu':'c',"	\
	"'n_cpus':2,'page_size':4096,'memory_bytes':1048576,'accelerator':'tcg',"	\
	"'cmdline':'" cmdline "','boot_id':'b'}"
#define FIRST(build_id, windows, model)						\
	"{'type':'tcg','schema':1,'qemu_api':4,'vcpus':2,'build_id':'" build_id	\
	"','instructions':true,'model':" model ",'windows':" windows ",'open':false}"
#define SCOPE(window, name, calls, pages, unfinished)				\
	"{'type':'scope','window':" window ",'scope':'" name "','functions':['f'],'calls':" calls \
	",'full':0,'unsized':0,'pages':" pages ",'instructions':9000,'unfinished':" unfinished "}"
#define INSN(window, name, kind, count)						\
	"{'type':'scope_insn','window':" window ",'scope':'" name "','kind':'" kind	\
	"','count':" count "}"
#define SITE(window, address, kind, hits)					\
	"{'type':'site','window':" window ",'address':'" address "','word':'0xd5033b9f',"	\
	"'kind':'" kind "','hits':" hits ",'stepped':0}"

static const char symbols_text[] =
	"ffff800080010000 T _stext\n"
	"ffff800080011000 T cpu_switch_to\n"
	"ffff800080012000 t vectors\n"
	"ffff800080013000 t arch_add_memory\n"
	"ffff800080014000 t f\n"
	"ffff800080020000 R _etext\n"
	"ffff800080500000 t paging_init\n"
	"ffff800080501000 t __create_pgd_mapping\n";

struct fixture {
	struct pgt_symbols symbols;
	struct pgt_scope_plan plan;
	struct pgt_tcg_join join;
	struct lines recording, counts;
	struct pgt_buf joined;		/* the recording afterwards */
	struct pgt_diag diag;
};

static void init(struct fixture *at, const char *boot)
{
	*at = (struct fixture){ .diag = { "" } };
	cr_assert(zero(int, pgt_ksyms_parse(&at->symbols.ksyms, symbols_text, true, &at->diag)),
		  "%s", at->diag.text);
	at->symbols.build_id = strdup("ab");
	cr_assert(zero(int, pgt_scope_plan_make(&at->plan, "arm64", &at->symbols.ksyms,
						&at->diag)));
	at->join = (struct pgt_tcg_join){ .arch = "arm64", .symbols = &at->symbols,
					  .plan = &at->plan, .boot = boot };
}

static void release(struct fixture *at)
{
	pgt_scope_plan_release(&at->plan);
	pgt_symbols_release(&at->symbols);
	pgt_buf_release(&at->joined);
}

static void begin(struct fixture *at, const char *host)
{
	lines_add(&at->recording, "{'type':'recording','schema':1,'tool':'pgtrace 0',"
		  "'started_at':'T'}");
	lines_add(&at->recording, host);
}

static void put(char *path, struct lines *lines)
{
	int fd = mkstemp(path);

	cr_assert(ge(int, fd, 0));
	cr_assert(eq(sz, (size_t)write(fd, lines->text.at, lines->text.len), lines->text.len));
	close(fd);
	pgt_buf_release(&lines->text);
}

static int join(struct fixture *at)
{
	char recording[] = "/tmp/pgtrace-test-XXXXXX", counts[] = "/tmp/pgtrace-test-XXXXXX";
	struct pgt_diag ignored;
	int err;

	lines_end(&at->recording);
	lines_end(&at->counts);
	put(recording, &at->recording);
	put(counts, &at->counts);
	err = pgt_tcg_join(recording, counts, &at->join, &at->diag);
	cr_assert(zero(int, pgt_file_read(recording, &at->joined, &ignored)));
	unlink(recording);
	unlink(counts);
	return err;
}

static struct pgt_recording joined(struct fixture *at)
{
	struct pgt_recording recording;
	int err = join(at);

	cr_assert(zero(int, err), "%s", at->diag.text);
	err = pgt_recording_parse(&recording, "joined", &at->joined, &at->diag);
	cr_assert(zero(int, err), "%s", at->diag.text);
	return recording;
}

static const struct pgt_value *find(const struct pgt_recording *recording, const char *metric)
{
	for (size_t i = 0; i < recording->boots[0].n_values; i++)
		if (!strcmp(recording->boots[0].values[i].metric, metric))
			return &recording->boots[0].values[i];
	return NULL;
}

static void expect_value(const struct pgt_recording *recording, const char *metric, int64_t want,
			 const char *source)
{
	const struct pgt_value *value = find(recording, metric);

	cr_assert(ne(ptr, (void *)value, NULL), "%s", metric);
	cr_expect(eq(ptr, value->reason, NULL), "%s", metric);
	cr_expect(eq(i64, value->value, want), "%s", metric);
	cr_expect(eq(str, value->source, (char *)source), "%s", metric);
}

static void add_boot_counts(struct lines *counts, const char *linear_map)
{
	lines_add(counts, FIRST("ab", "0", "null"));
	lines_add(counts, linear_map);
	lines_add(counts, SCOPE("null", "add_memory", "0", "0", "0"));
	lines_add(counts, SCOPE("null", "create_pgd_mapping", "3", "700", "1"));
	lines_add(counts, "{'type':'scope_pages','window':null,'scope':'create_pgd_mapping',"
		  "'pages':512,'calls':1}");
}

Test(lab_tcg_join, a_boot)
{
	struct fixture at;
	struct pgt_recording recording;

	init(&at, "boot-2g");
	begin(&at, HOST("ab", "nokaslr"));
	add_boot_counts(&at.counts, SCOPE("null", "linear_map", "1", "600", "0"));
	lines_add(&at.counts, INSN("null", "linear_map", "dsb.ishst", "40"));
	lines_add(&at.counts, INSN("null", "linear_map", "dsb.ish", "2"));
	lines_add(&at.counts, INSN("null", "linear_map", "isb", "7"));
	lines_add(&at.counts, INSN("null", "linear_map", "dmb.ish", "5"));
	recording = joined(&at);
	cr_expect(eq(str, recording.boots[0].values[0].workload, "boot-2g"));
	expect_value(&recording, "linear_map.calls", 1, "tcg:scope");
	expect_value(&recording, "linear_map.pages", 600, "tcg:scope");
	expect_value(&recording, "linear_map.insn.dsb", 42, "tcg:scope");
	expect_value(&recording, "linear_map.insn.dsb.ishst", 40, "tcg:scope");
	expect_value(&recording, "linear_map.insn.isb", 7, "tcg:scope");
	expect_value(&recording, "linear_map.insn.tlbi", 0, "tcg:scope");
	expect_value(&recording, "linear_map.insn.dmb", 5, "tcg:scope");
	expect_value(&recording, "linear_map.instructions", 9000, "tcg:scope");
	cr_expect(not(find(&recording, "linear_map.calls")->lower_bound));
	expect_value(&recording, "create_pgd_mapping.calls", 3, "tcg:boot");
	expect_value(&recording, "create_pgd_mapping.pages_per_call.512", 1, "tcg:boot");
	cr_expect(find(&recording, "create_pgd_mapping.calls")->lower_bound, "one did not return");
	cr_expect(eq(ptr, (void *)find(&recording, "create_pgd_mapping.insn.dsb"), NULL));
	cr_expect(eq(ptr, (void *)find(&recording, "add_memory.calls"), NULL));
	cr_expect(ne(ptr, strstr(find(&recording, "vmap_pte_range.calls")->reason,
				 "not counted: the kernel has none of vmap_range_noflush, "), NULL));
	cr_assert(eq(sz, recording.boots[0].n_losses, 1));
	cr_expect(eq(str, recording.boots[0].losses[0].workload, "boot-2g"));
	cr_assert(eq(sz, recording.boots[0].n_functions, 1));
	cr_expect(eq(str, recording.boots[0].functions[0].function, "paging_init"));
	pgt_recording_release(&recording);
	release(&at);
}

Test(lab_tcg_join, a_scope_that_never_ran)
{
	struct fixture at;
	struct pgt_recording recording;

	init(&at, "boot-2g");
	begin(&at, HOST("ab", "nokaslr"));
	add_boot_counts(&at.counts, SCOPE("null", "linear_map", "0", "0", "0"));
	recording = joined(&at);
	cr_expect(eq(str, find(&recording, "linear_map.calls")->reason,
		     "not counted: no call was seen of paging_init"));
	cr_expect(eq(ptr, (void *)find(&recording, "linear_map.insn.dsb"), NULL));
	pgt_recording_release(&recording);
	release(&at);
}

/* A loss line that the guest wrote for the same workload stands for both. */
Test(lab_tcg_join, one_loss_line)
{
	struct fixture at;
	struct pgt_recording recording;

	init(&at, "boot-2g");
	begin(&at, HOST("ab", "nokaslr"));
	lines_loss(&at.recording, "boot-2g", 1, 0, 0);
	add_boot_counts(&at.counts, SCOPE("null", "linear_map", "1", "1", "0"));
	recording = joined(&at);
	cr_expect(eq(sz, recording.boots[0].n_losses, 1));
	pgt_recording_release(&recording);
	release(&at);
}

/* Two repeats of a workload in the windows 2 and 4; window 3 is one of breakpoints. */
static void add_windows(struct fixture *at)
{
	begin(at, HOST("ab", "panic=-1 nokaslr"));
	lines_add(&at->recording, "{'type':'unreached','function':'vectors','dsb':1,'isb':2,"
		  "'tlbi':0,'reason':'entry'}");
	for (int i = 0; i < 2; i++) {
		lines_addf(&at->recording, "{'type':'run','workload':'w','run':%d,'pass':'counts',"
			   "'mechanism':'kprobe','n_sites':0,'first_site':null,'window':%d,"
			   "'window_ns':1}", 2 * i + 1, 2 * i + 2);
		lines_addf(&at->recording, "{'type':'run','workload':'w','run':%d,'pass':'counts',"
			   "'mechanism':'breakpoint','n_sites':%d,'first_site':0,'window':%d,"
			   "'window_ns':1}", 2 * i + 2, i == 0, 2 * i + 3);
		lines_loss(&at->recording, "w", i + 1, 0, 0);
	}
	lines_add(&at->recording, "{'type':'site','workload':'w','repeat':1,'site':0,"
		  "'function':'vectors','offset':8,'address':'0xffff800080012008','kind':'isb',"
		  "'mechanism':'breakpoint','window':3,'hits':1,'in_probe':0,'outside':1,"
		  "'interrupt':0}");
}

static void add_window_counts(struct lines *counts, const char *model)
{
	char first[256];

	snprintf(first, sizeof(first), FIRST("ab", "5", "%s"), model);
	lines_add(counts, first);
	for (int i = 1; i <= 5; i++) {
		lines_addf(counts, "{'type':'window','window':%d,'vcpus':2,'instructions':7}", i);
		lines_addf(counts, SCOPE("%d", "linear_map", "0", "0", "0"), i);
		lines_addf(counts, SCOPE("%d", "add_memory", "%d", "131072", "0"), i, i == 4);
		lines_addf(counts, SCOPE("%d", "create_pgd_mapping", "0", "0", "0"), i);
	}
	lines_add(counts, INSN("4", "add_memory", "tlbi.vaale1is", "3"));
	lines_add(counts, SITE("null", "0xffff800080012004", "dsb.ish", "90"));
	lines_add(counts, SITE("null", "0xffff800080012008", "isb", "90"));
	lines_add(counts, SITE("null", "0xffff80008001200c", "dmb.ish", "90"));
	lines_add(counts, SITE("null", "0xffff800080014004", "isb", "90"));
	lines_add(counts, SITE("null", "0xffff800008000000", "isb", "90"));
	lines_add(counts, SITE("null", "0xffff00000004", "isb", "90"));
	lines_add(counts, SITE("2", "0xffff800080012004", "dsb.ish", "11"));
	lines_add(counts, SITE("2", "0xffff800080012008", "isb", "12"));
	lines_add(counts, SITE("2", "0xffff80008001200c", "dmb.ish", "13"));
	lines_add(counts, SITE("2", "0xffff800080014004", "isb", "14"));
	lines_add(counts, SITE("3", "0xffff800080012004", "dsb.ish", "15"));
	lines_add(counts, SITE("3", "0xffff800080012008", "isb", "1"));
	lines_add(counts, SITE("4", "0xffff800008000000", "isb", "16"));
	lines_add(counts, SITE("4", "0xffff00000004", "isb", "17"));
	lines_add(counts, "{'type':'slot','window':4,'word':'0xd5033a9f','kind':'dsb.ishst','hits':2}");
}

static int64_t value_of(const struct pgt_recording *recording, const char *metric, int64_t repeat)
{
	for (size_t i = 0; i < recording->boots[0].n_values; i++) {
		const struct pgt_value *value = &recording->boots[0].values[i];

		if (!strcmp(value->metric, metric) && value->repeat == repeat)
			return value->value;
	}
	return -1;
}

Test(lab_tcg_join, windows)
{
	struct fixture at;
	struct pgt_recording recording;

	init(&at, NULL);
	add_windows(&at);
	add_window_counts(&at.counts, "null");
	recording = joined(&at);
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.dsb", 1), 11),
		  "only of the window with the kprobes");
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.dsb.ish", 1), 11));
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.isb", 1), 0),
		  "one is counted by a breakpoint, one by a kprobe");
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.tlbi", 1), 0));
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.isb", 2), 16),
		  "outside the core text, but not in user space");
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.dsb", 2), 2), "in a slot");
	cr_expect(eq(i64, value_of(&recording, "add_memory.calls", 1), -1), "not called");
	cr_expect(eq(i64, value_of(&recording, "add_memory.calls", 2), 1));
	cr_expect(eq(i64, value_of(&recording, "add_memory.insn.tlbi", 2), -1),
		  "probes were planted, and execute instructions of their own");
	cr_expect(eq(i64, value_of(&recording, "add_memory.pages", 2), 131072));
	cr_expect(eq(i64, value_of(&recording, "linear_map.calls", 1), -1));
	cr_expect(ne(ptr, strstr(at.joined.at, "{\"type\":\"unseen\",\"workload\":\"w\",\"repeat\":1,"
				 "\"function\":\"vectors\",\"kind\":\"dsb.ish\",\"hits\":11,"
				 "\"source\":\"tcg:window\",\"reason\":\"entry\"}"), NULL));
	pgt_recording_release(&recording);
	release(&at);
}

/* It has values without a number, and no window: nothing is added to it, and nothing is amiss. */
Test(lab_tcg_join, a_workload_that_was_not_done)
{
	struct fixture at;
	struct pgt_recording recording;

	init(&at, NULL);
	add_windows(&at);
	lines_unsupported(&at.recording, "other", "p", "no module m");
	add_window_counts(&at.counts, "null");
	recording = joined(&at);
	cr_expect(eq(i64, value_of(&recording, "unseen.insn.dsb", 1), 11));
	cr_expect(eq(sz, recording.boots[0].n_truths, 2), "of the windows that there are");
	for (size_t i = 0; i < recording.boots[0].n_values; i++) {
		const struct pgt_value *value = &recording.boots[0].values[i];

		cr_expect(eq(int, !strcmp(value->workload, "other"), value->reason != NULL), "%s: %s",
			  value->workload, value->metric);
	}
	cr_expect(zero(ptr, strstr(at.joined.at, "{\"type\":\"loss\",\"workload\":\"other\"")));
	pgt_recording_release(&recording);
	release(&at);
}

Test(lab_tcg_join, a_model)
{
	struct fixture at;
	struct pgt_recording recording;

	init(&at, NULL);
	add_windows(&at);
	add_window_counts(&at.counts, "'neoverse-n1'");
	lines_add(&at.counts, "{'type':'model','window':2,'structure':'dtlb.l1',"
		  "'where':'linear_map','accesses':100,'misses':10}");
	lines_add(&at.counts, "{'type':'model','window':2,'structure':'dtlb.l1','where':'user',"
		  "'accesses':50,'misses':1}");
	lines_add(&at.counts, "{'type':'model','window':4,'structure':'dtlb.l1','where':'user',"
		  "'accesses':60,'misses':2}");
	lines_add(&at.counts, "{'type':'model_left_out','window':4,'what':'overflow','n':3}");
	recording = joined(&at);
	expect_value(&recording, "model.dtlb.l1.access", 150, "tcg:model");
	expect_value(&recording, "model.dtlb.l1.miss", 11, "tcg:model");
	expect_value(&recording, "model.dtlb.l1.miss.linear_map", 10, "tcg:model");
	cr_expect(not(find(&recording, "model.dtlb.l1.miss")->lower_bound));
	cr_expect(eq(i64, value_of(&recording, "model.dtlb.l1.access", 2), 60));
	expect_value(&recording, "model.left_out.overflow", 3, "tcg:model");
	pgt_recording_release(&recording);
	cr_expect(ne(ptr, strstr(at.joined.at, "\"value\":2,\"source\":\"tcg:model\","
				 "\"lower_bound\":true"), NULL), "something was left out");
	release(&at);
}

/* What does not fit is refused, and the recording stays as it was. */
static void expect_refused(const char *host, const char *first, const char *scope, int err,
			   const char *why)
{
	struct fixture at;

	init(&at, "boot-2g");
	begin(&at, host);
	lines_add(&at.counts, first);
	if (scope)
		lines_add(&at.counts, scope);
	cr_expect(eq(int, join(&at), err), "%s: %s", why, at.diag.text);
	cr_expect(ne(ptr, strstr(at.diag.text, why), NULL), "'%s' is not in '%s'", why,
		  at.diag.text);
	cr_expect(eq(ptr, strstr(at.joined.at, "tcg:"), NULL));
	cr_expect(ne(ptr, strstr(at.joined.at, "{\"type\":\"end\",\"lines\":3}"), NULL));
	release(&at);
}

Test(lab_tcg_join, refused)
{
	const char *good = HOST("ab", "nokaslr"), *first = FIRST("ab", "0", "null");

	expect_refused(HOST("cd", "nokaslr"), first, NULL, -EXDEV,
		       "the guest's kernel has build id cd, but the symbols are of one with ab");
	expect_refused(good, FIRST("cd", "0", "null"), NULL, -EXDEV,
		       "the plugin counted a kernel with build id cd");
	expect_refused(HOST("ab", "kaslr"), first, NULL, -EINVAL, "without nokaslr");
	expect_refused(good, first, NULL, -EPROTO, "no scope linear_map, although its plan does");
	expect_refused(good, "{'type':'tcg','schema':2}", NULL, -EPROTONOSUPPORT, "schema 2");
	expect_refused(good, FIRST("ab", "0", "null"),
		       SCOPE("null", "linear_map", "1", "1", "0"), -EPROTO,
		       "no scope create_pgd_mapping");
}

Test(lab_tcg_join, a_window_that_the_plugin_did_not_see)
{
	struct fixture at;

	init(&at, NULL);
	add_windows(&at);
	lines_add(&at.counts, FIRST("ab", "1", "null"));
	lines_add(&at.counts, "{'type':'window','window':1,'vcpus':2,'instructions':7}");
	cr_expect(eq(int, join(&at), -EPROTO));
	cr_expect(ne(ptr, strstr(at.diag.text, "w ran in window 2, but the plugin saw only 1"),
		     NULL), "%s", at.diag.text);
	release(&at);
}
