/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmalloc_test_log.h - what the kernel's test_vmalloc module says about its tests.  Pure.
 *
 * The module logs one line for each test and thread (lib/test_vmalloc.c):
 *   Summary: NAME passed: N failed: N [xfailed: N] repeat: N loops: N avg: N usec
 */
#ifndef PGT_LAB_VMALLOC_TEST_LOG_H
#define PGT_LAB_VMALLOC_TEST_LOG_H

#include <stdint.h>

struct pgt_diag;

struct pgt_vmalloc_tests {	/* what was asked of the module */
	uint64_t mask;		/* a bit for each test */
	uint64_t threads;	/* that do each test */
	uint64_t repeat;	/* times that each thread does it */
	uint64_t loops;		/* within each time */
};

/* How many tests the mask names. */
uint64_t pgt_vmalloc_tests_count(const struct pgt_vmalloc_tests *asked);

/*
 * Whether the log, lines with nothing in front of their text, tells of every test that was
 * asked for, and that each ended as it must: passed, or, the one that the kernel wants to
 * fail, failed.  Returns 0, -ENODEV where the module ignored a parameter that it does not
 * have, or -EIO, with the line at fault in diag.
 */
int pgt_vmalloc_test_log_judge(const char *log, const struct pgt_vmalloc_tests *asked,
			       struct pgt_diag *diag);

#endif /* PGT_LAB_VMALLOC_TEST_LOG_H */
