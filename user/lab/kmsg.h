/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmsg.h - what the kernel logs from now on, from /dev/kmsg.
 */
#ifndef PGT_LAB_KMSG_H
#define PGT_LAB_KMSG_H

struct pgt_buf;
struct pgt_diag;

struct pgt_kmsg {
	int fd;			/* -1 while it is not open */
};

#define PGT_KMSG_INIT	{ -1 }

/* Open it, behind what has been logged so far.  Returns 0 or -errno. */
int pgt_kmsg_open(struct pgt_kmsg *kmsg, struct pgt_diag *diag);
void pgt_kmsg_release(struct pgt_kmsg *kmsg);

/* Pass over what has been logged so far. */
int pgt_kmsg_skip(struct pgt_kmsg *kmsg, struct pgt_diag *diag);

/*
 * Append the texts of all messages since then to out, a line each, without waiting for more.
 * Returns 0 or -errno; -EPIPE where the kernel has dropped some of them for want of room.
 */
int pgt_kmsg_read(struct pgt_kmsg *kmsg, struct pgt_buf *out, struct pgt_diag *diag);

#endif /* PGT_LAB_KMSG_H */
