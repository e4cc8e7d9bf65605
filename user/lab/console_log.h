/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * console_log.h - why a guest died, from what its kernel printed.  Pure.
 */
#ifndef PGT_LAB_CONSOLE_LOG_H
#define PGT_LAB_CONSOLE_LOG_H

/*
 * The line of a console log that tells of the failure: an out-of-memory kill, or else a
 * panic.  On the heap, NULL for neither; *err is -ENOMEM or -EIO.
 */
char *pgt_console_telling_line(const char *log, int *err);

#endif /* PGT_LAB_CONSOLE_LOG_H */
