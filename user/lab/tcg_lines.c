/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/tcg_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "lab/scope_plan.h"
#include "lab/tcg_join.h"
#include "lab/tcg_result.h"
#include "recording/metric.h"
#include "recording/recording.h"

#define SCOPE	"tcg:scope"
#define MODEL	"tcg:model"

struct values {			/* what a scope's lines have in common */
	const struct pgt_tcg_target *target;
	const struct pgt_tcg_scope *scope;
	const char *source;
};

static int write_metric(const struct pgt_tcg_target *target, const char *name, json_t *rest)
{
	struct pgt_metric metric;
	json_t *line;

	if (pgt_metric_lookup(name, &metric)) {
		json_decref(rest);
		return pgt_fail(target->diag, -EPROTO, "the plugin counted \"%s\", which is no metric "
				"of this pgtrace", name);
	}
	line = json_pack("{s:s, s:s, s:I, s:s, s:s}", "type", "metric",
			 "workload", target->workload, "repeat", (json_int_t)target->repeat,
			 "metric", name, "unit", metric.unit);
	if (!line || !rest || json_object_update(line, rest)) {
		json_decref(line);
		line = NULL;	/* the writer says what is wrong */
	}
	json_decref(rest);
	return pgt_writer_line(target->writer, line, target->diag);
}

int pgt_tcg_lines_value(const struct pgt_tcg_target *target, const char *source, int64_t value,
			bool lower_bound, const char *metric, ...)
{
	char name[160];
	va_list args;

	va_start(args, metric);
	vsnprintf(name, sizeof(name), metric, args);
	va_end(args);
	return write_metric(target, name, json_pack("{s:I, s:s, s:b}", "value", (json_int_t)value,
						    "source", source, "lower_bound", lower_bound));
}

/* .calls without a value: its reason is that of all the others, which then have no line. */
static int write_absent(const struct pgt_tcg_target *target, const char *scope, const char *why)
{
	struct pgt_buf functions = PGT_BUF_INIT;
	char name[160];
	json_t *rest = NULL;
	int err = pgt_scope_candidates(&functions, target->join->arch, scope);

	snprintf(name, sizeof(name), "%s.calls", scope);
	if (!err)
		rest = json_pack("{s:n, s:n, s:b, s:o}", "value", "source", "lower_bound", 0,
				 "reason", json_sprintf("not counted: %s %s", why, functions.at));
	err = write_metric(target, name, rest);
	pgt_buf_release(&functions);
	return err;
}

static const struct pgt_tcg_scope *find_scope(const struct pgt_tcg_target *target,
					      const char *name)
{
	const struct pgt_tcg_result *result = target->result;

	for (size_t i = 0; i < result->n_scopes; i++)
		if (result->scopes[i].window == target->window &&
		    !strcmp(result->scopes[i].scope, name))
			return &result->scopes[i];
	pgt_fail(target->diag, -EPROTO, "the plugin's counts have no scope %s, although its plan "
		 "does", name);
	return NULL;
}

static int write_value(const struct values *values, const char *what, int64_t value)
{
	return pgt_tcg_lines_value(values->target, values->source, value,
				   values->scope->unfinished > 0, "%s.%s", values->scope->scope,
				   what);
}

/* Pages only where some call named some: 0 would say that there were none. */
static int write_calls(const struct values *values)
{
	const struct pgt_tcg_scope *scope = values->scope;
	int err = write_value(values, "calls", scope->calls);

	if (!err)
		err = write_value(values, "full", scope->full);
	if (!err)
		err = write_value(values, "unsized", scope->unsized);
	if (!err && (!scope->calls || scope->full + scope->unsized < scope->calls))
		err = write_value(values, "pages", scope->pages);
	return err;
}

