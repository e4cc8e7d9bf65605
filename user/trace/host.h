/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host.h - what machine and kernel a recording was made on.
 */
#ifndef PGT_TRACE_HOST_H
#define PGT_TRACE_HOST_H

struct json_t;
struct pgt_diag;

/* "arm64", "x86_64", "ppc64le", ... as recordings say it; a constant of the build. */
const char *pgt_host_arch(void);

/*
 * The "host" line of a recording.  What cannot be known is null, with its reason.  Returns
 * a new reference, or NULL with diag filled.
 */
struct json_t *pgt_host_line(struct pgt_diag *diag);

/* Why probes and BPF cannot work here, found out before trying: 0 or -EPERM, -ENOENT with a text. */
int pgt_host_check(struct pgt_diag *diag);

#endif /* PGT_TRACE_HOST_H */
