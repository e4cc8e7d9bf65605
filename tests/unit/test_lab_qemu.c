/* SPDX-License-Identifier: GPL-2.0-only */
/* qemu.c: a guest's command line, argument by argument. */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "lab/arch.h"
#include "lab/qemu.h"

static const struct pgt_guest_machine plain = {
	.program = "qemu", .memory = UINT64_C(2) << 30, .n_cpus = 2,
	.image = "/k/Image", .initramfs = "/k/initramfs",
	.console = "/g/console", .recording = "/g/recording", .status = "/g/status",
};

static void make(struct pgt_qemu_argv *argv, const struct pgt_guest_machine *machine)
{
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, pgt_qemu_argv_make(argv, pgt_arch_find("arm64"), machine, &diag)),
		  "%s", diag.text);
	cr_assert(eq(ptr, argv->argv[argv->n], NULL));
}

/* Does the option stand in argv with this very value? */
static bool has(const struct pgt_qemu_argv *argv, const char *option, const char *value)
{
	for (size_t i = 0; i + 1 < argv->n; i++)
		if (!strcmp(argv->argv[i], option) && !strcmp(argv->argv[i + 1], value))
			return true;
	return false;
}

Test(lab_qemu, emulated_arm64)
{
	static const char *const pairs[][2] = {
		{ "-M", "virt" }, { "-cpu", "max" }, { "-accel", "tcg,thread=multi" },
		{ "-smp", "2" }, { "-m", "2048M,maxmem=4096M,slots=2" },
		{ "-object", "memory-backend-ram,id=vm0,size=1024M" },
		{ "-device", "virtio-mem-pci,id=vmem0,memdev=vm0,requested-size=512M" },
		{ "-object", "memory-backend-ram,id=vm1,size=128M" },
		{ "-device", "virtio-mem-pci,id=vmem1,memdev=vm1,requested-size=64M,block-size=2M,"
			     "addr=0x1e" },
		{ "-blockdev", "driver=null-co,node-name=zeroes,size=67108864,read-zeroes=on" },
		{ "-device", "virtio-blk-pci,drive=zeroes" },
		{ "-chardev", "file,id=console,path=/g/console" },
		{ "-serial", "chardev:console" },
		{ "-chardev", "file,id=recording,path=/g/recording" },
		{ "-device", "virtserialport,chardev=recording,name=pgtrace.recording" },
		{ "-chardev", "file,id=status,path=/g/status" },
		{ "-device", "virtserialport,chardev=status,name=pgtrace.status" },
		{ "-kernel", "/k/Image" }, { "-initrd", "/k/initramfs" },
		{ "-append", "console=ttyAMA0 panic=-1 nokaslr loglevel=4 pgtrace.accelerator=tcg" },
	};
	struct pgt_qemu_argv argv;

	make(&argv, &plain);
	cr_expect(eq(str, argv.argv[0], "qemu"));
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		cr_expect(has(&argv, pairs[i][0], pairs[i][1]), "%s %s", pairs[i][0], pairs[i][1]);
	pgt_qemu_argv_release(&argv);
}

Test(lab_qemu, kvm_takes_the_hosts_cpu)
{
	struct pgt_guest_machine machine = plain;
	struct pgt_qemu_argv argv;

	machine.kvm = true;
	make(&argv, &machine);
	cr_expect(has(&argv, "-accel", "kvm"));
	cr_expect(has(&argv, "-cpu", "host"));
	cr_expect(has(&argv, "-M", "virt,gic-version=host"));
	pgt_qemu_argv_release(&argv);
}

Test(lab_qemu, what_the_user_chose)
{
	struct pgt_guest_machine machine = plain;
	struct pgt_qemu_argv argv;

	machine.cpu = "neoverse-n1";
	machine.memory = UINT64_C(512) << 20;
	machine.n_cpus = 4;
	machine.firmware = "/q/share";
	machine.append = "kfence.sample_interval=0";
	machine.no_splat = true;
	make(&argv, &machine);
	cr_expect(has(&argv, "-cpu", "neoverse-n1"));
	cr_expect(has(&argv, "-m", "512M,maxmem=2560M,slots=2"));
	cr_expect(has(&argv, "-smp", "4"));
	cr_expect(has(&argv, "-L", "/q/share"));
	cr_expect(has(&argv, "-append",
		      "console=ttyAMA0 panic=-1 nokaslr loglevel=4 pgtrace.accelerator=tcg "
		      "pgtrace.splat=fail kfence.sample_interval=0"));
	pgt_qemu_argv_release(&argv);
}

Test(lab_qemu, a_comma_in_a_path_is_doubled)
{
	struct pgt_guest_machine machine = plain;
	struct pgt_qemu_argv argv;

	machine.console = "/a,b/c";
	make(&argv, &machine);
	cr_expect(has(&argv, "-chardev", "file,id=console,path=/a,,b/c"));
	pgt_qemu_argv_release(&argv);
}

Test(lab_qemu, plugin)
{
	static const struct {
		struct pgt_qemu_plugin plugin;
		const char *value;
	} cases[] = {
		{ { "/p.so", "/g/plan", false, NULL }, "/p.so,plan=/g/plan,out=/g/counts" },
		{ { "/p.so", "/g/plan", true, NULL },
		  "/p.so,plan=/g/plan,out=/g/counts,instructions=on" },
		{ { "/p.so", "/g/plan", false, "neoverse-n1" },
		  "/p.so,plan=/g/plan,out=/g/counts,model=neoverse-n1" },
		{ { "/a,b.so", "/g,h/plan", true, "cortex-a72" },
		  "/a,,b.so,plan=/g,,h/plan,out=/g/counts,instructions=on,model=cortex-a72" },
	};
	struct pgt_guest_machine machine = plain;
	struct pgt_qemu_argv argv;

	machine.counts = "/g/counts";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		machine.plugin = &cases[i].plugin;
		make(&argv, &machine);
		cr_expect(has(&argv, "-plugin", cases[i].value), "%s", cases[i].value);
		pgt_qemu_argv_release(&argv);
	}
	make(&argv, &plain);
	for (size_t i = 0; i < argv.n; i++)
		cr_expect(ne(str, argv.argv[i], (char *)"-plugin"));
	pgt_qemu_argv_release(&argv);
}

Test(lab_qemu, no_such_architecture)
{
	cr_expect(eq(ptr, (void *)pgt_arch_find("vax"), NULL));
	cr_expect(eq(str, (char *)pgt_arch_row(0)->name, "arm64"));
}