static int write_pages_per_call(const struct values *values)
{
	const struct pgt_tcg_result *result = values->target->result;
	int err = 0;

	for (size_t i = 0; !err && i < result->n_scope_pages; i++) {
		const struct pgt_tcg_scope_pages *bin = &result->scope_pages[i];
		char what[64];

		if (bin->window != values->scope->window ||
		    strcmp(bin->scope, values->scope->scope))
			continue;
		snprintf(what, sizeof(what), "pages_per_call.%" PRId64, bin->pages);
		err = write_value(values, what, bin->calls);
	}
	return err;
}

/* All kinds of one instruction, and their sum, which is there also where it is 0. */
static int write_instruction(const struct values *values, const char *instruction)
{
	const struct pgt_tcg_result *result = values->target->result;
	size_t n = strlen(instruction);
	char what[64];
	int64_t sum = 0;
	int err = 0;

	for (size_t i = 0; !err && i < result->n_scope_insns; i++) {
		const struct pgt_tcg_scope_insn *insn = &result->scope_insns[i];

		if (insn->window != values->scope->window ||
		    strcmp(insn->scope, values->scope->scope) ||
		    strncmp(insn->kind, instruction, n) || (insn->kind[n] && insn->kind[n] != '.'))
			continue;
		sum += insn->count;
		snprintf(what, sizeof(what), "insn.%s", insn->kind);
		if (insn->kind[n])
			err = write_value(values, what, insn->count);
	}
	snprintf(what, sizeof(what), "insn.%s", instruction);
	return err ? err : write_value(values, what, sum);
}

static int write_executed(const struct values *values)
{
	static const char *const instructions[] = { "dsb", "isb", "tlbi", "dmb", "sb" };
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(instructions) / sizeof(instructions[0]); i++)
		err = write_instruction(values, instructions[i]);
	if (!err && values->scope->instructions >= 0)
		err = write_value(values, "instructions", values->scope->instructions);
	return err;
}

/* Which function it was, for the report's list. */
static int write_functions(const struct values *values)
{
	const struct pgt_scope_plan *plan = values->target->join->plan;
	int err = 0;

	for (size_t i = 0; !err && i < plan->n; i++)
		if (!strcmp(plan->entries[i].scope, values->scope->scope))
			err = pgt_writer_line(values->target->writer, json_pack(
				"{s:s, s:s, s:s, s:s}", "type", "function",
				"probe", values->scope->scope,
				"function", plan->entries[i].function,
				"mechanism", values->source), values->target->diag);
	return err;
}

static int write_scope(const struct values *values)
{
	int err = write_functions(values);

	return err ? err : write_calls(values);
}

/* Leaves values->scope NULL, and says why in a line, where the kernel has none of its functions. */
static int find_planned(struct values *values, const char *name)
{
	if (!pgt_scope_plan_has(values->target->join->plan, name))
		return write_absent(values->target, name, "the kernel has none of");
	values->scope = find_scope(values->target, name);
	return values->scope ? 0 : -EPROTO;
}

/* A scope that never ran in the whole boot was not where it was looked for. */
static int write_boot_scope(const struct pgt_tcg_target *target, const char *name)
{
	struct values values = { target, NULL, SCOPE };
	int err = find_planned(&values, name);

	if (err || !values.scope)
		return err;
	if (!values.scope->calls && !values.scope->unfinished)
		return write_absent(target, name, "no call was seen of");
	err = write_scope(&values);
	return err ? err : write_executed(&values);
}

/* What a whole boot calls is not the same every time. */
static int write_boot_probe(const struct pgt_tcg_target *target, const char *name)
{
	struct values values = { target, NULL, PGT_SOURCE_WHOLE_BOOT };
	int err = find_planned(&values, name);

	if (err || !values.scope)
		return err;
	err = write_calls(&values);
	return err ? err : write_pages_per_call(&values);
}

/* The first row of each scope of the architecture, or NULL. */
static const struct pgt_scope_row *next_scope(const char *arch, bool booting, size_t *at)
{
	for (; *at < pgt_n_scopes; ++*at) {
		const struct pgt_scope_row *row = &pgt_scopes[*at];

		if (!strcmp(row->arch, arch) && row->booting == booting &&
		    (!*at || strcmp(row[-1].scope, row->scope))) {
			++*at;
			return row;
		}
	}
	return NULL;
}

