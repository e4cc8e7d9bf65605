/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/init_relay.h"
#include "lab/modules.h"
#include "lab/pin.h"
#include "lab/splat.h"

#define PORT_WAIT_MS	20000	/* how long a virtio-serial port may take to appear */
#define PORT_POLL_MS	20
#define PORTS		"/sys/class/virtio-ports"

struct init {
	int recording_fd, status_fd;	/* virtio-serial ports; -1 until opened */
	struct pgt_buf args;		/* the text that argv points into */
	char **argv;			/* "pgtrace", the arguments, NULL */
};

static const struct mount_point {
	const char *type, *path;
	bool required;			/* what only some commands need is their own failure */
} mount_points[] = {
	{ "proc", "/proc", true },
	{ "sysfs", "/sys", true },
	{ "devtmpfs", "/dev", true },
	{ "tmpfs", "/tmp", true },
	{ "tracefs", "/sys/kernel/tracing", false },
	{ "debugfs", "/sys/kernel/debug", false },
};

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	char line[1200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	dprintf(STDERR_FILENO, "pgtrace-init: %s\n", line);
}

static int mount_all(struct pgt_diag *diag)
{
	for (size_t i = 0; i < sizeof(mount_points) / sizeof(mount_points[0]); i++) {
		const struct mount_point *point = &mount_points[i];

		mkdir(point->path, 0755);	/* mount() tells where this went wrong */
		if (!mount(point->type, point->path, point->type, 0, NULL) || errno == EBUSY)
			continue;
		if (point->required)
			return pgt_fail(diag, -errno, "cannot mount %s on %s: %s", point->type,
					point->path, strerror(errno));
		say("no %s: %s", point->type, strerror(errno));
	}
	return 0;
}

/*
 * An initramfs without a /dev/console starts PID 1 with descriptors 0, 1 and 2 closed.
 * Nothing may be opened before they are taken, or it would land on one of them.
 */
static void open_console(void)
{
	int fd;

	mkdir("/dev", 0755);
	if (mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) && errno != EBUSY)
		return;
	fd = open("/dev/console", O_RDWR | O_NOCTTY);
	if (fd < 0)
		return;
	for (int to = STDIN_FILENO; to <= STDERR_FILENO; to++)
		if (to != fd)
			dup2(fd, to);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* The device node of a port by the name QEMU gave it; "" while there is none. */
static void find_port(const char *name, char *node, size_t size)
{
	DIR *ports = opendir(PORTS);
	struct dirent *entry;

	*node = '\0';
	while (ports && !*node && (entry = readdir(ports))) {
		struct pgt_buf found = PGT_BUF_INIT;
		struct pgt_diag ignored;
		char path[sizeof(PORTS) + sizeof(entry->d_name) + sizeof("/name")];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), PORTS "/%s/name", entry->d_name);
		if (!pgt_file_read_line(path, &found, &ignored) && !strcmp(found.at, name))
			snprintf(node, size, "/dev/%s", entry->d_name);
		pgt_buf_release(&found);
	}
	if (ports)
		closedir(ports);
}

