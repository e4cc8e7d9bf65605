/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/measure_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "base/version.h"
#include "lab/workload.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "recording/recording.h"
#include "trace/host.h"
#include "trace/snapshot.h"

static const char *reach_name(enum pgt_reach reach)
{
	return reach == PGT_REACH_KPROBE ? "kprobe" : reach == PGT_REACH_BREAKPOINT ? "breakpoint" : NULL;
}

int pgt_lines_start(struct pgt_writer *writer, struct pgt_diag *diag)
{
	json_t *host;
	char started[32];
	time_t now = time(NULL);
	struct tm utc;
	int err;

	gmtime_r(&now, &utc);
	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &utc);
	err = pgt_writer_line(writer, json_pack("{s:s, s:i, s:s, s:s}", "type", "recording",
		"schema", PGT_RECORDING_SCHEMA, "tool", "pgtrace " PGT_VERSION,
		"started_at", started), diag);
	if (err)
		return err;
	host = pgt_host_line(diag);
	return host ? pgt_writer_line(writer, host, diag) : -ENOMEM;
}

static int write_function(struct pgt_writer *writer, const struct pgt_plan_func *func,
			  struct pgt_diag *diag)
{
	const char *mechanism = pgt_mechanism_name(func->mechanism);
	json_t *line = json_pack("{s:s, s:s, s:s, s:s?}", "type", "function",
				 "probe", func->row->probe, "function", func->symbol->name,
				 "mechanism", mechanism);

	if (line && func->reason[0])
		json_object_set_new(line, mechanism ? "partial_reason" : "reason",
				    json_string(func->reason));
	return pgt_writer_line(writer, line, diag);
}

/* A probe that was asked for and that the kernel has no function of. */
static int write_absent_probe(struct pgt_writer *writer, int probe, struct pgt_diag *diag)
{
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:s, s:n, s:s}", "type", "function",
		"probe", pgt_probes[probe].name, "function", pgt_probes[probe].name, "mechanism",
		"reason", "the kernel has none of the probe's functions"), diag);
}

static int write_functions(struct pgt_writer *writer, const struct pgt_plan *plan,
			   struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; i < plan->n && !err; i++)
		err = write_function(writer, &plan->func[i], diag);
	for (size_t i = 0; i < pgt_n_probes && !err; i++)
		if (plan->probes & 1u << i && !pgt_plan_has(plan, (int)i))
			err = write_absent_probe(writer, (int)i, diag);
	return err;
}

/*
 * One line a function that has sites of this reach; sites are in order of address.  The
 * reason is the same for all of them.
 */
static int write_reach(struct pgt_writer *writer, const struct pgt_sites *sites,
		       enum pgt_reach reach, const char *type, const char *reason,
		       struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; i < sites->n && !err; ) {
		const struct pgt_ksym *function = sites->at[i].function;
		const struct pgt_site *found = NULL;
		int n[PGT_N_OPS] = { 0 };

		for (; i < sites->n && sites->at[i].function == function; i++)
			if (sites->at[i].reach == reach) {
				n[sites->at[i].insn.op]++;
				found = &sites->at[i];
			}
		if (found)
			err = pgt_writer_line(writer, json_pack("{s:s, s:s, s:i, s:i, s:i, s:s}",
				"type", type, "function", function->name,
				"dsb", n[PGT_OP_DSB], "isb", n[PGT_OP_ISB], "tlbi", n[PGT_OP_TLBI],
				"reason", reason ? reason : found->reason), diag);
	}
	return err;
}

int pgt_lines_head(struct pgt_writer *writer, const struct pgt_plan *plan,
		   const struct pgt_sites *sites, struct pgt_diag *diag)
{
	int err = write_functions(writer, plan, diag);

	if (!err)
		err = write_reach(writer, sites, PGT_REACH_BREAKPOINT, "notrace",
				  "tracing may not touch it: its sites are counted by breakpoints", diag);
	if (!err)
		err = write_reach(writer, sites, PGT_REACH_NONE, "unreached", NULL, diag);
	return err;
}

int pgt_lines_run(struct pgt_writer *writer, const struct pgt_run_line *run,
		  struct pgt_diag *diag)
{
	json_t *first = run->first_site < 0 ? json_null() : json_integer(run->first_site);

	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:I, s:s, s:s, s:I, s:o, s:I, s:I}",
		"type", "run", "workload", run->workload, "run", (json_int_t)run->run,
		"pass", "counts", "mechanism", reach_name(run->mechanism),
		"n_sites", (json_int_t)run->n_sites, "first_site", first,
		"window", (json_int_t)run->window, "window_ns", (json_int_t)run->window_ns), diag);
}

/* ---- sites ---- */

#define NOWHERE	(PGT_KNOWN_NOT_IN_PROBES | PGT_KNOWN_NOT_OUTSIDE | PGT_KNOWN_NOT_IN_INTERRUPT)

