/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace lab: kernels booted in guests, alone or against each other. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/lab_build.h"
#include "cmd/lab_options.h"
#include "cmd/lab_report.h"
#include "cmd/lab_topic.h"
#include "cmd/lab_verify.h"
#include "cmd/options.h"
#include "cmd/steps_report.h"
#include "lab/ab.h"
#include "lab/arch.h"
#include "lab/emulator.h"
#include "lab/kernel.h"
#include "lab/lab.h"
#include "lab/rig.h"
#include "lab/sysroot.h"

#define MAX_GUEST_ARGS	128

struct run {			/* what a sub-command works with */
	struct pgt_lab lab;
	struct pgt_progress progress;
	struct pgt_lab_options options;
	const struct pgt_arch *arch;
	char *guest_pgtrace, *plugin;
	const char *guest_args[MAX_GUEST_ARGS];	/* NULL-terminated */
	const char *plugin_args[MAX_GUEST_ARGS];	/* the same for guests that a plugin watches */
	bool every_site;	/* of the recording: what is to be verified */
	char runs[16];
	struct pgt_buf command;	/* the whole command line, quoted for a shell */
};

/* The user's file, or else one beside our own program. */
static int find_file(char **out, const char *own, const char *arch, const char *name,
		     struct pgt_diag *diag)
{
	char *self = realpath("/proc/self/exe", NULL);
	char *slash = self ? strrchr(self, '/') : NULL;

	if (own)
		*out = strdup(own);
	else if (slash)
		*out = pgt_format("%.*s%s%s/%s", (int)(slash - self), self, arch ? "/" : "",
				  arch ? arch : "", name);
	free(self);
	return *out ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");
}

static int find_files(struct run *run, struct pgt_diag *diag)
{
	const struct pgt_lab_options *options = &run->options;
	int err = find_file(&run->guest_pgtrace, options->guest_pgtrace, run->arch->name,
			    "pgtrace", diag);

	if (!err && !options->no_plugin)
		err = find_file(&run->plugin, options->plugin, NULL, "pgtrace-tcg.so", diag);
	return err;
}

/* record -o - ... -- WORKLOAD..., for the guest's own pgtrace. */
static int make_args(struct run *run, const char **args, bool every_site, struct pgt_diag *diag)
{
	const struct pgt_lab_options *options = &run->options;
	size_t n = 0;

	args[n++] = "record";
	if (every_site)
		args[n++] = "--every-site";
	args[n++] = "-o";
	args[n++] = "-";
	args[n++] = "--sites";
	args[n++] = options->sites;
	args[n++] = "--runs";
	args[n++] = run->runs;
	if (options->probes) {
		args[n++] = "--probes";
		args[n++] = options->probes;
	}
	args[n++] = "--";
	for (const char *const *workload = options->workloads; *workload; workload++) {
		if (n == MAX_GUEST_ARGS - 1)
			return pgt_fail(diag, -E2BIG, "too many workloads");
		args[n++] = *workload;
	}
	args[n] = NULL;
	return 0;
}

/* A comparison with the plugin's counts needs every site, whether it was executed or not. */
static int make_guest_args(struct run *run, struct pgt_diag *diag)
{
	int err;

	snprintf(run->runs, sizeof(run->runs), "%u", run->options.runs);
	err = make_args(run, run->guest_args, false, diag);
	return err ? err : make_args(run, run->plugin_args, true, diag);
}

static void set_kernels(struct pgt_rig_settings *settings, const struct pgt_lab_options *options)
{
	const struct pgt_lab_topic *topic = options->topic;

	settings->n_kernels = topic ? topic->n_kernels : options->n_operands;
	for (size_t i = 0; i < settings->n_kernels; i++)
		settings->kernels[i] = topic ? topic->kernels[i] :
			(struct pgt_rig_kernel){ .spec = options->operand[i],
				.skip_unsupported = options->skip_unsupported };
}

static int make_rig(struct pgt_rig *rig, struct run *run, struct pgt_diag *diag)
{
	const struct pgt_lab_options *options = &run->options;
	struct pgt_rig_settings settings = {
		.arch = run->arch,
		.modules = options->modules, .qemu = options->qemu, .cpu = options->cpu,
		.append = options->append, .memory = options->memory, .n_cpus = options->n_cpus,
		.patience_s = options->patience_s, .console = options->console,
		.args = options->workloads ? run->guest_args : NULL,
		.plugin_args = options->workloads ? run->plugin_args : NULL,
		.programs = options->programs, .model = options->model,
		.plugin_required = options->boot || options->plugin || options->model ||
				   run->every_site,
		.every_site = run->every_site,
		.boot_memory = options->boot_memory,
		.n_boot_memory = options->boot ? options->n_boot_memory : 0,
	};
	int err = find_files(run, diag);

	if (!err && options->workloads)
		err = make_guest_args(run, diag);
	set_kernels(&settings, options);
	settings.guest_pgtrace = run->guest_pgtrace;
	settings.plugin = run->plugin;
	return err ? err : pgt_rig_make(rig, &run->lab, &settings, diag);
}

