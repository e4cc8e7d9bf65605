/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/rig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/arch.h"
#include "lab/initramfs.h"
#include "lab/lab.h"

/* ---- what is asked before anything is fetched: the user's own files are the quickest ---- */

static int check_guest_pgtrace(const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	if (!access(settings->guest_pgtrace, R_OK))
		return pgt_initramfs_check(settings->guest_pgtrace, settings->arch, diag);
	return pgt_fail(diag, -ENOENT,
			"%s: no pgtrace for %s guests: build it with 'make guest', or name one with --guest-pgtrace",
			settings->guest_pgtrace, settings->arch->name);
}

static int check_plugin(const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	if (!settings->plugin || !access(settings->plugin, R_OK))
		return 0;
	return pgt_fail(diag, -ENOENT,
			"%s: no plugin that counts from outside the guests: build it with 'make', name one with --plugin, or go without one with --no-plugin",
			settings->plugin);
}

static int check_files(const struct pgt_lab *lab, const struct pgt_rig_settings *settings,
		       struct pgt_diag *diag)
{
	int err = check_guest_pgtrace(settings, diag);

	if (!err)
		err = check_plugin(settings, diag);
	for (size_t i = 0; !err && i < settings->n_kernels; i++)
		err = pgt_kernel_check(lab, settings->arch, settings->kernels[i].spec,
				       settings->modules, diag);
	return err;
}

/* ---- one kernel ---- */

static int make_initramfs(char **out, const char *name, size_t i,
			  const struct pgt_initramfs *content, const char *const *args,
			  const struct pgt_lab *lab, const struct pgt_arch *arch,
			  struct pgt_diag *diag)
{
	struct pgt_initramfs own = *content;

	if (!args)
		return 0;
	own.args = args;
	*out = pgt_format("%s/%s-%zu", lab->scratch, name, i);
	if (!*out)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	return pgt_initramfs_write(*out, &own, lab, arch, diag);
}

/* "record --skip-unsupported ..." of "record ..."; the caller frees the array. */
static const char **make_tolerant(const char *const *args)
{
	const char **made;
	size_t n = 0;

	while (args[n])
		n++;
	made = calloc(n + 2, sizeof(*made));
	if (!made)
		return NULL;
	made[0] = args[0];
	made[1] = "--skip-unsupported";
	memcpy(made + 2, args + 1, (n - 1) * sizeof(*made));
	return made;
}

static int make_work_initramfs(struct pgt_rig_side *side, size_t i,
			       const struct pgt_initramfs *content, const char *const *args,
			       const struct pgt_lab *lab, const struct pgt_rig_settings *settings,
			       struct pgt_diag *diag)
{
	const char **tolerant = NULL;
	int err;

	if (args && settings->kernels[i].skip_unsupported) {
		args = tolerant = make_tolerant(args);
		if (!args)
			return pgt_fail(diag, -ENOMEM, "out of memory");
	}
	err = make_initramfs(&side->initramfs, "initramfs", i, content, args, lab, settings->arch,
			     diag);
	free(tolerant);
	return err;
}

static int write_plan(struct pgt_rig_side *side, size_t i, const struct pgt_lab *lab,
		      const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_file_out out;
	uint64_t image_bytes;
	int err;

	side->plugin_plan = pgt_format("%s/plugin-plan-%zu", lab->scratch, i);
	if (!side->plugin_plan)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_kernel_image_bytes(&side->kernel, &image_bytes, diag);
	if (!err)
		err = pgt_scope_plan_text(&text, &side->scopes, settings->arch->name,
					  &side->symbols.ksyms, image_bytes,
					  side->symbols.build_id, settings->n_cpus, diag);
	if (!err)
		err = pgt_file_out_open(&out, side->plugin_plan, diag);
	if (!err) {
		fwrite(text.at, 1, text.len, out.stream);
		err = pgt_file_out_commit(&out, diag);
		pgt_file_out_release(&out);
	}
	pgt_buf_release(&text);
	return err;
}

