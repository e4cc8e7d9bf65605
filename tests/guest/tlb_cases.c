// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlb_cases.c - the first process of a guest: loops whose TLB misses are known beforehand.
 *
 * Each case is one window of one CPU, opened and closed by hints right before and behind a
 * loop that reads one word of each page of a mapping, in turn.  So the only user accesses of
 * data in the window are those reads.  A line "case NAME PAGES ROUNDS" names each on the console
 * before it is run; "symbol ADDRESS NAME" lines give what the plan of the plugin needs.  Used by
 * model.sh, which knows the misses.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE		4096
#define N_REPEATS	16	/* an interrupt disturbs some: see model.sh */
#define HUGE_64K	(16 << 26)	/* MAP_HUGE_SHIFT */
#define HUGE_POOL	"/sys/kernel/mm/hugepages/hugepages-64kB/nr_hugepages"

static void end(const char *what)
{
	printf("%s\n", what);
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void print_symbols(void)
{
	static const char *const wanted[] = { "_stext", "_etext", "_text", "_end" };
	char line[256], name[128];
	FILE *file = fopen("/proc/kallsyms", "r");
	uint64_t address;

	if (!file)
		end("failed: no /proc/kallsyms");
	while (fgets(line, sizeof(line), file))
		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
			if (sscanf(line, "%" SCNx64 " %*c %127s", &address, name) == 2 &&
			    !strcmp(name, wanted[i]))
				printf("symbol 0x%" PRIx64 " %s\n", address, name);
	fclose(file);
}

static uint64_t *map(size_t n_pages, int flags)
{
	uint64_t *at = mmap(NULL, n_pages * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (at == MAP_FAILED)
		end("failed: mmap");
	if (!flags)
		madvise(at, n_pages * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n_pages; i++)
		at[i * PAGE / sizeof(*at)] = 1;
	return at;
}

/* All rounds in one piece of assembly, between the hints that open and close the window. */
static uint64_t read_pages(const uint64_t *start, uint64_t n_pages, uint64_t n_rounds)
{
	uint64_t sum = 0, word, n;
	const uint64_t *at;

	__asm__ volatile("	hint	#126\n"
			 "	b	1f\n"
			 "1:	mov	%[at], %[start]\n"
			 "	mov	%[n], %[pages]\n"
			 "2:	ldr	%[word], [%[at]]\n"
			 "	add	%[sum], %[sum], %[word]\n"
			 "	add	%[at], %[at], #4096\n"
			 "	subs	%[n], %[n], #1\n"
			 "	b.ne	2b\n"
			 "	subs	%[rounds], %[rounds], #1\n"
			 "	b.ne	1b\n"
			 "	hint	#127\n"
			 : [at] "=&r" (at), [n] "=&r" (n), [word] "=&r" (word), [sum] "+&r" (sum),
			   [rounds] "+&r" (n_rounds)
			 : [start] "r" (start), [pages] "r" (n_pages)
			 : "cc", "memory");
	return sum;
}

static void run(const char *name, const uint64_t *at, uint64_t n_pages, uint64_t n_rounds)
{
	printf("case %s %" PRIu64 " %" PRIu64 "\n", name, n_pages, n_rounds);
	fflush(stdout);
	if (read_pages(at, n_pages, n_rounds) != n_pages * n_rounds)
		end("failed: the words do not add up");
}

/* The kernel writes there when an interrupt returns, which would be user accesses of its own. */
static void leave_rseq(void)
{
	char *self = __builtin_thread_pointer();

	if (__rseq_size && syscall(SYS_rseq, self + __rseq_offset, sizeof(struct rseq),
				   RSEQ_FLAG_UNREGISTER, RSEQ_SIG))
		end("failed: cannot leave rseq");
}

static void reserve_huge(void)
{
	FILE *file = fopen(HUGE_POOL, "w");

	if (!file)
		end("failed: no huge pages of 64 kB");
	fprintf(file, "512\n");
	fclose(file);
}

int main(void)
{
	uint64_t *small, *contiguous;
	cpu_set_t cpus;

	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	CPU_ZERO(&cpus);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	leave_rseq();
	print_symbols();
	reserve_huge();
	small = map(8192, 0);
	contiguous = map(8192, MAP_HUGETLB | HUGE_64K);
	run("larger", small, 8192, 4);
	run("larger-longer", small, 8192, 8);
	for (int i = 0; i < N_REPEATS; i++) {
		run("larger-contiguous", contiguous, 2048, 2);
		run("second-level", small, 512, 4);
		run("second-level-contiguous", contiguous, 512, 4);
		run("fits", small, 16, 100);
	}
	end("done");
	return 0;
}
