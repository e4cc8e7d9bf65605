/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guest.h - one boot: start it, watch it, say in one line how it ended.
 *
 * A guest is given up when nothing new came from it for a while, not after a time: on a
 * loaded machine an emulated boot may take minutes and still be well.
 */
#ifndef PGT_LAB_GUEST_H
#define PGT_LAB_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/buf.h"
#include "lab/qemu.h"

struct pgt_arch;
struct pgt_diag;
struct pgt_emulator;
struct pgt_lab;
struct pgt_tcg_join;

struct pgt_guest_plan {
	const struct pgt_arch *arch;
	const struct pgt_emulator *emulator;
	const char *label;		/* for messages: the kernel's release */
	const char *image, *initramfs;
	bool no_splat;			/* fail where the kernel complained, see splat.h */
	const char *cpu;		/* NULL: the default */
	const char *append;		/* more kernel parameters; NULL for none */
	const char *console;		/* file for its console log, however it ends; NULL: none */
	uint64_t memory;		/* bytes */
	unsigned int n_cpus;
	unsigned int patience_s;	/* give up after so long without a new byte */
	const struct pgt_qemu_plugin *plugin;	/* NULL: none */
	const struct pgt_tcg_join *join;	/* with a plugin: how its counts join the recording */
};

struct pgt_guest {
	const struct pgt_lab *lab;
	const struct pgt_guest_plan *plan;
	char *dir;			/* its own, in the scratch directory */
	char *console, *recording, *status, *complaints, *counts;	/* files in it */
	pid_t pid;			/* 0 once it has ended */
	int wait_status;
	bool hung;
	struct pgt_buf log;		/* the console so far */
	uint64_t seen;			/* bytes, of all its files */
	time_t progress_at;		/* monotonic seconds of the last new byte */
	time_t panic_at;		/* 0: no panic seen */
};

/* Start QEMU.  The plan is borrowed until release. */
int pgt_guest_start(struct pgt_guest *guest, const struct pgt_lab *lab,
		    const struct pgt_guest_plan *plan, struct pgt_diag *diag);

/* Look at it once, without waiting.  True while it runs; a guest that hangs is ended here. */
bool pgt_guest_step(struct pgt_guest *guest);

/*
 * How it ended.  Returns 0 where the guest said that its command succeeded; its recording
 * is then in guest->recording, and what the plugin counted in guest->counts, until release.
 * Otherwise
 *   -ETIMEDOUT  it hung (may succeed when tried again);
 *   -ENOMEM     it ran out of memory;
 *   -EIO        its kernel panicked;
 *   -ECHILD     QEMU failed;
 *   -EREMOTEIO  its command failed, in its own words.
 * The console log is then kept, in the cache unless the plan has a place for it, and the text
 * names it; it says where there is none.
 */
int pgt_guest_result(struct pgt_guest *guest, struct pgt_diag *diag);

/* What the plugin, or else QEMU, said last; valid while said is.  said is to be released. */
const char *pgt_guest_complaint(const struct pgt_guest *guest, struct pgt_buf *said);

/* End it where it still runs, and remove its files.  Accepts a zeroed one. */
void pgt_guest_release(struct pgt_guest *guest);

#endif /* PGT_LAB_GUEST_H */
