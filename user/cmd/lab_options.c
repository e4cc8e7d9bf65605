/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_options.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cmd/options.h"
#include "lab/arch.h"
#include "lab/workload.h"
#include "probe/catalogue.h"
#include "report/report.h"

#define MIB	(UINT64_C(1) << 20)
#define GIB	(UINT64_C(1) << 30)
#define APPEND_MAX	1024	/* characters */

enum {				/* options without a letter */
	KEY_BOOTS = 256, KEY_JOBS, KEY_MEMORY, KEY_CPU, KEY_CPUS, KEY_SITES, KEY_PROBES, KEY_RUNS,
	KEY_QEMU, KEY_MODULES, KEY_GUEST, KEY_PROGRAM, KEY_FORMAT, KEY_PATIENCE, KEY_ARCH,
	KEY_BOOT, KEY_BOOT_MEMORY, KEY_PLUGIN, KEY_NO_PLUGIN, KEY_MODEL, KEY_TABLE,
	KEY_APPEND, KEY_PATCHES, KEY_CONSOLE,
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
	.boot_memory = { 1 * GIB, 2 * GIB, 4 * GIB },
	.n_boot_memory = 3,
};

#define ARCH_OPTION								\
	{ "arch", KEY_ARCH, "NAME", 0, "architecture of the guests (arm64)", 0 },	\
	{ "patches", KEY_PATCHES, "DIR", 0,					\
	  "topics and configurations of kernels that are built (kernel-patches)", 0 }

#define GUEST_OPTIONS								\
	{ NULL, 0, NULL, 0, "Guests:", 2 },					\
	ARCH_OPTION,								\
	{ "memory", KEY_MEMORY, "SIZE", 0, "memory of a guest, 256M to 64G (2G)", 0 },	\
	{ "cpu", KEY_CPU, "MODEL", 0, "QEMU's CPU model (max; host under KVM)", 0 },	\
	{ "cpus", KEY_CPUS, "N", 0, "CPUs of a guest, 1 to 64 (2)", 0 },	\
	{ "append", KEY_APPEND, "PARAMETERS", 0,				\
	  "give the guests' kernels these parameters, too", 0 },		\
	{ "modules", KEY_MODULES, "DIR", 0, "modules of a kernel that is given as an Image", 0 }, \
	{ "qemu", KEY_QEMU, "PATH", 0, "use this QEMU", 0 },			\
	{ "guest-pgtrace", KEY_GUEST, "PATH", 0,				\
	  "the guest's static pgtrace (ARCH/pgtrace beside this program)", 0 },	\
	{ "program", KEY_PROGRAM, "FILE", 0,					\
	  "put FILE into the guest's /lab/bin, for the workload 'command' (repeatable)", 0 }, \
	{ "patience", KEY_PATIENCE, "SECONDS", 0,				\
	  "give a guest up after so long without a new byte from it, 5 to 3600 (120)", 0 }, \
	{ NULL, 0, NULL, 0, "Counting from outside the guests:", 4 },		\
	{ "plugin", KEY_PLUGIN, "PATH", 0,					\
	  "the plugin that counts (pgtrace-tcg.so beside this program)", 0 },	\
	{ "no-plugin", KEY_NO_PLUGIN, NULL, 0, "count only within the guests", 0 },	\
	{ "tlb-model", KEY_MODEL, "CORE", 0,					\
	  "model the TLBs of a core, such as neoverse-n1, while the workloads run", 0 }, \
	{ NULL, 0, NULL, 0, "Recording:", 3 },					\
	{ "sites", KEY_SITES, "self|all", 0, "instruction sites to count (all)", 0 },	\
	{ "probes", KEY_PROBES, "NAME[,NAME]", 0, "count only these probes", 0 },	\
	{ "runs", KEY_RUNS, "N", 0, "record each workload N times a boot, 1 to 1000 (1)", 0 }

