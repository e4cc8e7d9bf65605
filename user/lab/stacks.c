/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "lab/pin.h"

#define N_THREADS	4	/* at a time: more stacks than a CPU keeps */
#define SETTLE_MS	60	/* the kernel frees a stack an RCU grace period after its thread */

static void *wait_for_end_of_file(void *fd)
{
	char byte;

	while (read((int)(intptr_t)fd, &byte, 1) < 0 && errno == EINTR)
		;
	return NULL;
}

/* All live until hold is closed: one after the other, they would hand one stack on. */
static int run_threads(int cpu, int fd, int hold)
{
	pthread_t threads[N_THREADS];
	pthread_attr_t attributes;
	cpu_set_t one;
	int n = 0, err;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pthread_attr_init(&attributes);
	err = pthread_attr_setaffinity_np(&attributes, sizeof(one), &one);
	while (!err && n < N_THREADS) {
		err = pthread_create(&threads[n], &attributes, wait_for_end_of_file,
				     (void *)(intptr_t)fd);
		n += !err;
	}
	close(hold);
	while (n)
		pthread_join(threads[--n], NULL);
	pthread_attr_destroy(&attributes);
	return -err;
}

int pgt_stacks_stock_up(struct pgt_diag *diag)
{
	cpu_set_t cpus;
	int ends[2];

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return pgt_fail(diag, -errno, "cannot read the CPUs of this thread: %s",
				strerror(errno));
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int err;

		if (!CPU_ISSET(cpu, &cpus))
			continue;
		if (pipe2(ends, O_CLOEXEC))
			return pgt_fail(diag, -errno, "cannot make a pipe: %s", strerror(errno));
		err = run_threads(cpu, ends[0], ends[1]);
		close(ends[0]);
		if (err)
			return pgt_fail(diag, err, "cannot start threads on CPU %d: %s", cpu,
					strerror(-err));
	}
	pgt_sleep_ms(SETTLE_MS);
	return 0;
}
