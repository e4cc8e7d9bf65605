/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * checks.h - what a kernel must pass in a guest, one function a check.
 *
 * Each takes what stands behind "NAME=" on the command line, and returns 0 where the kernel
 * passed, or a negative errno value with what did not in diag.
 */
#ifndef PGT_TESTS_CHECKS_H
#define PGT_TESTS_CHECKS_H

struct pgt_diag;

/* lib/test_vmalloc.c with all of its tests, so many loops each. */
int check_test_vmalloc(const char *loops, struct pgt_diag *diag);

/* A module loaded and unloaded so many times. */
int check_module_loop(const char *times, struct pgt_diag *diag);

/* Pages that leave the linear map and come back, so many times: memfd_secret(). */
int check_secret_memory(const char *times, struct pgt_diag *diag);

/* The programs of a list (see ../selftests), a line of result each. */
int check_selftests(const char *list, struct pgt_diag *diag);

/* Make the kernel warn: it refuses to map its own memory as a device's, and says so. */
int plant_splat(const char *modules, struct pgt_diag *diag);

/* ---- results ---- */

enum check_result { CHECK_PASS, CHECK_FAIL, CHECK_SKIP };

/* "checks: PASS NAME", or "checks: FAIL NAME: why"; why may be NULL. */
void check_say(enum check_result result, const char *name, const char *why);

#endif /* PGT_TESTS_CHECKS_H */
