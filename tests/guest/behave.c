/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * behave - how "pgtrace record" leaves the running kernel when it fails, or is not alone.
 *
 * Usage: behave CASE...	run these cases, as the workload "command" in a guest
 *        behave hold FILE	make FILE, and wait until somebody takes it away
 * Prints "behave: PASS CASE" or "behave: FAIL CASE: why" for each.
 * Exit status: 0 all passed, 1 not, 2 usage
 *
 * The pgtrace that runs the workload has probes of its own meanwhile, which no case may touch.
 * It runs a workload several times; all but the first do nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "guest/child.h"
#include "guest/traces.h"

#define DONE		"/tmp/behave.done"
#define HOLD		"/tmp/behave.hold"
#define HOLD_DONE	HOLD ".done"
#define OUTPUT		"/tmp/behave.jsonl"
#define OTHER_OUTPUT	"/tmp/behave.other.jsonl"
#define CPU_LIST	"/tmp/behave.cpus"
#define NOBODY		65534
#define POLL_MS		20
#define CROWDED_MS	500
#define BREAKPOINTS_NEEDED	"sites that need breakpoints"
#define MAX_BREAKPOINTS	64
#define N_POLLS		6000	/* what a loaded host may need for anything here: 120 s */

/* As few probes as the case can do with: planting and removing them is what takes long. */
#define RECORD(output, probes, workload)						\
	(char *const []){ (char *)"pgtrace", (char *)"record", (char *)"--sites", (char *)"self", \
			  (char *)"-o", (char *)(output), (char *)"--probes", (char *)(probes),	\
			  (char *)"--", (char *)(workload), NULL }

#define SKIP(output, ...)								\
	(char *const []){ (char *)"pgtrace", (char *)"record", (char *)"--skip-unsupported",	\
			  (char *)"--sites", (char *)"self", (char *)"-o", (char *)(output),	\
			  (char *)"--probes", (char *)"create_pgd_mapping", (char *)"--", __VA_ARGS__, NULL }

#define MAP	(char *const []){ (char *)"pgtrace", (char *)"linear-map", (char *)"-o",	\
				  (char *)OUTPUT, NULL }

/* Of two at once each sees the other's calls, and runs its workload more often for it. */
#define SMALL_WORKLOAD	"munmap:ranges=1,loops=1"

struct scene {			/* what each case starts with */
	struct pgt_traces before;
	struct pgt_child child, other;
	struct pgt_diag diag;
};

/* ---- the workload that can be held ---- */

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

static int touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : close(fd);
}

