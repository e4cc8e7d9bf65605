/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lines.h - recordings for tests, built line by line in memory.
 */
#ifndef PGT_TESTS_LINES_H
#define PGT_TESTS_LINES_H

#include <stdio.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/buf.h"
#include "base/diag.h"
#include "recording/recording.h"

struct lines {
	struct pgt_buf text;
	size_t n;		/* lines of the recording that is being built */
};

/* One line; quotes are written as ' for the sake of C. */
static inline void lines_add(struct lines *lines, const char *line)
{
	for (; *line; line++)
		cr_assert(zero(int, pgt_buf_add(&lines->text, *line == '\'' ? "\"" : line, 1)));
	cr_assert(zero(int, pgt_buf_add(&lines->text, "\n", 1)));
	lines->n++;
}

#define lines_addf(lines, ...)							\
	do {									\
		char line_[1024];						\
										\
		snprintf(line_, sizeof(line_), __VA_ARGS__);			\
		lines_add(lines, line_);					\
	} while (0)

struct lines_host {		/* NULL and 0 stand for what a test does not care about */
	const char *arch, *release, *build_id, *boot_id, *accelerator;
	int page_size;
};

#define LINES_HOST(...)	(&(struct lines_host){ __VA_ARGS__ })

static inline const char *lines_or(const char *text, const char *otherwise)
{
	return text ? text : otherwise;
}

static inline void lines_begin(struct lines *lines, const struct lines_host *host)
{
	lines->n = 0;
	lines_add(lines, "{'type':'recording','schema':1,'tool':'pgtrace 0','started_at':'T'}");
	lines_addf(lines, "{'type':'host','arch':'%s','kernel_release':'%s','kernel_version':'v',"
		   "'build_id':'%s','config_digest':null,'config_digest_reason':'none','cpu':'c',"
		   "'n_cpus':2,'page_size':%d,'memory_bytes':1048576,'accelerator':'%s',"
		   "'cmdline':'','boot_id':'%s'}", lines_or(host->arch, "arm64"),
		   lines_or(host->release, "6.1"), lines_or(host->build_id, "aa"),
		   host->page_size ? host->page_size : 4096, lines_or(host->accelerator, "kvm"),
		   lines_or(host->boot_id, "b"));
}

static inline void lines_end(struct lines *lines)
{
	lines_addf(lines, "{'type':'end','lines':%zu}", lines->n + 1);
}

static inline void lines_loss(struct lines *lines, const char *workload, int repeat, int missed,
			      int unbalanced)
{
	lines_addf(lines, "{'type':'loss','workload':'%s','repeat':%d,'missed':%d,'recursion':0,"
		   "'overflow':0,'unbalanced':%d}", workload, repeat, missed, unbalanced);
}

static inline void lines_value_of(struct lines *lines, const char *workload, const char *metric,
				  const char *unit, int repeat, long long value,
				  const char *source, bool lower_bound)
{
	lines_addf(lines, "{'type':'metric','workload':'%s','repeat':%d,'metric':'%s','unit':'%s',"
		   "'value':%lld,'source':'%s','lower_bound':%s}", workload, repeat, metric, unit,
		   value, source, lower_bound ? "true" : "false");
}

static inline void lines_value(struct lines *lines, const char *metric, const char *unit,
			       int repeat, long long value)
{
	lines_value_of(lines, "w", metric, unit, repeat, value, "kprobe", false);
}

static inline void lines_absent(struct lines *lines, const char *metric, const char *unit,
				int repeat, const char *reason)
{
	lines_addf(lines, "{'type':'metric','workload':'w','repeat':%d,'metric':'%s','unit':'%s',"
		   "'value':null,'source':null,'lower_bound':false,'reason':'%s'}", repeat, metric,
		   unit, reason);
}

/* A workload that the machine cannot do, of a recording with one probe. */
static inline void lines_unsupported(struct lines *lines, const char *workload, const char *probe,
				     const char *lack)
{
	static const char *const metrics[] = { "window.ns", NULL, "outside.insn.dsb",
		"outside.insn.isb", "outside.insn.tlbi", "interrupt.insn.dsb",
		"interrupt.insn.isb", "interrupt.insn.tlbi" };

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		lines_addf(lines, "{'type':'metric','workload':'%s','repeat':1,'metric':'%s%s',"
			   "'unit':'%s','value':null,'source':null,'lower_bound':false,"
			   "'reason':'not supported here: %s'}", workload, metrics[i] ? "" : probe,
			   metrics[i] ? metrics[i] : ".calls",
			   i == 0 ? "ns" : i == 1 ? "calls" : "instructions", lack);
}

/* Parse what was built and start afresh. */
static inline int lines_parse(struct lines *lines, struct pgt_recording *out, const char *path,
			      struct pgt_diag *diag)
{
	int err;

	cr_assert(zero(int, pgt_buf_add(&lines->text, "", 0)));
	err = pgt_recording_parse(out, path, &lines->text, diag);
	pgt_buf_release(&lines->text);
	return err;
}

/* The same where it must work. */
static inline struct pgt_recording lines_recording(struct lines *lines, const char *path)
{
	struct pgt_recording recording;
	struct pgt_diag diag = { "" };
	int err = lines_parse(lines, &recording, path, &diag);

	cr_assert(zero(int, err), "%s", diag.text);
	return recording;
}

#endif /* PGT_TESTS_LINES_H */
