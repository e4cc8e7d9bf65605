// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pgtrace - count calls of page-table functions, and the barriers executed within them.
 *
 * A call of a probe's function pushes the function on a stack of its task, its return
 * pops it.  A hit of an instruction site is counted under the probe on top of that stack,
 * and once for every probe in it.  Nothing is sent to user space: all counts are in
 * per-CPU arrays, read while nothing is armed.
 *
 * Plain adds lose nothing: the kernel runs one program of a kind on a CPU at a time, and
 * counts what it refuses for that reason (recursion_misses, nmissed), which user space
 * reports as loss.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "pgtrace_abi.h"

#define CONTEXT_MASK	0x00ff0100	/* NMI and hard interrupt counts, softirq being served */

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* Set before load. */
const volatile __u32 page_shift = 12;		/* of the running kernel: 12, 14 or 16 */
const volatile __u32 pmd_pages = 512;		/* base pages under one PMD entry */
const volatile struct pgt_func funcs[PGT_FUNC_MAX] = {};

/*
 * The number of the window, 0 where there is none.  A task's stack is of one window only: what
 * was pushed before and never popped must not count in this one.
 *
 * Each CPU opens and closes its own, one after the other, and nothing counts on a CPU but while
 * its own is open.  Meanwhile tasks move from CPU to CPU: calls are pushed and popped on all of
 * them from before the first opens until after the last has closed.
 */
__u32 window = 0;
__u32 window_of[PGT_CPU_MAX] = {};

struct task_stack {
	__u32 window;
	__u32 depth;
	__u8 func[PGT_DEPTH_MAX];
	__u8 nest[PGT_PROBE_MAX];	/* how often each probe is on the stack */
	__u64 stopped_at;		/* registers at the last breakpoint hit since push or pop */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_stack);
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PGT_PROBE_MAX);
	__type(key, __u32);
	__type(value, struct pgt_probe_cell);
} probe_cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PGT_POINT_MAX);
	__type(key, __u32);
	__type(value, struct pgt_site_cell);
} site_cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct pgt_loss_cell);
} loss_cells SEC(".maps");

/* By instruction address: the number of a site, or of a watching point behind the sites. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PGT_POINT_MAX);
	__type(key, __u64);
	__type(value, __u32);
} sites SEC(".maps");

/* By instruction address: a function's first instruction, a call of it, or the one behind. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PGT_SITE_MAX);
	__type(key, __u64);
	__type(value, struct pgt_entry);
} entries SEC(".maps");

#define ARGUMENTS	5

struct call {			/* where the arguments of a call are */
	void *trampoline;	/* a trampoline's context; NULL: in args */
	__u64 args[ARGUMENTS];
};

static __always_inline struct pgt_loss_cell *loss(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&loss_cells, &zero);
}

static __always_inline bool in_interrupt(struct task_struct *task)
{
	if (!bpf_core_field_exists(task->thread_info.preempt_count))
		return false;
	return task->thread_info.preempt_count & CONTEXT_MASK;
}

/* Whether what happens on this CPU counts. */
static __always_inline bool is_open(void)
{
	return window_of[bpf_get_smp_processor_id() & (PGT_CPU_MAX - 1)];
}