static int hold(const char *path)
{
	char done[256];

	snprintf(done, sizeof(done), "%s.done", path);
	if (exists(done))
		return EXIT_SUCCESS;
	if (touch(path))
		return EXIT_FAILURE;
	for (int i = 0; exists(path); i++) {
		if (i == N_POLLS)
			return EXIT_FAILURE;
		poll(NULL, 0, POLL_MS);
	}
	return touch(done) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- steps ---- */

static int expect_failure(struct scene *scene, struct pgt_child *child, const char *words)
{
	const char *line;

	pgt_child_wait(child);
	line = pgt_child_last_line(child);
	if (child->status != 1)
		return pgt_fail(&scene->diag, -EIO, "exit status is %d, not 1; it said: %s",
				child->status, line);
	if (strncmp(line, "pgtrace ", 8) || !strstr(line, words))
		return pgt_fail(&scene->diag, -EIO, "it does not say \"%s\" but: %s", words, line);
	return 0;
}

static int expect_success(struct scene *scene, struct pgt_child *child, const char *which)
{
	pgt_child_wait(child);
	if (child->status)
		return pgt_fail(&scene->diag, -EIO, "%s: exit status is %d; it said: %s", which,
				child->status, pgt_child_last_line(child));
	return 0;
}

/* Start a recording whose workload waits, with all its probes planted. */
static int start_held(struct scene *scene)
{
	int err = pgt_child_start(&scene->child, RECORD(OUTPUT, "create_pgd_mapping",
				  "command:/lab/bin/behave hold " HOLD), NULL, &scene->diag);

	for (int i = 0; !err && !exists(HOLD); i++) {
		if (pgt_child_ended(&scene->child))
			err = pgt_fail(&scene->diag, -EIO, "ended with status %d; it said: %s",
				       scene->child.status, pgt_child_last_line(&scene->child));
		else if (i == N_POLLS)
			err = pgt_fail(&scene->diag, -ETIME, "its workload does not start");
		poll(NULL, 0, POLL_MS);
	}
	return err;
}

/* Let the workload go on; it ends, and does not wait again. */
static int end_hold(struct scene *scene)
{
	if (unlink(HOLD))
		return pgt_fail(&scene->diag, -errno, HOLD ": %s", strerror(errno));
	for (int i = 0; !exists(HOLD_DONE); i++) {
		if (i == N_POLLS)
			return pgt_fail(&scene->diag, -ETIME, "the held workload does not end");
		poll(NULL, 0, POLL_MS);
	}
	return 0;
}

/* Without this, a case could find nothing left because there never was anything. */
static int expect_planted(struct scene *scene, pid_t pid, bool programs)
{
	struct pgt_traces now;
	int err = pgt_traces_read(&now, &scene->diag);

	if (err)
		return err;
	if (!pgt_traces_lines_of(&now, pid))
		return pgt_fail(&scene->diag, -ENOENT, "no events of pgtrace_%d in kprobe_events, "
				"where there must be some", (int)pid);
	if (programs && now.n_programs <= scene->before.n_programs)
		return pgt_fail(&scene->diag, -ENOENT, "it runs no BPF programs");
	return 0;
}

/* Is the recording at path whole, and does it hold this text? */
static int expect_text(struct scene *scene, const char *path, const char *words)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(path, &text, &scene->diag);

	if (!err && !strstr(text.at, words))
		err = pgt_fail(&scene->diag, -EIO, "%s: holds no %s", path, words);
	if (!err && !strstr(text.at, "{\"type\":\"end\""))
		err = pgt_fail(&scene->diag, -EIO, "%s: no end line", path);
	pgt_buf_release(&text);
	return err;
}

/* ---- cases ---- */

/* kill -9 in the middle leaves events, which the next pgtrace takes away. */
static int case_killed(struct scene *scene)
{
	pid_t pid;
	int err = start_held(scene);

	if (err)
		return err;
	pid = scene->child.pid;
	err = expect_planted(scene, pid, true);
	kill(pid, SIGKILL);
	pgt_child_wait(&scene->child);
	if (!err)
		err = end_hold(scene);
	if (!err)
		err = expect_planted(scene, pid, false);
	if (!err)
		err = pgt_child_start(&scene->other, RECORD(OTHER_OUTPUT, "try_to_unmap_one",
				      "munmap"), NULL, &scene->diag);
	return err ? err : expect_success(scene, &scene->other, "the next");
}

/* SIGINT while the workload runs. */
static int case_interrupted(struct scene *scene)
{
	int err = start_held(scene);

	if (!err)
		err = expect_planted(scene, scene->child.pid, true);
	if (!err && kill(scene->child.pid, SIGINT))
		err = pgt_fail(&scene->diag, -errno, "cannot interrupt it: %s", strerror(errno));
	if (!err)
		err = end_hold(scene);
	return err ? err : expect_failure(scene, &scene->child, "interrupted");
}

