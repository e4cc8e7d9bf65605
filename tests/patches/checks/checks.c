/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * checks - put the kernel that runs to the test.
 *
 * Usage: checks NAME[=VALUE]...	as the workload "command" in a guest
 * Prints "checks: PASS WHAT", "checks: FAIL WHAT: why" or "checks: SKIP WHAT: why" for each.
 * Exit status: 0 none failed, 1 one did, 2 usage
 *
 * A workload is run several times in a boot; every run but the first does nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "patches/checks/checks.h"

#define DONE	"/tmp/checks.done"

static const struct check {
	const char *name;
	int (*run)(const char *value, struct pgt_diag *diag);
	const char *value;		/* where none is given */
} checks[] = {
	{ "test-vmalloc", check_test_vmalloc, "20" },
	{ "module-loop", check_module_loop, "20" },
	{ "secret-memory", check_secret_memory, "20" },
	{ "selftests", check_selftests, "/lab/bin/selftests" },
	{ "plant-splat", plant_splat, "/lab/bin" },
};

void check_say(enum check_result result, const char *name, const char *why)
{
	static const char *const words[] = { "PASS", "FAIL", "SKIP" };

	printf("checks: %s %s%s%s\n", words[result], name, why ? ": " : "", why ? why : "");
	fflush(stdout);		/* the kernel may die in the next one */
}

static const struct check *find(const char *text)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		size_t n = strlen(checks[i].name);

		if (!strncmp(text, checks[i].name, n) && (!text[n] || text[n] == '='))
			return &checks[i];
	}
	return NULL;
}

static bool run(const char *text)
{
	const struct check *check = find(text);
	const char *value = strchr(text, '=');
	struct pgt_diag diag = { "" };
	int err = check->run(value ? value + 1 : check->value, &diag);

	check_say(err ? CHECK_FAIL : CHECK_PASS, check->name, err ? diag.text : NULL);
	return !err;
}

/* Whether this is the first run of this boot, and all that it was asked for is known. */
static int begin(int argc, char **argv)
{
	int fd;

	for (int i = 1; i < argc; i++)
		if (!find(argv[i]))
			return -EINVAL;
	if (argc < 2)
		return -EINVAL;
	fd = open(DONE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : close(fd);
}

int main(int argc, char **argv)
{
	int err = begin(argc, argv);
	bool failed = false;

	if (err == -EEXIST)
		return EXIT_SUCCESS;
	if (err) {
		fprintf(stderr, "checks: %s\n", err == -EINVAL ? "usage: checks NAME[=VALUE]..."
							       : strerror(-err));
		return err == -EINVAL ? 2 : EXIT_FAILURE;
	}
	for (int i = 1; i < argc; i++)
		failed |= !run(argv[i]);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
