#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# modules.sh - the workloads that need modules: known counts, and what each says without them.
#
# Usage: modules.sh BUILD
#   BUILD  a build directory with pgtrace and arm64/pgtrace
# Environment: PGTRACE_BUILT_KERNEL, a kernel with the modules phram and test_vmalloc, as 'lab
#   run' takes it, that maps kernel memory like 6.12: a pair of barriers for each PTE.  Without
#   it, the newest step arm64-linear-map/batched-barriers that the cache holds; nothing is built.
# Exit status: 0 all passed or skipped, 1 a test failed, 2 usage
#
# Prints PASS, FAIL or SKIP with the name of each test.  Boots the kernel twice, and a stock 6.12.
set -u

if [ $# -ne 1 ] || [ ! -x "$1/pgtrace" ] || [ ! -x "$1/arm64/pgtrace" ]; then
	sed -n 's/^# \{0,1\}//; 6,7p' "$0" >&2
	exit 2
fi
pgtrace=$(realpath "$1/pgtrace")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pgtrace/built
# shellcheck source=tests/guest/lib.sh
. "$(dirname "$0")/lib.sh"

# Sets "kernel" to a directory of the cache with a kernel that has the modules, or to nothing.
find_built()
{
	kernel=
	for dir in "$cache"/arm64-linear-map-batched-barriers+*; do
		if [ -n "$(find "$dir/lib" -name phram.ko 2>/dev/null)" ] &&
		   [ -n "$(find "$dir/lib" -name test_vmalloc.ko 2>/dev/null)" ] &&
		   { [ -z "$kernel" ] || [ -n "$(find "$dir/Image" -newer "$kernel")" ]; }; then
			kernel=$dir/Image
			modules=$(echo "$dir"/lib/modules/*)
		fi
	done
}

# lab COMMAND ARGUMENT...: with the kernel, wherever it comes from
lab()
{
	command=$1
	shift
	if [ -n "${PGTRACE_BUILT_KERNEL:-}" ]; then
		run lab "$command" "$PGTRACE_BUILT_KERNEL" --patience 900 "$@"
	else
		run lab "$command" "$kernel" --modules "$modules" --patience 900 "$@"
	fi
}

# value WORKLOAD METRIC: of the recording; "null" or nothing where it is none, or a lower bound
value()
{
	grep -F "\"type\":\"metric\",\"workload\":\"$1\"," "$scratch/recording" |
	grep -F "\"metric\":\"$2\"," | grep -F '"lower_bound":false' |
	sed -n 's/.*"value":\([0-9a-z]*\),.*/\1/p'
}

expect()	# NAME GOT WANTED
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "is ${2:-not known}, not $3"
	fi
}

work()		# WORKLOAD UNIT DONE
{
	if grep '"type":"work"' "$scratch/recording" | grep -F "\"workload\":\"$1\"," |
	   grep -qF "\"unit\":\"$2\",\"asked\":$3,\"done\":$3"; then
		pass "$1: work"
	else
		fail "$1: work" "not $3 $2"
	fi
}

# Of two runs, one of twice the loops: what one loop takes, whatever the loading of a module does.
slope()		# MORE LESS METRIC LOOPS
{
	more=$(value "$1" "$3")
	less=$(value "$2" "$3")
	case $more/$less in
	*[!0-9/]* | /* | */) ;;
	*) [ $(((more - less) % $4)) -eq 0 ] && echo $(((more - less) / $4)) ;;
	esac
}

refused()	# NAME PATTERN: the last run must have failed, and said this
{
	if [ "$status" -eq 1 ] && last_words | grep -Eq -- "$2"; then
		pass "$1"
	else
		fail "$1" "status $status: $(last_words)"
	fi
	drop_log
}

# 256 pages of 4K, by vmalloc_huge() or not: less than a PMD maps, so a PTE and a pair for each.
count_vmalloc()
{
	for metric in pages insn.dsb.ishst insn.isb; do
		expect "test-vmalloc: $metric of an allocation" \
			"$(slope test-vmalloc:loops=40 test-vmalloc:loops=20 \
				"vmap_pte_range.$metric" 20)" 256
	done
	work test-vmalloc:loops=40 allocations 40
}

# 256K are 64 PTEs.  2M are one block, and no PTE: the same work for the eye, and no pair.
count_ioremap()
{
	for metric in pages insn.dsb.ishst insn.isb; do
		expect "ioremap: $metric" "$(value ioremap "vmap_pte_range.$metric")" $((64 * 64))
	done
	expect 'ioremap: calls' "$(value ioremap vmap_pte_range.calls)" 64
	work ioremap maps 64
	expect 'ioremap of blocks: calls' "$(value ioremap:bytes=2M,maps=8 vmap_pte_range.calls)" 8
	expect 'ioremap of blocks: pages' "$(value ioremap:bytes=2M,maps=8 vmap_pte_range.pages)" 4096
	expect 'ioremap of blocks: isb' "$(value ioremap:bytes=2M,maps=8 vmap_pte_range.insn.isb)" 8
}

# The checks above must see one count that is wrong, and nothing but that.
tampered()
{
	mv "$scratch/recording" "$scratch/kept"
	sed '/"workload":"ioremap","repeat".*insn\.isb"/s/"value":4096/"value":4095/' \
		"$scratch/kept" >"$scratch/recording"
	faults=$(count_ioremap | grep '^FAIL')
	mv "$scratch/kept" "$scratch/recording"
	if [ "$faults" = 'FAIL ioremap: insn.isb: is 4095, not 4096' ]; then
		pass 'ioremap: a wrong count'
	else
		fail 'ioremap: a wrong count' "the checks say: $faults"
	fi
}

# Each load is like the other, so twice as many execute twice as much.
count_loads()
{
	for metric in calls pages insn.dsb insn.isb; do
		less=$(value module-loop:loops=2 "vmap_pte_range.$metric")
		expect "module-loop: $metric" "$(value module-loop:loops=4 "vmap_pte_range.$metric")" \
			"$((2 * ${less:-0}))"
	done
	[ "${less:-0}" -gt 0 ] || fail 'module-loop: isb' 'it maps nothing'
	work module-loop:loops=4 loads 4
}

counts()
{
	lab verify -o "$scratch/recording" -- test-vmalloc:loops=20 test-vmalloc:loops=40 ioremap \
		ioremap:bytes=2M,maps=8 module-loop:loops=2 module-loop:loops=4 || {
		fail modules "status $status: $(last_words)"
		drop_log
		return
	}
	if tail -n 1 "$scratch/out" | grep -q ': all equal$'; then
		pass 'modules: truth'
	else
		fail 'modules: truth' "$(tail -n 1 "$scratch/out")"
	fi
	count_vmalloc
	count_ioremap
	tampered
	count_loads
}

# ---- all ----

for workload in test-vmalloc ioremap; do
	run lab run 6.12 --no-plugin -o "$scratch/recording" -- "$workload"
	refused "$workload: a stock kernel" 'not supported: this kernel has no module '
done
find_built
if [ -z "$kernel${PGTRACE_BUILT_KERNEL:-}" ]; then
	skip modules "no kernel with phram and test_vmalloc is built; for one, \
pgtrace lab build arm64-linear-map batched-barriers"
	[ "$failed" -eq 0 ]
	exit
fi
counts
# A test that this kernel does not have must not count as done.
lab run --no-plugin -o "$scratch/recording" -- test-vmalloc:mask=4097,loops=1
refused 'test-vmalloc: a test that is not there' 'told of 1 tests .* 2 were asked for'
[ "$failed" -eq 0 ]