/* SIGTERM while it plants its probes. */
static int case_terminated(struct scene *scene)
{
	struct pgt_traces now = { .n_groups = 0 };
	int err = pgt_child_start(&scene->child, RECORD(OUTPUT, "create_pgd_mapping", "munmap"),
				  NULL, &scene->diag);

	while (!err && !pgt_traces_lines_of(&now, scene->child.pid)) {
		if (pgt_child_ended(&scene->child))
			return pgt_fail(&scene->diag, -EIO, "it ended before it planted anything: %s",
					pgt_child_last_line(&scene->child));
		err = pgt_traces_read(&now, &scene->diag);
	}
	if (!err && kill(scene->child.pid, SIGTERM))
		err = pgt_fail(&scene->diag, -errno, "cannot terminate it: %s", strerror(errno));
	return err ? err : expect_failure(scene, &scene->child, "interrupted");
}

/* One recording comes and goes while another waits with its probes planted, and goes on. */
static int case_nested(struct scene *scene)
{
	int err = start_held(scene);

	if (!err)
		err = pgt_child_start(&scene->other, RECORD(OTHER_OUTPUT, "vmap_pte_range",
				      "vmalloc"), NULL, &scene->diag);
	if (!err)
		err = expect_success(scene, &scene->other, "the inner one");
	if (!err)
		err = expect_text(scene, OTHER_OUTPUT, "\"metric\":\"vmap_pte_range.calls\","
				  "\"unit\":\"calls\",\"value\":50,");
	if (!err)
		err = expect_planted(scene, scene->child.pid, true);
	if (!err)
		err = end_hold(scene);
	return err ? err : expect_success(scene, &scene->child, "the outer one");
}

/* The workload behind the one that a stock kernel has no module for is done. */
static int case_skipped(struct scene *scene)
{
	int err = pgt_child_start(&scene->child, SKIP(OUTPUT, (char *)"test-vmalloc",
				  (char *)SMALL_WORKLOAD), NULL, &scene->diag);

	if (!err)
		err = expect_success(scene, &scene->child, "with one of two workloads");
	if (!err)
		err = expect_text(scene, OUTPUT, "\"workload\":\"test-vmalloc\",\"repeat\":1,\"metric\":"
				  "\"create_pgd_mapping.calls\",\"unit\":\"calls\",\"value\":null,"
				  "\"source\":null,\"lower_bound\":false,\"reason\":\"not supported here: "
				  "this kernel has no module test_vmalloc");
	if (!err)
		err = expect_text(scene, OUTPUT, "{\"type\":\"work\",\"workload\":\"" SMALL_WORKLOAD "\"");
	return err;
}

static int case_all_skipped(struct scene *scene)
{
	int err = pgt_child_start(&scene->child, SKIP(OUTPUT, (char *)"test-vmalloc",
				  (char *)"command:/lab/bin/absent"), NULL, &scene->diag);

	return err ? err : expect_failure(scene, &scene->child, "no other workload is supported");
}

static int case_not_skipped(struct scene *scene)
{
	int err = pgt_child_start(&scene->child, RECORD(OUTPUT, "create_pgd_mapping",
				  "test-vmalloc"), NULL, &scene->diag);

	return err ? err : expect_failure(scene, &scene->child, "no module test_vmalloc");
}

/* Two at once, from start to end. */
static int case_parallel(struct scene *scene)
{
	int err = pgt_child_start(&scene->child, RECORD(OUTPUT, "flush_tlb", SMALL_WORKLOAD),
				  NULL, &scene->diag);

	if (!err)
		err = pgt_child_start(&scene->other, RECORD(OTHER_OUTPUT, "flush_tlb",
				      SMALL_WORKLOAD), NULL, &scene->diag);
	if (!err)
		err = expect_success(scene, &scene->child, "the first");
	return err ? err : expect_success(scene, &scene->other, "the second");
}

