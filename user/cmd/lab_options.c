/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_options.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lab/arch.h"
#include "lab/workload.h"
#include "probe/catalogue.h"
#include "report/report.h"

#define MIB	(UINT64_C(1) << 20)
#define GIB	(UINT64_C(1) << 30)

enum {				/* options without a letter */
	KEY_BOOTS = 256, KEY_JOBS, KEY_MEMORY, KEY_CPU, KEY_CPUS, KEY_SITES, KEY_PROBES, KEY_RUNS,
	KEY_QEMU, KEY_MODULES, KEY_GUEST, KEY_PROGRAM, KEY_FORMAT, KEY_PATIENCE, KEY_ARCH,
};

static const char *const default_workloads[] = {
	"hotplug", "vmalloc", "pageout-file", "pageout-anon", "munmap", NULL
};

static const struct pgt_lab_options defaults = {
	.arch = "arm64",
	.boots = 2,
	.jobs = 1,
	.n_cpus = 2,
	.patience_s = 120,
	.runs = 1,
	.memory = 2 * GIB,
	.sites = "all",
	.format = "text",
	.workloads = default_workloads,
};

#define GUEST_OPTIONS								\
	{ NULL, 0, NULL, 0, "Guests:", 2 },					\
	{ "memory", KEY_MEMORY, "SIZE", 0, "memory of a guest, 256M to 64G (2G)", 0 },	\
	{ "cpu", KEY_CPU, "MODEL", 0, "QEMU's CPU model (max; host under KVM)", 0 },	\
	{ "cpus", KEY_CPUS, "N", 0, "CPUs of a guest, 1 to 64 (2)", 0 },	\
	{ "modules", KEY_MODULES, "DIR", 0, "modules of a kernel that is given as an Image", 0 }, \
	{ "qemu", KEY_QEMU, "PATH", 0, "use this QEMU", 0 },			\
	{ "guest-pgtrace", KEY_GUEST, "PATH", 0,				\
	  "the guest's static pgtrace (ARCH/pgtrace beside this program)", 0 },	\
	{ "program", KEY_PROGRAM, "FILE", 0,					\
	  "put FILE into the guest's /lab/bin, for the workload 'command' (repeatable)", 0 }, \
	{ "patience", KEY_PATIENCE, "SECONDS", 0,				\
	  "give a guest up after so long without a new byte from it, 5 to 3600 (120)", 0 }, \
	{ NULL, 0, NULL, 0, "Recording:", 3 },					\
	{ "sites", KEY_SITES, "self|all", 0, "instruction sites to count (all)", 0 },	\
	{ "probes", KEY_PROBES, "NAME[,NAME]", 0, "count only these probes", 0 },	\
	{ "runs", KEY_RUNS, "N", 0, "record each workload N times a boot, 1 to 1000 (1)", 0 }

#define ARCH_OPTION								\
	{ "arch", KEY_ARCH, "NAME", 0, "architecture of the guests (arm64)", 0 }

static const struct argp_option ab_options[] = {
	{ "output", 'o', "DIR", 0, "write recordings and reports into DIR (pgtrace-ab)", 1 },
	{ "format", KEY_FORMAT, "NAME", 0, "what to print: text, markdown or json (text)", 0 },
	{ "boots", KEY_BOOTS, "N", 0, "boots a side, and of the control, 1 to 100 (2)", 0 },
	{ "jobs", KEY_JOBS, "N", 0, "guests at a time, 1 to 64 (1)", 0 },
	GUEST_OPTIONS, ARCH_OPTION, { 0 }
};

static const struct argp_option run_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording to FILE, - for standard output (-)", 1 },
	GUEST_OPTIONS, ARCH_OPTION, { 0 }
};

static const struct argp_option fetch_options[] = { ARCH_OPTION, { 0 } };

#define WORKLOAD_HELP "\v"							\
	"A kernel is a series (6.12: the newest stock Debian kernel of it), a Debian "	\
	"package name, or the path (with a '/') of an uncompressed Image.  Without "	\
	"workloads: hotplug, vmalloc, pageout-file, pageout-anon, munmap; 'pgtrace list' "	\
	"describes them."

