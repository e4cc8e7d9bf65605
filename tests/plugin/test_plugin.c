/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_plugin.c - the plugin itself in a process that pretends to be QEMU.
 *
 * Usage: test-plugin PLUGIN.so
 * Prints what fails; the last line is "N passed, N failed, 0 skipped".
 * Exit status: 0 all passed, 1 a case failed, 2 usage
 *
 * Each case is a process of its own: the plugin has one state.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_qemu.h"

#define NOP	0xd503201f
#define DSB	0xd5033a9f	/* ishst */
#define ISB	0xd5033fdf
#define OPEN	0xd5032fdf
#define CLOSE	0xd5032fff
#define BRK4	0xd4200080
#define BRK6	0xd42000c0
#define BL(words)	(0x94000000 | ((words) & 0x3ffffff))
#define TEXT	0xffff800080010000

#define BLOCK(address, ...)	fake_qemu_translate(address, (const uint32_t[]){ __VA_ARGS__ },	\
	sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

typedef int (*install_fn)(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

static const char good_plan[] =
	"pgtrace-tcg 1\nbuild_id ab\nvcpus 2\ntext 0xffff800080010000 0xffff800080020000\n"
	"switch 0xffff800080010100\nscope map 0xffff800080011000 5 1 map\nend\n";

static const qemu_info_t good_info = {
	.target_name = "aarch64", .version = { 2, 4 }, .system_emulation = true,
	.system = { 2, 2 },
};

struct refusal {
	const char *plan;		/* text; NULL: no such file */
	const char *out, *more;		/* out: NULL for a good one; more: a further argument */
	qemu_info_t info;
	const char *words;		/* of the message */
};

static const struct refusal refusals[] = {
	{ good_plan, NULL, NULL, { "aarch64", { 5, 6 }, true, { { 2, 2 } } },
	  "this QEMU offers plugins interface 5 to 6, and 4 is needed" },
	{ good_plan, NULL, NULL, { "aarch64", { 1, 3 }, true, { { 2, 2 } } },
	  "this QEMU offers plugins interface 1 to 3, and 4 is needed" },
	{ good_plan, NULL, NULL, { "aarch64", { 2, 4 }, false, { { 2, 2 } } },
	  "runs a program, not a system" },
	{ good_plan, NULL, NULL, { "x86_64", { 2, 4 }, true, { { 2, 2 } } },
	  "this QEMU emulates x86_64, and only aarch64 can be counted" },
	{ good_plan, NULL, NULL, { "aarch64", { 2, 4 }, true, { { 2, 3 } } },
	  "the machine may have 3 CPUs and the plan is for 2" },
	{ good_plan, NULL, "colour=red", { "aarch64", { 2, 4 }, true, { { 2, 2 } } },
	  "unknown argument \"colour=red\"" },
	{ good_plan, NULL, "model=pdp-11", { "aarch64", { 2, 4 }, true, { { 2, 2 } } },
	  "pdp-11" },
	{ NULL, NULL, NULL, { "aarch64", { 2, 4 }, true, { { 2, 2 } } },
	  "/plan: cannot open: No such file or directory" },
	{ "pgtrace-tcg 2\nend\n", NULL, NULL, { "aarch64", { 2, 4 }, true, { { 2, 2 } } },
	  "/plan:1: a plan of another version" },
	{ "pgtrace-tcg 1\nbuild_id ab\n", NULL, NULL, { "aarch64", { 2, 4 }, true, { { 2, 2 } } },
	  "the plan is cut off" },
	{ good_plan, "/nowhere/out", NULL, { "aarch64", { 2, 4 }, true, { { 2, 2 } } },
	  "/nowhere/out: cannot create: No such file or directory" },
};

struct test {
	const char *plugin;
	char folder[32], plan[64], out[64];
	int passed, failed;
};

static void write_plan(const struct test *test, const char *text)
{
	FILE *file = fopen(test->plan, "w");

	if (!file || fputs(text, file) == EOF || fclose(file))
		abort();
}

static char *read_all(FILE *file)
{
	static char text[16384];
	size_t n = fread(text, 1, sizeof(text) - 1, file);

	text[n] = '\0';
	return text;
}

static int install(const struct test *test, const qemu_info_t *info, const char *out,
		   const char *more)
{
	char plan_argument[80], out_argument[80];
	char *argv[] = { plan_argument, out_argument, (char *)more };
	void *handle = dlopen(test->plugin, RTLD_LAZY | RTLD_LOCAL);
	install_fn call;
	int *version;

	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		exit(99);
	}
	version = dlsym(handle, "qemu_plugin_version");
	*(void **)&call = dlsym(handle, "qemu_plugin_install");
	if (!version || *version != 4 || !call)
		exit(98);
	snprintf(plan_argument, sizeof(plan_argument), "plan=%s", test->plan);
	snprintf(out_argument, sizeof(out_argument), "out=%s", out ? out : test->out);
	return call(1, info, more ? 3 : 2, argv);
}

