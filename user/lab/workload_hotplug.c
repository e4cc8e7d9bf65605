/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hotplug - a virtio-mem device grows the machine's memory, and so its linear map.
 *
 * The driver plugs the size that the device asks for as soon as it is bound.  So the
 * module is loaded beforehand with automatic binding off, and run() binds the device: the window
 * then holds no module loading.  The new memory stays offline.
 * Unplugging would have to find the memory unused, so this runs once a boot.
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

struct hotplug_state {
	uint64_t size;			/* parameter */
	struct pgt_virtio_mem mem;
	struct pgt_memory_blocks blocks;
	struct pgt_pin pin;
};

static int hotplug_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct hotplug_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "hotplug: out of memory");
	state->size = UINT64_C(512) << 20;
	state->mem = (struct pgt_virtio_mem)PGT_VIRTIO_MEM_INIT;
	state->blocks.fd = -1;
	err = pgt_parameters_parse("hotplug", parameters, (struct pgt_parameter[]){
		{ "size", PGT_PARAMETER_SIZE, 1 << 20, UINT64_C(1) << 40, &state->size, NULL },
	}, 1, diag);
	if (err) {
		free(state);
		return err;
	}
	*out = state;
	return 0;
}

static int find_device(struct hotplug_state *state, struct pgt_diag *diag)
{
	if (!pgt_virtio_mem_find(&state->mem, PGT_QEMU_HOTREMOVE_ADDRESS, false))
		return pgt_fail(diag, -ENODEV, "this machine has no virtio-mem device; "
				"give the guest one whose requested size is %" PRIu64 " bytes",
				state->size);
	return pgt_virtio_mem_check_free(&state->mem, diag);
}

static int hotplug_prepare(void *opaque, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	struct pgt_memory_blocks *blocks = &state->blocks;
	int err = find_device(state, diag);

	if (!err)
		err = pgt_memory_blocks_open(blocks, diag);
	if (!err && state->size % blocks->bytes)
		err = pgt_fail(diag, -EINVAL, "size=%" PRIu64 " is not a multiple of this "
			       "machine's memory block, %" PRIu64, state->size, blocks->bytes);
	if (!err)
		err = pgt_memory_blocks_keep_offline(blocks, diag);
	return err ? err : pgt_virtio_mem_load_driver(&state->mem, diag);
}

static int hotplug_before_run(void *opaque, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	int err = pgt_stacks_stock_up(diag);

	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	return err ? err : pgt_memory_blocks_note(&state->blocks, diag);
}

static int hotplug_run(void *opaque, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	int64_t wanted = (int64_t)(state->size / state->blocks.bytes);
	int err = pgt_virtio_mem_bind(&state->mem, diag);

	if (err)
		return err;
	err = pgt_memory_blocks_wait(&state->blocks, wanted, diag);
	return err ? pgt_wrap(diag, err, "%s", state->mem.device) : 0;
}

static int hotplug_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct hotplug_state *state = opaque;
	int64_t page = sysconf(_SC_PAGESIZE), bytes;
	int err = pgt_memory_blocks_iomem_added(&state->blocks, &bytes, diag);

	pgt_pin_release(&state->pin);
	if (err)
		return err;
	if (bytes != (int64_t)state->size)
		return pgt_fail(diag, -EIO, "%" PRIu64 " bytes were asked for, but "
				"/proc/iomem shows %" PRId64 " added", state->size, bytes);
	*work = (struct pgt_work){ "pages", (int64_t)state->size / page, bytes / page };
	return 0;
}

static void hotplug_release(void *opaque)
{
	struct hotplug_state *state = opaque;

	if (!state)
		return;
	pgt_virtio_mem_release(&state->mem);
	pgt_memory_blocks_release(&state->blocks);
	pgt_pin_release(&state->pin);
	free(state);
}

const struct pgt_workload pgt_workload_hotplug = {
	.name = "hotplug",
	.help = "plug memory into the guest through virtio-mem (size=512M); once a boot",
	.repeatable = false,
	.parse = hotplug_parse,
	.prepare = hotplug_prepare,
	.before_run = hotplug_before_run,
	.run = hotplug_run,
	.after_run = hotplug_after_run,
	.release = hotplug_release,
};
