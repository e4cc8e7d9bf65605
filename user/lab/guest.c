/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "base/diag.h"
#include "base/file.h"
#include "lab/arch.h"
#include "lab/console_log.h"
#include "lab/emulator.h"
#include "lab/lab.h"
#include "lab/program.h"

#define PANIC_GRACE_S	5	/* for the rest of the message, and for QEMU to end by itself */
#define SPACE_BYTES	(UINT64_C(64) << 20)	/* console, recording, counts, QEMU's words */
#define PLUGIN_LEAD	"pgtrace-tcg: "	/* how the plugin's messages begin */

static time_t monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* ---- starting ---- */

static int make_paths(struct pgt_guest *guest, struct pgt_diag *diag)
{
	char *dir = pgt_format("%s/guest-XXXXXX", guest->lab->scratch);

	if (!dir)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	if (!mkdtemp(dir)) {
		int err = pgt_fail(diag, -errno, "%s: cannot make a directory: %s",
				   guest->lab->scratch, strerror(errno));

		free(dir);
		return err;
	}
	guest->dir = dir;
	guest->console = pgt_format("%s/console", guest->dir);
	guest->recording = pgt_format("%s/recording.jsonl", guest->dir);
	guest->status = pgt_format("%s/status", guest->dir);
	guest->complaints = pgt_format("%s/qemu", guest->dir);
	guest->counts = pgt_format("%s/counts.jsonl", guest->dir);
	if (!guest->console || !guest->recording || !guest->status || !guest->complaints ||
	    !guest->counts)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	return pgt_lab_space(guest->dir, SPACE_BYTES, "a guest", diag);
}

static int launch(struct pgt_guest *guest, const struct pgt_qemu_argv *argv,
		  struct pgt_diag *diag)
{
	const char *const env[] = { guest->plan->emulator->environment, NULL };
	struct pgt_program program = {
		.argv = (const char *const *)argv->argv, .env = env,
		.interrupt_fd = -1,
	};
	int fd = open(guest->complaints, O_WRONLY | O_CREAT | O_CLOEXEC, 0644), err;

	if (fd < 0)
		return pgt_fail(diag, -errno, "%s: cannot create: %s", guest->complaints,
				strerror(errno));
	program.stdout_fd = program.stderr_fd = fd;
	err = pgt_program_start(&program, &guest->pid, diag);
	close(fd);
	return err;
}

int pgt_guest_start(struct pgt_guest *guest, const struct pgt_lab *lab,
		    const struct pgt_guest_plan *plan, struct pgt_diag *diag)
{
	struct pgt_guest made = { .lab = lab, .plan = plan, .progress_at = monotonic_s() };
	struct pgt_guest_machine machine = {
		.program = plan->emulator->program, .firmware = plan->emulator->firmware,
		.kvm = plan->emulator->kvm, .cpu = plan->cpu, .append = plan->append,
		.memory = plan->memory, .n_cpus = plan->n_cpus,
		.image = plan->image, .initramfs = plan->initramfs,
		.no_splat = plan->no_splat, .plugin = plan->plugin,
	};
	struct pgt_qemu_argv argv = { NULL, 0 };
	int err = make_paths(&made, diag);

	machine.console = made.console;
	machine.recording = made.recording;
	machine.status = made.status;
	machine.counts = made.counts;
	if (!err)
		err = pgt_qemu_argv_make(&argv, plan->arch, &machine, diag);
	if (!err)
		err = launch(&made, &argv, diag);
	pgt_qemu_argv_release(&argv);
	if (err) {
		pgt_guest_release(&made);
		return err;
	}
	*guest = made;
	return 0;
}

/* ---- watching ---- */

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

/* Append what is new on the console. */
static void read_console(struct pgt_guest *guest)
{
	FILE *stream = fopen(guest->console, "re");
	char chunk[4096];
	size_t n;

	if (!stream)
		return;
	if (!fseek(stream, (long)guest->log.len, SEEK_SET))
		while ((n = fread(chunk, 1, sizeof(chunk), stream)) > 0) {
			for (size_t i = 0; i < n; i++)
				if (!chunk[i])
					chunk[i] = ' ';	/* the log is searched as a string */
			if (pgt_buf_add(&guest->log, chunk, n))
				break;
		}
	fclose(stream);
}

/* Has it been silent, or dying, for too long? */
static bool is_lost(struct pgt_guest *guest)
{
	uint64_t seen = size_of(guest->console) + size_of(guest->recording) +
			size_of(guest->status);
	time_t now = monotonic_s();

	if (seen != guest->seen) {
		guest->seen = seen;
		guest->progress_at = now;
		read_console(guest);
		if (!guest->panic_at && guest->log.at && strstr(guest->log.at, "Kernel panic"))
			guest->panic_at = now;
	}
	if (guest->panic_at && now - guest->panic_at > PANIC_GRACE_S)
		return true;
	return now - guest->progress_at > (time_t)guest->plan->patience_s;
}

bool pgt_guest_step(struct pgt_guest *guest)
{
	pid_t reaped;

	if (!guest->pid)
		return false;
	reaped = waitpid(guest->pid, &guest->wait_status, WNOHANG);
	if (reaped == guest->pid) {
		guest->pid = 0;
		return false;
	}
	if (!is_lost(guest))
		return true;
	guest->hung = true;
	pgt_program_kill(guest->pid);
	guest->pid = 0;
	return false;
}

/* ---- the end ---- */

