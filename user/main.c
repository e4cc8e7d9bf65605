/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace: a table of commands, nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "lab/init.h"
#include "trace/tracefs.h"

static const struct command {
	const char *name, *help;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "record", "count what the running kernel does during a workload", pgt_cmd_record },
	{ "list", "list probes and workloads, and what this kernel has of them", pgt_cmd_list },
	{ "host", "describe the running kernel in a recording without counts", pgt_cmd_host },
	{ "compare", "report what differs between two recordings", pgt_cmd_compare },
	{ "steps", "report the steps of a topic side by side", pgt_cmd_steps },
	{ "linear-map", "print how the running kernel's memory is mapped", pgt_cmd_linear_map },
	{ "lab", "boot kernels in guests and record or compare them there", pgt_cmd_lab },
};

static int end_output(void)
{
	struct pgt_diag diag = { "" };

	if (!pgt_stdout_flush(&diag))
		return EXIT_SUCCESS;
	fprintf(stderr, "pgtrace: %s\n", diag.text);
	return EXIT_FAILURE;
}

static int show_help(void)
{
	fputs("Usage: pgtrace COMMAND [ARGUMENT...]\n"
	      "Count barriers and TLB invalidations of Linux kernels, and compare two of them.\n\n",
	      stdout);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		printf("  %-12s%s\n", commands[i].name, commands[i].help);
	fputs("\n'pgtrace COMMAND --help' says more; 'pgtrace --version' prints the version.\n",
	      stdout);
	return end_output();
}

static int show_version(void)
{
	printf("pgtrace " PGT_VERSION "\n");
	return end_output();
}

/*
 * A standard descriptor that is missing would be the first file opened, and messages would be
 * written into it: hold its place with one that fails as a missing one does.  A file that
 * grows too large is a failed write, as on a full disk, and not the end of the process.
 */
static void prepare_process(void)
{
	sigset_t set;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			break;
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Probes outlive a killed recording: whatever runs next takes them away, if it may. */
static void remove_stale_probes(void)
{
	struct pgt_diag ignored;

	if (!geteuid())
		pgt_event_remove_stale(&ignored);
}

int main(int argc, char **argv)
{
	if (getpid() == 1)
		return pgt_init_main();
	prepare_process();
	remove_stale_probes();
	if (argc < 2) {
		fputs("pgtrace: no command (see pgtrace --help)\n", stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return show_help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return show_version();
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "pgtrace: unknown command '%s' (see pgtrace --help)\n", argv[1]);
	return 2;
}
