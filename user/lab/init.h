/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * init.h - pgtrace as PID 1 of a lab guest.
 *
 * The guest's file system is one initramfs:
 *   /init                   the pgtrace binary
 *   /lab/args               arguments for pgtrace, one a line
 *   /lab/modules/NAME.list  see modules.h; boot.list is loaded first
 * and its host listens on two virtio-serial ports:
 *   pgtrace.recording    what the command writes to its standard output
 *   pgtrace.status       one line of JSON at the end: {"status":0}, or
 *                        {"status":N,"error":"..."} with N the exit status or 128 + signal
 * Standard error goes to the console, where init's own lines start with "pgtrace-init: ".
 */
#ifndef PGT_LAB_INIT_H
#define PGT_LAB_INIT_H

/*
 * Set the guest up, run the command, report, power off.  Never returns in a guest; the int
 * is for main().
 */
int pgt_init_main(void);

#endif /* PGT_LAB_INIT_H */
