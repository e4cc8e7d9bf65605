/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recording.h - the recording: the file between measuring and comparing.
 *
 * JSON Lines.  Every line is one flat object whose first member is "type"; integers are
 * integers, times are ns, and what was not counted is null with a "reason" beside it.
 * One *recording* is the lines from "recording" to "end" and describes one boot; a file
 * holds one or more of them, one after the other.  A reader refuses a file in which any
 * recording has no "end" line, or whose "end" counts other lines than there are.
 *
 *   {"type":"recording","schema":1,"tool":"pgtrace 0.1.0","started_at":"2026-11-30T12:00:00Z"}
 *   {"type":"host","arch":"arm64","kernel_release":"6.1.0-50-arm64","kernel_version":"#1 SMP ...",
 *    "build_id":"hex"|null,"config_digest":"sha256 hex"|null,"cpu":"midr=0x...","n_cpus":2,
 *    "page_size":4096,"memory_bytes":2147483648,"accelerator":"tcg","cmdline":"...","boot_id":"uuid"}
 *        (a null member NAME has its reason in NAME_reason)
 *   {"type":"function","probe":"vmap_pte_range","function":"vmap_range_noflush","mechanism":"fentry"}
 *   {"type":"function","probe":"flush_tlb","function":"flush_tlb_mm","mechanism":null,"reason":"..."}
 *        mechanism: fentry | kprobe | kretprobe | call-site | tcg:scope; with "partial_reason"
 *        where it misses calls
 *   {"type":"unreached","function":"hyp_text","dsb":3,"isb":0,"tlbi":1,"reason":"..."}
 *        sites that no mechanism reaches: what a count cannot see
 *   {"type":"notrace","function":"__set_ptes.constprop.0","dsb":2,"isb":1,"tlbi":0,"reason":"..."}
 *        sites that only a breakpoint reaches
 *   {"type":"run","workload":"vmalloc","run":1,"pass":"counts","mechanism":"kprobe","n_sites":643,
 *    "first_site":null,"window":2,"window_ns":1234}
 *   {"type":"run","workload":"vmalloc","run":2,"pass":"counts","mechanism":"breakpoint","n_sites":6,
 *    "first_site":12,"window":3,"window_ns":1234}
 *        which run counted which sites (first_site: index in the order of the "site" lines' "site")
 *        window: its number, from 1, among all that this pgtrace opened, uncounted ones too
 *   {"type":"site","workload":"vmalloc","repeat":1,"site":12,"function":"__set_ptes.constprop.0",
 *    "offset":44,"address":"0xffff800080012345","kind":"dsb.ishst","mechanism":"breakpoint",
 *    "window":3,"hits":12856,"in_probe":12850,"outside":6,"interrupt":0}
 *        only sites with hits; with record --every-site all, and then also
 *        mechanism: kprobe | breakpoint | watched (its function was not entered in the window, so
 *        it executed nothing); null with a "reason" and hits null where it was not counted
 *   {"type":"metric","workload":"vmalloc","repeat":1,"metric":"vmap_pte_range.insn.dsb.ishst",
 *    "unit":"instructions","value":12850,"source":"kprobe+breakpoint","lower_bound":false}
 *   {"type":"metric",...,"value":null,"source":null,"lower_bound":false,"reason":"not supported: ..."}
 *        repeat: 1..N of record --runs N; one value a repeat
 *        a workload that the machine cannot do (record --skip-unsupported) has such lines for
 *        window.ns, each probe's .calls, and the outside.insn and interrupt.insn totals, whose
 *        reason is that of all other metrics, and no lines of any other type
 *        a kind (".dsb.ish") without a line is 0 where its total (".dsb") has a value
 *   {"type":"loss","workload":"vmalloc","repeat":1,"missed":0,"recursion":0,"overflow":0,"unbalanced":0}
 *   {"type":"unseen","workload":"vmalloc","repeat":1,"function":"el1h_64_irq","kind":"isb",
 *    "hits":12,"source":"tcg:window","reason":"..."}
 *        executed in a window where no mechanism reaches, as an emulator's plugin counted it
 *   {"type":"truth","workload":"vmalloc","repeat":1,"sites":811,"hits":26843,"differ":0}
 *        sites and hits whose counts were held against an emulator's plugin's, and how many differ
 *   {"type":"work","workload":"vmalloc","repeat":1,"unit":"pages","asked":12800,"done":12800}
 *        the workload's own check that its work happened
 *   {"type":"end","lines":N}                   N counts all lines of this recording, "end" included
 *
 * Unknown members are ignored, unknown types are skipped (a newer minor writer); an
 * unknown schema is refused, and so are: an unknown metric, a unit that is not the metric's,
 * a value that is there twice, a repeat that has values but no loss line (nobody knows then
 * whether something was lost), work that was not done in full, and boots of different
 * architectures.  Texts are not empty, but for the kernel's command line.  Counts are 0 to
 * 2^63 - 1; a metric's value ends at 2^53, up to which a double holds every integer.
 */
#ifndef PGT_RECORDING_RECORDING_H
#define PGT_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PGT_RECORDING_SCHEMA	1

struct pgt_buf;
struct pgt_diag;
struct json_t;

/* ---- writing ---- */

struct pgt_writer;

/* Start a recording in path ("-" is standard output); nothing has its final name before finish. */
int pgt_writer_open(struct pgt_writer **out, const char *path, struct pgt_diag *diag);

/*
 * Write one line, an object whose first member is "type", and take the reference to it.
 * NULL (json_pack() ran out of memory) fails with -ENOMEM.
 */
int pgt_writer_line(struct pgt_writer *writer, struct json_t *line, struct pgt_diag *diag);

/* Write the end line and put the file in its place. */
int pgt_writer_finish(struct pgt_writer *writer, struct pgt_diag *diag);

/* Close; without a finish the partial file is removed.  Accepts NULL. */
void pgt_writer_free(struct pgt_writer *writer);

/* ---- reading ---- */

struct pgt_host {
	char *arch, *kernel_release, *kernel_version, *build_id, *config_digest, *cpu;
	char *accelerator, *cmdline, *boot_id;	/* NULL where the recording has null */
	int64_t n_cpus, page_size, memory_bytes;
};

struct pgt_value {		/* one metric line */
	char *workload, *metric, *unit;
	char *source;		/* NULL where not counted */
	char *reason;		/* why there is no value; NULL where there is one */
	int64_t repeat;
	int64_t value;		/* meaningless where reason is set */
	bool lower_bound;
	size_t line;		/* in the file, from 1 */
};

struct pgt_loss {		/* events the kernel refused or dropped */
	char *workload;
	int64_t repeat, missed, recursion, overflow, unbalanced;
	size_t line;
};

struct pgt_work_done {		/* the workload's check that its work happened: done == asked */
	char *workload, *unit;
	int64_t repeat, asked, done;
};

struct pgt_function {
	char *probe, *function;
	char *mechanism, *reason;	/* one of the two is NULL */
	char *partial_reason;		/* why the mechanism misses calls; NULL where it does not */
};

struct pgt_unreached {
	char *function, *reason;
	int64_t dsb, isb, tlbi;
};

struct pgt_run {		/* one window */
	char *workload;
	char *mechanism;	/* NULL where the recording does not say */
	int64_t run, n_sites;
	int64_t window;		/* its number; 0 where the recording does not say */
};

struct pgt_site_hits {		/* of one site, in one repeat */
	char *workload, *function, *kind;
	char *mechanism, *reason;	/* NULL and why where it was not counted */
	int64_t repeat, site, offset;
	int64_t hits;		/* -1: not counted */
	int64_t window;		/* that they were counted in; 0 where the recording does not say */
	uint64_t address;	/* likewise */
};

struct pgt_truth {		/* how counts compare with those of an emulator's plugin */
	char *workload;
	int64_t repeat, sites, hits, differ;
};

struct pgt_boot {		/* one recording */
	char *tool, *started_at;
	struct pgt_host host;
	struct pgt_value *values;
	struct pgt_loss *losses;
	struct pgt_function *functions;
	struct pgt_unreached *unreached;
	struct pgt_work_done *works;
	struct pgt_run *runs;
	struct pgt_site_hits *sites;
	struct pgt_truth *truths;
	size_t n_values, n_losses, n_functions, n_unreached, n_works, n_runs, n_sites, n_truths;
};

struct pgt_recording {		/* one file: at least one boot, all of one architecture */
	char *path;
	struct pgt_boot *boots;
	size_t n_boots;
};

/*
 * Read and check a whole file.  Returns 0 and fills *out, or
 *   -ENOENT, -EACCES, ...  the file cannot be read;
 *   -EPROTO   a line is not what the schema says (the text names file, line and why);
 *   -ENODATA  a recording has no end line, or the file is empty;
 *   -EPROTONOSUPPORT  the schema is not ours;
 *   -ENOMEM.
 */
int pgt_recording_read(struct pgt_recording *out, const char *path, struct pgt_diag *diag);

/* The same for text that is in memory already; path is for messages. */
int pgt_recording_parse(struct pgt_recording *out, const char *path,
			const struct pgt_buf *text, struct pgt_diag *diag);
void pgt_recording_release(struct pgt_recording *recording);

#endif /* PGT_RECORDING_RECORDING_H */
