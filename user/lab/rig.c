/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/rig.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/progress.h"
#include "lab/arch.h"
#include "lab/initramfs.h"
#include "lab/lab.h"

static int check_guest_pgtrace(const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	if (!access(settings->guest_pgtrace, R_OK))
		return pgt_initramfs_check(settings->guest_pgtrace, settings->arch, diag);
	return pgt_fail(diag, -ENOENT,
			"%s: no pgtrace for %s guests: build it with 'make guest', or name one with --guest-pgtrace",
			settings->guest_pgtrace, settings->arch->name);
}

/* Asked before anything is fetched: the user's own files are the quickest to put right. */
static int check_files(const struct pgt_lab *lab, const struct pgt_rig_settings *settings,
		       struct pgt_diag *diag)
{
	int err = check_guest_pgtrace(settings, diag);

	for (size_t i = 0; !err && i < PGT_RIG_KERNELS && settings->kernels[i]; i++)
		err = pgt_kernel_check(lab, settings->arch, settings->kernels[i],
				       settings->modules, diag);
	return err;
}

static int make_initramfs(struct pgt_rig *rig, size_t i, const struct pgt_lab *lab,
			  const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	struct pgt_initramfs content = {
		.init = settings->guest_pgtrace, .args = settings->args,
		.modules = rig->kernel[i].modules, .programs = settings->programs,
	};

	rig->initramfs[i] = pgt_format("%s/initramfs-%zu", lab->scratch, i);
	if (!rig->initramfs[i])
		return pgt_fail(diag, -ENOMEM, "out of memory");
	return pgt_initramfs_write(rig->initramfs[i], &content, lab, settings->arch, diag);
}

static int add_kernel(struct pgt_rig *rig, const char *spec, const struct pgt_lab *lab,
		      const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	size_t i = rig->n;
	struct pgt_kernel *kernel = &rig->kernel[i];
	int err = pgt_kernel_get(kernel, lab, settings->arch, spec, settings->modules, diag);

	if (err)
		return err;
	rig->n++;
	err = make_initramfs(rig, i, lab, settings, diag);
	if (err)
		return err;
	rig->plan[i] = (struct pgt_guest_plan){
		.arch = settings->arch, .emulator = &rig->emulator,
		.label = kernel->release, .image = kernel->image, .initramfs = rig->initramfs[i],
		.cpu = settings->cpu, .memory = settings->memory, .n_cpus = settings->n_cpus,
		.patience_s = settings->patience_s,
	};
	return 0;
}

/* What will be used, said once all of it is there: a failure is then a line of its own. */
static void describe(const struct pgt_rig *rig, const struct pgt_lab *lab,
		     const struct pgt_rig_settings *settings)
{
	pgt_progress_note(lab->progress, "QEMU %s, accelerator %s", rig->emulator.version,
			  rig->emulator.kvm ? "kvm" : "tcg (no KVM here for this architecture)");
	for (size_t i = 0; i < rig->n; i++) {
		const struct pgt_kernel *kernel = &rig->kernel[i];

		pgt_progress_note(lab->progress, "%s: %s (%s%s%s)", settings->kernels[i],
				  kernel->release,
				  kernel->package ? kernel->package : kernel->image,
				  kernel->version ? " " : "",
				  kernel->version ? kernel->version : "");
	}
}

int pgt_rig_make(struct pgt_rig *rig, const struct pgt_lab *lab,
		 const struct pgt_rig_settings *settings, struct pgt_diag *diag)
{
	int err = check_files(lab, settings, diag);

	*rig = (struct pgt_rig){ .n = 0 };	/* the plans point into it, so it is made in place */
	if (!err)
		err = pgt_emulator_get(&rig->emulator, lab, settings->arch, settings->qemu, diag);
	for (size_t i = 0; !err && i < PGT_RIG_KERNELS && settings->kernels[i]; i++)
		err = add_kernel(rig, settings->kernels[i], lab, settings, diag);
	if (err)
		pgt_rig_release(rig);
	else
		describe(rig, lab, settings);
	return err;
}

void pgt_rig_release(struct pgt_rig *rig)
{
	for (size_t i = 0; i < PGT_RIG_KERNELS; i++) {
		pgt_kernel_release(&rig->kernel[i]);
		free(rig->initramfs[i]);
	}
	pgt_emulator_release(&rig->emulator);
	*rig = (struct pgt_rig){ .n = 0 };
}