/* Why nobody knows how often it was executed; NULL where that is known. */
static const char *why_not_counted(const struct pgt_site *site, uint16_t known)
{
	if (known & PGT_KNOWN_COUNTED || (known & NOWHERE) == NOWHERE)
		return NULL;
	if (site->reach == PGT_REACH_NONE)
		return site->reason;
	if (site->reach == PGT_REACH_SKIPPED)
		return "not asked for";
	if (site->incidental)
		return "part of a context switch or of the clock, which is no probe's work: it "
		       "got no breakpoint";
	if ((known & PGT_KNOWN_NOT_IN_PROBES) == PGT_KNOWN_NOT_IN_PROBES)
		return "executed within no probe: it got no breakpoint";
	return "it needs a breakpoint, and there was none for it";
}

/* Write one object that has the members of both; takes both references. */
static int write_both(struct pgt_writer *writer, json_t *line, json_t *more, struct pgt_diag *diag)
{
	if (line && (!more || json_object_update(line, more))) {
		json_decref(line);
		line = NULL;
	}
	json_decref(more);
	return pgt_writer_line(writer, line, diag);
}

/* What is the same in all lines of sites. */
static json_t *site_line(const struct pgt_site_lines *lines, size_t i)
{
	const struct pgt_site *site = &lines->sites->at[i];
	char address[24];

	snprintf(address, sizeof(address), "0x%016" PRIx64, site->address);
	return json_pack("{s:s, s:s, s:I, s:I, s:s, s:I, s:s, s:s}",
		"type", "site", "workload", lines->workload, "repeat", (json_int_t)lines->repeat,
		"site", (json_int_t)i, "function", site->function->name,
		"offset", (json_int_t)(site->address - site->function->address),
		"address", address, "kind", site->insn.kind);
}

static int write_counted(struct pgt_writer *writer, const struct pgt_site_lines *lines, size_t i,
			 struct pgt_diag *diag)
{
	const struct pgt_site_cell *cell = &lines->cell[i];
	const char *mechanism = lines->known[i] & PGT_KNOWN_COUNTED ?
				reach_name(lines->sites->at[i].reach) : "watched";
	uint64_t in_probe = 0, outside = cell->innermost[PGT_IN_OUTSIDE];
	uint64_t interrupt = cell->innermost[PGT_IN_INTERRUPT];
	json_t *line, *counts;

	for (int k = 0; k < PGT_PROBE_MAX; k++)
		in_probe += cell->innermost[k];
	if (!(in_probe + outside + interrupt) && !lines->every)
		return 0;
	line = site_line(lines, i);
	counts = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "mechanism", mechanism,
		"window", (json_int_t)lines->window[i],
		"hits", (json_int_t)(in_probe + outside + interrupt),
		"in_probe", (json_int_t)in_probe, "outside", (json_int_t)outside,
		"interrupt", (json_int_t)interrupt);
	return write_both(writer, line, counts, diag);
}

static int write_uncounted(struct pgt_writer *writer, const struct pgt_site_lines *lines, size_t i,
			   const char *why, struct pgt_diag *diag)
{
	if (!lines->every)
		return 0;
	return write_both(writer, site_line(lines, i),
			  json_pack("{s:n, s:n, s:n, s:n, s:n, s:n, s:s}", "mechanism", "window",
				    "hits", "in_probe", "outside", "interrupt", "reason", why), diag);
}

int pgt_lines_sites(struct pgt_writer *writer, const struct pgt_site_lines *lines,
		    struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; i < lines->sites->n && !err; i++) {
		const char *why = why_not_counted(&lines->sites->at[i], lines->known[i]);

		err = why ? write_uncounted(writer, lines, i, why, diag) :
			    write_counted(writer, lines, i, diag);
	}
	return err;
}

int pgt_lines_loss(struct pgt_writer *writer, const char *workload, int64_t repeat,
		   const struct pgt_snapshot *sum, struct pgt_diag *diag)
{
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I}",
		"type", "loss", "workload", workload, "repeat", (json_int_t)repeat,
		"missed", (json_int_t)sum->missed, "recursion", (json_int_t)sum->recursion,
		"overflow", (json_int_t)(sum->loss.overflow + sum->loss.unknown),
		"unbalanced", (json_int_t)sum->loss.unbalanced), diag);
}

int pgt_lines_work(struct pgt_writer *writer, const char *workload, int64_t repeat,
		   const struct pgt_work *work, struct pgt_diag *diag)
{
	return pgt_writer_line(writer, json_pack("{s:s, s:s, s:I, s:s, s:I, s:I}",
		"type", "work", "workload", workload, "repeat", (json_int_t)repeat,
		"unit", work->unit, "asked", (json_int_t)work->asked, "done", (json_int_t)work->done), diag);
}
