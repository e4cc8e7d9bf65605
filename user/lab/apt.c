/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/apt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/apt_text.h"
#include "lab/lab.h"
#include "lab/program.h"

#define KEYRING		"/usr/share/keyrings/debian-archive-keyring.gpg"
#define DPKG_STATUS	"/var/lib/dpkg/status"
#define MAX_AGE_S	(24 * 60 * 60)
#define MAX_ARGS	64
#define INDEX_BYTES	(UINT64_C(160) << 20)	/* lists, and apt's cache of them */
#define UNPACKED_RATIO	7	/* xz-packed kernels grow by 5.9 */

/* ---- running apt ---- */

struct download {		/* what the progress of a download is read from */
	const struct pgt_apt *apt;
	const struct pgt_debs *plan;
};

static void show_download(void *ctx)
{
	const struct download *download = ctx;
	uint64_t done = 0;

	for (size_t i = 0; i < download->plan->n; i++) {
		const char *file = download->plan->deb[i].file;
		char *whole = pgt_format("%s/archives/%s", download->apt->root, file);
		char *partial = pgt_format("%s/archives/partial/%s", download->apt->root, file);
		struct stat st;

		if (whole && partial && (!stat(whole, &st) || !stat(partial, &st)))
			done += (uint64_t)st.st_size;
		free(whole);
		free(partial);
	}
	pgt_progress_update(download->apt->lab->progress, done);
}

/*
 * Run one of apt's programs with the root's configuration, fixed arguments and packages.
 * With a plan to follow it downloads into the root's archives; else it sees none of
 * them, because apt names no URI for a file that it has.
 */
static int run_apt(const struct pgt_apt *apt, const char *const *fixed,
		   const char *const *packages, struct download *download,
		   struct pgt_buf *out, struct pgt_diag *diag)
{
	char *archives = download ? pgt_format("%s/archives", apt->root)
				  : strdup(apt->lab->scratch);
	char *setting = archives ? pgt_format("Dir::Cache::archives=%s", archives) : NULL;
	const char *argv[MAX_ARGS] = { fixed[0], "-c", apt->conf, "-o", setting };
	struct pgt_program program = {
		.argv = argv, .cwd = archives, .stdout_fd = -1, .stderr_fd = -1,
		.interrupt_fd = apt->lab->interrupt_fd,
		.tick = download ? show_download : NULL, .tick_ctx = download,
	};
	size_t n = 5;
	int err;

	if (!setting) {
		free(archives);
		return pgt_fail(diag, -ENOMEM, "out of memory");
	}
	for (size_t i = 1; fixed[i] && n < MAX_ARGS - 1; i++)
		argv[n++] = fixed[i];
	for (size_t i = 0; packages && packages[i] && n < MAX_ARGS - 1; i++)
		argv[n++] = packages[i];
	err = pgt_program_run(&program, out, diag);
	free(setting);
	free(archives);
	return err;
}

/* ---- the root ---- */

static int find_mirrors(const struct pgt_lab *lab, char **mainp, char **security,
			struct pgt_diag *diag)
{
	static const char *const suites[] = { "bookworm", "stable", "oldstable", "trixie", "sid", NULL };
	/* An empty index makes apt print every URI, and not only those it has. */
	const char *lists = "Dir::State::lists=/nonexistent";
	const char *const argv[] = { "apt-get", "-o", lists, "update", "--print-uris", NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = lab->interrupt_fd };
	struct pgt_buf uris = PGT_BUF_INIT;
	int err = pgt_program_run(&program, &uris, diag);

	for (size_t i = 0; !err && uris.at && suites[i]; i++) {
		char *suite = pgt_format("%s-security", suites[i]);

		if (!*mainp)
			*mainp = pgt_apt_mirror(uris.at, suites[i]);
		if (!*security && suite)
			*security = pgt_apt_mirror(uris.at, suite);
		free(suite);
	}
	pgt_buf_release(&uris);
	if (!err && !*mainp)
		err = pgt_fail(diag, -ENOENT,
			       "no Debian mirror in the system's apt sources: add one for bookworm below /etc/apt/sources.list.d/");
	return err;
}

static void add_source(struct pgt_buf *text, const char *uri, const char *const *suites,
		       const char *arch)
{
	pgt_buf_addf(text, "Types: deb\nURIs: %s\nSuites:", uri);
	for (size_t i = 0; suites[i]; i++)
		pgt_buf_addf(text, " %s", suites[i]);
	pgt_buf_addf(text, "\nComponents: main\nArchitectures: %s\nTargets: Packages\n"
		     "Signed-By: " KEYRING "\n\n", arch);
}

/* The root's sources; a changed list of suites makes the index stale. */
static int write_sources(struct pgt_apt *apt, const struct pgt_apt_root *what,
			 struct pgt_diag *diag)
{
	char *path = pgt_format("%s/sources/pgtrace.sources", apt->root);
	char *stamp = pgt_format("%s/refreshed", apt->root);
	struct pgt_buf now = PGT_BUF_INIT, before = PGT_BUF_INIT;
	char *mirror = NULL, *security = NULL;
	struct pgt_diag ignored;
	int err;