/* What the guest said on its status port: 0 for success, -EREMOTEIO, or -ENODATA for nothing. */
static int read_status(struct pgt_guest *guest, struct pgt_diag *diag)
{
	json_t *object = json_load_file(guest->status, 0, NULL);
	json_int_t status = -1;
	const char *error = NULL;
	int err;

	if (!object || json_unpack(object, "{s:I, s?s}", "status", &status, "error", &error))
		err = -ENODATA;
	else if (!status)
		err = 0;
	else
		err = pgt_fail(diag, -EREMOTEIO, "%s: in the guest: %s", guest->plan->label,
			       error ? error : "the command failed without a message");
	json_decref(object);
	return err;
}

/* The plugin's own line says more than what QEMU says after it; else the last. */
static const char *telling_line(struct pgt_buf *said)
{
	char *line;

	while (said->len && said->at[said->len - 1] == '\n')
		said->at[--said->len] = '\0';
	if (!said->len)
		return "it said nothing";
	line = strstr(said->at, PLUGIN_LEAD);
	if (line) {
		line[strcspn(line, "\n")] = '\0';
		return line;
	}
	line = strrchr(said->at, '\n');
	return line ? line + 1 : said->at;
}

const char *pgt_guest_complaint(const struct pgt_guest *guest, struct pgt_buf *said)
{
	struct pgt_diag ignored;

	pgt_file_read(guest->complaints, said, &ignored);
	return telling_line(said);
}

static int judge_exit(struct pgt_guest *guest, struct pgt_diag *diag)
{
	struct pgt_buf said = PGT_BUF_INIT;
	const char *line = pgt_guest_complaint(guest, &said);
	int err;

	if (WIFSIGNALED(guest->wait_status))
		err = pgt_fail(diag, -ECHILD, "%s: QEMU was killed by signal %d: %s",
			       guest->plan->label, WTERMSIG(guest->wait_status), line);
	else if (WEXITSTATUS(guest->wait_status))
		err = pgt_fail(diag, -ECHILD, "%s: QEMU failed with exit status %d: %s",
			       guest->plan->label, WEXITSTATUS(guest->wait_status), line);
	else
		err = pgt_fail(diag, -ECHILD,
			       "%s: the guest ended without saying how its command went",
			       guest->plan->label);
	pgt_buf_release(&said);
	return err;
}

static int judge(struct pgt_guest *guest, struct pgt_diag *diag)
{
	int sign = 0, err = read_status(guest, diag);
	char *line = NULL;

	read_console(guest);
	if (guest->log.at)
		line = pgt_console_telling_line(guest->log.at, &sign);
	if (sign == -ENOMEM)
		err = pgt_fail(diag, sign,
			       "%s: the guest ran out of memory; give it more with --memory (%s)",
			       guest->plan->label, line);
	else if (sign == -EIO)
		err = pgt_fail(diag, sign, "%s: the guest's kernel panicked: %s",
			       guest->plan->label, line);
	else if (guest->hung)
		err = pgt_fail(diag, -ETIMEDOUT, "%s: the guest hangs: nothing new from it for %u s",
			       guest->plan->label, guest->plan->patience_s);
	else if (err == -ENODATA)
		err = judge_exit(guest, diag);
	free(line);
	return err;
}

/*
 * Move the console log out of the scratch directory; its new path, or NULL.  The name ends
 * as the guest's directory does, so that guests that fail together each keep theirs.
 */
static char *keep_log(struct pgt_guest *guest)
{
	const char *own = strrchr(guest->dir, '-');
	char *dir = pgt_format("%s/logs", guest->lab->cache);
	char *path = pgt_format("%s/logs/%s-%jd%s.log", guest->lab->cache, guest->plan->label,
				(intmax_t)time(NULL), own ? own : "");
	struct pgt_diag ignored;

	if (!dir || !path || pgt_dir_make(dir, &ignored) || rename(guest->console, path)) {
		free(path);
		path = NULL;
	}
	free(dir);
	return path;
}

/* Into the file of the user's own. */
static int write_log(const struct pgt_guest *guest, struct pgt_diag *diag)
{
	struct pgt_file_out out;
	int err = pgt_file_out_open(&out, guest->plan->console, diag);

	if (err)
		return err;
	fwrite(guest->log.at, 1, guest->log.len, out.stream);	/* commit() sees a failure */
	err = pgt_file_out_commit(&out, diag);
	pgt_file_out_release(&out);
	return err;
}

static char *place_log(struct pgt_guest *guest)
{
	struct pgt_diag ignored;

	if (guest->plan->console && !write_log(guest, &ignored))
		return strdup(guest->plan->console);
	return keep_log(guest);
}

int pgt_guest_result(struct pgt_guest *guest, struct pgt_diag *diag)
{
	int err = judge(guest, diag);
	struct pgt_diag reason;
	char *log;

	if (!err)
		return guest->plan->console ? write_log(guest, diag) : 0;
	reason = *diag;
	log = place_log(guest);
	if (log)
		pgt_fail(diag, err, "%.700s; console log%s: %s", reason.text,
			 guest->log.len ? "" : " (empty)", log);
	else if (guest->hung)
		pgt_fail(diag, err, "%.700s; there is no console log", reason.text);
	free(log);
	return err;
}

void pgt_guest_release(struct pgt_guest *guest)
{
	if (!guest->lab)
		return;
	pgt_program_kill(guest->pid);
	if (guest->dir)
		pgt_lab_remove(guest->dir);
	free(guest->dir);
	free(guest->console);
	free(guest->recording);
	free(guest->status);
	free(guest->complaints);
	free(guest->counts);
	pgt_buf_release(&guest->log);
	*guest = (struct pgt_guest){ .lab = NULL };
}
