/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/parameter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"

static int suffix_shift(char suffix)
{
	switch (suffix) {
	case 'K':
		return 10;
	case 'M':
		return 20;
	case 'G':
		return 30;
	default:
		return -1;
	}
}

int pgt_parameter_number(const char *text, enum pgt_parameter_kind kind, uint64_t *out)
{
	uintmax_t number;
	char *end;
	int shift = 0;

	if (!isdigit((unsigned char)*text))	/* strtoumax() would take a sign */
		return -EINVAL;
	errno = 0;
	number = strtoumax(text, &end, 10);
	if (errno)
		return -ERANGE;
	if (kind == PGT_PARAMETER_SIZE && *end) {
		shift = suffix_shift(*end++);
		if (shift < 0)
			return -EINVAL;
	}
	if (*end)
		return -EINVAL;
	if (number > UINT64_MAX >> shift)
		return -ERANGE;
	*out = number << shift;
	return 0;
}

static int fail_unknown(const char *workload, const char *name,
			const struct pgt_parameter *table, size_t n, struct pgt_diag *diag)
{
	struct pgt_buf known = PGT_BUF_INIT;
	int err = -EINVAL;

	for (size_t i = 0; i < n; i++)
		if (pgt_buf_addf(&known, "%s%s", i ? ", " : "", table[i].name))
			err = -ENOMEM;
	pgt_fail(diag, err, "%s has no parameter \"%s\"; it has: %s", workload, name,
		 known.at ? known.at : "none");
	pgt_buf_release(&known);
	return err;
}

static int set_number(const char *workload, const struct pgt_parameter *parameter,
		      const char *value, struct pgt_diag *diag)
{
	uint64_t number;
	int err = pgt_parameter_number(value, parameter->kind, &number);

	if (err == -EINVAL)
		return pgt_fail(diag, err, "%s: %s=%s is not %s", workload, parameter->name, value,
				parameter->kind == PGT_PARAMETER_SIZE ?
				"a size: a whole number of bytes, or one with K, M or G" :
				"a whole number");
	if (err || number < parameter->min || number > parameter->max)
		return pgt_fail(diag, -EINVAL, "%s: %s=%s is not between %" PRIu64 " and %" PRIu64,
				workload, parameter->name, value, parameter->min, parameter->max);
	*parameter->number = number;
	return 0;
}

static int set_text(const char *workload, const struct pgt_parameter *parameter,
		    const char *value, struct pgt_diag *diag)
{
	free(*parameter->text);
	*parameter->text = strdup(value);
	return *parameter->text ? 0 : pgt_fail(diag, -ENOMEM, "%s: out of memory", workload);
}

static int parse_one(const char *workload, char *text, const struct pgt_parameter *table,
		     size_t n, struct pgt_diag *diag)
{
	char *value = strchr(text, '=');

	if (!value || value == text || !value[1])
		return pgt_fail(diag, -EINVAL, "%s: \"%s\" is not of the form name=value",
				workload, text);
	*value++ = '\0';
	for (size_t i = 0; i < n; i++) {
		if (strcmp(table[i].name, text))
			continue;
		return table[i].kind == PGT_PARAMETER_TEXT ?
		       set_text(workload, &table[i], value, diag) :
		       set_number(workload, &table[i], value, diag);
	}
	return fail_unknown(workload, text, table, n, diag);
}

int pgt_parameters_parse(const char *workload, const char *text,
			 const struct pgt_parameter *table, size_t n, struct pgt_diag *diag)
{
	char *copy, *rest, *one;
	int err = 0;

	if (!text || !*text)
		return 0;
	copy = strdup(text);
	if (!copy)
		return pgt_fail(diag, -ENOMEM, "%s: out of memory", workload);
	rest = copy;
	while (!err && (one = strsep(&rest, ",")))
		err = parse_one(workload, one, table, n, diag);
	free(copy);
	return err;
}