/* Run a case in a child; its messages are *text, its exit status is returned. */
static int in_child(struct test *test, void (*run)(struct test *test, const void *opaque),
		    const void *opaque, char **text)
{
	FILE *messages = tmpfile();
	int status;
	pid_t pid;

	if (!messages)
		abort();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(fileno(messages), STDERR_FILENO);
		run(test, opaque);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	rewind(messages);
	*text = read_all(messages);
	fclose(messages);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void judge(struct test *test, bool passed, const char *name, const char *text)
{
	if (passed) {
		test->passed++;
		return;
	}
	test->failed++;
	printf("FAIL %s: %s\n", name, text);
}

static void refuse(struct test *test, const void *opaque)
{
	const struct refusal *refusal = opaque;

	exit(install(test, &refusal->info, refusal->out, refusal->more));
}

static void test_refusals(struct test *test)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *refusal = &refusals[i];
		char *text;
		int status;

		unlink(test->plan);
		if (refusal->plan)
			write_plan(test, refusal->plan);
		status = in_child(test, refuse, refusal, &text);
		judge(test, status == 1 && !strncmp(text, "pgtrace-tcg: ", 13) &&
		      strstr(text, refusal->words) && strchr(text, '\n') == strrchr(text, '\n') &&
		      access(test->out, F_OK), refusal->words, text);
	}
}

static void start(struct test *test, const char *more)
{
	if (install(test, &good_info, NULL, more))
		exit(97);
	fake_qemu_start();
}

static void execute_nothing(struct test *test, const void *opaque)
{
	(void)opaque;
	start(test, NULL);
	fake_qemu.on_exit(1, NULL);
}

/* The task in x0 is to be the running one. */
static void switch_tasks(uint64_t running)
{
	fake_qemu.cpu[0].x[0] = 0xffff0000c0001000;
	fake_qemu.cpu[0].x[1] = 0xffff0000c0002000;
	fake_qemu.cpu[0].sp_el0 = running;
	fake_qemu_execute(0, BLOCK(TEXT + 0x100, NOP));
}

static void lose_the_folder(struct test *test, const void *opaque)
{
	(void)opaque;
	start(test, NULL);
	switch_tasks(0xffff0000c0001000);
	unlink(test->plan);
	rmdir(test->folder);
	fake_qemu.on_exit(1, NULL);
}

static void never_switch(struct test *test, const void *opaque)
{
	(void)opaque;
	start(test, NULL);
	fake_qemu_execute(0, BLOCK(TEXT, DSB));
	fake_qemu.on_exit(1, NULL);
}

static void execute_another_kernel(struct test *test, const void *opaque)
{
	(void)opaque;
	start(test, NULL);
	switch_tasks(0xffff0000c0003000);
	fake_qemu.on_exit(1, NULL);
}

/* Messages of a case that ends without a result. */
static void test_no_result(struct test *test)
{
	char *text;
	int status;

	write_plan(test, good_plan);
	status = in_child(test, execute_nothing, NULL, &text);
	judge(test, !status && strstr(text, "not written: the guest did not execute anything") &&
	      access(test->out, F_OK), "nothing executed", text);
	status = in_child(test, never_switch, NULL, &text);
	judge(test, !status && strstr(text, "never executed the plan's cpu_switch_to()") &&
	      access(test->out, F_OK), "no task switch", text);
	status = in_child(test, execute_another_kernel, NULL, &text);
	judge(test, !status && strstr(text, "the plan is of another kernel") &&
	      access(test->out, F_OK), "another kernel", text);
	status = in_child(test, lose_the_folder, NULL, &text);
	judge(test, !status && strstr(text, "pgtrace-tcg: ") && strstr(text, "/out: ") &&
	      access(test->out, F_OK), "an output that cannot be written", text);
	if (mkdir(test->folder, 0700))
		abort();
}

/* A kprobe on a DSB: hit four times without, then three times with it; then a slot of nobody. */
static void execute_slots(void)
{
	struct qemu_plugin_tb *place = BLOCK(TEXT + 0x40, NOP, DSB), *brk, *slot, *module;

	for (int i = 0; i < 4; i++)
		fake_qemu_execute(0, place);
	fake_qemu_memory(0xffff80007a000004, BRK6);
	fake_qemu_memory(0xffff80007b000004, NOP);
	fake_qemu.cpu[0].sp = 0xffff800082003f00;
	brk = BLOCK(TEXT + 0x44, BRK4);
	slot = BLOCK(0xffff80007a000000, DSB, BRK6);
	module = BLOCK(0xffff80007b000000, DSB, NOP);
	for (int i = 0; i < 3; i++) {
		fake_qemu_execute(0, brk);
		fake_qemu_execute(0, slot);
	}
	fake_qemu_execute(0, module);
	fake_qemu_execute(0, slot);
}

