/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module-loop - insert and remove a kernel module, over and over.
 *
 * Inserting maps the module's file and its sections and makes code executable and constants
 * read-only, page by page; removing undoes that, and flushes.  What the module depends on is
 * loaded beforehand and stays.
 *
 * What a module needs to initialise itself is freed later, by a kernel worker, so the window ends
 * only when nothing has been mapped or unmapped for a while.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lab/module_file.h"
#include "lab/parameter.h"
#include "lab/pin.h"
#include "lab/stacks.h"
#include "lab/vmallocinfo.h"
#include "lab/workload_kinds.h"

#define DEFAULT_MODULE	"mtd"	/* of no use to a guest, and a module in all kernels */
#define MAX_LOOPS	10000

struct module_loop_state {
	char *module;			/* parameter: its name */
	uint64_t loops;			/* parameter */
	uint64_t n_loads;
	bool is_ours;			/* loaded by us */
	char *path;
	struct pgt_vmallocinfo info;
	struct pgt_pin pin;
};

static void module_loop_release(void *opaque)
{
	struct module_loop_state *state = opaque;
	struct pgt_diag ignored;

	if (!state)
		return;
	if (state->is_ours)
		pgt_module_remove(state->module, &ignored);
	pgt_vmallocinfo_release(&state->info);
	pgt_pin_release(&state->pin);
	free(state->module);
	free(state->path);
	free(state);
}

/* As /sys/module has it: '_' for '-', which is the same to the kernel; and no path. */
static int unify_name(char *name, struct pgt_diag *diag)
{
	if (strchr(name, '/') || strchr(name, '.'))
		return pgt_fail(diag, -EINVAL, "module-loop: module=%s is not the name of a "
				"module, such as mtd", name);
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
	return 0;
}

static int module_loop_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct module_loop_state *state = calloc(1, sizeof(*state));
	int err;

	if (!state)
		return pgt_fail(diag, -ENOMEM, "module-loop: out of memory");
	state->loops = 10;
	state->info.fd = -1;
	err = pgt_parameters_parse("module-loop", parameters, (struct pgt_parameter[]){
		{ "module", PGT_PARAMETER_TEXT, 0, 0, NULL, &state->module },
		{ "loops", PGT_PARAMETER_COUNT, 1, MAX_LOOPS, &state->loops, NULL },
	}, 2, diag);
	if (!err && !state->module && !(state->module = strdup(DEFAULT_MODULE)))
		err = pgt_fail(diag, -ENOMEM, "module-loop: out of memory");
	if (!err)
		err = unify_name(state->module, diag);
	if (err) {
		module_loop_release(state);
		return err;
	}
	*out = state;
	return 0;
}

static int module_loop_prepare(void *opaque, struct pgt_diag *diag)
{
	struct module_loop_state *state = opaque;
	int err = pgt_vmallocinfo_init(&state->info, diag);

	return err ? err : pgt_module_file_make_ready(state->module, &state->path, diag);
}

static int module_loop_before_run(void *opaque, struct pgt_diag *diag)
{
	struct module_loop_state *state = opaque;
	int err = pgt_stacks_stock_up(diag);

	state->n_loads = 0;
	if (!err)
		err = pgt_pin_to_last_cpu(&state->pin, diag);
	return err ? err : pgt_vmallocinfo_settle(&state->info, diag);
}

static int load_and_unload(struct module_loop_state *state, struct pgt_diag *diag)
{
	int err = pgt_module_file_insert(state->path, "", diag);

	if (err)
		return err;
	state->is_ours = true;
	err = pgt_module_remove(state->module, diag);
	if (err)
		return err;
	state->is_ours = false;
	state->n_loads++;
	return 0;
}

static int module_loop_run(void *opaque, struct pgt_diag *diag)
{
	struct module_loop_state *state = opaque;
	int err = 0;

	for (uint64_t i = 0; !err && i < state->loops; i++)
		err = load_and_unload(state, diag);
	return err ? err : pgt_vmallocinfo_settle(&state->info, diag);
}

static int module_loop_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct module_loop_state *state = opaque;

	pgt_pin_release(&state->pin);
	if (state->n_loads != state->loops || pgt_module_is_loaded(state->module))
		return pgt_fail(diag, -EIO, "%s was loaded and unloaded %" PRIu64 " of %" PRIu64
				" times, and is %s", state->module, state->n_loads, state->loops,
				pgt_module_is_loaded(state->module) ? "still there" : "gone");
	*work = (struct pgt_work){ "loads", (int64_t)state->loops, (int64_t)state->n_loads };
	return 0;
}

const struct pgt_workload pgt_workload_module_loop = {
	.name = "module-loop",
	.help = "load and unload a kernel module (module=mtd,loops=10)",
	.repeatable = true,
	.parse = module_loop_parse,
	.prepare = module_loop_prepare,
	.before_run = module_loop_before_run,
	.run = module_loop_run,
	.after_run = module_loop_after_run,
	.release = module_loop_release,
};