	if (!path || !stamp) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto out;
	}
	err = find_mirrors(apt->lab, &mirror, &security, diag);
	if (err)
		goto out;
	add_source(&now, mirror, what->suites, what->arch);
	if (security && what->security_suites)
		add_source(&now, security, what->security_suites, what->arch);
	if (!pgt_file_read(path, &before, &ignored) && before.len == now.len &&
	    !memcmp(before.at, now.at, now.len))
		goto out;
	unlink(stamp);
	err = pgt_file_write(path, &now, diag);
out:
	free(path);
	free(stamp);
	free(mirror);
	free(security);
	pgt_buf_release(&now);
	pgt_buf_release(&before);
	return err;
}

/*
 * The system's hooks are cleared: they are meant for its own packages, and some of
 * them delete what was downloaded.  Its proxy settings stay.
 */
static int write_conf(struct pgt_apt *apt, const struct pgt_apt_root *what, struct pgt_diag *diag)
{
	struct pgt_buf conf = PGT_BUF_INIT;
	int err;

	pgt_buf_addf(&conf, "#clear APT::Architectures;\n#clear APT::Update::Pre-Invoke;\n"
		     "#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n"
		     "#clear DPkg::Pre-Invoke;\n#clear DPkg::Post-Invoke;\n"
		     "#clear DPkg::Pre-Install-Pkgs;\n"
		     "APT::Architecture \"%s\";\nAPT::Architectures { \"%s\"; };\n",
		     what->arch, what->arch);
	pgt_buf_addf(&conf, "APT::Default-Release \"\";\nAPT::Sandbox::User \"root\";\n"
		     "Acquire::Languages \"none\";\n"
		     "Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"%s/sources\";\n"
		     "Dir::Etc::preferences \"/dev/null\";\nDir::Etc::preferencesparts \"/dev/null\";\n",
		     apt->root);
	pgt_buf_addf(&conf, "Dir::State \"%s/state\";\nDir::State::lists \"%s/lists\";\n"
		     "Dir::State::status \"%s/status\";\nDir::Cache \"%s\";\n"
		     "Dir::Cache::pkgcache \"pkgcache.bin\";\nDir::Cache::srcpkgcache \"\";\n",
		     apt->root, apt->root, apt->root, apt->root);
	if (!conf.at)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_file_write(apt->conf, &conf, diag);
	pgt_buf_release(&conf);
	return err;
}

/* A copy, so that apt takes its lock beside the copy and not the system's. */
static int write_status(struct pgt_apt *apt, bool installed, struct pgt_diag *diag)
{
	char *path = pgt_format("%s/status", apt->root);
	struct pgt_buf text = PGT_BUF_INIT;
	int err;

	if (!path)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = installed ? pgt_file_read(DPKG_STATUS, &text, diag)
			: pgt_buf_add(&text, "", 0);
	if (!err)
		err = pgt_file_write(path, &text, diag);
	pgt_buf_release(&text);
	free(path);
	return err;
}

static int make_dirs(struct pgt_apt *apt, struct pgt_diag *diag)
{
	static const char *const dirs[] = { "sources", "lists/partial", "archives/partial", "state" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		char *dir = pgt_format("%s/%s", apt->root, dirs[i]);
		int err = dir ? pgt_dir_make(dir, diag)
			      : pgt_fail(diag, -ENOMEM, "out of memory");

		free(dir);
		if (err)
			return err;
	}
	return 0;
}

/* Seconds since the last refresh; -1 where there was none. */
static double index_age(const struct pgt_apt *apt)
{
	char *stamp = pgt_format("%s/refreshed", apt->root);
	struct stat st;
	double age = -1;

	if (stamp && !stat(stamp, &st))
		age = difftime(time(NULL), st.st_mtime);
	free(stamp);
	return age;
}

int pgt_apt_refresh(struct pgt_apt *apt, struct pgt_diag *diag)
{
	/* Without --error-on, apt-get takes a mirror that is down for a success. */
	const char *const argv[] = { "apt-get", "-q", "--error-on=any", "update", NULL };
	char *stamp = pgt_format("%s/refreshed", apt->root);
	struct pgt_buf nothing = PGT_BUF_INIT;
	int err;

	if (apt->fresh || !stamp) {
		free(stamp);
		return 0;
	}
	pgt_progress_begin(apt->lab->progress, 0, "refreshing the package index (%s)", apt->name);
	err = pgt_lab_space(apt->root, INDEX_BYTES, "the package index", diag);
	if (!err)
		err = run_apt(apt, argv, NULL, NULL, NULL, diag);
	pgt_progress_end(apt->lab->progress);
	if (!err)
		err = pgt_buf_add(&nothing, "", 0);
	if (!err)
		err = pgt_file_write(stamp, &nothing, diag);
	apt->fresh = !err;
	pgt_buf_release(&nothing);
	free(stamp);
	return err;
}

