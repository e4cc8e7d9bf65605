/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "recording/recording.h"
#include "report/boot_table.h"
#include "report/side.h"

static int out_of_memory(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ENOMEM, "out of memory");
}

/* ---- reasons ---- */

/* The number of a reason, given when first met; 0 for none. */
static int number_reason(struct pgt_report *report, const char *reason, size_t *number,
			 struct pgt_diag *diag)
{
	const char **grown;

	*number = 0;
	if (!reason)
		return 0;
	for (size_t i = 0; i < report->n_reasons; i++)
		if (!strcmp(report->reasons[i], reason)) {
			*number = i + 1;
			return 0;
		}
	grown = reallocarray(report->reasons, report->n_reasons + 1, sizeof(*grown));
	if (!grown)
		return out_of_memory(diag);
	report->reasons = grown;
	grown[report->n_reasons++] = reason;
	*number = report->n_reasons;
	return 0;
}

static int number_row(struct pgt_report *report, struct pgt_report_row *row,
		      struct pgt_diag *diag)
{
	int err = number_reason(report, row->row->base.reason, &row->base_reason, diag);

	return err ? err : number_reason(report, row->row->test.reason, &row->test_reason, diag);
}

/* ---- rows ---- */

bool pgt_report_is_for_text(const struct pgt_metric *metric)
{
	switch (metric->view) {
	case PGT_VIEW_CALLS:
	case PGT_VIEW_PAGES:
	case PGT_VIEW_SELF:
	case PGT_VIEW_INSN:
	case PGT_VIEW_INSTRUCTIONS:
	case PGT_VIEW_TABLES:
	case PGT_VIEW_MODEL:
		return true;
	case PGT_VIEW_OUTSIDE:
	case PGT_VIEW_INTERRUPT:
	case PGT_VIEW_UNSEEN:
		return !metric->of_kind;
	default:
		return false;
	}
}

static bool is_zero(const struct pgt_side *side)
{
	return side->n && side->lo == 0 && side->hi == 0;
}

bool pgt_report_is_zero(const struct pgt_row *row)
{
	return pgt_report_is_for_text(&row->properties) && is_zero(&row->base) &&
	       is_zero(&row->test) && !(row->notes & PGT_NOTE_PARTIAL);
}

static int add_rows(struct pgt_report *report, struct pgt_diag *diag)
{
	const struct pgt_comparison *comparison = report->comparison;

	report->rows = calloc(comparison->n_rows + 1, sizeof(*report->rows));
	if (!report->rows)
		return out_of_memory(diag);
	for (; report->n_rows < comparison->n_rows; report->n_rows++) {
		struct pgt_report_row *row = &report->rows[report->n_rows];
		int err;

		row->row = &comparison->rows[report->n_rows];
		row->shown = pgt_report_is_for_text(&row->row->properties) &&
			     !pgt_report_is_zero(row->row);
		err = number_row(report, row, diag);
		if (err)
			return err;
	}
	return 0;
}

static int add_workloads(struct pgt_report *report, struct pgt_diag *diag)
{
	const struct pgt_comparison *comparison = report->comparison;
	size_t at = 0;

	report->workloads = calloc(comparison->n_works + 1, sizeof(*report->workloads));
	if (!report->workloads)
		return out_of_memory(diag);
	for (; report->n_workloads < comparison->n_works; report->n_workloads++) {
		struct pgt_report_workload *workload = &report->workloads[report->n_workloads];

		workload->work = &comparison->works[report->n_workloads];
		workload->rows = &report->rows[at];
		for (; at < report->n_rows; at++, workload->n_rows++) {
			const struct pgt_row *row = report->rows[at].row;

			if (strcmp(row->workload, workload->work->workload))
				break;
			if (pgt_report_is_zero(row) && (row->notes & PGT_NOTE_LOWER_BOUND))
				workload->n_zero_bound++;
			else if (pgt_report_is_zero(row))
				workload->n_zero++;
		}
	}
	return 0;
}

/* ---- functions ---- */

