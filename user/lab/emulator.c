/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/emulator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/apt.h"
#include "lab/arch.h"
#include "lab/lab.h"
#include "lab/package.h"
#include "lab/program.h"

static const char *const suites[] = {
	"bookworm", "bookworm-updates", "bookworm-backports", NULL
};

char *pgt_emulator_parse_version(const char *text, int *major)
{
	static const char lead[] = "QEMU emulator version ";
	const char *at = strstr(text, lead);
	size_t n;

	if (!at)
		return NULL;
	at += sizeof(lead) - 1;
	n = strspn(at, "0123456789.");
	if (!n || sscanf(at, "%d", major) != 1)
		return NULL;
	return strndup(at, n);
}

/* Run it with --version, which also proves that its libraries are there. */
static int check_version(struct pgt_emulator *emulator, const struct pgt_lab *lab,
			 struct pgt_diag *diag)
{
	const char *const argv[] = { emulator->program, "--version", NULL };
	const char *const env[] = { emulator->environment, NULL };
	struct pgt_program program = { .argv = argv, .env = env, .stdout_fd = -1,
				       .stderr_fd = -1, .interrupt_fd = lab->interrupt_fd };
	struct pgt_buf text = PGT_BUF_INIT;
	int major = 0, err = pgt_program_run(&program, &text, diag);

	if (!err) {
		emulator->version = pgt_emulator_parse_version(text.at ? text.at : "", &major);
		if (!emulator->version)
			err = pgt_fail(diag, -ENOEXEC, "%s: not QEMU: it does not say its version",
				       emulator->program);
		else if (major < PGT_EMULATOR_MIN_MAJOR)
			err = pgt_fail(diag, -EPROTONOSUPPORT,
				       "%s: QEMU %s is too old, %d or newer is needed",
				       emulator->program, emulator->version,
				       PGT_EMULATOR_MIN_MAJOR);
	}
	pgt_buf_release(&text);
	return err;
}

static int try_program(struct pgt_emulator *out, const struct pgt_lab *lab, const char *program,
		       struct pgt_diag *diag)
{
	struct pgt_emulator made = { .program = strdup(program) };
	int err = made.program ? check_version(&made, lab, diag)
			       : pgt_fail(diag, -ENOMEM, "out of memory");

	if (err)
		pgt_emulator_release(&made);
	else
		*out = made;
	return err;
}

/* One word that a program prints, such as dpkg's architecture. */
static int ask(char **out, const struct pgt_lab *lab, const char *const *argv,
	       struct pgt_diag *diag)
{
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = lab->interrupt_fd };
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_program_run(&program, &text, diag);

	if (!err)
		*out = strndup(text.at ? text.at : "", text.at ? strcspn(text.at, "\n") : 0);
	pgt_buf_release(&text);
	return err;
}

static int use_tree(struct pgt_emulator *out, const struct pgt_lab *lab,
		    const struct pgt_arch *arch, const char *tree, const char *triplet,
		    struct pgt_diag *diag)
{
	struct pgt_emulator made = {
		.program = pgt_format("%s/usr/bin/%s", tree, arch->qemu),
		.firmware = pgt_format("%s/usr/share/qemu", tree),
		.environment = pgt_format("LD_LIBRARY_PATH=%s/usr/lib/%s:%s/lib/%s", tree, triplet,
					  tree, triplet),
	};
	int err;

	if (made.program && made.firmware && made.environment)
		err = check_version(&made, lab, diag);
	else
		err = pgt_fail(diag, -ENOMEM, "out of memory");
	if (err)
		pgt_emulator_release(&made);
	else
		*out = made;
	return err;
}

/* The tree that was used last, so that an offline or a fresh run need not ask apt. */
static int use_last(struct pgt_emulator *out, const struct pgt_lab *lab,
		    const struct pgt_arch *arch, const char *triplet)
{
	char *link = pgt_format("%s/qemu/current-%s", lab->cache, arch->name);
	char *tree = link ? realpath(link, NULL) : NULL;
	struct pgt_diag ignored;
	int err = tree ? use_tree(out, lab, arch, tree, triplet, &ignored) : -ENOENT;

	free(link);
	free(tree);
	return err;
}

