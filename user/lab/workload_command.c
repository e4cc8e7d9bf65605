/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command - any program: "command:/path/to/program argument argument".
 *
 * It is started with posix_spawn(), which shares our memory with the child until it
 * executes the program: fork() would copy our page tables within the window.  It is not pinned,
 * being the user's own program, and it may run on any CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/stacks.h"
#include "lab/workload_kinds.h"

struct command_state {
	char *text;		/* what argv points into */
	char **argv;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	bool have_actions, have_attributes;
	int wait_status;
	bool ended;
};

static void command_release(void *opaque)
{
	struct command_state *state = opaque;

	if (!state)
		return;
	if (state->have_actions)
		posix_spawn_file_actions_destroy(&state->actions);
	if (state->have_attributes)
		posix_spawnattr_destroy(&state->attributes);
	free(state->argv);
	free(state->text);
	free(state);
}

static int split(struct command_state *state, const char *parameters)
{
	size_t n = 2;
	char *rest, *word;

	state->text = strdup(parameters);
	if (!state->text)
		return -ENOMEM;
	for (const char *c = parameters; *c; c++)
		n += *c == ' ';
	state->argv = calloc(n, sizeof(*state->argv));
	if (!state->argv)
		return -ENOMEM;
	n = 0;
	rest = state->text;
	while ((word = strsep(&rest, " ")))
		if (*word)
			state->argv[n++] = word;
	return n ? 0 : -EINVAL;
}

static int command_parse(void **out, const char *parameters, struct pgt_diag *diag)
{
	struct command_state *state = calloc(1, sizeof(*state));
	int err = state ? split(state, parameters ? parameters : "") : -ENOMEM;

	if (!err) {
		*out = state;
		return 0;
	}
	command_release(state);
	return pgt_fail(diag, err, err == -EINVAL ?
			"command: no program; write \"command:/path/to/program argument\"" :
			"command: out of memory");
}

/* Standard output may be the recording itself, so what the program prints goes elsewhere. */
static int set_up_descriptors(struct command_state *state)
{
	int err = posix_spawn_file_actions_init(&state->actions);

	if (err)
		return -err;
	state->have_actions = true;
	err = posix_spawn_file_actions_addopen(&state->actions, STDIN_FILENO, "/dev/null",
					       O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&state->actions, STDERR_FILENO,
						       STDOUT_FILENO);
	return -err;
}

/* Signals that we hold back while probes are planted are not held back from the program. */
static int set_up_signals(struct command_state *state)
{
	sigset_t none;
	int err = posix_spawnattr_init(&state->attributes);

	if (err)
		return -err;
	state->have_attributes = true;
	sigemptyset(&none);
	err = posix_spawnattr_setsigmask(&state->attributes, &none);
	if (!err)
		err = posix_spawnattr_setflags(&state->attributes, POSIX_SPAWN_SETSIGMASK);
	return -err;
}

static int command_prepare(void *opaque, struct pgt_diag *diag)
{
	struct command_state *state = opaque;
	const char *program = state->argv[0];
	int err;

	if (access(program, X_OK))
		return pgt_fail(diag, errno == ENOENT ? -ENODEV : -errno, "%s: cannot be "
				"executed: %s (give its full path; in a guest, the guest's)", program,
				strerror(errno));
	err = set_up_descriptors(state);
	if (!err)
		err = set_up_signals(state);
	if (err)
		return pgt_fail(diag, err, "cannot set %s up: %s", program, strerror(-err));
	return pgt_stacks_stock_up(diag);
}

static int command_run(void *opaque, struct pgt_diag *diag)
{
	struct command_state *state = opaque;
	pid_t pid;
	int err;

	state->ended = false;
	err = posix_spawn(&pid, state->argv[0], &state->actions, &state->attributes,
			  state->argv, environ);
	if (err)
		return pgt_fail(diag, -err, "cannot start %s: %s", state->argv[0],
				strerror(err));
	while (waitpid(pid, &state->wait_status, 0) < 0)
		if (errno != EINTR)
			return pgt_fail(diag, -errno, "cannot wait for %s: %s",
					state->argv[0], strerror(errno));
	state->ended = true;
	return 0;
}

static int command_after_run(void *opaque, struct pgt_work *work, struct pgt_diag *diag)
{
	struct command_state *state = opaque;

	if (!state->ended)
		return pgt_fail(diag, -EIO, "%s did not run", state->argv[0]);
	if (WIFSIGNALED(state->wait_status))
		return pgt_fail(diag, -EIO, "%s was killed by signal %d", state->argv[0],
				WTERMSIG(state->wait_status));
	if (WEXITSTATUS(state->wait_status))
		return pgt_fail(diag, -EIO, "%s exited with status %d", state->argv[0],
				WEXITSTATUS(state->wait_status));
	*work = (struct pgt_work){ "runs", 1, 1 };
	return 0;
}

const struct pgt_workload pgt_workload_command = {
	.name = "command",
	.help = "run a program: \"command:/path/to/program argument\"; it must exit with 0",
	.repeatable = true,
	.parse = command_parse,
	.prepare = command_prepare,
	.before_run = NULL,
	.run = command_run,
	.after_run = command_after_run,
	.release = command_release,
};
