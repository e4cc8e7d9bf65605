/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/splat.h"

#include <stdbool.h>
#include <string.h>

/* As kernels of 6.1 to 7.3 print them; what stands before is a level, a time or a subsystem. */
static const char *const signs[] = {
	"WARNING: ",			/* __warn(), lockdep, RCU */
	"BUG: ",			/* atomic sleep, KASAN, bad pages, spinlocks, lockups */
	"kernel BUG at ",
	"Unable to handle kernel ",
	"Internal error: ",
	"Kernel panic",
	"INFO: task ",			/* hung */
	"INFO: rcu",			/* stalled */
	"self-detected stall",
	"W+X mappings: FAILED",
	"insecure W+X mapping",
	"rodata_test: test data was",	/* not read only */
	"rodata_test: end address",
	"bad: scheduling from",
	"refcount_t: ",
	"list_add corruption",
	"list_del corruption",
	"Call trace:",			/* of whatever the list above does not have */
};

static bool has_sign(const char *line, size_t len)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (memmem(line, len, signs[i], strlen(signs[i])))
			return true;
	return false;
}

const char *pgt_splat_find(const char *log, size_t *len)
{
	while (*log) {
		size_t n = strcspn(log, "\n");

		if (has_sign(log, n)) {
			*len = n;
			return log;
		}
		log += n + (log[n] == '\n');
	}
	return NULL;
}
