/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmlinux.h - the few kernel types that bpf/ reads, and no others.
 *
 * Written by hand, not dumped: each struct lists only the members used, and CO-RE
 * relocates them against the running kernel's BTF at load.  One file therefore serves
 * every architecture and kernel version.  A name with three underscores is another
 * shape of the same type; CO-RE drops what follows them.  Registers come from the
 * architecture's own <asm/ptrace.h>, so the guard is not the __VMLINUX_H__ that makes
 * libbpf's bpf_tracing.h expect the kernel's names for them.
 */
#ifndef PGT_VMLINUX_H
#define PGT_VMLINUX_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

typedef _Bool bool;
#define false 0
#define true 1
#define NULL ((void *)0)

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	u64 preempt_count;	/* arm64: the lower half is the count */
};

struct task_struct {
	struct thread_info thread_info;
};

/* 6.18 put the flags into a struct of their own */
struct memdesc_flags_t___new {
	unsigned long f;
};

struct folio {
	unsigned long flags;
	unsigned int _folio_nr_pages;
};

struct folio___new {
	struct memdesc_flags_t___new flags;
	unsigned int _nr_pages;
};

struct mmu_gather {
	unsigned long start;
	unsigned long end;
	unsigned int fullmm:1;
};

#pragma clang attribute pop

enum pageflags {
	PG_head = 6,		/* relocated by value */
};

#endif /* PGT_VMLINUX_H */