static struct pgt_report_function *find_function(struct pgt_report *report,
						 const struct pgt_function *function)
{
	for (size_t i = 0; i < report->n_functions; i++)
		if (!strcmp(report->functions[i].probe, function->probe) &&
		    !strcmp(report->functions[i].function, function->function))
			return &report->functions[i];
	return NULL;
}

/* Make room behind the last function of the same probe, or at the end. */
static struct pgt_report_function *insert_function(struct pgt_report *report,
						   const struct pgt_function *function)
{
	struct pgt_report_function *at;
	size_t i = report->n_functions;

	while (i > 0 && strcmp(report->functions[i - 1].probe, function->probe))
		i--;
	if (i == 0)
		i = report->n_functions;
	at = &report->functions[i];
	memmove(at + 1, at, (report->n_functions - i) * sizeof(*at));
	*at = (struct pgt_report_function){ .probe = function->probe,
					    .function = function->function };
	report->n_functions++;
	return at;
}

/* The first boot that mentions a function speaks for its side. */
static int add_side_functions(struct pgt_report *report, const struct pgt_recording *recording,
			      bool is_base, struct pgt_diag *diag)
{
	for (size_t i = 0; i < recording->n_boots; i++)
		for (size_t j = 0; j < recording->boots[i].n_functions; j++) {
			const struct pgt_function *function = &recording->boots[i].functions[j];
			struct pgt_report_function *at = find_function(report, function);
			const char **mechanism;
			size_t *reason;
			int err;

			if (!at)
				at = insert_function(report, function);
			mechanism = is_base ? &at->base_mechanism : &at->test_mechanism;
			reason = is_base ? &at->base_reason : &at->test_reason;
			if (*mechanism || *reason)
				continue;
			*mechanism = function->mechanism;
			err = number_reason(report, function->mechanism ? function->partial_reason :
					    function->reason, reason, diag);
			if (err)
				return err;
		}
	return 0;
}

static size_t count_functions(const struct pgt_recording *recording)
{
	size_t n = 0;

	for (size_t i = 0; i < recording->n_boots; i++)
		n += recording->boots[i].n_functions;
	return n;
}

static int add_functions(struct pgt_report *report, struct pgt_diag *diag)
{
	const struct pgt_recording *base = report->comparison->base;
	const struct pgt_recording *test = report->comparison->test;
	int err;

	report->functions = calloc(count_functions(base) + count_functions(test) + 1,
				   sizeof(*report->functions));
	if (!report->functions)
		return out_of_memory(diag);
	err = add_side_functions(report, base, true, diag);
	return err ? err : add_side_functions(report, test, false, diag);
}

/* ---- control ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static int check_control(const struct pgt_report *report, const struct pgt_comparison *control,
			 struct pgt_diag *diag)
{
	const struct pgt_host *base = report->base.host;
	const struct pgt_host *again = &control->test->boots[0].host;

	if (strcmp(base->kernel_release, again->kernel_release) ||
	    !same_text(base->build_id, again->build_id))
		return pgt_fail(diag, -EINVAL, "%s: the control is of kernel %s (build id %s), base "
				"of %s (build id %s): a control is a second recording of base",
				control->test->path, again->kernel_release,
				again->build_id ? again->build_id : "not known",
				base->kernel_release, base->build_id ? base->build_id : "not known");
	return 0;
}

bool pgt_report_is_found(const struct pgt_row *row)
{
	return row->verdict == PGT_BETTER || row->verdict == PGT_WORSE ||
	       row->verdict == PGT_DIFFERENT || row->verdict == PGT_ONE_SIDE_ONLY ||
	       (row->notes & PGT_NOTE_DISJOINT);
}

static int fill_control(struct pgt_report *report, struct pgt_report_control *control,
			struct pgt_diag *diag)
{
	const struct pgt_comparison *comparison = control->comparison;

	control->differ = calloc(comparison->n_rows + 1, sizeof(*control->differ));
	if (!control->differ)
		return out_of_memory(diag);
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct pgt_row *row = &comparison->rows[i];
		struct pgt_report_row *found = &control->differ[control->n_differ];
		int err;

		if (row->verdict == PGT_UNDECIDED)
			control->n_undecided++;
		else if (row->notes & PGT_NOTE_EXACT)
			control->n_exact++;
		else if (!isnan(row->p))
			control->n_tested++;
		if (row->notes & PGT_NOTE_VARIES)
			control->n_varies++;
		/* Ranges of two boots a side are apart one time in three, by chance. */
		if (row->notes & PGT_NOTE_TOO_FEW_BOOTS || !pgt_report_is_found(row))
			continue;
		*found = (struct pgt_report_row){ .row = row, .shown = true };
		err = number_row(report, found, diag);
		if (err)
			return err;
		control->n_differ++;
	}
	control->by_chance = comparison->alpha * (double)control->n_tested;
	return 0;
}