int pgt_tcg_lines_boot(const struct pgt_tcg_target *target)
{
	const struct pgt_scope_row *row;
	size_t at = 0;
	int err = 0;

	while (!err && (row = next_scope(target->join->arch, true, &at)))
		err = write_boot_scope(target, row->scope);
	for (size_t i = 0; !err && i < pgt_n_probes; i++)
		err = write_boot_probe(target, pgt_probes[i].name);
	return err;
}

/*
 * Calls and pages only.  The guest's probes are planted in a window, and the exceptions that they
 * take execute barriers too, within the scope: as many as the function itself, or more.
 */
int pgt_tcg_lines_scopes(const struct pgt_tcg_target *target)
{
	const struct pgt_scope_row *row;
	size_t at = 0;
	int err = 0;

	while (!err && (row = next_scope(target->join->arch, false, &at))) {
		struct values values = { target, NULL, SCOPE };

		if (!pgt_scope_plan_has(target->join->plan, row->scope))
			continue;
		values.scope = find_scope(target, row->scope);
		if (!values.scope)
			return -EPROTO;
		if (values.scope->calls || values.scope->unfinished)
			err = write_scope(&values);
	}
	return err;
}

/* ---- the model ---- */

static bool is_partial(const struct pgt_tcg_target *target)
{
	const struct pgt_tcg_result *result = target->result;

	for (size_t i = 0; i < result->n_left_out; i++)
		if (result->left_out[i].window == target->window && result->left_out[i].n)
			return true;
	return false;
}

/* All places in the address space of one structure, and their sum. */
static int write_structure(const struct pgt_tcg_target *target, const char *structure)
{
	const struct pgt_tcg_result *result = target->result;
	int64_t accesses = 0, misses = 0;
	bool partial = is_partial(target);
	int err = 0;

	for (size_t i = 0; !err && i < result->n_models; i++) {
		const struct pgt_tcg_model *model = &result->models[i];

		if (model->window != target->window || strcmp(model->structure, structure))
			continue;
		accesses += model->accesses;
		misses += model->misses;
		err = pgt_tcg_lines_value(target, MODEL, model->accesses, partial,
					  "model.%s.access.%s", structure, model->where);
		if (!err)
			err = pgt_tcg_lines_value(target, MODEL, model->misses, partial,
						  "model.%s.miss.%s", structure, model->where);
	}
	if (!err)
		err = pgt_tcg_lines_value(target, MODEL, accesses, partial, "model.%s.access",
					  structure);
	return err ? err : pgt_tcg_lines_value(target, MODEL, misses, partial, "model.%s.miss",
					       structure);
}

static bool is_first_of_structure(const struct pgt_tcg_target *target, size_t i)
{
	const struct pgt_tcg_model *models = target->result->models;

	if (models[i].window != target->window)
		return false;
	for (size_t j = 0; j < i; j++)
		if (models[j].window == target->window &&
		    !strcmp(models[j].structure, models[i].structure))
			return false;
	return true;
}

/* The loss beside the lower bounds that it makes of all others. */
static int write_left_out(const struct pgt_tcg_target *target)
{
	const struct pgt_tcg_result *result = target->result;
	int err = 0;

	for (size_t i = 0; !err && i < result->n_left_out; i++)
		if (result->left_out[i].window == target->window)
			err = pgt_tcg_lines_value(target, MODEL, result->left_out[i].n, false,
						  "model.left_out.%s", result->left_out[i].what);
	return err;
}

int pgt_tcg_lines_model(const struct pgt_tcg_target *target)
{
	int err = 0;

	for (size_t i = 0; !err && i < target->result->n_models; i++)
		if (is_first_of_structure(target, i))
			err = write_structure(target, target->result->models[i].structure);
	return err ? err : write_left_out(target);
}
