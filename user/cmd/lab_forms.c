/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_forms.h"

#include "cmd/lab_options.h"

#define ARCH_OPTION								\
	{ "arch", PGT_KEY_ARCH, "NAME", 0, "architecture of the guests (arm64)", 0 }, \
	{ "patches", PGT_KEY_PATCHES, "DIR", 0,					\
	  "topics and configurations of kernels that are built (kernel-patches)", 0 }

#define GUEST_OPTIONS								\
	{ NULL, 0, NULL, 0, "Guests:", 2 },					\
	ARCH_OPTION,								\
	{ "memory", PGT_KEY_MEMORY, "SIZE", 0, "memory of a guest, 256M to 64G (2G)", 0 }, \
	{ "cpu", PGT_KEY_CPU, "MODEL", 0, "QEMU's CPU model (max; host under KVM)", 0 }, \
	{ "cpus", PGT_KEY_CPUS, "N", 0, "CPUs of a guest, 1 to 64 (2)", 0 },	\
	{ "append", PGT_KEY_APPEND, "PARAMETERS", 0,				\
	  "give the guests' kernels these parameters, too", 0 },		\
	{ "modules", PGT_KEY_MODULES, "DIR", 0, "modules of a kernel that is given as an Image", 0 }, \
	{ "qemu", PGT_KEY_QEMU, "PATH", 0, "use this QEMU", 0 },		\
	{ "guest-pgtrace", PGT_KEY_GUEST, "PATH", 0,				\
	  "the guest's static pgtrace (ARCH/pgtrace beside this program)", 0 },	\
	{ "program", PGT_KEY_PROGRAM, "FILE", 0,				\
	  "put FILE into the guest's /lab/bin, for the workload 'command' (repeatable)", 0 }, \
	{ "patience", PGT_KEY_PATIENCE, "SECONDS", 0,				\
	  "give a guest up after so long without a new byte from it, 5 to 3600 (120)", 0 }, \
	{ NULL, 0, NULL, 0, "Counting from outside the guests:", 4 },		\
	{ "plugin", PGT_KEY_PLUGIN, "PATH", 0,					\
	  "the plugin that counts (pgtrace-tcg.so beside this program)", 0 },	\
	{ "no-plugin", PGT_KEY_NO_PLUGIN, NULL, 0, "count only within the guests", 0 }, \
	{ "tlb-model", PGT_KEY_MODEL, "CORE", 0,				\
	  "model the TLBs of a core, such as neoverse-n1, while the workloads run", 0 }, \
	{ NULL, 0, NULL, 0, "Recording:", 3 },					\
	{ "sites", PGT_KEY_SITES, "self|all", 0, "instruction sites to count (all)", 0 }, \
	{ "probes", PGT_KEY_PROBES, "NAME[,NAME]", 0, "count only these probes", 0 }, \
	{ "runs", PGT_KEY_RUNS, "N", 0, "record each workload N times a boot, 1 to 1000 (1)", 0 }

static const struct argp_option ab_options[] = {
	{ "output", 'o', "DIR", 0, "write recordings and reports into DIR (pgtrace-ab)", 1 },
	{ "format", PGT_KEY_FORMAT, "NAME", 0, "what to print: text, markdown or json (text)", 0 },
	{ "boots", PGT_KEY_BOOTS, "N", 0, "boots a side, and of the control, 1 to 100 (2)", 0 },
	{ "jobs", PGT_KEY_JOBS, "N", 0, "guests at a time, 1 to 64 (1)", 0 },
	{ "boot", PGT_KEY_BOOT, NULL, 0,
	  "measure booting too, from the first instruction on; without workloads, only that", 0 },
	{ "boot-memory", PGT_KEY_BOOT_MEMORY, "SIZE[,SIZE]", 0,
	  "memory of the guests whose booting is measured, up to 8 sizes (1G,2G,4G)", 0 },
	{ "no-beside", PGT_KEY_NO_BESIDE, NULL, 0,
	  "of a topic, leave the stock kernels beside its steps out", 0 },
	GUEST_OPTIONS, { 0 }
};

static const struct argp_option run_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording to FILE, - for standard output (-)", 1 },
	{ "console", PGT_KEY_CONSOLE, "FILE", 0,
	  "write the guest's console log to FILE, however it ends", 1 },
	{ "skip-unsupported", PGT_KEY_SKIP, NULL, 0,
	  "where the kernel cannot do a workload, record why, and do the others", 1 },
	GUEST_OPTIONS, { 0 }
};

static const struct argp_option verify_options[] = {
	{ "output", 'o', "FILE", 0, "write the recording, with every site, to FILE", 1 },
	{ "format", PGT_KEY_TABLE, "NAME", 0, "what to print: text or json (text)", 0 },
	GUEST_OPTIONS, { 0 }
};

static const struct argp_option fetch_options[] = { ARCH_OPTION, { 0 } };

#define WORKLOAD_HELP "\v"							\
	"A kernel is a series (6.12: the newest stock Debian kernel of it), a Debian " \
	"package name, a step of a topic of patches (TOPIC/STEP[:debug][:16K|:64K]: it is " \
	"built), or the path (with a '/') of an uncompressed Image.  Without "	\
	"workloads: hotplug, vmalloc, pageout-file, pageout-anon, munmap; 'pgtrace list' " \
	"describes them."

const struct pgt_lab_form pgt_lab_forms[] = {
	[PGT_LAB_AB] = { "pgtrace lab ab", ab_options,
		"BASE TEST [-- WORKLOAD...]\nTOPIC[:debug][:16K|:64K] [SIDE...] [-- WORKLOAD...]",
		"Boot two kernels, or the steps of a topic of patches, in alternation, run the "
		"workloads in each boot, and report what differs.  A control, the base against "
		"itself, stands beside it.  A topic's file 'ab' says which sides it has, which stock "
		"kernels beside them, and which options and workloads count where none are given. "
		"A kernel beside skips a workload that it cannot do; the report says why."
		WORKLOAD_HELP, 2, true, "pgtrace-ab" },
	[PGT_LAB_RUN] = { "pgtrace lab run", run_options, "KERNEL [-- WORKLOAD...]",
		"Boot one kernel once, run the workloads in it, and write the recording."
		WORKLOAD_HELP, 1, true, "-" },
	[PGT_LAB_VERIFY] = { "pgtrace lab verify", verify_options, "KERNEL [-- WORKLOAD...]",
		"Boot one kernel once, run the workloads in it, and hold the count of every site in "
		"every window against that of a plugin in the emulator."
		WORKLOAD_HELP "\n\nExit status: 0 all counts are equal and nothing was lost, 1 not, "
		"2 used wrongly.", 1, true, NULL },
	[PGT_LAB_FETCH] = { "pgtrace lab fetch", fetch_options, "qemu|sysroot|KERNEL",
		"Fetch something into the cache and print its path: QEMU's program, the "
		"directory of what a static build links with, or a kernel's Image.", 1, false, NULL },
};
