/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * console_log.h - why a guest died, from what its kernel printed.  Pure.
 */
#ifndef PGT_LAB_CONSOLE_LOG_H
#define PGT_LAB_CONSOLE_LOG_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The line of a console log that tells of the failure: an out-of-memory kill, or else a
 * panic.  On the heap, NULL for neither; *err is -ENOMEM or -EIO.
 */
char *pgt_console_telling_line(const char *log, int *err);

/*
 * The last complete line that is not the kernel's own ("[ time] ..."), cut to size.
 * False where there is none.
 */
bool pgt_console_last_line(const char *log, char *out, size_t size);

#endif /* PGT_LAB_CONSOLE_LOG_H */