static const struct argp_option ab_options[] = {
	{ "output", 'o', "DIR", 0, "write recordings and reports into DIR (pgtrace-ab)", 1 },
	{ "format", KEY_FORMAT, "NAME", 0, "what to print: text, markdown or json (text)", 0 },
	{ "boots", KEY_BOOTS, "N", 0, "boots a side, and of the control, 1 to 100 (2)", 0 },
	{ "jobs", KEY_JOBS, "N", 0, "guests at a time, 1 to 64 (1)", 0 },
	{ "boot", KEY_BOOT, NULL, 0,
	  "measure booting too, from the first instruction on; without workloads, only that", 0 },
	{ "boot-memory", KEY_BOOT_MEMORY, "SIZE[,SIZE]", 0,
	  "memory of the guests whose booting is measured, up to 8 sizes (1G,2G,4G)", 0 },
	GUEST_OPTIONS, { 0 }
};

static const struct argp_option run_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording to FILE, - for standard output (-)", 1 },
	{ "console", KEY_CONSOLE, "FILE", 0,
	  "write the guest's console log to FILE, however it ends", 1 },
	GUEST_OPTIONS, { 0 }
};

static const struct argp_option verify_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording, with every site, to FILE", 1 },
	{ "format", KEY_TABLE, "NAME", 0, "what to print: text or json (text)", 0 },
	GUEST_OPTIONS, { 0 }
};

static const struct argp_option fetch_options[] = { ARCH_OPTION, { 0 } };

#define WORKLOAD_HELP "\v"							\
	"A kernel is a series (6.12: the newest stock Debian kernel of it), a Debian "	\
	"package name, a step of a topic of patches (TOPIC/STEP[:debug][:16K|:64K]: it is "	\
	"built), or the path (with a '/') of an uncompressed Image.  Without "	\
	"workloads: hotplug, vmalloc, pageout-file, pageout-anon, munmap; 'pgtrace list' "	\
	"describes them."

static const struct form {
	const char *name;
	const struct argp_option *options;
	const char *args, *doc;
	size_t n_operands;
	bool workloads;
	const char *output;
} forms[] = {
	[PGT_LAB_AB] = { "pgtrace lab ab", ab_options, "BASE TEST [-- WORKLOAD...]",
		"Boot two kernels in alternation, run the workloads in each boot, and report "
		"what differs.  A control, the base against itself, stands beside it."
		WORKLOAD_HELP, 2, true, "pgtrace-ab" },
	[PGT_LAB_RUN] = { "pgtrace lab run", run_options, "KERNEL [-- WORKLOAD...]",
		"Boot one kernel once, run the workloads in it, and write the recording."
		WORKLOAD_HELP, 1, true, "-" },
	[PGT_LAB_VERIFY] = { "pgtrace lab verify", verify_options, "KERNEL [-- WORKLOAD...]",
		"Boot one kernel once, run the workloads in it, and hold the count of every site in "
		"every window against that of a plugin in the emulator."
		WORKLOAD_HELP "\n\nExit status: 0 all counts are equal and nothing was lost, 1 not, "
		"2 used wrongly.", 1, true, NULL },
	[PGT_LAB_FETCH] = { "pgtrace lab fetch", fetch_options, "qemu|sysroot|KERNEL",
		"Fetch something into the cache and print its path: QEMU's program, the "
		"directory of what a static build links with, or a kernel's Image.", 1, false, NULL },
};

struct parse {
	struct pgt_lab_options options;
	const struct form *form;
	bool boot_memory_given;
};

static void take_memory(const struct argp_state *state, const char *option, const char *arg,
			uint64_t *out)
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
		pgt_usage_error(state, "%s: '%s' is not a size from 256M to 64G, such as 512M",
				option, arg);
	*out = value * unit;
}

static void take_boot_memory(const struct argp_state *state, const char *arg,
			     struct pgt_lab_options *options)
{
	char *copy = strdup(arg), *rest = copy, *size;

	if (!copy)
		pgt_usage_error(state, "--boot-memory: out of memory");
	options->n_boot_memory = 0;
	while ((size = strsep(&rest, ","))) {
		size_t n = options->n_boot_memory++;

		if (n == PGT_LAB_MAX_BOOTS)
			pgt_usage_error(state, "--boot-memory: more than %d sizes",
					PGT_LAB_MAX_BOOTS);
		take_memory(state, "--boot-memory", size, &options->boot_memory[n]);
		for (size_t i = 0; i < n; i++)
			if (options->boot_memory[i] == options->boot_memory[n])
				pgt_usage_error(state, "--boot-memory: '%s' is there twice", size);
	}
	free(copy);
}

