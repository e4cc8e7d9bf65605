/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.h - what goes into the QEMU plugin, and what comes out of it.
 *
 * The plugin counts what a guest executes, from its first instruction, from outside:
 *
 *   qemu-system-aarch64 ... -plugin pgtrace-tcg.so,plan=FILE,out=FILE[,instructions=on]
 *                                  [,model=CORE]
 *
 * The plan is text, one item a line, its fields parted by one space, addresses hexadecimal
 * with 0x:
 *
 *   pgtrace-tcg 1                          the format's version, first
 *   build_id HEX                           of the kernel that the addresses are of; passed through
 *   vcpus N                                as many as the machine may have
 *   text START END                         the kernel's _stext and _etext
 *   image START END                        its _text and _end, for the model; may be missing, and
 *                                          its data then count as vmalloc
 *   switch ADDRESS                         cpu_switch_to(previous task, next task)
 *   scope NAME ADDRESS PAGES ARG FUNCTION  one entry of the scope NAME: a function's address, how
 *                                          its arguments name pages (enum pgt_pages, as a number)
 *                                          and which one does.  Several lines with one NAME are
 *                                          one scope, entered by any of them, and one address
 *                                          may enter several scopes.  With PGT_PAGES_SPAN what
 *                                          executes within it counts, and it is no call.
 *   pages_of OUTER INNER                   the pages of a call of the scope OUTER are those that
 *                                          calls of the scope INNER within it name; both are
 *                                          named by scope lines before
 *   end
 *
 * What comes out is JSON Lines, written beside its name and renamed when the guest ends.  A
 * window of null is the whole boot; else windows are numbered from 1 in the order in which
 * each CPU opened them.  Hexadecimal numbers are strings.
 *
 * No result is written where it would be wrong: the guest executed nothing, or what is at the
 * address of cpu_switch_to() is something else (another kernel, or one that moved).  A hint that
 * opens an open window or closes a closed one is ignored, and a line on standard error says so.
 *
 *   {"type":"tcg","schema":1,"qemu_api":4,"vcpus":2,"build_id":"hex","instructions":true,
 *    "model":"neoverse-n1"|null,"windows":3,"open":false}
 *        open: whether a window was open when the guest ended
 *   {"type":"window","window":1,"vcpus":2,"instructions":123|null}
 *        vcpus: how many opened and closed it
 *   {"type":"site","window":null,"address":"0xffff800080012345","word":"0xd5033a9f",
 *    "kind":"dsb.ishst","hits":12850,"stepped":12850}
 *        every place that executed at least once in the boot; of a window, those that did in it.
 *        Addresses below the kernel's are user space's, and the kernel's own before it maps
 *        itself.
 *        stepped: of the hits, those in the slot of a kprobe on this place, credited to it.
 *        kinds: those of probe/insn.h, and dmb.OPTION and sb
 *   {"type":"slot","window":null,"word":"0xd5033a9f","kind":"dsb.ishst","hits":1}
 *        executed outside the kernel's text in a kprobe's slot that belongs to no known place
 *   {"type":"scope","window":null,"scope":"linear_map","functions":["paging_init"],"calls":1,
 *    "full":0,"unsized":0,"pages":524288,"instructions":9000000|null,"unfinished":0}
 *        outermost calls only.  unfinished: calls entered that had not returned when the boot,
 *        or the window, ended: these count nowhere else in the line
 *   {"type":"scope_insn","window":null,"scope":"linear_map","kind":"dsb.ishst","count":4096}
 *        executed within the scope, everything that it calls included; other tasks left
 *        out, but not interrupts, nor the end of the task switch that resumes it
 *   {"type":"scope_pages","window":null,"scope":"vmap_pte_range","pages":256,"calls":50}
 *        calls that named pages .. 2 * pages - 1 pages (pages: 0, 1, 2, 4, ...)
 *   {"type":"model","window":1,"structure":"dtlb.l1","where":"linear_map","accesses":1000,
 *    "misses":12}
 *        structure: dtlb.l1, itlb.l1, tlb.l2; where: linear_map, vmalloc, image, user, other.
 *        Only where a model was asked for.
 *   {"type":"model_left_out","window":1,"what":"user accesses not walked before the end","n":0}
 *        what is in no access and no miss, of each sort that there may be; n may be 0
 *   {"type":"end","lines":N}               N counts all lines
 */
#ifndef PGT_TCG_FORMAT_H
#define PGT_TCG_FORMAT_H

#define PGT_TCG_PLAN_VERSION	1
#define PGT_TCG_SCHEMA		1
#define PGT_TCG_API		4	/* of QEMU's plugin interface: reads of registers and memory */

/* hint #126 opens and hint #127 closes the window of the CPU that executes it. */
#define PGT_TCG_HINT_OPEN	126
#define PGT_TCG_HINT_CLOSE	127

#endif /* PGT_TCG_FORMAT_H */
