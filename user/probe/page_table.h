/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page_table.h - walk the page tables of an arm64 kernel, wherever they can be read from.
 *
 * Tables are read by physical address through a callback, so the walk is the same for a live
 * kernel and for tables that a test has made.
 */
#ifndef PGT_PROBE_PAGE_TABLE_H
#define PGT_PROBE_PAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pgt_diag;

/*
 * Levels are the architecture's: 3 holds pages, 2 and 1 blocks or tables; a walk starts at
 * root_level, -1 (five levels) to 2 (two levels).
 */
struct pgt_geometry {
	unsigned int page_shift;	/* 12, 14 or 16 */
	unsigned int va_bits;		/* that the CPU translates: 36 to 52 */
	unsigned int root_bits;		/* that the root's index ends at: va_bits or more, below */
	unsigned int va_bits_min;	/* up to which the kernel's other half starts: at most 48 */
	int root_level;
	bool lpa2;			/* descriptors hold address bits 51:50 in 9:8 */
};

/*
 * The geometry of a kernel with pages of page_size bytes that was built for va_bits of
 * virtual address and runs with used_bits (64 - TCR_EL1.T1SZ), which are fewer where its CPU
 * has no 52-bit addresses.  -EPROTO where no arm64 kernel is like that.
 */
int pgt_geometry_init(struct pgt_geometry *out, uint64_t page_size, uint64_t va_bits,
		      uint64_t used_bits, struct pgt_diag *diag);

/* log2 of the bytes that one entry of a level maps. */
unsigned int pgt_geometry_shift(const struct pgt_geometry *geometry, int level);

/* Entries in a group with the contiguous bit: 1 at levels where there are none. */
unsigned int pgt_geometry_group(const struct pgt_geometry *geometry, int level);

/* The linear map: the lower part of the kernel's addresses, up to where its image's part starts. */
uint64_t pgt_geometry_linear_start(const struct pgt_geometry *geometry);
uint64_t pgt_geometry_linear_end(const struct pgt_geometry *geometry);

/* What Linux calls a level: "PTE", "PMD", ...; the root is always "PGD". */
const char *pgt_geometry_level_name(const struct pgt_geometry *geometry, int level);

struct pgt_page_table {
	struct pgt_geometry geometry;
	uint64_t root;			/* physical address */
	/* Read len bytes at a physical address: 0, or -errno with diag filled. */
	int (*read)(void *memory, uint64_t physical, void *buffer, size_t len,
		    struct pgt_diag *diag);
	void *memory;
};

struct pgt_entry {			/* an entry that is no table */
	uint64_t address;		/* virtual */
	uint64_t descriptor;		/* 0: nothing there; else PGT_DESC_VALID says if it maps */
	int level;
};

/*
 * Show every entry that is no table in [start, end), in order of address; an entry is shown
 * whole, also where the range holds only part of it.  What has no table at some level is one
 * entry of that level.  visit() returns 0, or -errno to end the walk with it.  *n_tables is
 * how many tables were read, the root included.
 *
 * -EPROTO where an entry is what no kernel makes, and what read() and visit() return.
 */
int pgt_page_table_walk(const struct pgt_page_table *table, uint64_t start, uint64_t end,
			int (*visit)(void *data, const struct pgt_entry *entry,
				     struct pgt_diag *diag),
			void *data, uint64_t *n_tables, struct pgt_diag *diag);

/* The physical address that a virtual one is mapped to; -EFAULT where it is not. */
int pgt_page_table_translate(const struct pgt_page_table *table, uint64_t address, uint64_t *out,
			     struct pgt_diag *diag);

/* The physical address in a descriptor of a level: of the next table, the page or the block. */
uint64_t pgt_geometry_output(const struct pgt_geometry *geometry, int level, uint64_t descriptor);

#endif /* PGT_PROBE_PAGE_TABLE_H */