static void take_sites(struct argp_state *state, const char *arg, const char **out)
{
	static const char *const choices[] = { "self", "all", NULL };
	unsigned int choice;

	pgt_arg_choice(state, "--sites", arg, choices, &choice);
	*out = choices[choice];
}

static void take_probes(struct argp_state *state, const char *arg, const char **out)
{
	const char *names[PGT_PROBE_MAX + 1] = { NULL };
	unsigned int chosen;

	for (size_t i = 0; i < pgt_n_probes; i++)
		names[i] = pgt_probes[i].name;
	pgt_arg_choices(state, "--probes", arg, names, &chosen);
	*out = arg;
}

static void take_program(const struct argp_state *state, const char *arg,
			 struct pgt_lab_options *options)
{
	if (options->n_programs == PGT_LAB_MAX_PROGRAMS)
		pgt_usage_error(state, "--program: more than %d programs", PGT_LAB_MAX_PROGRAMS);
	if (access(arg, R_OK))
		pgt_usage_error(state, "--program: %s: %s", arg, strerror(errno));
	options->programs[options->n_programs++] = arg;
}

/* The kernel takes 2048 characters and cuts the rest off without a word. */
static void take_append(const struct argp_state *state, const char *arg, const char **out)
{
	for (const char *at = arg; *at; at++)
		if (*at < ' ' || *at > '~')
			pgt_usage_error(state, "--append: kernel parameters are printable ASCII");
	if (strlen(arg) > APPEND_MAX)
		pgt_usage_error(state, "--append: more than %d characters", APPEND_MAX);
	*out = arg;
}

static void take_operand(const struct argp_state *state, const char *arg, struct parse *parse)
{
	struct pgt_lab_options *options = &parse->options;

	if (options->n_operands == parse->form->n_operands)
		pgt_usage_error(state, "'%s' is one argument too many (workloads go after --)", arg);
	options->operand[options->n_operands++] = arg;
}

static void take_format(const struct argp_state *state, const char *arg, const char **out)
{
	if (!pgt_renderer_find(arg))
		pgt_usage_error(state, "--format: '%s' is none of text, markdown, json", arg);
	*out = arg;
}

static void take_table(struct argp_state *state, const char *arg, const char **out)
{
	static const char *const choices[] = { "text", "json", NULL };
	unsigned int choice;

	pgt_arg_choice(state, "--format", arg, choices, &choice);
	*out = choices[choice];
}

static void take_arch(const struct argp_state *state, const char *arg, const char **out)
{
	if (!pgt_arch_find(arg))
		pgt_usage_error(state, "--arch: unknown architecture '%s'", arg);
	*out = arg;
}

/* Every workload must exist and take its parameters: better known before a boot than after. */
static void check_workload(const struct argp_state *state, const char *text)
{
	size_t n = strcspn(text, ":");
	char *name = strndup(text, n);
	const struct pgt_workload *workload = name ? pgt_workload_find(name) : NULL;
	struct pgt_diag diag = { "" };
	void *own = NULL;

	if (!workload)
		pgt_usage_error(state, "'%s' is no workload of 'pgtrace list'", name ? name : text);
	if (workload->parse(&own, text[n] ? text + n + 1 : NULL, &diag))
		pgt_usage_error(state, "%s", diag.text);
	workload->release(own);
	free(name);
}

/* Options that exclude or need each other. */
static void check_outside(const struct argp_state *state, const struct parse *parse)
{
	const struct pgt_lab_options *options = &parse->options;

	if (options->no_plugin && options->plugin)
		pgt_usage_error(state, "--plugin and --no-plugin exclude each other");
	if (options->no_plugin && options->boot)
		pgt_usage_error(state, "--boot needs the plugin: nothing in a guest sees it boot");
	if (parse->form == &forms[PGT_LAB_VERIFY] && options->output && !strcmp(options->output, "-"))
		pgt_usage_error(state, "--output: standard output is for the table");
	if (options->no_plugin && parse->form == &forms[PGT_LAB_VERIFY])
		pgt_usage_error(state, "--no-plugin: there is then nothing to compare with");
	if (options->no_plugin && options->model)
		pgt_usage_error(state, "--tlb-model needs the plugin, which is the model");
	if (options->console && !strcmp(options->console, options->output))
		pgt_usage_error(state, "--console: '%s' is for the recording", options->console);
	if (parse->boot_memory_given && !options->boot)
		pgt_usage_error(state, "--boot-memory says nothing without --boot");
	if (options->model && !options->workloads)
		pgt_usage_error(state, "--tlb-model says nothing without workloads behind --");
}

