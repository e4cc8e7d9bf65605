/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_options.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cmd/lab_forms.h"
#include "cmd/lab_topic.h"
#include "cmd/options.h"
#include "lab/arch.h"
#include "lab/lab.h"
#include "lab/workload.h"
#include "probe/catalogue.h"
#include "report/report.h"

#define MIB	(UINT64_C(1) << 20)
#define GIB	(UINT64_C(1) << 30)
#define APPEND_MAX	1024	/* characters */

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

/* The command line is looked through for a topic; its options are read, and then those given. */
enum part { LOOK, OF_TOPIC, GIVEN };

struct parse {
	struct pgt_lab_options options;
	const struct pgt_lab_form *form;
	enum part part;
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
	bool many = parse->part == LOOK || options->topic;

	if (options->n_operands == (many ? PGT_LAB_MAX_OPERANDS : parse->form->n_operands))
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
static int check_workload(const char *text, struct pgt_diag *diag)
{
	size_t n = strcspn(text, ":");
	char *name = strndup(text, n);
	const struct pgt_workload *workload = name ? pgt_workload_find(name) : NULL;
	void *own = NULL;
	int err;

	if (!workload) {
		err = pgt_fail(diag, -EINVAL, "'%s' is no workload of 'pgtrace list'",
			       name ? name : text);
	} else {
		err = workload->parse(&own, text[n] ? text + n + 1 : NULL, diag);
		if (!err)
			workload->release(own);
	}
	free(name);
	return err;
}

static int check_workloads(const char *const *workload, struct pgt_diag *diag)
{
	int err = 0;

	for (; !err && *workload; workload++)
		err = check_workload(*workload, diag);
	return err;
}

/* Options that exclude or need each other. */
static void check_outside(const struct argp_state *state, const struct parse *parse)
{
	const struct pgt_lab_options *options = &parse->options;

	if (options->no_plugin && options->plugin)
		pgt_usage_error(state, "--plugin and --no-plugin exclude each other");
	if (options->no_plugin && options->boot)
		pgt_usage_error(state, "--boot needs the plugin: nothing in a guest sees it boot");
	if (parse->form == &pgt_lab_forms[PGT_LAB_VERIFY] && options->output && !strcmp(options->output, "-"))
		pgt_usage_error(state, "--output: standard output is for the table");
	if (options->no_plugin && parse->form == &pgt_lab_forms[PGT_LAB_VERIFY])
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

static void check_operands(const struct argp_state *state, const struct parse *parse)
{
	const struct pgt_lab_options *options = &parse->options;

	if (options->no_beside && !options->topic)
		pgt_usage_error(state, "--no-beside says nothing without a topic");
	if (options->topic || options->n_operands == parse->form->n_operands)
		return;
	if (parse->form == &pgt_lab_forms[PGT_LAB_AB] && options->n_operands)
		pgt_usage_error(state, "too few arguments: it takes BASE TEST, or a topic of patches, and '%s' is none",
				options->operand[0]);
	pgt_usage_error(state, "too few arguments: it takes %.*s",
			(int)strcspn(parse->form->args, "\n"), parse->form->args);
}

static void check_all(const struct argp_state *state, struct parse *parse)
{
	struct pgt_lab_options *options = &parse->options;
	struct pgt_diag diag = { "" };

	if (options->boot && options->workloads == default_workloads)
		options->workloads = NULL;
	check_outside(state, parse);
	check_operands(state, parse);
	if (!options->workloads)
		return;
	if (options->workloads != default_workloads && !parse->form->workloads)
		pgt_usage_error(state, "it takes no workloads, and nothing behind --");
	if (!options->workloads[0])
		pgt_usage_error(state, "no workload behind --");
	if (check_workloads(options->workloads, &diag))
		pgt_usage_error(state, "%s", diag.text);
}

static error_t take_guest_option(int key, char *arg, struct argp_state *state,
				 struct pgt_lab_options *options)
{
	switch (key) {
	case PGT_KEY_MEMORY:
		take_memory(state, "--memory", arg, &options->memory);
		return 0;
	case PGT_KEY_CPU:
		options->cpu = arg;
		return 0;
	case PGT_KEY_APPEND:
		take_append(state, arg, &options->append);
		return 0;
	case PGT_KEY_CONSOLE:
		options->console = arg;
		return 0;
	case PGT_KEY_SKIP:
		options->skip_unsupported = true;
		return 0;
	case PGT_KEY_CPUS:
		return pgt_arg_count(state, "--cpus", arg, 1, 64, &options->n_cpus);
	case PGT_KEY_MODULES:
		options->modules = arg;
		return 0;
	case PGT_KEY_QEMU:
		options->qemu = arg;
		return 0;
	case PGT_KEY_GUEST:
		options->guest_pgtrace = arg;
		return 0;
	case PGT_KEY_PROGRAM:
		take_program(state, arg, options);
		return 0;
	case PGT_KEY_PLUGIN:
		options->plugin = arg;
		return 0;
	case PGT_KEY_NO_PLUGIN:
		options->no_plugin = true;
		return 0;
	case PGT_KEY_MODEL:
		options->model = arg;
		return 0;
	case PGT_KEY_PATIENCE:
		return pgt_arg_count(state, "--patience", arg, 5, 3600, &options->patience_s);
	case PGT_KEY_ARCH:
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
	case PGT_KEY_FORMAT:
		take_format(state, arg, &options->format);
		return 0;
	case PGT_KEY_BOOTS:
		return pgt_arg_count(state, "--boots", arg, 1, 100, &options->boots);
	case PGT_KEY_TABLE:
		take_table(state, arg, &options->format);
		return 0;
	case PGT_KEY_JOBS:
		return pgt_arg_count(state, "--jobs", arg, 1, 64, &options->jobs);
	case PGT_KEY_BOOT:
		options->boot = true;
		return 0;
	case PGT_KEY_BOOT_MEMORY:
		parse->boot_memory_given = true;
		take_boot_memory(state, arg, options);
		return 0;
	case PGT_KEY_NO_BESIDE:
		options->no_beside = true;
		return 0;
	case PGT_KEY_PATCHES:
		if (parse->part == OF_TOPIC)
			pgt_usage_error(state, "--patches cannot stand in what it leads to");
		options->patches = arg;
		return 0;
	case PGT_KEY_SITES:
		take_sites(state, arg, &options->sites);
		return 0;
	case PGT_KEY_PROBES:
		take_probes(state, arg, &options->probes);
		return 0;
	case PGT_KEY_RUNS:
		return pgt_arg_count(state, "--runs", arg, 1, 1000, &options->runs);
	case ARGP_KEY_ARG:
		take_operand(state, arg, parse);
		return 0;
	case ARGP_KEY_END:
		if (parse->part == GIVEN)
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

static void parse_words(struct parse *parse, enum part part, const char *name, int argc,
			char **argv)
{
	const struct pgt_lab_form *form = parse->form;
	struct argp argp = { form->options, take_option, form->args, form->doc, NULL, NULL, NULL };

	parse->part = part;
	pgt_options_parse(&argp, name, argc, argv, parse);
}

/* The topic that the first operand names, where it names one. */
static int find_topic(struct parse *parse, int argc, char **argv, struct pgt_diag *diag)
{
	struct parse look = *parse;
	char *patches;
	int err = 0;

	parse_words(&look, LOOK, parse->form->name, argc, argv);
	if (!look.options.n_operands)
		return 0;
	patches = pgt_lab_find_patches(look.options.patches);
	if (patches)
		err = pgt_lab_topic_open(&parse->options.topic, patches, look.options.operand[0],
					 diag);
	free(patches);
	return err;
}

/* The name of the file stands before what is wrong in it. */
static int take_topic_options(struct parse *parse, const struct pgt_lab_topic *topic,
			      struct pgt_diag *diag)
{
	const struct pgt_ab_plan_words *words = &topic->plan.options;
	char **argv = calloc(words->n + 2, sizeof(*argv));
	char *name = pgt_format("%s: %s:%zu", parse->form->name, topic->plan_path, words->line);

	if (argv && name && words->n) {
		memcpy(argv + 1, words->at, words->n * sizeof(*argv));
		parse_words(parse, OF_TOPIC, name, (int)words->n + 1, argv);
	}
	if (!argv || !name)
		pgt_fail(diag, -ENOMEM, "out of memory");
	free(argv);
	free(name);
	return argv && name ? 0 : -ENOMEM;
}

static int take_topic_workloads(struct parse *parse, const struct pgt_lab_topic *topic,
				struct pgt_diag *diag)
{
	const struct pgt_ab_plan_words *words = &topic->plan.workloads;
	int err;

	if (parse->options.workloads != default_workloads || !words->n)
		return 0;
	parse->options.workloads = (const char *const *)words->at;
	err = check_workloads(parse->options.workloads, diag);
	return err ? pgt_wrap(diag, err, "%s:%zu", topic->plan_path, words->line) : 0;
}

static int take_topic(struct parse *parse, int argc, char **argv, struct pgt_diag *diag)
{
	int err = find_topic(parse, argc, argv, diag);

	if (!err && parse->options.topic)
		err = take_topic_options(parse, parse->options.topic, diag);
	if (!err && parse->options.topic)
		err = take_topic_workloads(parse, parse->options.topic, diag);
	return err;
}

int pgt_lab_options_parse(struct pgt_lab_options *options, enum pgt_lab_command command,
			  int argc, char **argv, struct pgt_diag *diag)
{
	const struct pgt_lab_form *form = &pgt_lab_forms[command];
	struct parse parse = { .options = defaults, .form = form };
	int err = 0;

	parse.options.output = form->output;
	argc = split_workloads(&parse.options, argc, argv);
	if (command == PGT_LAB_AB)
		err = take_topic(&parse, argc, argv, diag);
	if (!err)
		parse_words(&parse, GIVEN, form->name, argc, argv);
	*options = parse.options;
	return err;
}

void pgt_lab_options_release(struct pgt_lab_options *options)
{
	pgt_lab_topic_free(options->topic);
	options->topic = NULL;
}