/* The task's stack of this window; NULL where it has none yet and create is not set. */
static __always_inline struct task_stack *stack_of(struct task_struct *task, bool create)
{
	struct task_stack *stack;

	stack = bpf_task_storage_get(&stacks, task, NULL,
				     create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	if (!stack)
		return NULL;
	if (stack->window != window) {
		if (!create)
			return NULL;
		__builtin_memset(stack, 0, sizeof(*stack));
		stack->window = window;
	}
	return stack;
}

static __always_inline __u64 argument(const struct call *call, __u32 n)
{
	__u64 value = 0;

	if (call->trampoline)
		bpf_get_func_arg(call->trampoline, n, &value);
	else if (n < ARGUMENTS)
		value = call->args[n];
	return value;
}

static __always_inline __u64 folio_pages(__u64 address)
{
	struct folio *folio = (void *)address;
	struct folio___new *new = (void *)address;
	unsigned long flags;

	if (bpf_core_field_exists(new->flags.f))
		flags = BPF_CORE_READ(new, flags.f);
	else
		flags = BPF_CORE_READ(folio, flags);
	if (!(flags & 1UL << bpf_core_enum_value(enum pageflags, PG_head)))
		return 1;
	if (bpf_core_field_exists(new->_nr_pages))
		return BPF_CORE_READ(new, _nr_pages);
	return BPF_CORE_READ(folio, _folio_nr_pages);
}

static __always_inline void count_pages(struct pgt_probe_cell *cell, __u64 pages)
{
	__u32 bucket = 0;

	for (__u64 rest = pages; rest && bucket < PGT_BUCKETS - 1; rest >>= 1)
		bucket++;
	cell->pages += pages;
	if (bucket < PGT_BUCKETS)
		cell->bucket[bucket]++;
}

static __always_inline void count_range(struct pgt_probe_cell *cell, __u64 start, __u64 end)
{
	if (end < start)
		cell->full++;	/* flush_tlb_all() in the shape of a range: end is ~0 or wraps */
	else
		count_pages(cell, (end - start + (1UL << page_shift) - 1) >> page_shift);
}

static __always_inline void count_gather(struct pgt_probe_cell *cell, __u64 address)
{
	struct mmu_gather *tlb = (void *)address;

	if (BPF_CORE_READ_BITFIELD_PROBED(tlb, fullmm))
		cell->full++;
	else
		count_range(cell, BPF_CORE_READ(tlb, start), BPF_CORE_READ(tlb, end));
}

static __always_inline void count_call(struct pgt_probe_cell *cell, __u32 pages, __u32 arg,
				       const struct call *call)
{
	cell->calls++;
	switch (pages) {
	case PGT_PAGES_ONE:
		count_pages(cell, 1);
		break;
	case PGT_PAGES_PMD:
		count_pages(cell, pmd_pages);
		break;
	case PGT_PAGES_FULL:
		cell->full++;
		break;
	case PGT_PAGES_BYTES:
		count_range(cell, 0, argument(call, arg));
		break;
	case PGT_PAGES_RANGE:
		count_range(cell, argument(call, arg), argument(call, arg + 1));
		break;
	case PGT_PAGES_FOLIO:
		count_pages(cell, folio_pages(argument(call, arg)));
		break;
	case PGT_PAGES_GATHER:
		count_gather(cell, argument(call, arg));
		break;
	default:
		cell->unsized++;
	}
}

static __always_inline void push(struct task_stack *stack, __u32 func, __u32 probe)
{
	__u32 depth = stack->depth;
	struct pgt_loss_cell *lost;

	if (depth >= PGT_DEPTH_MAX) {
		lost = loss();
		if (lost)
			lost->overflow++;
		return;
	}
	stack->stopped_at = 0;
	stack->func[depth] = func;
	stack->depth = depth + 1;
	stack->nest[probe & (PGT_PROBE_MAX - 1)]++;
}

static __always_inline int enter(__u32 func, const struct call *call, bool returns)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pgt_probe_cell *cell;
	struct task_stack *stack;
	struct pgt_loss_cell *lost;
	__u32 probe, pages;

	if (!window || func >= PGT_FUNC_MAX)
		return 0;
	probe = funcs[func].probe;
	pages = funcs[func].pages;
	cell = bpf_map_lookup_elem(&probe_cells, &probe);
	if (!cell)
		return 0;
	if (in_interrupt(task)) {
		if (pages != PGT_PAGES_SPAN && is_open())
			cell->interrupt_calls++;
		return 0;
	}
	stack = stack_of(task, true);
	if (!stack) {
		lost = loss();
		if (lost)
			lost->overflow++;
		return 0;
	}
	if (pages != PGT_PAGES_SPAN && !stack->nest[probe & (PGT_PROBE_MAX - 1)] && is_open())
		count_call(cell, pages, funcs[func].arg, call);
	if (returns)
		push(stack, func, probe);
	return 0;
}

/*
 * A return that finds another function on top: at a call site's next instruction
 * somebody jumped there without the call, which is normal; elsewhere a call was missed.
 */
static __always_inline int leave(__u32 func, bool strict)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_stack *stack;
	struct pgt_loss_cell *lost;
	__u32 top, probe;

	if (!window || func >= PGT_FUNC_MAX || in_interrupt(task))
		return 0;
	stack = stack_of(task, false);
	if (!stack)
		return 0;	/* called before the window opened */
	top = stack->depth - 1;
	if (top >= PGT_DEPTH_MAX || stack->func[top] != func) {
		lost = loss();
		if (strict && top < PGT_DEPTH_MAX && lost)
			lost->unbalanced++;
		return 0;
	}
	probe = funcs[func].probe;
	stack->stopped_at = 0;
	stack->depth = top;
	stack->nest[probe & (PGT_PROBE_MAX - 1)]--;
	return 0;
}

static __always_inline void count_in_task(struct pgt_site_cell *cell, struct task_struct *task)
{
	struct task_stack *stack = stack_of(task, false);
	__u32 top, func;

	if (!stack || !stack->depth) {
		cell->innermost[PGT_IN_OUTSIDE]++;
		return;
	}
	top = stack->depth - 1;
	func = top < PGT_DEPTH_MAX ? stack->func[top] : 0;
	if (func < PGT_FUNC_MAX)
		cell->innermost[funcs[func].probe & (PGT_PROBE_MAX - 1)]++;
	for (int i = 0; i < PGT_PROBE_MAX; i++)
		if (stack->nest[i])
			cell->inclusive[i]++;
}

