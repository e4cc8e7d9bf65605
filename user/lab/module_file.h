/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module_file.h - one kernel module: where its file is, and to insert and remove it.
 */
#ifndef PGT_LAB_MODULE_FILE_H
#define PGT_LAB_MODULE_FILE_H

#include <stdbool.h>

struct pgt_diag;

/*
 * The file of a module of the running kernel: in a lab guest the last of its list (see
 * modules.h), elsewhere what modinfo(8) says.  Returns 0 with a malloc()ed path, -ENOMEM, or
 * -ENODEV where this kernel has no such module.
 */
int pgt_module_file_find(const char *name, char **path, struct pgt_diag *diag);

/*
 * finit_module(2), with "name=value name=value" or "" for its parameters.  Returns 0 or
 * what the kernel refused with; -EEXIST: it is loaded already.
 */
int pgt_module_file_insert(const char *path, const char *parameters, struct pgt_diag *diag);

/* delete_module(2).  Returns 0 or -errno; -EAGAIN or -EBUSY: something uses it. */
int pgt_module_remove(const char *name, struct pgt_diag *diag);

/* Whether the running kernel has it, as a module or built in. */
bool pgt_module_is_loaded(const char *name);

/*
 * Make a module ready to be inserted and removed over and over: find its file, and load what
 * it depends on, which stays loaded.  Returns 0 with a malloc()ed path, -EBUSY where the
 * module itself is loaded already on a machine that is no lab guest, or as above.
 */
int pgt_module_file_make_ready(const char *name, char **path, struct pgt_diag *diag);

#endif /* PGT_LAB_MODULE_FILE_H */