/* In single quotes where the shell would not take the word as it is. */
static int add_quoted(struct pgt_buf *line, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:=,+@%";
	int err;

	if (*word && !word[strspn(word, plain)])
		return pgt_buf_addf(line, " %s", word);
	err = pgt_buf_addf(line, " '");
	for (; !err && *word; word++)
		err = *word == '\'' ? pgt_buf_addf(line, "'\\''") : pgt_buf_add(line, word, 1);
	return err ? err : pgt_buf_addf(line, "'");
}

/* As typed; taken before argp puts the options in front. */
static int take_command(struct run *run, int argc, char **argv, struct pgt_diag *diag)
{
	int err = pgt_buf_addf(&run->command, "pgtrace lab");

	for (int i = 0; !err && i < argc; i++)
		err = add_quoted(&run->command, argv[i]);
	if (!err)
		err = pgt_buf_addf(&run->command, "\n");
	return err ? pgt_fail(diag, err, "out of memory") : 0;
}

/* The exact command stands beside the recordings: the directory says how it came to be. */
static int boot_sides(const struct run *run, const struct pgt_rig *rig, struct pgt_diag *diag)
{
	const struct pgt_lab_options *options = &run->options;
	const struct pgt_lab_topic *topic = options->topic;
	struct pgt_ab_text texts[1 + PGT_LAB_TOPIC_TEXTS] = { { "command", run->command.at } };
	struct pgt_ab ab = {
		.sides = pgt_ab_pair, .n_sides = PGT_N_SIDES, .n_turns = PGT_SIDE_CONTROL,
		.boots = options->boots, .at_a_time = options->jobs, .dir = options->output,
		.texts = texts, .n_texts = 1,
	};

	if (topic) {
		ab.sides = topic->sides;
		ab.n_sides = ab.n_turns = topic->n_kernels + 1;
		pgt_lab_topic_texts(topic, texts + 1);
		ab.n_texts += PGT_LAB_TOPIC_TEXTS;
	}
	return pgt_ab_run(&run->lab, rig, &ab, diag);
}

static int run_ab(struct run *run, struct pgt_diag *diag)
{
	const struct pgt_lab_options *options = &run->options;
	struct pgt_rig rig;
	int err = pgt_dir_check(options->output, diag);

	if (!err && options->topic)
		err = pgt_lab_topic_choose(options->topic, options->operand + 1,
					   options->n_operands - 1, options->no_beside,
					   &run->progress, diag);
	if (!err)
		err = make_rig(&rig, run, diag);
	if (err)
		return err;
	err = boot_sides(run, &rig, diag);
	if (!err && options->topic)
		err = pgt_steps_report(options->output, options->format, true, diag);
	else if (!err)
		err = pgt_lab_report(options->output, options->format, diag);
	pgt_rig_release(&rig);
	return err;
}

/* The output is opened first: a name that will not do is better known before a boot than after. */
static int run_one(struct run *run, struct pgt_diag *diag)
{
	struct pgt_file_out out;
	struct pgt_rig rig;
	int err = pgt_file_out_open(&out, run->options.output, diag);

	if (err)
		return err;
	err = make_rig(&rig, run, diag);
	if (!err) {
		err = pgt_ab_run_one(&run->lab, &rig, out.stream, diag);
		pgt_rig_release(&rig);
	}
	if (!err)
		err = pgt_file_out_commit(&out, diag);
	pgt_file_out_release(&out);
	return err;
}

static int run_verify(struct run *run, struct pgt_diag *diag)
{
	struct pgt_file_out out = { 0 };
	struct pgt_diag ignored;
	struct pgt_rig rig;
	int err = 0;

	run->every_site = true;
	if (run->options.output)
		err = pgt_file_out_open(&out, run->options.output, diag);
	if (!err)
		err = make_rig(&rig, run, diag);
	if (!err) {
		err = pgt_lab_verify(&run->lab, &rig, run->options.format, out.stream, diag);
		pgt_rig_release(&rig);
	}
	/* a recording whose counts differ is evidence */
	if (run->options.output && (!err || err == -EBADE)) {
		int committed = pgt_file_out_commit(&out, err ? &ignored : diag);

		err = err ? err : committed;
	}
	pgt_file_out_release(&out);
	return err;
}

