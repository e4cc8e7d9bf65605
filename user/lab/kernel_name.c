/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/kernel_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct form {			/* one way to name a kernel package; better ones first */
	const char *prefix, *suffix;
	bool split;		/* the modules are in a package of their own */
};

static const struct form forms[] = {
	{ "linux-image-", "-unsigned", false },
	{ "linux-binary-unsigned-", "", true },
	{ "linux-binary-", "", true },
	{ "linux-image-", "", false },
};

#define N_FORMS	(sizeof(forms) / sizeof(forms[0]))

bool pgt_kernel_is_series(const char *spec)
{
	size_t major = strspn(spec, "0123456789"), minor;

	if (!major || spec[major] != '.')
		return false;
	minor = strspn(spec + major + 1, "0123456789");
	return minor && spec[major + 1 + minor] == '\0';
}

/* Is this whole line in names? */
static bool listed(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += n)
		if ((at == names || at[-1] == '\n') && (at[n] == '\n' || at[n] == '\0'))
			return true;
	return false;
}

/* Three numbers first (a metapackage has two), then no flavour. */
static bool is_stock_version(const char *version)
{
	int dots = 0;
	const char *c = version;

	for (; isdigit((unsigned char)*c) || *c == '.'; c++)
		dots += *c == '.';
	if (!isdigit((unsigned char)*version) || dots < 2)
		return false;
	for (; *c; c++)
		if (*c == '-' && !isdigit((unsigned char)c[1]))
			return false;
	return true;
}

/* The version within "PREFIX version -ARCH SUFFIX"; false for another form or flavour. */
static bool take_version(const char *name, const struct form *form, const char *arch,
			 char *version, size_t size)
{
	size_t prefix = strlen(form->prefix), suffix = strlen(form->suffix);
	size_t n = strlen(name), n_arch = strlen(arch);

	if (n < prefix + n_arch + 1 + suffix || strncmp(name, form->prefix, prefix) ||
	    strcmp(name + n - suffix, form->suffix))
		return false;
	n -= suffix + n_arch;
	if (strncmp(name + n, arch, n_arch) || name[n - 1] != '-' || n - 1 - prefix >= size ||
	    n - 1 <= prefix)
		return false;
	memcpy(version, name + prefix, n - 1 - prefix);
	version[n - 1 - prefix] = '\0';
	return is_stock_version(version);
}

/* Fill in what belongs to this package; false where parts of it are not to be had. */
static bool complete(const char *names, const char *arch, const char *name, const char *version,
		     const struct form *form, struct pgt_kernel_name *out)
{
	char binary[160];

	snprintf(out->image, sizeof(out->image), "%s", name);
	snprintf(out->release, sizeof(out->release), "%s-%s", version, arch);
	snprintf(out->modules, sizeof(out->modules), "linux-modules-%s", out->release);
	snprintf(out->base, sizeof(out->base), "linux-base-%s", out->release);
	if (!listed(names, out->base))
		out->base[0] = '\0';
	if (form->split)
		return listed(names, out->modules);
	out->modules[0] = '\0';
	snprintf(binary, sizeof(binary), "linux-binary-%s", out->release);
	if (listed(names, binary))
		return false;
	snprintf(binary, sizeof(binary), "linux-binary-unsigned-%s", out->release);
	return !listed(names, binary);
}

static bool of_series(const char *version, const char *series)
{
	size_t n = strlen(series);

	return !strncmp(version, series, n) && version[n] == '.';
}

/* Is this version newer than the best so far, or as new and of a better form? */
static bool is_better(const char *version, size_t form, const char *best, size_t best_form)
{
	int order = best[0] ? strverscmp(version, best) : 1;

	return order > 0 || (order == 0 && form < best_form);
}

int pgt_kernel_name_pick(const char *names, const char *arch, const char *spec,
			 struct pgt_kernel_name *out)
{
	bool series = pgt_kernel_is_series(spec);
	char name[160], version[96], best[96] = "";
	size_t best_form = N_FORMS;

	for (const char *line = names; *line; ) {
		size_t n = strcspn(line, "\n");

		snprintf(name, sizeof(name), "%.*s", n < sizeof(name) ? (int)n : 0, line);
		line += n + (line[n] == '\n');
		for (size_t i = 0; i < N_FORMS; i++) {
			struct pgt_kernel_name found;

			if (!take_version(name, &forms[i], arch, version, sizeof(version)))
				continue;
			if (series ? !of_series(version, spec) : strcmp(name, spec) != 0)
				continue;
			if (!complete(names, arch, name, version, &forms[i], &found) ||
			    !is_better(version, i, best, best_form))
				continue;
			snprintf(best, sizeof(best), "%s", version);
			best_form = i;
			*out = found;
		}
	}
	return best[0] ? 0 : -ENOENT;
}
