/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host_recording.h - a recording that counts nothing: which kernel runs here, on what.
 *
 * With symbols it has one more line,
 *   {"type":"kallsyms","text":"ffff800080010000 T _stext\n..."}
 * the names of the core kernel's code as in /proc/kallsyms, and with them _etext.
 */
#ifndef PGT_LAB_HOST_RECORDING_H
#define PGT_LAB_HOST_RECORDING_H

#include <stdbool.h>

struct pgt_diag;
struct pgt_writer;

/* -EPERM where symbols are asked for and the kernel hides their addresses. */
int pgt_host_record(struct pgt_writer *writer, bool symbols, struct pgt_diag *diag);

#endif /* PGT_LAB_HOST_RECORDING_H */