static int add_control(struct pgt_report *report, const struct pgt_comparison *comparison,
		       struct pgt_diag *diag)
{
	int err = check_control(report, comparison, diag);

	if (err)
		return err;
	report->control = calloc(1, sizeof(*report->control));
	if (!report->control)
		return out_of_memory(diag);
	report->control->comparison = comparison;
	err = pgt_report_side_make(&report->control->side, comparison->test, diag);
	return err ? err : fill_control(report, report->control, diag);
}

static int number_unreached(struct pgt_report *report, struct pgt_unreached_sum *sum,
			    struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < sum->n_top; i++)
		err = number_reason(report, sum->top[i]->reason, &sum->top_reason[i], diag);
	return err;
}

bool pgt_report_is_counted(const struct pgt_report_row *row)
{
	return !(row->row->notes & PGT_NOTE_NOT_COUNTED);
}

static bool is_not_counted(const struct pgt_report_row *row)
{
	return row->shown && !pgt_report_is_counted(row);
}

size_t pgt_report_not_counted(const struct pgt_report_row *rows, size_t n, size_t i)
{
	size_t alike = 0;

	if (!is_not_counted(&rows[i]))
		return 0;
	for (size_t j = 0; j < n; j++) {
		if (!is_not_counted(&rows[j]) || !pgt_report_same_scope(&rows[i], &rows[j]) ||
		    rows[j].base_reason != rows[i].base_reason ||
		    rows[j].test_reason != rows[i].test_reason)
			continue;
		if (j < i)
			return 0;
		alike++;
	}
	return alike;
}

bool pgt_report_has_truth(const struct pgt_report *report)
{
	return report->base.truth.n_repeats || report->test.truth.n_repeats ||
	       (report->control && report->control->side.truth.n_repeats);
}

bool pgt_report_same_scope(const struct pgt_report_row *a, const struct pgt_report_row *b)
{
	size_t n = a->row->properties.scope_len;

	return b->row->properties.scope_len == n && !strncmp(a->row->metric, b->row->metric, n);
}

int pgt_report_make(struct pgt_report *out, const struct pgt_comparison *comparison,
		    const struct pgt_comparison *control, struct pgt_diag *diag)
{
	struct pgt_report report = { .comparison = comparison };
	int err;

	err = pgt_report_side_make(&report.base, comparison->base, diag);
	if (!err)
		err = pgt_report_side_make(&report.test, comparison->test, diag);
	if (!err)
		err = add_rows(&report, diag);
	if (!err)
		err = add_workloads(&report, diag);
	if (!err)
		err = pgt_boot_table_make(&report, diag);
	if (!err)
		err = add_functions(&report, diag);
	if (!err)
		err = number_unreached(&report, &report.base.unreached, diag);
	if (!err)
		err = number_unreached(&report, &report.test.unreached, diag);
	if (!err && control)
		err = add_control(&report, control, diag);
	if (err)
		pgt_report_release(&report);
	else
		*out = report;
	return err;
}

void pgt_report_release(struct pgt_report *report)
{
	if (report->control)
		free(report->control->differ);
	free(report->control);
	pgt_boot_table_free(report->boot);
	free(report->reasons);
	free(report->functions);
	free(report->workloads);
	free(report->rows);
	*report = (struct pgt_report){ .comparison = NULL };
}
