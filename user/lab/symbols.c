/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/boots.h"
#include "lab/initramfs.h"
#include "lab/lab.h"
#include "lab/program.h"

#define MEMORY		(UINT64_C(512) << 20)	/* of the guest that is only asked for them */
#define DIGEST_LEN	64			/* hexadecimal digits of SHA-256 */

/* sha256sum of coreutils: the kernel's own SHA-256 is not in every machine's reach. */
static int digest_file(char **out, const struct pgt_lab *lab, const char *path,
		       struct pgt_diag *diag)
{
	const char *const argv[] = { "sha256sum", "--", path, NULL };
	struct pgt_program program = { .argv = argv, .stdout_fd = -1, .stderr_fd = -1,
				       .interrupt_fd = lab->interrupt_fd };
	struct pgt_buf text = PGT_BUF_INIT;
	const char *hex;
	int err = pgt_program_run(&program, &text, diag);

	if (!err) {
		hex = text.at && *text.at == '\\' ? text.at + 1 : text.at;	/* an odd file name */
		if (!hex || strspn(hex, "0123456789abcdef") != DIGEST_LEN)
			err = pgt_fail(diag, -EPROTO, "sha256sum: no digest of %s", path);
		else if (!(*out = strndup(hex, DIGEST_LEN)))
			err = pgt_fail(diag, -ENOMEM, "out of memory");
	}
	pgt_buf_release(&text);
	return err;
}

static int read_cached(struct pgt_symbols *out, const char *path, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = access(path, F_OK) ? -ENOENT : pgt_file_read(path, &text, diag);

	if (!err)
		err = pgt_symbols_parse(out, path, &text, diag);
	pgt_buf_release(&text);
	return err;
}

/* Boot it, and leave what it says in the scratch directory. */
static int boot(struct pgt_boot_job *job, const struct pgt_lab *lab,
		const struct pgt_guest_plan *guest, const struct pgt_initramfs *initramfs,
		struct pgt_diag *diag)
{
	static const char *const args[] = { "host", "--symbols", NULL };
	struct pgt_initramfs content = *initramfs;
	struct pgt_guest_plan plan = *guest;
	char *path = pgt_format("%s/initramfs-symbols", lab->scratch);
	int err;

	if (!path)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	content.args = args;
	content.programs = NULL;
	plan.initramfs = path;
	plan.memory = MEMORY;
	plan.n_cpus = 1;
	plan.plugin = NULL;
	job->plan = &plan;
	err = pgt_initramfs_write(path, &content, lab, guest->arch, diag);
	if (!err) {
		pgt_progress_begin(lab->progress, 1, "asking %s for its symbols", guest->label);
		err = pgt_boots_run(job, 1, 1, lab, diag);
		pgt_progress_end(lab->progress);
	}
	job->plan = NULL;	/* it ends here */
	unlink(path);
	free(path);
	return err;
}

/* The file is checked before it takes its name in the cache. */
static int ask(struct pgt_symbols *out, const char *path, const struct pgt_lab *lab,
	       const struct pgt_guest_plan *guest, const struct pgt_initramfs *initramfs,
	       struct pgt_diag *diag)
{
	struct pgt_boot_job *job = calloc(1, sizeof(*job));
	struct pgt_symbols made = { .build_id = NULL };
	int err;

	if (!job)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = boot(job, lab, guest, initramfs, diag);
	if (!err) {
		err = read_cached(&made, job->recording, diag);
		if (err)
			pgt_wrap(diag, err, "%s: its symbols", guest->label);
	}
	if (!err && rename(job->recording, path))
		err = pgt_fail(diag, -errno, "%s: cannot put it in its place: %s", path,
			       strerror(errno));
	pgt_boots_release(job, 1);
	if (err)
		pgt_symbols_release(&made);
	else
		*out = made;
	return err;
}

static int get_locked(struct pgt_symbols *out, const char *path, const struct pgt_lab *lab,
		      const struct pgt_guest_plan *guest, const struct pgt_initramfs *initramfs,
		      struct pgt_diag *diag)
{
	struct pgt_diag why = { "" };
	int err = read_cached(out, path, &why);

	if (!err)
		return 0;
	if (*why.text)
		pgt_progress_note(lab->progress, "%s; asking the kernel again", why.text);
	return ask(out, path, lab, guest, initramfs, diag);
}

int pgt_symbols_get(struct pgt_symbols *out, const struct pgt_lab *lab,
		    const struct pgt_guest_plan *guest, const struct pgt_initramfs *initramfs,
		    struct pgt_diag *diag)
{
	char *digest = NULL, *name = NULL, *path = NULL;
	char *dir = pgt_format("%s/symbols", lab->cache);
	int lock = -1, err = digest_file(&digest, lab, guest->image, diag);

	if (err)
		goto out;
	name = pgt_format("symbols-%s", digest);
	path = pgt_format("%s/symbols/%s.jsonl", lab->cache, digest);
	if (!dir || !name || !path) {
		err = pgt_fail(diag, -ENOMEM, "out of memory");
		goto out;
	}
	err = pgt_dir_make(dir, diag);
	if (err)
		goto out;
	lock = pgt_lab_lock(lab, name, diag);
	err = lock < 0 ? lock : get_locked(out, path, lab, guest, initramfs, diag);
out:
	if (lock >= 0)
		close(lock);
	free(dir);
	free(digest);
	free(name);
	free(path);
	return err;
}