static int set_breakpoint(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = (uintptr_t)set_breakpoint & ~UINT64_C(3),
		.bp_len = HW_BREAKPOINT_LEN_4,
		.exclude_kernel = 1,
		.pinned = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Take all breakpoints of all CPUs: how many they were, or -errno where it was none. */
static int take_breakpoints(int *fd, int max)
{
	int n = 0;

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
		while (n < max && (fd[n] = set_breakpoint(cpu)) >= 0)
			n++;
	return n ? n : -errno;
}

/* Another has all breakpoints when ours needs some, and gives them back a little later. */
static int case_crowded(struct scene *scene)
{
	int fd[MAX_BREAKPOINTS], n = take_breakpoints(fd, MAX_BREAKPOINTS), err;

	if (n < 0)
		return pgt_fail(&scene->diag, n, "cannot set a breakpoint: %s", strerror(-n));
	err = pgt_child_start(&scene->child, RECORD(OUTPUT, "flush_tlb", "munmap:loops=1"), NULL,
			      &scene->diag);
	for (int i = 0; !err && i < N_POLLS && !pgt_child_ended(&scene->child) &&
	     !pgt_child_says(&scene->child, BREAKPOINTS_NEEDED); i++)
		poll(NULL, 0, POLL_MS);
	if (!err)
		poll(NULL, 0, CROWDED_MS);
	while (n--)
		close(fd[n]);
	if (!err)
		err = expect_success(scene, &scene->child, "with no breakpoint free");
	return err ? err : expect_text(scene, OUTPUT, "\"mechanism\":\"breakpoint\"");
}

/* Run in a child of its own: what it changes, only that child sees. */
static const char *become_nobody(void)
{
	return setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY) ?
	       "cannot become nobody" : NULL;
}

static const char *mount_over(const char *type, const char *source, const char *path,
			      unsigned long flags, const char *options)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return "cannot have mounts of its own";
	return mount(source, path, type, flags, options) ? path : NULL;
}

static const char *hide_btf(void)
{
	return mount_over("tmpfs", "tmpfs", "/sys/kernel/btf", 0, NULL);
}

/* A /proc of processes alone has no kcore, as that of a kernel without CONFIG_PROC_KCORE. */
static const char *hide_kcore(void)
{
	return mount_over("proc", "proc", "/proc", 0, "subset=pid");
}

static const char *empty_kcore(void)
{
	return mount_over(NULL, "/dev/null", "/proc/kcore", MS_BIND, NULL);
}

static const char *have_many_cpus(void)
{
	FILE *list = fopen(CPU_LIST, "we");

	if (!list || fputs("0-1024\n", list) == EOF || fclose(list))
		return CPU_LIST;
	return mount_over(NULL, CPU_LIST, "/sys/devices/system/cpu/possible", MS_BIND, NULL);
}

/* One line and no more, and that before anything is planted. */
static int expect_refusal_of(struct scene *scene, char *const argv[],
			     const char *(*prepare)(void), const char *words)
{
	int err = pgt_child_start(&scene->child, argv, prepare, &scene->diag);

	if (!err)
		err = expect_failure(scene, &scene->child, words);
	if (!err && strchr(scene->child.said.at, '\n'))
		err = pgt_fail(&scene->diag, -EIO, "more than one line: %s", scene->child.said.at);
	return err;
}

static int expect_refusal(struct scene *scene, const char *(*prepare)(void), const char *words)
{
	return expect_refusal_of(scene, RECORD(OUTPUT, "create_pgd_mapping", "munmap"), prepare,
				 words);
}

static int case_not_root(struct scene *scene)
{
	return expect_refusal(scene, become_nobody, "not root");
}

static int case_no_btf(struct scene *scene)
{
	return expect_refusal(scene, hide_btf, "/sys/kernel/btf/vmlinux: not there");
}

static int case_no_kcore(struct scene *scene)
{
	return expect_refusal(scene, hide_kcore, "/proc/kcore: not there");
}

static int case_empty_kcore(struct scene *scene)
{
	return expect_refusal(scene, empty_kcore, "/proc/kcore");
}

static int case_map_not_root(struct scene *scene)
{
	return expect_refusal_of(scene, MAP, become_nobody, "run as root");
}

