/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/pin.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"

int pgt_pin_to_last_cpu(struct pgt_pin *pin, struct pgt_diag *diag)
{
	cpu_set_t one;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(pin->before), &pin->before))
		return pgt_fail(diag, -errno, "cannot read the CPUs of this thread: %s",
				strerror(errno));
	while (cpu > 0 && !CPU_ISSET(cpu, &pin->before))
		cpu--;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return pgt_fail(diag, -errno, "cannot pin the workload to CPU %d: %s", cpu,
				strerror(errno));
	pin->pinned = true;
	return 0;
}

void pgt_pin_release(struct pgt_pin *pin)
{
	if (pin->pinned)
		sched_setaffinity(0, sizeof(pin->before), &pin->before);
	pin->pinned = false;
}

void pgt_sleep_ms(unsigned int ms)
{
	for (; ms > 1000; ms -= 1000)
		pgt_sleep_us(1000000);
	pgt_sleep_us(ms * 1000);
}

void pgt_sleep_us(unsigned int us)
{
	struct timespec left = { us / 1000000, us % 1000000 * 1000L };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}