static int open_port(const char *name, int *out, struct pgt_diag *diag)
{
	char node[300];
	int fd;

	for (unsigned int waited = 0; ; waited += PORT_POLL_MS) {
		find_port(name, node, sizeof(node));
		if (*node)
			break;
		if (waited >= PORT_WAIT_MS)
			return pgt_fail(diag, -ENODEV, "no virtio-serial port named %s after %d s",
					name, PORT_WAIT_MS / 1000);
		pgt_sleep_ms(PORT_POLL_MS);
	}
	fd = open(node, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return pgt_fail(diag, -errno, "%s (%s): cannot open: %s", node, name,
				strerror(errno));
	*out = fd;
	return 0;
}

static int read_args(struct init *init, struct pgt_diag *diag)
{
	size_t n = 2;		/* "pgtrace" and NULL */
	char *rest, *arg;
	int err = pgt_file_read("/lab/args", &init->args, diag);

	if (err)
		return err;
	for (const char *c = init->args.at; *c; c++)
		n += *c == '\n';
	init->argv = calloc(n + 1, sizeof(*init->argv));	/* + 1: no newline at the end */
	if (!init->argv)
		return pgt_fail(diag, -ENOMEM, "/lab/args: out of memory");
	n = 0;
	init->argv[n++] = (char *)"pgtrace";
	rest = init->args.at;
	while ((arg = strsep(&rest, "\n")))
		if (rest || *arg)
			init->argv[n++] = arg;
	return 0;
}

/* error is NULL for a success. */
static int write_status(int fd, int status, const char *error)
{
	json_t *object = error ? json_pack("{s:i, s:s}", "status", status, "error", error) :
				 json_pack("{s:i}", "status", status);
	char *text;
	int err = -ENOMEM;

	if (!object)	/* json_pack() refuses what is not UTF-8 */
		object = json_pack("{s:i, s:s}", "status", status, "error",
				   "the command failed with a message that is not UTF-8; "
				   "see the console log");
	text = object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
	if (text)
		err = dprintf(fd, "%s\n", text) < 0 ? -errno : 0;
	free(text);
	json_decref(object);
	return err;
}

static int set_up(struct init *init, struct pgt_diag *diag)
{
	int err = mount_all(diag);

	if (!err && pgt_modules_listed("boot"))
		err = pgt_modules_load("boot", diag);
	if (!err)
		err = open_port("pgtrace.status", &init->status_fd, diag);
	if (!err)
		err = open_port("pgtrace.recording", &init->recording_fd, diag);
	if (!err)
		err = read_args(init, diag);
	return err;
}

/* The command's exit status, or 128 + signal, with its last line in error; or -errno. */
static int run_command(struct init *init, char *error, size_t error_size, struct pgt_diag *diag)
{
	struct pgt_relay relay;
	int err;

	say("starting %s%s%s", init->argv[0], init->argv[1] ? " " : "",
	    init->argv[1] ? init->argv[1] : "");
	err = pgt_relay_start(&relay, init->argv, diag);
	if (err)
		return err;
	err = pgt_relay_copy(&relay, init->recording_fd, diag);
	if (err)
		goto out;
	/*
	 * A whole recording is all that the host waits for.  The command itself is still
	 * removing its probes, which takes ten seconds and more, and which a power-off makes
	 * unnecessary.
	 */
	if (pgt_relay_recording_is_whole(&relay))
		goto out;
	err = pgt_relay_wait(&relay);
	if (!err && !relay.copied)	/* what does not record, such as list, still prints */
		err = EXIT_FAILURE;
	if (err && *relay.last_error)
		snprintf(error, error_size, "%s", relay.last_error);
	else if (err > 128)
		snprintf(error, error_size, "the command was killed by signal %d", err - 128);
	else if (err)
		snprintf(error, error_size, "the command ended with no recording and no message");
out:
	pgt_relay_release(&relay);
	return err;
}

/* syslog(2): SYSLOG_ACTION_READ_ALL and SYSLOG_ACTION_SIZE_BUFFER, which no header has. */
enum { READ_ALL = 3, SIZE_BUFFER = 10 };

static bool is_splat_asked_for(void)
{
	struct pgt_buf cmdline = PGT_BUF_INIT;
	struct pgt_diag ignored;
	bool asked = !pgt_file_read("/proc/cmdline", &cmdline, &ignored) && cmdline.at &&
		     strstr(cmdline.at, PGT_SPLAT_PARAMETER);

	pgt_buf_release(&cmdline);
	return asked;
}

/* Where the host asks for it: fail if the kernel complained about itself since it booted. */
static int see_splat(char *error, size_t error_size)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0), n;
	char *log = size > 0 ? malloc((size_t)size + 1) : NULL;
	const char *line;
	size_t len;

	n = log ? klogctl(READ_ALL, log, size) : -1;
	if (n < 0) {
		snprintf(error, error_size, "the kernel's log cannot be read: %s",
			 strerror(errno));
		free(log);
		return EXIT_FAILURE;
	}
	log[n] = '\0';
	line = pgt_splat_find(log, &len);
	if (line) {
		snprintf(error, error_size, "the kernel complained: %.*s",
			 len < 900 ? (int)len : 900, line);
		dprintf(STDERR_FILENO, "%.8000s\n", line);	/* the report is behind it */
	}
	free(log);
	return line ? EXIT_FAILURE : 0;
}

static void power_off(void)
{
	reboot(RB_POWER_OFF);
	say("power-off refused: %s", strerror(errno));
	reboot(RB_AUTOBOOT);	/* QEMU runs with -no-reboot: the guest ends all the same */
	for (;;)
		pause();
}

int pgt_init_main(void)
{
	struct init init = { .recording_fd = -1, .status_fd = -1 };
	struct pgt_diag diag = { "" };
	char error[1024] = "";
	int status;

	open_console();
	signal(SIGPIPE, SIG_IGN);
	status = set_up(&init, &diag);
	if (!status)
		status = run_command(&init, error, sizeof(error), &diag);
	if (!status && is_splat_asked_for())
		status = see_splat(error, sizeof(error));
	if (status < 0) {
		snprintf(error, sizeof(error), "%.1000s", diag.text);
		status = 125;
	}
	say("status %d%s%s", status, *error ? ": " : "", error);
	if (init.status_fd >= 0 && write_status(init.status_fd, status, status ? error : NULL))
		say("cannot write to the status port");
	/*
	 * write() returns once the port has queued the bytes, not once the host has them.
	 * The last close does wait: it sends a control message and spins until the host has
	 * taken it, and QEMU serves the data queues before it looks at a shutdown.
	 */
	close(init.recording_fd);
	close(init.status_fd);
	power_off();
	return 1;
}
