/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "tcg/format.h"
#include "tcg/output.h"

PGT_TCG_EXPORT int qemu_plugin_version = PGT_TCG_API;

struct pgt_tcg pgt_tcg = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void say(const char *text)
{
	fprintf(stderr, "pgtrace-tcg: %s\n", text);
}

static int check_emulator(const qemu_info_t *info, struct pgt_diag *diag)
{
	if (info->version.min > PGT_TCG_API || info->version.cur < PGT_TCG_API)
		return pgt_fail(diag, -EPROTONOSUPPORT, "this QEMU offers plugins interface %d to "
				"%d, and %d is needed: use QEMU 10", info->version.min,
				info->version.cur, PGT_TCG_API);
	if (!info->system_emulation)
		return pgt_fail(diag, -EPROTONOSUPPORT, "this QEMU runs a program, not a system: "
				"use qemu-system-aarch64");
	if (strcmp(info->target_name, "aarch64"))
		return pgt_fail(diag, -EPROTONOSUPPORT, "this QEMU emulates %s, and only aarch64 "
				"can be counted: use qemu-system-aarch64", info->target_name);
	return 0;
}

static int set_up(const qemu_info_t *info, int argc, char **argv, struct pgt_diag *diag)
{
	int err = check_emulator(info, diag);

	if (!err)
		err = pgt_tcg_options_parse(&pgt_tcg.options, argc, argv, diag);
	if (!err)
		err = pgt_tcg_plan_read(&pgt_tcg.plan, pgt_tcg.options.plan, diag);
	if (!err && info->system.max_vcpus > (int)pgt_tcg.plan.vcpus)
		err = pgt_fail(diag, -E2BIG, "the machine may have %d CPUs and the plan is for %u: "
			       "start QEMU with fewer, or write the plan for more",
			       info->system.max_vcpus, pgt_tcg.plan.vcpus);
	if (!err)
		err = pgt_tcg_scopes_init(&pgt_tcg.scopes, &pgt_tcg.plan, diag);
	if (!err)
		err = pgt_tcg_windows_init(&pgt_tcg.windows, pgt_tcg.plan.vcpus, diag);
	if (!err && pgt_tcg.options.model)
		err = pgt_model_make(&pgt_tcg.model, pgt_tcg.options.model, &pgt_tcg.plan, diag);
	if (!err)
		err = pgt_file_out_open(&pgt_tcg.out, pgt_tcg.options.out, diag);
	return err;
}

static void release(void)
{
	pgt_file_out_release(&pgt_tcg.out);
	pgt_model_free(pgt_tcg.model);
	pgt_tcg_windows_release(&pgt_tcg.windows);
	pgt_tcg_scopes_release(&pgt_tcg.scopes);
	pgt_tcg_returns_release(&pgt_tcg.returns);
	pgt_tcg_places_release(&pgt_tcg.places);
	pgt_tcg_plan_release(&pgt_tcg.plan);
}

/* Hits of all CPUs in the whole boot, on the heap; NULL without memory. */
static uint64_t *sum_hits(void)
{
	size_t n = pgt_tcg.places.n;
	uint64_t *sum = calloc(n + 1, sizeof(*sum)), *own = calloc(n + 1, sizeof(*own));

	for (int vcpu = 0; sum && own && vcpu < qemu_plugin_num_vcpus(); vcpu++) {
		pgt_tcg_hits_copy(own, (unsigned int)vcpu, n);
		for (size_t i = 0; i < n; i++)
			sum[i] += own[i];
	}
	if (!own) {
		free(sum);
		sum = NULL;
	}
	free(own);
	return sum;
}

static int check_whole(struct pgt_diag *diag)
{
	const char *why = pgt_tcg.lost;

	if (pgt_tcg.scopes.out_of_memory || pgt_tcg.windows.out_of_memory)
		why = "out of memory";
	if (pgt_tcg.model && pgt_model_lost(pgt_tcg.model))
		why = pgt_model_lost(pgt_tcg.model);
	if (pgt_tcg.plan.switch_to && !pgt_tcg.switched)
		why = "the guest never executed the plan's cpu_switch_to(): the plan is of another "
		      "kernel, or the kernel moved (boot it with nokaslr)";
	if (!pgt_tcg.executed)
		why = "the guest did not execute anything";
	return why ? pgt_fail(diag, -ENODATA, "%s: not written: %s", pgt_tcg.options.out, why) : 0;
}

static int write_result(struct pgt_diag *diag)
{
	struct pgt_tcg_counted counted = {
		.plan = &pgt_tcg.plan, .kinds = &pgt_tcg.kinds, .places = &pgt_tcg.places,
		.scopes = &pgt_tcg.scopes, .windows = &pgt_tcg.windows, .hits = NULL,
		.instructions = pgt_tcg.options.instructions, .model = pgt_tcg.options.model,
	};
	uint64_t *hits, lines = 0;
	int err;

	if (pgt_tcg.model)
		pgt_model_finish(pgt_tcg.model);
	err = check_whole(diag);
	if (err)
		return err;
	hits = sum_hits();
	if (!hits)
		return pgt_fail(diag, -ENOMEM, "%s: not written: out of memory",
				pgt_tcg.options.out);
	counted.hits = hits;
	err = pgt_tcg_output_counts(pgt_tcg.out.stream, &counted, &lines, diag);
	if (!err) {
		if (pgt_tcg.model)
			pgt_model_print(pgt_tcg.model, pgt_tcg.out.stream, &lines);
		pgt_tcg_output_end(pgt_tcg.out.stream, lines);
		err = pgt_file_out_commit(&pgt_tcg.out, diag);
	}
	free(hits);
	return err;
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *unused)
{
	struct pgt_diag diag = { "" };

	(void)id;
	(void)unused;
	pthread_mutex_lock(&pgt_tcg.lock);
	if (write_result(&diag))
		say(diag.text);
	else if (pgt_tcg.windows.ignored)
		say("hints that opened an open window, or closed a closed one, were ignored");
	release();
	pthread_mutex_unlock(&pgt_tcg.lock);
}

static void register_callbacks(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_init_cb(id, pgt_tcg_on_cpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, pgt_tcg_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
}

/* A reset has taken all callbacks away, and the blocks with them; counters stay. */
static void on_reset(qemu_plugin_id_t id)
{
	pthread_mutex_lock(&pgt_tcg.lock);
	pgt_tcg_returns_reset(&pgt_tcg.returns);
	pthread_mutex_unlock(&pgt_tcg.lock);
	if (pgt_tcg.model)
		pgt_model_on_reset(pgt_tcg.model);
	register_callbacks(id);
}

void pgt_tcg_retranslate(void)
{
	qemu_plugin_reset(pgt_tcg.id, on_reset);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	struct pgt_diag diag = { "" };

	if (set_up(info, argc, argv, &diag)) {
		say(diag.text);
		release();
		return 1;
	}
	pgt_tcg.cells = qemu_plugin_scoreboard_new(sizeof(struct pgt_tcg_cell));
	pgt_tcg.id = id;
	register_callbacks(id);
	return 0;
}
