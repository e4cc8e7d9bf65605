/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../bpf/pgtrace_abi.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

/*
 * A kernel CPU list, "0-2,4".  Returns how many CPUs it names, and stores their numbers if
 * numbers is not NULL; -1 where it is malformed.
 */
static long parse_list(const char *list, int *numbers)
{
	long n = 0;
	const char *at = list;

	while (*at) {
		char *end;
		long first = strtol(at, &end, 10), last = first;

		if (end == at || first < 0)
			return -1;
		if (*end == '-') {
			at = end + 1;
			last = strtol(at, &end, 10);
			if (end == at || last < first)
				return -1;
		}
		for (long cpu = first; cpu <= last; cpu++, n++)
			if (numbers)
				numbers[n] = (int)cpu;
		if (*end != ',' && *end != '\0')
			return -1;
		at = *end ? end + 1 : end;
	}
	return n;
}

static int read_list(const char *dir, const char *name, size_t *n_out, int **out,
		     struct pgt_diag *diag)
{
	struct pgt_buf line = PGT_BUF_INIT;
	char path[256];
	int *numbers;
	long n;
	int err;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	err = pgt_file_read_line(path, &line, diag);
	if (err)
		goto out;
	n = parse_list(line.at, NULL);
	if (n <= 0) {
		err = pgt_fail(diag, -EPROTO, "%s: \"%s\" is not a list of CPUs", path, line.at);
		goto out;
	}
	numbers = calloc((size_t)n, sizeof(*numbers));
	if (!numbers) {
		err = pgt_fail(diag, -ENOMEM, "CPUs: out of memory");
		goto out;
	}
	parse_list(line.at, numbers);
	*n_out = (size_t)n;
	*out = numbers;
out:
	pgt_buf_release(&line);
	return err;
}

int pgt_cpus_read(struct pgt_cpus *out, const char *dir, struct pgt_diag *diag)
{
	struct pgt_cpus cpus = { 0 };
	int err = read_list(dir, "possible", &cpus.n_possible, &cpus.possible, diag);

	if (!err)
		err = read_list(dir, "online", &cpus.n, &cpus.online, diag);
	if (!err && cpus.possible[cpus.n_possible - 1] >= PGT_CPU_MAX)
		err = pgt_fail(diag, -E2BIG, "this machine may have a CPU %d, and pgtrace counts on "
			       "CPUs 0 to %d: raise PGT_CPU_MAX in bpf/pgtrace_abi.h and build it "
			       "again", cpus.possible[cpus.n_possible - 1], PGT_CPU_MAX - 1);
	if (err) {
		pgt_cpus_release(&cpus);
		return err;
	}
	*out = cpus;
	return 0;
}

void pgt_cpus_release(struct pgt_cpus *cpus)
{
	free(cpus->online);
	free(cpus->possible);
	*cpus = (struct pgt_cpus){ 0 };
}