/* An old index is better than none: a mirror that cannot be reached is only a note then. */
static int refresh_if_old(struct pgt_apt *apt, struct pgt_diag *diag)
{
	double age = index_age(apt);
	int err;

	if (age >= 0 && age < MAX_AGE_S)
		return 0;
	err = pgt_apt_refresh(apt, diag);
	if (!err || err == -EINTR || age < 0)
		return err;
	pgt_progress_note(apt->lab->progress,
			  "the package index is %.0f days old and cannot be refreshed: %s",
			  age / MAX_AGE_S, diag->text);
	return 0;
}

int pgt_apt_open(struct pgt_apt *apt, const struct pgt_lab *lab,
		 const struct pgt_apt_root *what, struct pgt_diag *diag)
{
	struct pgt_apt made = { .lab = lab, .name = what->name, .lock_fd = -1 };
	char *lock = pgt_format("apt-%s", what->name);
	int err;

	made.root = pgt_format("%s/apt/%s", lab->cache, what->name);
	made.conf = pgt_format("%s/apt/%s/apt.conf", lab->cache, what->name);
	if (!lock || !made.root || !made.conf) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto fail;
	}
	err = made.lock_fd = pgt_lab_lock(lab, lock, diag);
	if (err < 0)
		goto fail;
	err = make_dirs(&made, diag);
	if (!err)
		err = write_sources(&made, what, diag);
	if (!err)
		err = write_conf(&made, what, diag);
	if (!err)
		err = write_status(&made, what->installed, diag);
	if (!err)
		err = refresh_if_old(&made, diag);
	if (err)
		goto fail;
	free(lock);
	*apt = made;
	return 0;

fail:
	free(lock);
	pgt_apt_release(&made);
	return err;
}

void pgt_apt_release(struct pgt_apt *apt)
{
	if (!apt->lab)
		return;
	if (apt->lock_fd >= 0)
		close(apt->lock_fd);
	free(apt->root);
	free(apt->conf);
	*apt = (struct pgt_apt){ .lock_fd = -1 };
}

/* ---- asking and fetching ---- */

int pgt_apt_names(const struct pgt_apt *apt, const char *prefix, struct pgt_buf *out,
		  struct pgt_diag *diag)
{
	const char *const argv[] = { "apt-cache", "pkgnames", prefix, NULL };
	int err = run_apt(apt, argv, NULL, NULL, out, diag);

	return err ? err : pgt_buf_add(out, "", 0);
}

int pgt_apt_plan(const struct pgt_apt *apt, const char *const *packages, bool dependencies,
		 struct pgt_debs *out, struct pgt_diag *diag)
{
	static const char *const alone[] = { "apt-get", "-qq", "--print-uris", "download", NULL };
	static const char *const with[] = { "apt-get", "-qq", "-y", "--print-uris",
					    "--no-install-recommends", "install", NULL };
	struct pgt_buf uris = PGT_BUF_INIT;
	int err = run_apt(apt, dependencies ? with : alone, packages, NULL, &uris, diag);

	if (!err)
		err = pgt_apt_parse_uris(uris.at ? uris.at : "", out, diag);
	if (!err && !out->n)
		err = pgt_fail(diag, -ENOENT, "apt names nothing to download for %s", packages[0]);
	pgt_buf_release(&uris);
	return err;
}

static int download(const struct pgt_apt *apt, const char *const *packages, bool dependencies,
		    const struct pgt_debs *plan, const char *label, struct pgt_diag *diag)
{
	static const char *const alone[] = { "apt-get", "-q", "download", NULL };
	static const char *const with[] = { "apt-get", "-q", "-y", "--download-only",
					    "--no-install-recommends", "install", NULL };
	struct download follow = { apt, plan };
	int err;

	pgt_progress_begin(apt->lab->progress, plan->size, "fetching %s (%ju MiB)", label,
			   (uintmax_t)(plan->size >> 20));
	err = run_apt(apt, dependencies ? with : alone, packages, &follow, NULL, diag);
	if (!err)
		show_download(&follow);
	pgt_progress_end(apt->lab->progress);
	return err;
}

static int unpack_one(const struct pgt_apt *apt, const char *file, const char *dest,
		      struct pgt_diag *diag)
{
	char *path = pgt_format("%s/archives/%s", apt->root, file);
	const char *const argv[] = { "dpkg-deb", "-x", path, dest, NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = apt->lab->interrupt_fd };
	int err;

	if (!path)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_program_run(&program, NULL, diag);
	free(path);
	return err;
}

int pgt_apt_unpack(const struct pgt_apt *apt, const char *const *packages, bool dependencies,
		   const struct pgt_debs *plan, const char *dest, const char *label,
		   struct pgt_diag *diag)
{
	int err = pgt_lab_space(apt->root, plan->size * (UNPACKED_RATIO + 1), label, diag);

	if (!err)
		err = download(apt, packages, dependencies, plan, label, diag);
	if (!err)
		err = pgt_dir_make(dest, diag);
	if (err)
		return err;
	pgt_progress_begin(apt->lab->progress, plan->n, "unpacking %s", label);
	for (size_t i = 0; !err && i < plan->n; i++) {
		err = unpack_one(apt, plan->deb[i].file, dest, diag);
		pgt_progress_update(apt->lab->progress, i + 1);
	}
	pgt_progress_end(apt->lab->progress);
	return err;
}