static const struct form {
	const char *name;
	const struct argp_option *options;
	const char *args, *doc;
	size_t n_operands;
	const char *output;
} forms[] = {
	[PGT_LAB_AB] = { "pgtrace lab ab", ab_options, "BASE TEST [-- WORKLOAD...]",
		"Boot two kernels in alternation, run the workloads in each boot, and report "
		"what differs.  A control, the base against itself, stands beside it."
		WORKLOAD_HELP, 2, "pgtrace-ab" },
	[PGT_LAB_RUN] = { "pgtrace lab run", run_options, "KERNEL [-- WORKLOAD...]",
		"Boot one kernel once, run the workloads in it, and write the recording."
		WORKLOAD_HELP, 1, "-" },
	[PGT_LAB_FETCH] = { "pgtrace lab fetch", fetch_options, "qemu|sysroot|KERNEL",
		"Fetch something into the cache and print its path: QEMU's program, the "
		"directory of what a static build links with, or a kernel's Image.", 1, NULL },
};

struct parse {
	struct pgt_lab_options *options;
	const struct form *form;
	struct pgt_diag *diag;
};

static int take_count(struct parse *parse, const char *option, const char *arg,
		      unsigned int min, unsigned int max, unsigned int *out)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(arg, &end, 10);
	if (arg[0] < '0' || arg[0] > '9' || *end || errno || value < min || value > max)
		return -pgt_fail(parse->diag, -EINVAL, "%s: '%s' is not a number from %u to %u",
				 option, arg, min, max);
	*out = (unsigned int)value;
	return 0;
}

static int take_memory(struct parse *parse, const char *arg)
{
	char *end;
	unsigned long long value;
	uint64_t unit = 0;

	errno = 0;
	value = strtoull(arg, &end, 10);
	if (!strcmp(end, "M"))
		unit = MIB;
	else if (!strcmp(end, "G"))
		unit = GIB;
	if (arg[0] < '0' || arg[0] > '9' || errno || !unit || value > 64 * GIB / unit ||
	    value * unit < 256 * MIB)
		return -pgt_fail(parse->diag, -EINVAL,
				 "--memory: '%s' is not a size from 256M to 64G, such as 512M or 2G", arg);
	parse->options->memory = value * unit;
	return 0;
}

static int take_sites(struct parse *parse, const char *arg)
{
	if (strcmp(arg, "self") && strcmp(arg, "all"))
		return -pgt_fail(parse->diag, -EINVAL, "--sites: '%s' is neither self nor all", arg);
	parse->options->sites = arg;
	return 0;
}

static int take_probes(struct parse *parse, const char *arg)
{
	char *copy = strdup(arg), *rest = copy, *name;
	int err = 0;

	if (!copy)
		return -pgt_fail(parse->diag, -ENOMEM, "out of memory");
	while (!err && (name = strsep(&rest, ",")))
		if (strcmp(name, "all") && pgt_probe_find(name) < 0)
			err = -pgt_fail(parse->diag, -EINVAL,
					"--probes: unknown probe '%s' (see pgtrace list)", name);
	free(copy);
	parse->options->probes = arg;
	return err;
}

static int take_program(struct parse *parse, const char *arg)
{
	struct pgt_lab_options *options = parse->options;

	if (options->n_programs == PGT_LAB_MAX_PROGRAMS)
		return -pgt_fail(parse->diag, -EINVAL, "--program: more than %d programs",
				 PGT_LAB_MAX_PROGRAMS);
	options->programs[options->n_programs++] = arg;
	return 0;
}

static int take_operand(struct parse *parse, const char *arg)
{
	struct pgt_lab_options *options = parse->options;

	if (options->n_operands == parse->form->n_operands)
		return -pgt_fail(parse->diag, -EINVAL,
				 "'%s' is one argument too many (workloads go after --)", arg);
	options->operand[options->n_operands++] = arg;
	return 0;
}

static int take_format(struct parse *parse, const char *arg)
{
	if (!pgt_renderer_find(arg))
		return -pgt_fail(parse->diag, -EINVAL,
				 "--format: '%s' is none of text, markdown, json", arg);
	parse->options->format = arg;
	return 0;
}

static int take_arch(struct parse *parse, const char *arg)
{
	if (!pgt_arch_find(arg))
		return -pgt_fail(parse->diag, -EINVAL, "--arch: unknown architecture '%s' (arm64)", arg);
	parse->options->arch = arg;
	return 0;
}

