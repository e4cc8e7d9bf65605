/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/digest.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"

/* Feed everything, MSG_MORE until the last piece, and read the digest back. */
static int digest(int op, const char *at, size_t len, uint8_t out[32])
{
	while (len) {
		ssize_t n = send(op, at, len, MSG_MORE);

		if (n < 0)
			return -errno;
		at += n;
		len -= (size_t)n;
	}
	if (send(op, NULL, 0, 0) < 0)
		return -errno;
	return read(op, out, 32) == 32 ? 0 : -EIO;
}

int pgt_digest_sha256(const void *bytes, size_t len, char hex[PGT_DIGEST_HEX],
		      struct pgt_diag *diag)
{
	struct sockaddr_alg name = { .salg_family = AF_ALG, .salg_type = "hash",
				     .salg_name = "sha256" };
	uint8_t out[32];
	int op = -1, err, algorithm = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (algorithm < 0)
		return pgt_fail(diag, -errno, "SHA-256: the kernel has no AF_ALG: %s", strerror(errno));
	if (!bind(algorithm, (struct sockaddr *)&name, sizeof(name)))
		op = accept4(algorithm, NULL, NULL, SOCK_CLOEXEC);
	err = op < 0 ? -errno : digest(op, bytes, len, out);
	if (op >= 0)
		close(op);
	close(algorithm);
	if (err)
		return pgt_fail(diag, err, "SHA-256: %s", strerror(-err));
	for (size_t i = 0; i < sizeof(out); i++)
		sprintf(hex + 2 * i, "%02x", out[i]);
	return 0;
}
