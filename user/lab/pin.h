/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pin.h - hold the calling thread on one CPU, and sleep while the kernel works.
 */
#ifndef PGT_LAB_PIN_H
#define PGT_LAB_PIN_H

#include <sched.h>
#include <stdbool.h>

struct pgt_diag;

struct pgt_pin {
	cpu_set_t before;
	bool pinned;
};

/*
 * Pin to the last CPU that the thread may use.  One CPU, because per-CPU lists of pages
 * and per-CPU allocators then behave the same in every run; the last one, because device
 * interrupts and timekeeping go to the first unless someone moved them.
 * Returns 0 or -errno.
 */
int pgt_pin_to_last_cpu(struct pgt_pin *pin, struct pgt_diag *diag);

/* Give the thread its CPUs back.  Does nothing unless pinned. */
void pgt_pin_release(struct pgt_pin *pin);

/* Sleep, whatever signals come. */
void pgt_sleep_ms(unsigned int ms);
void pgt_sleep_us(unsigned int us);

#endif /* PGT_LAB_PIN_H */