static void check_all(const struct argp_state *state, struct parse *parse)
{
	struct pgt_lab_options *options = &parse->options;

	if (options->boot && options->workloads == default_workloads)
		options->workloads = NULL;
	check_outside(state, parse);
	if (options->n_operands < parse->form->n_operands)
		pgt_usage_error(state, "too few arguments: it takes %s", parse->form->args);
	if (!options->workloads)
		return;
	if (options->workloads != default_workloads && !parse->form->workloads)
		pgt_usage_error(state, "it takes no workloads, and nothing behind --");
	if (!options->workloads[0])
		pgt_usage_error(state, "no workload behind --");
	for (const char *const *workload = options->workloads; *workload; workload++)
		check_workload(state, *workload);
}

static error_t take_guest_option(int key, char *arg, struct argp_state *state,
				 struct pgt_lab_options *options)
{
	switch (key) {
	case KEY_MEMORY:
		take_memory(state, "--memory", arg, &options->memory);
		return 0;
	case KEY_CPU:
		options->cpu = arg;
		return 0;
	case KEY_APPEND:
		take_append(state, arg, &options->append);
		return 0;
	case KEY_CPUS:
		return pgt_arg_count(state, "--cpus", arg, 1, 64, &options->n_cpus);
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
		take_program(state, arg, options);
		return 0;
	case KEY_PLUGIN:
		options->plugin = arg;
		return 0;
	case KEY_NO_PLUGIN:
		options->no_plugin = true;
		return 0;
	case KEY_MODEL:
		options->model = arg;
		return 0;
	case KEY_PATIENCE:
		return pgt_arg_count(state, "--patience", arg, 5, 3600, &options->patience_s);
	case KEY_PATCHES:
		options->patches = arg;
		return 0;
	case KEY_ARCH:
		take_arch(state, arg, &options->arch);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct parse *parse = state->input;
	struct pgt_lab_options *options = &parse->options;

	switch (key) {
	case 'o':
		options->output = arg;
		return 0;
	case KEY_FORMAT:
		take_format(state, arg, &options->format);
		return 0;
	case KEY_BOOTS:
		return pgt_arg_count(state, "--boots", arg, 1, 100, &options->boots);
	case KEY_TABLE:
		take_table(state, arg, &options->format);
		return 0;
	case KEY_JOBS:
		return pgt_arg_count(state, "--jobs", arg, 1, 64, &options->jobs);
	case KEY_BOOT:
		options->boot = true;
		return 0;
	case KEY_BOOT_MEMORY:
		parse->boot_memory_given = true;
		take_boot_memory(state, arg, options);
		return 0;
	case KEY_CONSOLE:
		options->console = arg;
		return 0;
	case KEY_SITES:
		take_sites(state, arg, &options->sites);
		return 0;
	case KEY_PROBES:
		take_probes(state, arg, &options->probes);
		return 0;
	case KEY_RUNS:
		return pgt_arg_count(state, "--runs", arg, 1, 1000, &options->runs);
	case ARGP_KEY_ARG:
		take_operand(state, arg, parse);
		return 0;
	case ARGP_KEY_END:
		check_all(state, parse);
		return 0;
	default:
		return take_guest_option(key, arg, state, options);
	}
}

/* What stands behind "--" is for the guest; without it the workloads are the default. */
static int split_workloads(struct pgt_lab_options *options, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		options->workloads = (const char *const *)&argv[i + 1];
		return i;
	}
	return argc;
}

void pgt_lab_options_parse(struct pgt_lab_options *options, enum pgt_lab_command command,
			   int argc, char **argv)
{
	const struct form *form = &forms[command];
	struct argp argp = { form->options, take_option, form->args, form->doc, NULL, NULL, NULL };
	struct parse parse = { .options = defaults, .form = form };

	parse.options.output = form->output;
	argc = split_workloads(&parse.options, argc, argv);
	pgt_options_parse(&argp, form->name, argc, argv, &parse);
	*options = parse.options;
}