static void remember(const struct pgt_lab *lab, const struct pgt_arch *arch, const char *tree)
{
	char *link = pgt_format("%s/qemu/current-%s", lab->cache, arch->name);
	char *partial = pgt_format("%s/current", lab->scratch);

	/* Only a short cut: a failure costs the next run a question to apt. */
	if (link && partial && !symlink(tree, partial) && rename(partial, link))
		unlink(partial);
	free(link);
	free(partial);
}

static int fetch(struct pgt_emulator *out, const struct pgt_lab *lab,
		 const struct pgt_arch *arch, const char *host, const char *triplet,
		 struct pgt_diag *diag)
{
	struct pgt_apt_root root = { .name = "host", .arch = host, .suites = suites,
				     .installed = true };
	char *program = pgt_format("%s/bookworm-backports", arch->qemu_package);
	const char *packages[] = { program, "qemu-system-common/bookworm-backports",
				   "qemu-system-data/bookworm-backports", NULL };
	struct pgt_package_set set = { .kind = "qemu", .label = "QEMU", .packages = packages,
				       .dependencies = true };
	struct pgt_apt apt = { .lab = NULL };
	char *tree = NULL;
	int err;

	if (!program)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_apt_open(&apt, lab, &root, diag);
	if (!err)
		err = pgt_package_get(&tree, lab, &apt, &set, diag);
	if (!err)
		err = use_tree(out, lab, arch, tree, triplet, diag);
	if (!err)
		remember(lab, arch, tree);
	pgt_apt_release(&apt);
	free(tree);
	free(program);
	return err;
}

static int get_cached(struct pgt_emulator *out, const struct pgt_lab *lab,
		      const struct pgt_arch *arch, struct pgt_diag *diag)
{
	static const char *const ask_arch[] = { "dpkg", "--print-architecture", NULL };
	static const char *const ask_triplet[] = { "dpkg-architecture", "-qDEB_HOST_MULTIARCH", NULL };
	char *host = NULL, *triplet = NULL;
	struct pgt_diag ignored;
	struct utsname uts;
	int err = ask(&host, lab, ask_arch, diag);

	if (err)
		goto out;
	/* dpkg-architecture comes with dpkg-dev; on Linux the triplet is nearly the machine's name. */
	if (ask(&triplet, lab, ask_triplet, &ignored) && !uname(&uts))
		triplet = pgt_format("%s-linux-gnu", uts.machine);
	if (!host || !triplet)
		err = pgt_fail(diag, -ENOMEM, "out of memory");
	else if (use_last(out, lab, arch, triplet))
		err = fetch(out, lab, arch, host, triplet, diag);
out:
	free(host);
	free(triplet);
	return err;
}

static bool has_kvm(const struct pgt_arch *arch)
{
	struct utsname uts;

	return !uname(&uts) && !strcmp(uts.machine, arch->machine) &&
	       !access("/dev/kvm", R_OK | W_OK);
}

int pgt_emulator_get(struct pgt_emulator *out, const struct pgt_lab *lab,
		     const struct pgt_arch *arch, const char *path, struct pgt_diag *diag)
{
	struct pgt_diag ignored;
	int err;

	if (path)
		err = try_program(out, lab, path, diag);
	else if (try_program(out, lab, arch->qemu, &ignored))
		err = get_cached(out, lab, arch, diag);
	else
		err = 0;
	if (!err)
		out->kvm = has_kvm(arch);
	return err;
}

void pgt_emulator_release(struct pgt_emulator *emulator)
{
	free(emulator->program);
	free(emulator->firmware);
	free(emulator->environment);
	free(emulator->version);
	*emulator = (struct pgt_emulator){ .program = NULL };
}