/*
 * A scope: entered in the middle of a block, an ISB in it, left; other code at the return
 * address and another stack pointer does not leave it.
 */
static void execute_scope(void)
{
	struct fake_cpu *cpu = &fake_qemu.cpu[1];
	struct qemu_plugin_tb *caller, *callee, *behind;

	caller = BLOCK(TEXT + 0x1000 - 8, DSB, NOP, NOP, ISB);	/* falls into map() */
	callee = BLOCK(TEXT + 0x1010, ISB, NOP, NOP);
	behind = BLOCK(TEXT + 0x2000, ISB);
	cpu->x[1] = 0x3000;
	cpu->x[30] = TEXT + 0x2000;
	cpu->sp = 0xffff800082103f00;
	fake_qemu_execute(1, caller);
	cpu->sp -= 64;
	fake_qemu_execute(1, callee);
	fake_qemu_execute(1, behind);
	cpu->sp += 64;
	fake_qemu_execute(1, behind);
	fake_qemu_execute(1, callee);
}

static void execute_all(struct test *test, const void *more)
{
	struct qemu_plugin_tb *open, *close;

	start(test, more);
	open = BLOCK(0x400000, NOP, OPEN, NOP);
	close = BLOCK(0x400100, CLOSE, NOP);
	switch_tasks(0xffff0000c0001000);
	fake_qemu_execute(1, close);		/* ignored */
	execute_slots();
	fake_qemu_execute(1, open);
	execute_scope();
	fake_qemu_execute(0, open);
	fake_qemu_execute(0, BLOCK(TEXT + 0x40, NOP, DSB));
	fake_qemu_execute(0, close);
	fake_qemu_execute(1, close);
	fake_qemu_execute(1, open);
	fake_qemu.on_exit(1, NULL);
}

#define SITE(window, address, word, kind, hits, stepped)				\
	"{\"type\":\"site\",\"window\":" window ",\"address\":\"" address "\",\"word\":\""	\
	word "\",\"kind\":\"" kind "\",\"hits\":" hits ",\"stepped\":" stepped "}\n"
#define SCOPE(window, n)								\
	"{\"type\":\"scope\",\"window\":" window ",\"scope\":\"map\",\"functions\":[\"map\"],"	\
	"\"calls\":1,\"full\":0,\"unsized\":0,\"pages\":3,\"instructions\":" n ",\"unfinished\":0}\n"	\
	"{\"type\":\"scope_insn\",\"window\":" window ",\"scope\":\"map\",\"kind\":\"isb\",\"count\":3}\n"	\
	"{\"type\":\"scope_pages\",\"window\":" window ",\"scope\":\"map\",\"pages\":2,\"calls\":1}\n"
#define RESULT(head, of_window, of_scope, none)					\
	"{\"type\":\"tcg\",\"schema\":1,\"qemu_api\":4,\"vcpus\":2,\"build_id\":\"ab\","	\
	"\"instructions\":" head ",\"model\":null,\"windows\":2,\"open\":true}\n"		\
	"{\"type\":\"window\",\"window\":1,\"vcpus\":2,\"instructions\":" of_window "}\n"	\
	"{\"type\":\"window\",\"window\":2,\"vcpus\":0,\"instructions\":" none "}\n"	\
	"{\"type\":\"slot\",\"window\":null,\"word\":\"0xd5033a9f\",\"kind\":\"dsb.ishst\",\"hits\":1}\n"	\
	SITE("null", "0xffff80007b000000", "0xd5033a9f", "dsb.ishst", "1", "0")			\
	SITE("null", "0xffff800080010044", "0xd5033a9f", "dsb.ishst", "8", "3")			\
	SITE("null", "0xffff800080010ff8", "0xd5033a9f", "dsb.ishst", "1", "0")			\
	SITE("null", "0xffff800080011004", "0xd5033fdf", "isb", "1", "0")			\
	SITE("null", "0xffff800080011010", "0xd5033fdf", "isb", "2", "0")			\
	SITE("null", "0xffff800080012000", "0xd5033fdf", "isb", "2", "0")			\
	SCOPE("null", of_scope)									\
	SITE("1", "0xffff800080010044", "0xd5033a9f", "dsb.ishst", "1", "0")			\
	SITE("1", "0xffff800080010ff8", "0xd5033a9f", "dsb.ishst", "1", "0")			\
	SITE("1", "0xffff800080011004", "0xd5033fdf", "isb", "1", "0")				\
	SITE("1", "0xffff800080011010", "0xd5033fdf", "isb", "2", "0")				\
	SITE("1", "0xffff800080012000", "0xd5033fdf", "isb", "2", "0")				\
	SCOPE("1", of_scope)									\
	"{\"type\":\"scope\",\"window\":2,\"scope\":\"map\",\"functions\":[\"map\"],\"calls\":0,"	\
	"\"full\":0,\"unsized\":0,\"pages\":0,\"instructions\":" none ",\"unfinished\":0}\n"		\
	"{\"type\":\"end\",\"lines\":23}\n"

