/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hotremove - a memory block is removed from the machine, and so from its linear map.
 *
 * The virtio-mem device that this needs, another than hotplug's, asks for less than a memory block.
 * Bound, its driver adds a whole block of which only a part is plugged, and which stays offline.
 * Such blocks it removes when it is unbound (virtio_mem_deinit_hotplug() in
 * drivers/virtio/virtio_mem.c), because without it somebody could set them online: that is what
 * run() does.  Bound again, it unplugs what is plugged and starts afresh, so this can be repeated.
 *
 * The driver plugs in units of a pageblock, and only where a memory block has more than one can it
 * plug a part of it.  With 64K pages both are 512 MiB.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/memory_blocks.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/qemu.h"
#include "lab/stacks.h"
#include "lab/virtio_mem.h"
#include "lab/workload_kinds.h"

struct hotremove_state {
	struct pgt_virtio_mem mem;
	struct pgt_memory_blocks blocks;
	struct pgt_pin pin;
};

static int hotremove_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct hotremove_state *state;
	int err = pgt_parameters_parse("hotremove", parameters, NULL, 0, diag);

	if (err)
		return err;
	state = calloc(1, sizeof(*state));
	if (!state)
		return pgt_fail(diag, -ENOMEM, "hotremove: out of memory");
	state->mem = (struct pgt_virtio_mem)PGT_VIRTIO_MEM_INIT;
	state->blocks.fd = -1;
	*out = state;
	return 0;
}

static int check_pageblocks(const struct pgt_memory_blocks *blocks, struct pgt_diag *diag)
{
	uint64_t pageblock;
	int err = pgt_memory_pageblock_bytes(&pageblock, diag);

	if (!err && pageblock >= blocks->bytes)
		err = pgt_fail(diag, -ENODEV, "with pages of %ldK a memory block is one pageblock of "
			       "%" PRIu64 "M, which virtio-mem plugs whole and never removes; run a "
			       "kernel with 4K or 16K pages", sysconf(_SC_PAGESIZE) >> 10, pageblock >> 20);
	return err;
}

static int find_device(struct hotremove_state *state, struct pgt_diag *diag)
{
	if (!pgt_virtio_mem_find(&state->mem, PGT_QEMU_HOTREMOVE_ADDRESS, true))
		return pgt_fail(diag, -ENODEV, "this machine has no virtio-mem device at "
				PGT_QEMU_HOTREMOVE_ADDRESS "; give the guest one there whose requested "
				"size is %" PRIu64 " bytes, half a memory block", state->blocks.bytes / 2);
	return pgt_virtio_mem_check_free(&state->mem, diag);
}

static int hotremove_prepare(void *opaque, struct pgt_diag *diag)
{
	struct hotremove_state *state = opaque;
	struct pgt_memory_blocks *blocks = &state->blocks;
	int err = pgt_memory_blocks_open(blocks, diag);

	if (!err)
		err = check_pageblocks(blocks, diag);
	if (!err)
		err = find_device(state, diag);
	if (!err)
		err = pgt_memory_blocks_keep_offline(blocks, diag);
	return err ? err : pgt_virtio_mem_load_driver(&state->mem, diag);
}

/* Nothing but one whole block, which the driver has mapped although it is not all plugged. */
static int add_block(struct hotremove_state *state, struct pgt_diag *diag)
{
	int64_t bytes = 0;
	int err = pgt_memory_blocks_note(&state->blocks, diag);

	if (!err)
		err = pgt_virtio_mem_bind(&state->mem, diag);
	if (!err)
		err = pgt_memory_blocks_wait(&state->blocks, 1, diag);
	if (!err)
		err = pgt_memory_blocks_iomem_added(&state->blocks, &bytes, diag);
	if (!err && bytes != (int64_t)state->blocks.bytes)
		err = pgt_fail(diag, -EIO, "a block of %" PRIu64 " bytes should have been added, but "
			       "/proc/iomem shows %" PRId64, state->blocks.bytes, bytes);
	return err ? pgt_wrap(diag, err, "%s", state->mem.device) : 0;
}

/* The block is there before the driver's worker has ended; stocking up takes longer than that. */
static int hotremove_before_run(void *opaque, struct pgt_diag *diag)
{
	struct hotremove_state *state = opaque;
	int err = add_block(state, diag);

	if (!err)
		err = pgt_stacks_stock_up(diag);
	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	return err ? err : pgt_memory_blocks_note(&state->blocks, diag);
}

static int hotremove_run(void *opaque, struct pgt_diag *diag)
{
	struct hotremove_state *state = opaque;

	return pgt_virtio_mem_unbind(&state->mem, diag);
}

static int hotremove_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct hotremove_state *state = opaque;
	int64_t size = (int64_t)state->blocks.bytes, page = sysconf(_SC_PAGESIZE), n, bytes;
	int err = pgt_memory_blocks_added(&state->blocks, &n, diag);

	pgt_pin_release(&state->pin);
	if (!err)
		err = pgt_memory_blocks_iomem_added(&state->blocks, &bytes, diag);
	if (err)
		return err;
	if (n != -1 || bytes != -size)
		return pgt_fail(diag, -EIO, "a memory block of %" PRId64 " bytes should be gone, but "
				"%" PRId64 " blocks and %" PRId64 " bytes are; a block that is all "
				"plugged, or that somebody sets online, stays", size, -n, -bytes);
	*work = (struct pgt_work){ "pages", size / page, -bytes / page };
	return 0;
}

static void hotremove_release(void *opaque)
{
	struct hotremove_state *state = opaque;
	struct pgt_diag ignored;

	if (!state)
		return;
	if (state->mem.bound)
		pgt_virtio_mem_unbind(&state->mem, &ignored);
	pgt_virtio_mem_release(&state->mem);
	pgt_memory_blocks_release(&state->blocks);
	pgt_pin_release(&state->pin);
	free(state);
}

const struct pgt_workload pgt_workload_hotremove = {
	.name = "hotremove",
	.help = "remove a memory block that virtio-mem has plugged in part (4K and 16K pages)",
	.repeatable = true,
	.parse = hotremove_parse,
	.prepare = hotremove_prepare,
	.before_run = hotremove_before_run,
	.run = hotremove_run,
	.after_run = hotremove_after_run,
	.release = hotremove_release,
};
