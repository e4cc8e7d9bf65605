/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * patch_text.h - which files a patch changes, and why patch(1) or make(1) failed.  Pure.
 */
#ifndef PGT_LAB_PATCH_TEXT_H
#define PGT_LAB_PATCH_TEXT_H

struct pgt_buf;

/*
 * Append the paths that a unified diff with prefixes a/ and b/ changes, makes or removes,
 * each with a newline.  Returns 0; -EINVAL for a path that is absolute or has "..", or where
 * there is none; -ENOMEM.
 */
int pgt_patch_paths(const char *text, struct pgt_buf *out);

/*
 * The line of patch(1)'s output that tells of the failure: the first hunk that failed or
 * needed fuzz, or file that is not there.  On the heap; NULL where there is none.
 */
char *pgt_patch_telling_line(const char *output);

/*
 * The line of a build's log that tells of the failure: the compiler's first error, or else
 * the first that make prints.  On the heap; NULL where there is neither.
 */
char *pgt_build_telling_line(const char *log);

#endif /* PGT_LAB_PATCH_TEXT_H */
