/* SPDX-License-Identifier: GPL-2.0-only */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "lab/workload.h"
#include "probe/catalogue.h"
#include "probe/ksyms.h"
#include "probe/plan.h"
#include "trace/host.h"

struct list_settings {
	bool here;
};

static const struct argp_option list_options[] = {
	{ "here", 'k', NULL, 0, "show which of the functions the running kernel has (needs root)", 0 },
	{ 0 }
};

static error_t list_option(int key, char *arg, struct argp_state *state)
{
	struct list_settings *settings = state->input;

	switch (key) {
	case 'k':
		settings->here = true;
		return 0;
	case ARGP_KEY_ARG:
		pgt_usage_error(state, "unexpected argument '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp list_argp = {
	.options = list_options,
	.parser = list_option,
	.doc = "List the probes with the functions that stand for them, and the workloads.",
};

static const char *pages_text(const struct pgt_catalogue_row *row)
{
	static const char *const text[] = {
		[PGT_PAGES_NONE] = "pages not in its arguments",
		[PGT_PAGES_SPAN] = "part of the work, not a call of its own",
		[PGT_PAGES_ONE] = "one page",
		[PGT_PAGES_PMD] = "the pages of one PMD entry",
		[PGT_PAGES_FULL] = "a whole address space",
		[PGT_PAGES_BYTES] = "pages from a length",
		[PGT_PAGES_RANGE] = "pages from start and end",
		[PGT_PAGES_FOLIO] = "pages of the folio",
		[PGT_PAGES_GATHER] = "pages of the mmu_gather",
	};

	return text[row->pages];
}

static void list_copies(const struct pgt_plan *plan, const struct pgt_catalogue_row *row)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		if (plan->func[i].row == row) {
			printf("        has %s\n", plan->func[i].symbol->name);
			n++;
		}
	if (!n)
		printf("        not in this kernel\n");
}

static void list_probe(const struct pgt_probe *probe, const struct pgt_plan *plan)
{
	printf("%s: %s\n", probe->name, probe->help);
	for (size_t i = 0; i < pgt_n_catalogue; i++) {
		const struct pgt_catalogue_row *row = &pgt_catalogue[i];

		if (strcmp(row->probe, probe->name))
			continue;
		printf("    %-7s %-32s %s\n", row->arch, row->function, pages_text(row));
		if (plan && !strcmp(row->arch, pgt_host_arch()))
			list_copies(plan, row);
	}
}

static int list_all(bool here, struct pgt_diag *diag)
{
	struct pgt_ksyms ksyms = { 0 };
	struct pgt_plan plan = { 0 };
	int err = 0;

	if (here) {
		err = pgt_ksyms_read(&ksyms, "/proc/kallsyms", diag);
		if (!err)
			err = pgt_plan_make(&plan, pgt_host_arch(), &ksyms, ~0u, diag);
	}
	if (!err) {
		printf("Probes\n\n");
		for (size_t i = 0; i < pgt_n_probes; i++)
			list_probe(&pgt_probes[i], here ? &plan : NULL);
		printf("\nWorkloads\n\n");
		for (size_t i = 0; pgt_workloads[i]; i++)
			printf("%-14s %s\n", pgt_workloads[i]->name, pgt_workloads[i]->help);
		err = pgt_stdout_flush(diag);
	}
	pgt_plan_release(&plan);
	pgt_ksyms_release(&ksyms);
	return err;
}

int pgt_cmd_list(int argc, char **argv)
{
	struct list_settings settings = { 0 };
	struct pgt_diag diag = { "" };
	int err;

	pgt_options_parse(&list_argp, "pgtrace list", argc, argv, &settings);
	err = list_all(settings.here, &diag);
	if (err)
		fprintf(stderr, "pgtrace list: %s\n", diag.text);
	return err ? 1 : 0;
}
