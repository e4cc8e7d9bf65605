/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module.h - insert and remove a module of /lab/bin.
 */
#ifndef PGT_TESTS_MODULE_H
#define PGT_TESTS_MODULE_H

struct pgt_diag;

/* Returns what the kernel returned; -EAGAIN is how test modules say that they are done. */
int module_insert(const char *path, const char *options, struct pgt_diag *diag);
int module_remove(const char *name, struct pgt_diag *diag);

/* "1" to "1000000".  Returns 0 or -EINVAL. */
int count_parse(const char *text, unsigned int *out, struct pgt_diag *diag);

#endif /* PGT_TESTS_MODULE_H */
