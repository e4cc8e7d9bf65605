/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/qemu.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "lab/arch.h"
#include "lab/splat.h"

#define MIB(bytes)	((uintmax_t)((bytes) >> 20))
#define DISK_BYTES	(64 << 20)	/* what workloads map and page out */

/*
 * panic=-1 and -no-reboot end a guest that panics; nokaslr lets two boots of one
 * kernel, and two kernels, be compared by address; loglevel=4 keeps warnings and the
 * messages of a dying kernel, and spares a slow console the rest.
 */
#define KERNEL_PARAMETERS	"panic=-1 nokaslr loglevel=4"

/* Append one formatted argument. */
static int __attribute__((format(printf, 2, 3)))
add(struct pgt_qemu_argv *to, const char *fmt, ...)
{
	char **argv = reallocarray(to->argv, to->n + 2, sizeof(*argv));
	va_list args;
	int n;

	if (!argv)
		return -ENOMEM;
	to->argv = argv;
	va_start(args, fmt);
	n = vasprintf(&argv[to->n], fmt, args);
	va_end(args);
	if (n < 0) {
		argv[to->n] = NULL;
		return -ENOMEM;
	}
	argv[++to->n] = NULL;
	return 0;
}

/* In QEMU's lists of properties a comma within a value is written twice. */
static char *escape(const char *value)
{
	char *out = malloc(2 * strlen(value) + 1), *to = out;

	if (!out)
		return NULL;
	for (; *value; value++) {
		if (*value == ',')
			*to++ = ',';
		*to++ = *value;
	}
	*to = '\0';
	return out;
}

static int add_each(struct pgt_qemu_argv *to, const char *const *args)
{
	int err = 0;

	for (; !err && *args; args++)
		err = add(to, "%s", *args);
	return err;
}

static int add_machine(struct pgt_qemu_argv *to, const struct pgt_arch *arch,
		       const struct pgt_guest_machine *machine)
{
	const char *cpu = machine->cpu ? machine->cpu : machine->kvm ? "host" : arch->cpu;
	const char *const fixed[] = {
		machine->program, "-no-user-config", "-nodefaults", "-no-reboot",
		"-display", "none", "-monitor", "none",
		"-M", machine->kvm ? arch->qemu_machine_kvm : arch->qemu_machine, "-cpu", cpu,
		"-accel", machine->kvm ? "kvm" : "tcg,thread=multi", "-smp", NULL
	};
	int err = add_each(to, fixed);

	if (!err)
		err = add(to, "%u", machine->n_cpus);
	if (!err && machine->firmware)
		err = add(to, "-L");
	if (!err && machine->firmware)
		err = add(to, "%s", machine->firmware);
	return err;
}

/* A device that adds memory while the guest runs: half of what it has. */
static int add_virtio_mem(struct pgt_qemu_argv *to, const char *name, uint64_t bytes,
			  const char *more)
{
	int err = add(to, "-object");

	if (!err)
		err = add(to, "memory-backend-ram,id=vm%s,size=%juM", name, MIB(bytes));
	if (!err)
		err = add(to, "-device");
	return err ? err : add(to, "virtio-mem-pci,id=vmem%s,memdev=vm%s,requested-size=%juM%s", name,
			       name, MIB(bytes / 2), more);
}

/*
 * The memory, and the devices that add more.  QEMU takes the host's size of a huge page for the
 * unit of a device, which may be more than all that the second one has.
 */
static int add_memory(struct pgt_qemu_argv *to, const struct pgt_guest_machine *machine)
{
	int err = add(to, "-m");

	if (!err)
		err = add(to, "%juM,maxmem=%juM,slots=2", MIB(machine->memory),
			  MIB(machine->memory + 2 * PGT_QEMU_HOTPLUG_BYTES));
	if (!err)
		err = add_virtio_mem(to, "0", PGT_QEMU_HOTPLUG_BYTES, "");
	return err ? err : add_virtio_mem(to, "1", PGT_QEMU_HOTREMOVE_BYTES,
					  ",block-size=2M,addr=0x" PGT_QEMU_HOTREMOVE_SLOT);
}