static int fetch_qemu(struct run *run, struct pgt_diag *diag)
{
	struct pgt_emulator emulator;
	int err = pgt_emulator_get(&emulator, &run->lab, run->arch, NULL, diag);

	if (err)
		return err;
	printf("%s\n", emulator.program);
	pgt_emulator_release(&emulator);
	return 0;
}

static int fetch_sysroot(struct run *run, struct pgt_diag *diag)
{
	char *path;
	int err = pgt_sysroot_get(&path, &run->lab, run->arch, diag);

	if (err)
		return err;
	printf("%s\n", path);
	free(path);
	return 0;
}

static int fetch_kernel(struct run *run, struct pgt_diag *diag)
{
	struct pgt_kernel kernel;
	int err = pgt_kernel_get(&kernel, &run->lab, run->arch, run->options.operand[0], NULL, diag);

	if (err)
		return err;
	printf("%s\n", kernel.image);
	pgt_kernel_release(&kernel);
	return 0;
}

static int run_fetch(struct run *run, struct pgt_diag *diag)
{
	const char *what = run->options.operand[0];
	int err;

	if (!strcmp(what, "qemu"))
		err = fetch_qemu(run, diag);
	else if (!strcmp(what, "sysroot"))
		err = fetch_sysroot(run, diag);
	else
		err = fetch_kernel(run, diag);
	return err ? err : pgt_stdout_flush(diag);
}

static const struct command {
	const char *name;
	enum pgt_lab_command options;
	int (*run)(struct run *run, struct pgt_diag *diag);
} commands[] = {
	{ "ab", PGT_LAB_AB, run_ab },
	{ "run", PGT_LAB_RUN, run_one },
	{ "verify", PGT_LAB_VERIFY, run_verify },
	{ "fetch", PGT_LAB_FETCH, run_fetch },
};

static const char help[] =
	"Usage: pgtrace lab ab BASE TEST [OPTION...] [-- WORKLOAD...]\n"
	"       pgtrace lab ab TOPIC [SIDE...] [OPTION...] [-- WORKLOAD...]\n"
	"       pgtrace lab run KERNEL [OPTION...] [-- WORKLOAD...]\n"
	"       pgtrace lab verify KERNEL [OPTION...] [-- WORKLOAD...]\n"
	"       pgtrace lab build TOPIC [STEP] [OPTION...]\n"
	"       pgtrace lab fetch qemu|sysroot|KERNEL\n"
	"\n"
	"  ab     boot two kernels, or those of a topic, in alternation and report what differs\n"
	"  run    boot one kernel once and write the recording\n"
	"  verify boot one kernel once and hold its counts against its emulator's\n"
	"  build  patch, configure and build the kernels of a topic\n"
	"  fetch  fetch something into the cache and print its path\n"
	"\n"
	"'pgtrace lab COMMAND --help' lists the options of each.\n";

static int show_help(void)
{
	struct pgt_diag diag = { "" };

	fputs(help, stdout);
	if (!pgt_stdout_flush(&diag))
		return EXIT_SUCCESS;
	fprintf(stderr, "pgtrace lab: %s\n", diag.text);
	return EXIT_FAILURE;
}

static int execute(const struct command *command, int argc, char **argv)
{
	struct run run = { .lab = { .scratch_fd = -1, .interrupt_fd = -1 },
			   .command = PGT_BUF_INIT };
	struct pgt_diag diag = { "" };
	int err = take_command(&run, argc, argv, &diag);

	if (err)
		goto out;
	err = pgt_lab_options_parse(&run.options, command->options, argc, argv, &diag);
	if (err)
		goto out;
	run.arch = pgt_arch_find(run.options.arch);
	pgt_progress_init(&run.progress, stderr);
	err = pgt_lab_open(&run.lab, &run.progress, &diag);
	if (!err && run.options.patches)
		err = pgt_lab_use_patches(&run.lab, run.options.patches, &diag);
	if (!err)
		err = command->run(&run, &diag);
	pgt_progress_end(&run.progress);
out:
	if (err)
		fprintf(stderr, "pgtrace lab %s: %s\n", command->name, diag.text);
	free(run.guest_pgtrace);
	free(run.plugin);
	pgt_buf_release(&run.command);
	pgt_lab_options_release(&run.options);
	pgt_lab_release(&run.lab);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

int pgt_cmd_lab(int argc, char **argv)
{
	if (argc < 2) {
		fputs("pgtrace lab: no command: one of ab, run, verify, build, fetch (see pgtrace lab --help)\n",
		      stderr);
		return PGT_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?"))
		return show_help();
	if (!strcmp(argv[1], "build"))
		return pgt_lab_build(argc - 1, argv + 1);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return execute(&commands[i], argc - 1, argv + 1);
	fprintf(stderr, "pgtrace lab: unknown command '%s' (ab, run, verify, build or fetch)\n", argv[1]);
	return PGT_EXIT_USAGE;
}