/*
 * Instructions in window 1: CPU 1 two of the opening block, the scope's 4 + 3 + 1 + 1 + 3; CPU 0
 * two, and two.  In the scope: two of the first block, three, and the one that does not leave it.
 */
static void test_counts(struct test *test, const char *more, const char *expected)
{
	char *text, *messages;
	FILE *out;
	int status;

	write_plan(test, good_plan);
	status = in_child(test, execute_all, more, &messages);
	judge(test, !status && strstr(messages, "hints that opened an open window"),
	      "hints without their pair are reported", messages);
	out = fopen(test->out, "r");
	text = out ? read_all(out) : (char[]){ "no result" };
	if (out)
		fclose(out);
	judge(test, !strcmp(text, expected), more ? more : "counts", text);
	unlink(test->out);
}

/* Enter map() with a return address, and come back. */
static void call(struct qemu_plugin_tb *callee, uint64_t ret, struct qemu_plugin_tb *behind)
{
	fake_qemu.cpu[0].sp = 0xffff800082103f00;
	fake_qemu.cpu[0].x[30] = ret;
	fake_qemu_execute(0, callee);
	fake_qemu_execute(0, behind ? behind : BLOCK(ret, NOP));
}

/*
 * Returns to where a block was translated when nobody knew (a reset, once), to behind a direct
 * call, forwards and backwards, and to where no block was yet.
 */
static void execute_returns(struct test *test, const void *opaque)
{
	struct qemu_plugin_tb *callee, *behind;

	(void)opaque;
	start(test, NULL);
	switch_tasks(0xffff0000c0001000);
	callee = BLOCK(TEXT + 0x1000, ISB);
	behind = BLOCK(TEXT + 0x2000, NOP);
	call(callee, TEXT + 0x2000, behind);
	call(callee, TEXT + 0x2000, behind);
	BLOCK(TEXT + 0x3000, BL(-0x2000 / 4));
	call(callee, TEXT + 0x3004, BLOCK(TEXT + 0x3004, NOP));
	BLOCK(TEXT + 0x800, BL(0x800 / 4));
	call(callee, TEXT + 0x804, BLOCK(TEXT + 0x804, NOP));
	call(callee, TEXT + 0x4000, NULL);
	fprintf(stderr, "%u resets\n", fake_qemu.resets);
	fake_qemu.on_exit(1, NULL);
}

static void test_returns(struct test *test)
{
	char *text, *messages;
	FILE *out;
	int status;

	write_plan(test, good_plan);
	status = in_child(test, execute_returns, NULL, &messages);
	judge(test, !status && !strcmp(messages, "1 resets\n"),
	      "blocks are translated again where a scope returns and nobody knew", messages);
	out = fopen(test->out, "r");
	text = out ? read_all(out) : (char[]){ "no result" };
	if (out)
		fclose(out);
	judge(test, strstr(text, "\"calls\":5,") && strstr(text, "\"unfinished\":0"),
	      "every return of a scope is seen", text);
	unlink(test->out);
}

int main(int argc, char **argv)
{
	struct test test = { .plugin = argv[1], .folder = "/tmp/pgtrace-plugin-XXXXXX" };

	if (argc != 2) {
		fprintf(stderr, "usage: test-plugin PLUGIN.so\n");
		return 2;
	}
	if (!mkdtemp(test.folder))
		abort();
	snprintf(test.plan, sizeof(test.plan), "%s/plan", test.folder);
	snprintf(test.out, sizeof(test.out), "%s/out", test.folder);
	test_refusals(&test);
	test_no_result(&test);
	test_counts(&test, NULL, RESULT("false", "null", "null", "null"));
	test_counts(&test, "instructions=on", RESULT("true", "18", "6", "0"));
	test_returns(&test);
	unlink(test.plan);
	rmdir(test.folder);
	printf("%d passed, %d failed, 0 skipped\n", test.passed, test.failed);
	return test.failed != 0;
}