/* What the plugin must know of a kernel. */
static int prepare_plugin(struct pgt_rig *rig, size_t i, const struct pgt_initramfs *content,
			  const struct pgt_lab *lab, const struct pgt_rig_settings *settings,
			  struct pgt_diag *diag)
{
	struct pgt_rig_side *side = &rig->side[i];
	struct pgt_guest_plan guest = {
		.arch = settings->arch, .emulator = &rig->emulator,
		.label = side->label, .image = side->kernel.image,
		.cpu = settings->cpu, .append = side->append,
		.patience_s = settings->patience_s,
	};
	int err = pgt_symbols_get(&side->symbols, lab, &guest, content, diag);

	if (!err)
		err = pgt_scope_plan_make(&side->scopes, settings->arch->name,
					  &side->symbols.ksyms, diag);
	if (!err) {
		err = write_plan(side, i, lab, settings, diag);
		if (err)
			pgt_wrap(diag, err, "%s", side->label);
	}
	return err;
}

static int describe_side(struct pgt_rig_side *side, const struct pgt_rig_kernel *kernel,
			 const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	const char *common = settings->append, *own = kernel->parameters;

	side->label = own ? pgt_format("%s-%s", side->kernel.release, kernel->name)
			  : strdup(side->kernel.release);
	if (common || own)
		side->append = pgt_format("%s%s%s", common ? common : "",
					  common && own ? " " : "", own ? own : "");
	return side->label && (side->append || !(common || own))
		       ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");
}

static int add_kernel(struct pgt_rig *rig, const struct pgt_rig_kernel *kernel,
		      const struct pgt_lab *lab, const struct pgt_rig_settings *settings,
		      struct pgt_diag *diag)
{
	struct pgt_rig_side *side = &rig->side[rig->n];
	int err = pgt_kernel_get(&side->kernel, lab, settings->arch, kernel->spec,
				 settings->modules, diag);

	if (err)
		return err;
	rig->n++;
	return describe_side(side, kernel, settings, diag);
}

/* What its guests find when they boot. */
static int prepare_side(struct pgt_rig *rig, size_t i, const struct pgt_lab *lab,
			const struct pgt_rig_settings *settings, bool plugin,
			struct pgt_diag *diag)
{
	/* All that a boot measured as a whole has to do: say that it is up. */
	static const char *const boot_args[] = { "host", NULL };
	struct pgt_rig_side *side = &rig->side[i];
	struct pgt_initramfs content = {
		.init = settings->guest_pgtrace, .modules = side->kernel.modules,
	};
	int err = 0;

	if (plugin)
		err = prepare_plugin(rig, i, &content, lab, settings, diag);
	if (!err && settings->n_boot_memory)
		err = make_initramfs(&side->boot_initramfs, "initramfs-boot", i, &content, boot_args,
				     lab, settings->arch, diag);
	content.programs = settings->programs;
	return err ? err : make_work_initramfs(side, i, &content,
					       plugin ? settings->plugin_args : settings->args,
					       lab, settings, diag);
}

/* ---- ways to boot ---- */

char *pgt_rig_boot_name(uint64_t memory)
{
	uint64_t mib = memory >> 20;

	return mib % 1024 ? pgt_format("boot-%" PRIu64 "m", mib) :
			    pgt_format("boot-%" PRIu64 "g", mib / 1024);
}

static void set_up(struct pgt_rig *rig, struct pgt_rig_setup *setup, uint64_t memory,
		   const struct pgt_rig_settings *settings, bool plugin)
{
	for (size_t i = 0; i < rig->n; i++) {
		struct pgt_rig_side *side = &rig->side[i];

		setup->plan[i] = (struct pgt_guest_plan){
			.arch = settings->arch, .emulator = &rig->emulator,
			.label = side->label, .image = side->kernel.image,
			.initramfs = setup->boot ? side->boot_initramfs : side->initramfs,
			.cpu = settings->cpu, .append = side->append,
			.memory = memory, .n_cpus = settings->n_cpus,
			.console = setup->boot ? NULL : settings->console,
			.patience_s = settings->patience_s,
			.no_splat = side->kernel.built,
		};
		if (!plugin)
			continue;
		setup->plugin[i] = (struct pgt_qemu_plugin){
			.path = settings->plugin, .plan = side->plugin_plan,
			.instructions = setup->boot, .model = setup->boot ? NULL : settings->model,
		};
		setup->join[i] = (struct pgt_tcg_join){
			.arch = settings->arch->name, .symbols = &side->symbols,
			.plan = &side->scopes, .boot = setup->boot,
			.every_site = settings->every_site,
		};
		setup->plan[i].plugin = &setup->plugin[i];
		setup->plan[i].join = &setup->join[i];
	}
}

