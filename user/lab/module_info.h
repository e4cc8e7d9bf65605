/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module_info.h - what a kernel module says about itself.  Pure.
 */
#ifndef PGT_LAB_MODULE_INFO_H
#define PGT_LAB_MODULE_INFO_H

struct pgt_buf;

/*
 * The "depends=" entry of a module's .modinfo: names separated by commas, "" for none.
 * Points into the object; NULL where it is no 64-bit ELF object with that entry.
 */
const char *pgt_module_depends(const struct pgt_buf *object);

#endif /* PGT_LAB_MODULE_INFO_H */
