/* SPDX-License-Identifier: GPL-2.0-only */
/* pgtrace: a table of commands, nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "cmd/cmd.h"
#include "lab/init.h"

static const struct command {
	const char *name, *help;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "record", "count what the running kernel does during a workload", pgt_cmd_record },
	{ "list", "list probes and workloads, and what this kernel has of them", pgt_cmd_list },
	{ "compare", "report what differs between two recordings", pgt_cmd_compare },
	{ "lab", "boot kernels in guests and record or compare them there", pgt_cmd_lab },
};

static int show_help(FILE *out)
{
	fputs("Usage: pgtrace COMMAND [ARGUMENT...]\n"
	      "Count barriers and TLB invalidations of Linux kernels, and compare two of them.\n\n",
	      out);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(out, "  %-9s%s\n", commands[i].name, commands[i].help);
	fputs("\n'pgtrace COMMAND --help' says more; 'pgtrace --version' prints the version.\n",
	      out);
	return fflush(out) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int show_version(void)
{
	printf("pgtrace " PGT_VERSION "\n");
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (getpid() == 1)
		return pgt_init_main();
	if (argc < 2) {
		fputs("pgtrace: no command (see pgtrace --help)\n", stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return show_help(stdout);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return show_version();
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "pgtrace: unknown command '%s' (see pgtrace --help)\n", argv[1]);
	return 2;
}