static int add_setups(struct pgt_rig *rig, const struct pgt_rig_settings *settings, bool plugin,
		      struct pgt_diag *diag)
{
	size_t n = settings->n_boot_memory + (settings->args != NULL);

	rig->setups = calloc(n, sizeof(*rig->setups));
	if (!rig->setups)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	for (; rig->n_setups < n; rig->n_setups++) {
		struct pgt_rig_setup *setup = &rig->setups[rig->n_setups];
		bool is_boot = rig->n_setups < settings->n_boot_memory;
		uint64_t memory = is_boot ? settings->boot_memory[rig->n_setups] :
					    settings->memory;

		if (is_boot && !(setup->boot = pgt_rig_boot_name(memory)))
			return pgt_fail(diag, -ENOMEM, "out of memory");
		set_up(rig, setup, memory, settings, plugin);
	}
	return 0;
}

/* ---- all of it ---- */

/* Whether the plugin is used. */
static int decide_plugin(bool *out, const struct pgt_rig *rig, const struct pgt_lab *lab,
			 const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	*out = settings->plugin && !rig->emulator.kvm;
	if (!settings->plugin || !rig->emulator.kvm)
		return 0;
	if (settings->plugin_required)
		return pgt_fail(diag, -EOPNOTSUPP,
				"counting from outside is not supported here: KVM executes the guests, and no plugin sees what they do");
	pgt_progress_note(lab->progress, "KVM executes the guests: nothing is counted from outside");
	return 0;
}

/* What will be used, said once all of it is there: a failure is then a line of its own. */
static void describe(const struct pgt_rig *rig, const struct pgt_lab *lab,
		     const struct pgt_rig_settings *settings)
{
	pgt_progress_note(lab->progress, "QEMU %s, accelerator %s", rig->emulator.version,
			  rig->emulator.kvm ? "kvm" : "tcg (no KVM here for this architecture)");
	for (size_t i = 0; i < rig->n; i++) {
		const struct pgt_kernel *kernel = &rig->side[i].kernel;

		pgt_progress_note(lab->progress, "%s: %s (%s%s%s)", settings->kernels[i].spec,
				  rig->side[i].label,
				  kernel->package ? kernel->package : kernel->image,
				  kernel->version ? " " : "",
				  kernel->version ? kernel->version : "");
	}
}

int pgt_rig_make(struct pgt_rig *rig, const struct pgt_lab *lab,
		 const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	int err = check_files(lab, settings, diag);
	bool plugin = false;

	*rig = (struct pgt_rig){ .n = 0 };	/* the plans point into it, so it is made in place */
	if (!err)
		err = pgt_emulator_get(&rig->emulator, lab, settings->arch, settings->qemu, diag);
	if (!err)
		err = decide_plugin(&plugin, rig, lab, settings, diag);
	for (size_t i = 0; !err && i < settings->n_kernels; i++)
		err = add_kernel(rig, &settings->kernels[i], lab, settings, diag);
	for (size_t i = 0; !err && i < rig->n; i++)
		err = prepare_side(rig, i, lab, settings, plugin, diag);
	if (!err)
		err = add_setups(rig, settings, plugin, diag);
	if (err)
		pgt_rig_release(rig);
	else
		describe(rig, lab, settings);
	return err;
}

static void release_side(struct pgt_rig_side *side)
{
	pgt_kernel_release(&side->kernel);
	pgt_symbols_release(&side->symbols);
	pgt_scope_plan_release(&side->scopes);
	free(side->label);
	free(side->append);
	free(side->initramfs);
	free(side->boot_initramfs);
	free(side->plugin_plan);
}

void pgt_rig_release(struct pgt_rig *rig)
{
	for (size_t i = 0; i < PGT_RIG_MAX_KERNELS; i++)
		release_side(&rig->side[i]);
	for (size_t i = 0; i < rig->n_setups; i++)
		free(rig->setups[i].boot);
	free(rig->setups);
	pgt_emulator_release(&rig->emulator);
	*rig = (struct pgt_rig){ .n = 0 };
}