static __always_inline int count_site(__u64 address)
{
	struct task_struct *task;
	struct pgt_site_cell *cell;
	struct pgt_loss_cell *lost;
	__u32 *site;

	if (!is_open())
		return 0;
	site = bpf_map_lookup_elem(&sites, &address);
	cell = site ? bpf_map_lookup_elem(&site_cells, site) : NULL;
	if (!cell) {
		lost = loss();
		if (lost)
			lost->unknown++;
		return 0;
	}
	task = bpf_get_current_task_btf();
	if (in_interrupt(task))
		cell->innermost[PGT_IN_INTERRUPT]++;
	else
		count_in_task(cell, task);
	return 0;
}

/* A kprobe event that holds the addresses of instruction sites. */
SEC("kprobe")
int site_kprobe(struct pt_regs *regs)
{
	return count_site(PT_REGS_IP(regs));
}

#ifdef bpf_target_arm64
/*
 * After a breakpoint's handler the CPU steps over the instruction with the breakpoint off.  An
 * interrupt that is pending then comes first, takes the step on its own first instruction, and
 * the breakpoint is on again when it returns: the same instruction stops once more before it
 * has executed.  Such a stop has all registers of the one before, in the same task, with no
 * call or return of a probe in between; a loop that comes round changes at least one.
 */
static __always_inline bool stops_again(struct bpf_perf_event_data *data)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_stack *stack;
	__u64 mix = data->regs.pc ^ data->regs.sp;

	if (!is_open() || in_interrupt(task))
		return false;
#pragma unroll
	for (int i = 0; i < 31; i++)
		mix = (mix ^ data->regs.regs[i]) * 0x100000001b3ULL;	/* FNV-1a's prime */
	stack = stack_of(task, true);
	if (!stack)
		return false;
	if (stack->stopped_at == mix)
		return true;
	stack->stopped_at = mix;
	return false;
}
#else
static __always_inline bool stops_again(struct bpf_perf_event_data *data)
{
	return false;
}
#endif

/* A hardware execution breakpoint on one site. */
SEC("perf_event")
int site_breakpoint(struct bpf_perf_event_data *data)
{
	return stops_again(data) ? 0 : count_site(PT_REGS_IP(&data->regs));
}

/* A kprobe event that holds functions' entries and returns, calls and what is behind them. */
SEC("kprobe")
int func_entry(struct pt_regs *regs)
{
	__u64 address = PT_REGS_IP(regs);
	struct pgt_entry *entry = bpf_map_lookup_elem(&entries, &address);
	struct call call = {};

	if (!entry || !window)
		return 0;
	/* one by one: the verifier wants constant offsets into the context */
	call.args[0] = PT_REGS_PARM1(regs);
	call.args[1] = PT_REGS_PARM2(regs);
	call.args[2] = PT_REGS_PARM3(regs);
	call.args[3] = PT_REGS_PARM4(regs);
	call.args[4] = PT_REGS_PARM5(regs);
	barrier();
	if (entry->kind == PGT_EVENT_RETURN || entry->kind == PGT_EVENT_BEHIND_CALL)
		return leave(entry->func, entry->kind == PGT_EVENT_RETURN);
	return enter(entry->func, &call, entry->kind == PGT_EVENT_CALL);
}

/* A kretprobe event of one function, whose number is the cookie. */
SEC("kretprobe")
int func_return(struct pt_regs *regs)
{
	return leave(bpf_get_attach_cookie(regs), true);
}

/* The leading '?' keeps a slot out of the load until the plan asks for it. */
#define PGT_FENTRY(n)							\
	SEC("?fentry")							\
	int fentry_##n(void *ctx)					\
	{								\
		struct call call = { .trampoline = ctx };		\
									\
		return enter(fentry_func[n], &call, true);		\
	}								\
	SEC("?fexit")							\
	int fexit_##n(void *ctx)					\
	{								\
		return leave(fentry_func[n], true);			\
	}

/* Which function a slot is attached to; set before load. */
const volatile __u32 fentry_func[PGT_FENTRY_MAX] = {};

PGT_FENTRY(0)
PGT_FENTRY(1)
PGT_FENTRY(2)
PGT_FENTRY(3)
PGT_FENTRY(4)
PGT_FENTRY(5)
PGT_FENTRY(6)
PGT_FENTRY(7)
PGT_FENTRY(8)
PGT_FENTRY(9)
PGT_FENTRY(10)
PGT_FENTRY(11)
PGT_FENTRY(12)
PGT_FENTRY(13)
PGT_FENTRY(14)
PGT_FENTRY(15)
