# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# record: wrong usage, wrong workloads, and machines that lack something.

fails 'record: no workload' 2 'no WORKLOAD' record
fails 'record: no workload after --' 2 'no WORKLOAD' record --
fails 'record: unknown option' 2 '--frobnicate' record --frobnicate -- vmalloc
fails 'record: option without its value' 2 '(--output|-- .o.|o.)' record -o
fails 'record: unknown probe' 2 '--probes.*frobnicate' record --probes frobnicate -- vmalloc
fails 'record: empty probe' 2 '--probes' record --probes '' -- vmalloc
fails 'record: one unknown probe of two' 2 '--probes.*frobnicate' \
	record --probes flush_tlb,frobnicate -- vmalloc
fails 'record: unknown sites' 2 '--sites.*some' record --sites some -- vmalloc
fails 'record: an unknown workload is not skipped' 2 'frobnicate' \
	record --skip-unsupported -- vmalloc frobnicate
fails 'record: nor is a parameter' 2 'vmalloc: maps=0' record -u -- vmalloc:maps=0
for runs in 0 1001 abc -1 1x '' 99999999999999999999; do
	fails "record: runs '$runs'" 2 '--runs' record "--runs=$runs" -- vmalloc
done

# A workload is wrong before anything of the machine is looked at.
fails 'record: unknown workload' 2 'frobnicate' record -- frobnicate
fails 'record: empty workload' 2 'workload' record -- ''
fails 'record: second workload unknown' 2 'frobnicate' record -- vmalloc frobnicate
for workload in hotplug hotremove vmalloc test-vmalloc ioremap module-loop pageout-file pageout-anon munmap \
		tlb-walk; do
	fails "$workload: unknown parameter" 2 "$workload.*colour" record -- "$workload:colour=1"
	fails "$workload: no value" 2 "$workload.*size" record -- "$workload:size="
	fails "$workload: no name" 2 "$workload.*=1" record -- "$workload:=1"
	fails "$workload: two commas" 2 "$workload" record -- "$workload:,,"
done
for size in 0 abc 1X -1M 1.5M 99999999999999999999 17179869184G; do
	fails "vmalloc: size=$size" 2 "vmalloc: size=$size" record -- "vmalloc:size=$size"
	fails "hotplug: size=$size" 2 "hotplug: size=$size" record -- "hotplug:size=$size"
	fails "pageout-file: size=$size" 2 "pageout-file: size=$size" \
		record -- "pageout-file:size=$size"
done
fails 'vmalloc: size not in pages' 2 'multiple of the page size' record -- vmalloc:size=100001
fails 'vmalloc: no maps' 2 'maps=0' record -- vmalloc:maps=0
fails 'vmalloc: too many maps' 2 'maps=513' record -- vmalloc:maps=513
fails 'pageout-anon: page not in pages' 2 'multiple of the page size' \
	record -- pageout-anon:page=70001
fails 'pageout-anon: size not in strides' 2 'multiple of page' \
	record -- pageout-anon:size=64K,page=48K
fails 'pageout-file: no loops' 2 'loops=0' record -- pageout-file:loops=0
fails 'munmap: no pages' 2 'munmap: ranges: "0"' record -- munmap:ranges=1/0
fails 'munmap: not a number' 2 'munmap: ranges: "x"' record -- munmap:ranges=x
fails 'munmap: a range too large' 2 'munmap: ranges: "65537"' record -- munmap:ranges=65537
fails 'munmap: too many ranges' 2 'munmap: ranges' \
	record -- munmap:ranges=1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17
fails 'hotremove: it has no parameters' 2 'hotremove has no parameter "size"; it has: none' \
	record -- hotremove:size=1M
fails 'linear-map: a parameter' 2 'linear-map: takes no parameters' record -- linear-map:size=1M
fails 'tlb-walk: no pages' 2 'tlb-walk: pages=0' record -- tlb-walk:pages=0
fails 'tlb-walk: no rounds' 2 'tlb-walk: rounds=0' record -- tlb-walk:rounds=0
fails 'tlb-walk: page of no size' 2 'tlb-walk: page=12288.*power of two' \
	record -- tlb-walk:page=12K
fails 'tlb-walk: page too small' 2 'tlb-walk: page=2048.*power of two' record -- tlb-walk:page=2K
fails 'test-vmalloc: no test' 2 'test-vmalloc: mask=0' record -- test-vmalloc:mask=0
fails 'test-vmalloc: more tests than a mask has' 2 'test-vmalloc: mask=2147483648' \
	record -- test-vmalloc:mask=2147483648
fails 'test-vmalloc: huge is yes or no' 2 'test-vmalloc: huge=2' record -- test-vmalloc:huge=2
for parameter in pages loops repeat threads; do
	fails "test-vmalloc: no $parameter" 2 "test-vmalloc: $parameter=0" \
		record -- "test-vmalloc:$parameter=0"
done
fails 'ioremap: bytes not in pages' 2 'ioremap: bytes=100001 is not a multiple of the page size' \
	record -- ioremap:bytes=100001
fails 'ioremap: no bytes' 2 'ioremap: bytes=0' record -- ioremap:bytes=0
fails 'ioremap: no maps' 2 'ioremap: maps=0' record -- ioremap:maps=0
fails 'ioremap: too many maps' 2 'ioremap: maps=513' record -- ioremap:maps=513
fails 'module-loop: no loops' 2 'module-loop: loops=0' record -- module-loop:loops=0
fails 'module-loop: a path' 2 'module-loop: module=/lib/a is not the name' \
	record -- module-loop:module=/lib/a
fails 'module-loop: a file' 2 'module-loop: module=zram.ko is not the name' \
	record -- module-loop:module=zram.ko
fails 'command: no program' 2 'command: no program' record -- command
fails 'command: only spaces' 2 'command: no program' record -- 'command:   '

fails 'record: output in no directory' 1 'absent/file' record -o absent/file -- vmalloc
fails 'record: output is a directory' 1 'directory' record -o directory -- vmalloc

if [ "$(id -u)" -ne 0 ]; then
	fails 'record: not root' 1 'root' record -- vmalloc
elif command -v setpriv >/dev/null && setpriv --reuid 65534 --regid 65534 --clear-groups \
		test -x "$pgtrace"; then
	wrap='setpriv --reuid 65534 --regid 65534 --clear-groups'
	fails 'record: not root' 1 'root' record -- vmalloc
	fails 'record: not root, to a file' 1 'root' record -o file -- vmalloc
	wrap=''
else
	skip 'record: not root' 'cannot become another user'
fi

# What the machine has is hidden in a mount namespace of the command's own.
cat >"$scratch/hide" <<'END'
#!/bin/sh
# hide PATH COMMAND...: run COMMAND where PATH, a file or a directory, is empty
path=$1
shift
if [ -d "$path" ]; then
	mount -t tmpfs none "$path" || exit 99
else
	mount --bind /dev/null "$path" || exit 99
fi
exec "$@"
END
chmod 755 "$scratch/hide"
if [ "$(id -u)" -ne 0 ] || ! unshare -m true 2>/dev/null; then
	skip 'record: no BTF' 'cannot make a mount namespace'
	skip 'record: no /proc/kcore' 'cannot make a mount namespace'
else
	wrap="unshare -m $scratch/hide /sys/kernel"
	fails 'record: no BTF' 1 'BTF' record -- vmalloc
	if [ -e /proc/kcore ]; then
		wrap="unshare -m $scratch/hide /proc/kcore"
	else
		wrap=''		# there is none to hide
	fi
	fails 'record: no /proc/kcore' 1 'kcore' record -- vmalloc
	wrap=''
fi