static int case_map_empty_kcore(struct scene *scene)
{
	return expect_refusal_of(scene, MAP, empty_kcore, "/proc/kcore");
}

/* Refused last of all, and still before anything is planted. */
static int case_many_cpus(struct scene *scene)
{
	return expect_refusal(scene, have_many_cpus, "may have a CPU 1024, and pgtrace counts on CPUs 0 "
			      "to 1023");
}

static const struct behaviour {
	const char *name;
	int (*run)(struct scene *scene);
} behaviours[] = {
	{ "not-root", case_not_root },
	{ "no-btf", case_no_btf },
	{ "no-kcore", case_no_kcore },
	{ "empty-kcore", case_empty_kcore },
	{ "many-cpus", case_many_cpus },
	{ "map-not-root", case_map_not_root },
	{ "map-empty-kcore", case_map_empty_kcore },
	{ "skipped", case_skipped },
	{ "all-skipped", case_all_skipped },
	{ "not-skipped", case_not_skipped },
	{ "killed", case_killed },
	{ "interrupted", case_interrupted },
	{ "terminated", case_terminated },
	{ "nested", case_nested },
	{ "parallel", case_parallel },
	{ "crowded", case_crowded },
};

/* ---- running them ---- */

/* Files that a case may leave: recordings that were finished, and what kill -9 left of one. */
static void remove_files(bool killed)
{
	struct pgt_traces now;
	struct pgt_diag ignored;
	char path[16 + PGT_TRACES_NAME];

	unlink(HOLD);
	unlink(HOLD_DONE);
	unlink(OUTPUT);
	unlink(OTHER_OUTPUT);
	unlink(CPU_LIST);
	if (!killed || pgt_traces_read(&now, &ignored))
		return;
	for (size_t i = 0; i < now.n_files; i++) {
		snprintf(path, sizeof(path), "/tmp/%s", now.file[i]);
		if (!strncmp(path, OUTPUT ".", sizeof(OUTPUT ".") - 1))
			unlink(path);
	}
}

/* Whatever the case did: afterwards everything is as it was. */
static int run_behaviour(const struct behaviour *behaviour)
{
	struct scene scene = {
		.child = { .err_fd = -1 }, .other = { .err_fd = -1 }, .diag = { "" },
	};
	int err = pgt_traces_read(&scene.before, &scene.diag);

	if (!err)
		err = behaviour->run(&scene);
	if (!err && scene.child.status && exists(OUTPUT))
		err = pgt_fail(&scene.diag, -EEXIST, "it failed and left a recording");
	remove_files(behaviour->run == case_killed);
	pgt_child_release(&scene.child);
	pgt_child_release(&scene.other);
	if (!err)
		err = pgt_traces_expect(&scene.before, &scene.diag);
	if (err)
		printf("behave: FAIL %s: %s\n", behaviour->name, scene.diag.text);
	else
		printf("behave: PASS %s\n", behaviour->name);
	fflush(stdout);
	return err;
}

static const struct behaviour *find_behaviour(const char *name)
{
	for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]); i++)
		if (!strcmp(behaviours[i].name, name))
			return &behaviours[i];
	return NULL;
}

int main(int argc, char **argv)
{
	int status = EXIT_SUCCESS;

	if (argc == 3 && !strcmp(argv[1], "hold"))
		return hold(argv[2]);
	if (argc == 1) {
		fputs("usage: behave CASE... | behave hold FILE\n", stderr);
		return 2;
	}
	if (exists(DONE))
		return EXIT_SUCCESS;
	for (int i = 1; i < argc; i++) {
		const struct behaviour *behaviour = find_behaviour(argv[i]);

		if (!behaviour) {
			printf("behave: FAIL %s: no such case\n", argv[i]);
			return 2;
		}
		if (run_behaviour(behaviour))
			status = EXIT_FAILURE;
	}
	return status || touch(DONE) ? EXIT_FAILURE : EXIT_SUCCESS;
}
