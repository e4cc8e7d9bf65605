/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmallocinfo.h - what the kernel's vmalloc space holds, from /proc/vmallocinfo.
 */
#ifndef PGT_LAB_VMALLOCINFO_H
#define PGT_LAB_VMALLOCINFO_H

#include <stdint.h>

struct pgt_diag;

struct pgt_vmallocinfo {	/* a file kept open, so that reading it allocates nothing here */
	int fd;
	char buffer[16384];
};

struct pgt_vmalloc_areas {
	uint64_t n_map_areas;	/* BPF map storage of the size asked for */
	uint64_t n_lazy_bytes;	/* freed areas whose TLB entries are not invalidated yet */
};

/* Returns 0 or -errno (-EACCES: not root). */
int pgt_vmallocinfo_init(struct pgt_vmallocinfo *info, struct pgt_diag *diag);
void pgt_vmallocinfo_release(struct pgt_vmallocinfo *info);

/*
 * Count areas.  map_area_bytes is the size of an area of interest with its guard page; it
 * counts where array_map_alloc() or bpf_map_area_alloc() made it.  Returns 0 or -errno.
 */
int pgt_vmallocinfo_read(struct pgt_vmallocinfo *info, uint64_t map_area_bytes,
			 struct pgt_vmalloc_areas *out, struct pgt_diag *diag);

/*
 * Count the areas that map, by ioremap, what begins at this physical address (not 0: the
 * kernel does not show that one).  area_bytes is with the guard page.
 */
int pgt_vmallocinfo_count_ioremap(struct pgt_vmallocinfo *info, uint64_t area_bytes,
				  uint64_t physical, uint64_t *n, struct pgt_diag *diag);

/*
 * Wait until nothing has been mapped or unmapped for a while: a module's initialisation is
 * freed, for one, by a kernel worker some time after the module was loaded.
 * Returns 0, -errno, or -ETIMEDOUT.
 */
int pgt_vmallocinfo_settle(struct pgt_vmallocinfo *info, struct pgt_diag *diag);

#endif /* PGT_LAB_VMALLOCINFO_H */