/* A disk that reads as zeroes and needs no file on the host. */
static int add_disk(struct pgt_qemu_argv *to)
{
	int err = add(to, "-blockdev");

	if (!err)
		err = add(to, "driver=null-co,node-name=zeroes,size=%d,read-zeroes=on", DISK_BYTES);
	if (!err)
		err = add(to, "-device");
	return err ? err : add(to, "virtio-blk-pci,drive=zeroes");
}

static int add_chardev(struct pgt_qemu_argv *to, const char *id, const char *path)
{
	char *escaped = escape(path);
	int err = escaped ? add(to, "-chardev") : -ENOMEM;

	if (!err)
		err = add(to, "file,id=%s,path=%s", id, escaped);
	free(escaped);
	return err;
}

/* The console on the first serial port, and the two named ports of lab/init.h. */
static int add_channels(struct pgt_qemu_argv *to, const struct pgt_guest_machine *machine)
{
	static const char *const devices[] = {
		"-serial", "chardev:console", "-device", "virtio-serial-pci",
		"-device", "virtserialport,chardev=recording,name=pgtrace.recording",
		"-device", "virtserialport,chardev=status,name=pgtrace.status", NULL
	};
	int err = add_chardev(to, "console", machine->console);

	if (!err)
		err = add_chardev(to, "recording", machine->recording);
	if (!err)
		err = add_chardev(to, "status", machine->status);
	return err ? err : add_each(to, devices);
}

static int add_plugin(struct pgt_qemu_argv *to, const struct pgt_guest_machine *machine)
{
	const struct pgt_qemu_plugin *plugin = machine->plugin;
	char *path = escape(plugin->path), *plan = escape(plugin->plan);
	char *counts = escape(machine->counts);
	int err = path && plan && counts ? add(to, "-plugin") : -ENOMEM;

	if (!err)
		err = add(to, "%s,plan=%s,out=%s%s%s%s", path, plan, counts,
			  plugin->instructions ? ",instructions=on" : "",
			  plugin->model ? ",model=" : "", plugin->model ? plugin->model : "");
	free(path);
	free(plan);
	free(counts);
	return err;
}

static int add_kernel(struct pgt_qemu_argv *to, const struct pgt_arch *arch,
		      const struct pgt_guest_machine *machine)
{
	const char *const fixed[] = {
		"-kernel", machine->image, "-initrd", machine->initramfs, "-append", NULL
	};
	int err = add_each(to, fixed);

	/* A guest cannot tell what runs it, and a recording must: trace/host.c reads it. */
	return err ? err : add(to, "console=%s " KERNEL_PARAMETERS " pgtrace.accelerator=%s%s%s%s",
			       arch->console, machine->kvm ? "kvm" : "tcg",
			       machine->no_splat ? " " PGT_SPLAT_PARAMETER : "",
			       machine->append ? " " : "", machine->append ? machine->append : "");
}

int pgt_qemu_argv_make(struct pgt_qemu_argv *out, const struct pgt_arch *arch,
		       const struct pgt_guest_machine *machine, struct pgt_diag *diag)
{
	struct pgt_qemu_argv made = { NULL, 0 };
	int err = add_machine(&made, arch, machine);

	if (!err)
		err = add_memory(&made, machine);
	if (!err)
		err = add_disk(&made);
	if (!err)
		err = add_channels(&made, machine);
	if (!err && machine->plugin)
		err = add_plugin(&made, machine);
	if (!err)
		err = add_kernel(&made, arch, machine);
	if (err) {
		pgt_qemu_argv_release(&made);
		return pgt_fail(diag, err, "out of memory");
	}
	*out = made;
	return 0;
}

void pgt_qemu_argv_release(struct pgt_qemu_argv *argv)
{
	for (size_t i = 0; i < argv->n; i++)
		free(argv->argv[i]);
	free(argv->argv);
	*argv = (struct pgt_qemu_argv){ NULL, 0 };
}