static int take_guest_option(struct parse *parse, int key, char *arg)
{
	struct pgt_lab_options *options = parse->options;

	switch (key) {
	case KEY_MEMORY:
		return take_memory(parse, arg);
	case KEY_CPU:
		options->cpu = arg;
		return 0;
	case KEY_CPUS:
		return take_count(parse, "--cpus", arg, 1, 64, &options->n_cpus);
	case KEY_MODULES:
		options->modules = arg;
		return 0;
	case KEY_QEMU:
		options->qemu = arg;
		return 0;
	case KEY_GUEST:
		options->guest_pgtrace = arg;
		return 0;
	case KEY_PROGRAM:
		return take_program(parse, arg);
	case KEY_PATIENCE:
		return take_count(parse, "--patience", arg, 5, 3600, &options->patience_s);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct parse *parse = state->input;
	struct pgt_lab_options *options = parse->options;

	switch (key) {
	case ARGP_KEY_INIT:
		state->err_stream = NULL;	/* one line on standard error, without argp's advice */
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case KEY_FORMAT:
		return take_format(parse, arg);
	case KEY_BOOTS:
		return take_count(parse, "--boots", arg, 1, 100, &options->boots);
	case KEY_JOBS:
		return take_count(parse, "--jobs", arg, 1, 64, &options->jobs);
	case KEY_SITES:
		return take_sites(parse, arg);
	case KEY_PROBES:
		return take_probes(parse, arg);
	case KEY_RUNS:
		return take_count(parse, "--runs", arg, 1, 1000, &options->runs);
	case KEY_ARCH:
		return take_arch(parse, arg);
	case ARGP_KEY_ARG:
		return take_operand(parse, arg);
	default:
		return take_guest_option(parse, key, arg);
	}
}

/* Every workload must exist and take its parameters: better known before a boot than after. */
static int check_workloads(const char *const *workloads, struct pgt_diag *diag)
{
	for (; *workloads; workloads++) {
		const char *colon = strchrnul(*workloads, ':');
		char *name = strndup(*workloads, (size_t)(colon - *workloads));
		const struct pgt_workload *workload = name ? pgt_workload_find(name) : NULL;
		void *state = NULL;
		int err;

		free(name);
		if (!workload)
			return pgt_fail(diag, -EINVAL, "unknown workload '%.*s' (see pgtrace list)",
					(int)(colon - *workloads), *workloads);
		err = workload->parse(&state, *colon ? colon + 1 : NULL, diag);
		if (err)
			return -EINVAL;
		workload->release(state);
	}
	return 0;
}

static int split_workloads(struct pgt_lab_options *options, int *argc, char **argv,
			   enum pgt_lab_command command, struct pgt_diag *diag)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		if (command == PGT_LAB_FETCH || i + 1 == *argc)
			return pgt_fail(diag, -EINVAL, command == PGT_LAB_FETCH ?
					"fetch takes no workloads" : "no workload after --");
		options->workloads = (const char *const *)&argv[i + 1];
		*argc = i;
		return 0;
	}
	return 0;
}

int pgt_lab_options_parse(struct pgt_lab_options *options, enum pgt_lab_command command,
			  int argc, char **argv, struct pgt_diag *diag)
{
	const struct form *form = &forms[command];
	struct pgt_lab_options made = defaults;
	struct parse parse = { &made, form, diag };
	struct argp argp = { form->options, take_option, form->args, form->doc, NULL, NULL, NULL };
	char *name = argv[0];
	int err;

	made.output = form->output;
	diag->text[0] = '\0';
	err = split_workloads(&made, &argc, argv, command, diag);
	if (err)
		return err;
	argv[0] = (char *)form->name;
	err = argp_parse(&argp, argc, argv, 0, NULL, &parse);
	argv[0] = name;
	if (err)
		return -EINVAL;
	if (made.n_operands < form->n_operands)
		return pgt_fail(diag, -EINVAL, "too few arguments: %s %s", form->name, form->args);
	if (made.boots * 3 < made.jobs)
		made.jobs = made.boots * 3;
	err = check_workloads(made.workloads, diag);
	if (!err)
		*options = made;
	return err;
}
