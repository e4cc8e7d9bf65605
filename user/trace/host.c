/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/host.h"

#include <elf.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "trace/digest.h"

const char *pgt_host_arch(void)
{
#if defined(__aarch64__)
	return "arm64";
#elif defined(__x86_64__)
	return "x86_64";
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return "ppc64le";
#else
#error "give this architecture its name"
#endif
}

/* Set name to text, or to null with name_reason beside it. */
static int set(json_t *line, const char *name, const char *text, const char *reason)
{
	char reason_name[64];

	if (text)
		return json_object_set_new(line, name, json_string(text));
	snprintf(reason_name, sizeof(reason_name), "%s_reason", name);
	return json_object_set_new(line, name, json_null()) ||
	       json_object_set_new(line, reason_name, json_string(reason));
}

static int set_from_file(json_t *line, const char *name, const char *path, const char *reason)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_diag ignored;
	int err = pgt_file_read_line(path, &text, &ignored);

	err = set(line, name, err ? NULL : text.at, reason);
	pgt_buf_release(&text);
	return err;
}

/* /sys/kernel/notes is a run of ELF notes; the build id is GNU's type 3. */
static int set_build_id(json_t *line)
{
	struct pgt_buf notes = PGT_BUF_INIT;
	struct pgt_diag ignored;
	char hex[2 * 64 + 1] = "";
	int err;

	if (!pgt_file_read("/sys/kernel/notes", &notes, &ignored)) {
		for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.len; ) {
			Elf64_Nhdr note;
			size_t name = at + sizeof(note), desc;

			memcpy(&note, notes.at + at, sizeof(note));
			desc = name + (note.n_namesz + 3) / 4 * 4;
			at = desc + (note.n_descsz + 3) / 4 * 4;
			if (at > notes.len || note.n_type != NT_GNU_BUILD_ID ||
			    strcmp(notes.at + name, "GNU") || note.n_descsz > 64)
				continue;
			for (size_t i = 0; i < note.n_descsz; i++)
				sprintf(hex + 2 * i, "%02x", (unsigned char)notes.at[desc + i]);
		}
	}
	err = set(line, "build_id", hex[0] ? hex : NULL, "/sys/kernel/notes holds none");
	pgt_buf_release(&notes);
	return err;
}

static int set_config_digest(json_t *line)
{
	struct pgt_buf config = PGT_BUF_INIT;
	struct pgt_diag why = { "" };
	char hex[PGT_DIGEST_HEX];
	int err = pgt_file_read("/proc/config.gz", &config, &why);

	if (!err)
		err = pgt_digest_sha256(config.at, config.len, hex, &why);
	pgt_buf_release(&config);
	return set(line, "config_digest", err ? NULL : hex,
		   "no /proc/config.gz: the kernel was built without CONFIG_IKCONFIG_PROC");
}

/* arm64 has the register itself; elsewhere the name that /proc/cpuinfo gives. */
static int set_cpu(json_t *line)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_diag ignored;
	char cpu[128] = "", *model;
	int err;

	if (!pgt_file_read_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", &text,
				&ignored)) {
		snprintf(cpu, sizeof(cpu), "midr=0x%08llx", strtoull(text.at, NULL, 16));
	} else if (!pgt_file_read("/proc/cpuinfo", &text, &ignored)) {
		model = strstr(text.at, "model name\t: ");
		if (model)
			snprintf(cpu, sizeof(cpu), "%.*s", (int)strcspn(model + 13, "\n"), model + 13);
	}
	err = set(line, "cpu", cpu[0] ? cpu : NULL, "neither midr_el1 nor a model name");
	pgt_buf_release(&text);
	return err;
}

/* The lab tells its guests on the command line what executes them. */
static int set_accelerator(json_t *line)
{
	struct pgt_buf cmdline = PGT_BUF_INIT;
	struct pgt_diag ignored;
	char name[32] = "", *at;
	int err = pgt_file_read_line("/proc/cmdline", &cmdline, &ignored);

	at = err ? NULL : strstr(cmdline.at, "pgtrace.accelerator=");
	if (at)
		sscanf(at, "pgtrace.accelerator=%31s", name);
	pgt_buf_release(&cmdline);
	return set(line, "accelerator", name[0] ? name : NULL,
		   "not a guest of pgtrace lab: hardware or somebody else's virtual machine");
}

struct json_t *pgt_host_line(struct pgt_diag *diag)
{
	struct utsname name;
	json_t *line = NULL;
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	int err = uname(&name);

	if (!err)
		line = json_pack("{s:s, s:s, s:s, s:s}", "type", "host", "arch", pgt_host_arch(),
				 "kernel_release", name.release, "kernel_version", name.version);
	err = !line || set_build_id(line) || set_config_digest(line) || set_cpu(line) ||
	      json_object_set_new(line, "n_cpus", json_integer(sysconf(_SC_NPROCESSORS_ONLN))) ||
	      json_object_set_new(line, "page_size", json_integer(page)) ||
	      json_object_set_new(line, "memory_bytes", json_integer((json_int_t)pages * page)) ||
	      set_accelerator(line) ||
	      set_from_file(line, "cmdline", "/proc/cmdline", "/proc/cmdline cannot be read") ||
	      set_from_file(line, "boot_id", "/proc/sys/kernel/random/boot_id", "not readable");
	if (!err)
		return line;
	json_decref(line);
	pgt_fail(diag, -ENOMEM, "host: out of memory");
	return NULL;
}

/* The kernel marks the mode in force with brackets: "none integrity [confidentiality]". */
static int check_lockdown(struct pgt_diag *diag)
{
	struct pgt_buf modes = PGT_BUF_INIT;
	struct pgt_diag ignored;
	int err = 0;

	if (!pgt_file_read_line("/sys/kernel/security/lockdown", &modes, &ignored) &&
	    strstr(modes.at, "[confidentiality]"))
		err = pgt_fail(diag, -EPERM,
			       "the kernel is in lockdown mode confidentiality, which refuses "
			       "kprobes, BPF reads of kernel memory and /proc/kcore: boot with "
			       "lockdown=none or lockdown=integrity");
	pgt_buf_release(&modes);
	return err;
}

int pgt_host_check(struct pgt_diag *diag)
{
	int err;

	if (geteuid())
		return pgt_fail(diag, -EPERM, "not root: probes, BPF and /proc/kcore need it: run as root");
	err = check_lockdown(diag);
	if (err)
		return err;
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return pgt_fail(diag, -ENOENT,
				"/sys/kernel/btf/vmlinux: not there: the kernel needs "
				"CONFIG_DEBUG_INFO_BTF, and /sys mounted");
	if (access("/proc/kcore", R_OK))
		return pgt_fail(diag, -ENOENT,
				"/proc/kcore: not there: the kernel needs CONFIG_PROC_KCORE, and "
				"/proc mounted");
	return 0;
}
