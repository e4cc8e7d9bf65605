/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory_text.h - what the kernel writes about its memory.  Pure.
 */
#ifndef PGT_LAB_MEMORY_TEXT_H
#define PGT_LAB_MEMORY_TEXT_H

#include <stdint.h>

/* Bytes of /proc/iomem that virtio-mem's driver has added; NULL has none. */
uint64_t pgt_iomem_virtio_mem_bytes(const char *iomem);

/* Pages of a pageblock, from /proc/pagetypeinfo; 0 where it does not say. */
uint64_t pgt_pageblock_pages(const char *pagetypeinfo);

#endif /* PGT_LAB_MEMORY_TEXT_H */
