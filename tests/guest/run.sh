#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh - the tests that boot kernels: known counts, and how pgtrace behaves in the guest.
#
# Usage: run.sh BUILD
#   BUILD  a build directory with pgtrace and arm64/pgtrace
# Exit status: 0 all passed or skipped, 1 a test failed, 2 usage
#
# Each test prints PASS, FAIL or SKIP with its name and, unless it passed, why; the last line is
# "N passed, N failed, N skipped".  Boots, one at a time: 6.1; 6.12 twice, and to look at its
# linear map; 7.3; 6.12 with behave.c, which runs pgtrace inside; the start of one that is
# stopped; those of model.sh and of modules.sh; 6.1 twice and 6.12 once with 1 GiB, to see how
# they boot.  Where workloads run, every count is also held against the emulator's.  Kernels and
# QEMU come from pgtrace's cache, and are fetched where they are not in it; where they cannot be
# had, the tests are skipped.
set -u

if [ $# -ne 1 ] || [ ! -x "$1/pgtrace" ] || [ ! -x "$1/arm64/pgtrace" ]; then
	sed -n 's/^# \{0,1\}//; 6,7p' "$0" >&2
	exit 2
fi
pgtrace=$(realpath "$1/pgtrace")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=tests/guest/lib.sh
. "$here/lib.sh"
LC_ALL=C
export LC_ALL
unset MAKEFLAGS MFLAGS 2>/dev/null

# Those of a demo, and memory that goes again.
workloads='hotplug hotremove vmalloc pageout-file pageout-anon munmap'

# What behave.c knows; these names are its arguments and the names of the tests.
behaviours='not-root no-btf no-kcore empty-kcore many-cpus map-not-root'
behaviours="$behaviours map-empty-kcore skipped all-skipped not-skipped killed interrupted terminated nested parallel crowded"

# Show and count lines of PASS, FAIL and SKIP that somebody else has written to a file.
relay()		# FILE
{
	grep -E '^(PASS|FAIL|SKIP) ' "$1"
	passed=$((passed + $(grep -c '^PASS ' "$1")))
	failed=$((failed + $(grep -c '^FAIL ' "$1")))
	skipped=$((skipped + $(grep -c '^SKIP ' "$1")))
}

# ---- counts ----

check()		# TABLE RECORDING
{
	awk -f "$here/check.awk" "$1" "$2"
}

# Every site of every window is held against the emulator's count, too.
boot()		# KERNEL RECORDING
{
	# shellcheck disable=SC2086 # one word each
	run lab verify "$1" -o "$scratch/$2" -- $workloads
	if [ -s "$scratch/out" ]; then
		truth "$1" && return 0
	else
		fail "boot $1" "status $status: $(last_words)"
		drop_log
	fi
	return 1
}

# Nothing was compared where the table has no hits, or a workload is missing from it.
truth()		# KERNEL
{
	n=$(grep -c ', repeat 1: .* hits in .* windows*: ' "$scratch/out")
	if [ "$status" -ne 0 ]; then
		fail "truth $1" "$(last_words)"
	elif [ "$n" -ne "$(echo "$workloads" | wc -w)" ] || ! tail -n 1 "$scratch/out" |
	     grep -Eq '^[0-9,]{5,} counts of sites, [0-9,]{5,} hits in [0-9]+ windows: all equal$'; then
		fail "truth $1" "$n workloads compared: $(tail -n 1 "$scratch/out")"
	else
		pass "truth $1"
	fi
}

counts()	# RECORDING
{
	check "$here/expected" "$scratch/$1" >"$scratch/checked"
	relay "$scratch/checked"
}

# A wrong expectation, and a wrong count, must fail, and nothing but that.
wrong()		# RECORDING
{
	check "$here/expected" "$scratch/$1" | grep '^FAIL' >"$scratch/faults"
	sed '/^\*.*vmap_pte_range\.calls/s/50$/51/' "$here/expected" >"$scratch/table"
	expect_one_fault wrong-expectation "$scratch/table" "$scratch/$1" 'is 50, not 51$'
	sed '/"vmap_pte_range\.calls"/s/"value":50,/"value":49,/' "$scratch/$1" \
		>"$scratch/tampered"
	expect_one_fault wrong-count "$here/expected" "$scratch/tampered" 'is 49, not 50$'
	sed '/"type":"loss","workload":"munmap"/s/"missed":0/"missed":1/' "$scratch/$1" \
		>"$scratch/lossy"
	expect_one_fault wrong-loss "$here/expected" "$scratch/lossy" 'munmap loss: missed 1,'
}

# One fault more than the recording and the table have as they are.
expect_one_fault()	# NAME TABLE RECORDING PATTERN
{
	check "$2" "$3" >"$scratch/now"
	status=$?
	grep '^FAIL' "$scratch/now" | grep -vxFf "$scratch/faults" >"$scratch/new"
	if [ $status -eq 0 ] || [ ! -s "$scratch/new" ]; then
		fail "$1" 'the checker does not notice'
	elif [ "$(wc -l <"$scratch/new")" -ne 1 ] || ! grep -q "$4" "$scratch/new"; then
		fail "$1" "the checker says: $(tr '\n' ';' <"$scratch/new")"
	else
		pass "$1"
	fi
}

# The reader that compares must not take what is tampered with, or must see the difference.
tampered_comparison()	# RECORDING
{
	run compare --fail-on worse "$scratch/tampered" "$scratch/$1"
	if [ $status -eq 3 ]; then
		pass compare-tells-a-wrong-count
	else
		fail compare-tells-a-wrong-count "status $status, not 3: $(last_words)"
	fi
	sed '$d' "$scratch/$1" >"$scratch/endless"
	run compare "$scratch/$1" "$scratch/endless"
	if [ $status -ne 1 ] || [ -s "$scratch/out" ] || [ "$(wc -l <"$scratch/err")" -ne 1 ]; then
		fail compare-wants-the-end-line "status $status: $(last_words)"
	else
		pass compare-wants-the-end-line
	fi
}

# ---- types ----

vmlinux()	# KERNEL
{
	if ! command -v bpftool >/dev/null; then
		skip "vmlinux.h $1" 'no bpftool (package bpftool)'
	elif run lab fetch "$1" &&
	     "$here/check-vmlinux.sh" "$(tail -n 1 "$scratch/out")" 2>"$scratch/err"; then
		pass "vmlinux.h $1"
	else
		fail "vmlinux.h $1" "$(last_words)"
	fi
}

# ---- booting ----

# What the linear map of 1 GiB takes: the same in two boots of a kernel, and no less than it must be.
booting()	# BASE TEST
{
	run lab ab "$1" "$2" --boot --boot-memory 1G --boots 1 -o "$scratch/booting" || {
		fail "booting $1" "status $?: $(last_words)"
		drop_log
		return
	}
	for side in base control test; do
		grep '"metric":"linear_map\.' "$scratch/booting/$side.jsonl" >"$scratch/$side.map"
	done
	if cmp -s "$scratch/base.map" "$scratch/control.map"; then
		pass "booting $1 twice is the same"
	else
		fail "booting $1 twice is the same" "$(diff "$scratch/base.map" "$scratch/control.map" | head -2)"
	fi
	# A pair of barriers for each PTE, and every table's worth invalidated; then none of these.
	linear_map_value "$1" base insn.isb 262144 400000
	linear_map_value "$1" base insn.tlbi 512 100000
	linear_map_value "$1" base pages 262144 300000
	linear_map_value "$2" test pages 262144 262144
	linear_map_value "$2" test insn.isb 1 10000
	linear_map_value "$2" test instructions 262144 100000000
}

linear_map_value()	# KERNEL SIDE METRIC LEAST MOST
{
	value=$(sed -n "s/.*\"metric\":\"linear_map\\.$3\",.*\"value\":\([0-9]*\),.*/\1/p" "$scratch/$2.map")
	if [ "${value:-0}" -ge "$4" ] && [ "${value:-0}" -le "$5" ]; then
		pass "booting $1: $3"
	else
		fail "booting $1: $3" "is ${value:-not there}, not $4 to $5"
	fi
}

# ---- the linear map ----

linear_map()	# KERNEL
{
	run lab run "$1" -o "$scratch/map" -- linear-map || {
		fail "linear-map $1" "status $?: $(last_words)"
		drop_log
		return
	}
	awk -f "$here/linear_map.awk" "$scratch/map" >"$scratch/checked"
	relay "$scratch/checked"
	sed '/"linear_map.entries.pmd"/s/"value":/&1/' "$scratch/map" >"$scratch/tampered"
	if awk -f "$here/linear_map.awk" "$scratch/tampered" >"$scratch/checked"; then
		fail "linear-map $1: a wrong number" 'the checker does not notice'
	else
		pass "linear-map $1: a wrong number"
	fi
	if run compare "$scratch/map" "$scratch/map" && grep -q '^    bytes\.pte .*[0-9]K ' "$scratch/out"
	then
		pass "linear-map $1: compared"
	else
		fail "linear-map $1: compared" "status $status: $(last_words)"
	fi
}

# ---- A/A ----

# Two boots of one kernel must not differ, where both sides know the value: of a lower bound
# nobody can say.  Of three probes everything is exact; flush_tlb counts what others do, too.
control()	# BASE TEST
{
	if ! run compare --format json "$scratch/$1" "$scratch/$2"; then
		fail control "status $status: $(last_words)"
		return
	fi
	if awk '
	/^[{]"workload":"[^"]*","metric":"(create_pgd_mapping|vmap_pte_range|try_to_unmap_one)\./ &&
	/"notes":\[[^]]*"exact"/ && !/_lower_bound":true/ {
		n++
		match($0, /"verdict":"[^"]*"/)
		verdict = substr($0, RSTART + 11, RLENGTH - 12)
		if (verdict == "no difference detected")
			next
		split($0, part, "\"")
		match($0, /"base":[^,]*,"test":[^,]*/)
		printf "%s%s %s %s (%s)", differ++ ? "; " : "", part[4], part[8], verdict,
		       substr($0, RSTART, RLENGTH)
	}
	END {
		if (!n)
			printf "no exact rows"
		exit !n || differ
	}' "$scratch/out" >"$scratch/differ"; then
		pass control
	else
		fail control "$(cat "$scratch/differ")"
	fi
}

# ---- behaviour ----

build_behave()
{
	aarch64-linux-gnu-gcc -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wshadow \
		-Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 \
		-I"$root/user" -I"$root/tests" -static -o "$scratch/behave" \
		"$here/behave.c" "$here/child.c" "$here/traces.c" \
		"$root/user/base/diag.c" "$root/user/base/buf.c" "$root/user/base/file.c" \
		2>"$scratch/err"
}

behave()	# KERNEL
{
	if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
		skip behaviour 'no aarch64-linux-gnu-gcc (package gcc-aarch64-linux-gnu)'
		return
	fi
	if ! build_behave; then
		fail behaviour "behave does not build: $(head -n 1 "$scratch/err")"
		return
	fi
	# It opens windows of its own within the one that it runs in: nothing could be compared.
	if run lab run "$1" --no-plugin -o "$scratch/behaviour" --sites self --probes try_to_unmap_one \
	       --program "$scratch/behave" -- "command:/lab/bin/behave $behaviours"; then
		for name in $behaviours; do
			pass "$name"
		done
		return
	fi
	if ! drop_log || ! tr -d '\r' <"$scratch/log" |
	     sed -n 's/.*behave: \(PASS\|FAIL\) /\1 /p' >"$scratch/checked"; then
		fail behaviour "$(last_words)"
		return
	fi
	relay "$scratch/checked"
	for name in $behaviours; do
		grep -q "^.... $name\(:\|\$\)" "$scratch/checked" ||
			fail "$name" "no result; $(last_words)"
	done
}

# ---- the lab ----

# The process of QEMU below $child; nothing while there is none.
find_qemu()
{
	# shellcheck disable=SC2013 # one line of words
	for pid in $(cat "/proc/$child/task/$child/children" 2>/dev/null); do
		grep -q '^qemu-system' "/proc/$pid/comm" 2>/dev/null && printf '%s\n' "$pid"
	done
}

# A lab that is told to stop while its guest boots leaves neither QEMU nor files.
interrupted_lab()	# KERNEL
{
	"$pgtrace" lab run "$1" -o "$scratch/stopped" </dev/null >"$scratch/out" 2>"$scratch/err" &
	child=$!
	while qemu=$(find_qemu); [ -z "$qemu" ] && kill -0 "$child" 2>/dev/null; do
		sleep 0.1
	done
	files=$(readlink "/proc/$child/fd/"* | grep '/scratch/lab-' | head -n 1)
	kill -TERM "$child" 2>/dev/null
	wait "$child"
	status=$?
	child=
	if [ -z "$qemu" ] || [ -z "$files" ]; then
		fail interrupted-lab "it did not come to boot a guest: $(last_words)"
	elif [ $status -ne 1 ] || ! last_words | grep -q interrupted; then
		fail interrupted-lab "status $status: $(last_words)"
	elif [ -d "/proc/$qemu" ] || [ -e "$files" ] || ls "$scratch/stopped"* >/dev/null 2>&1; then
		fail interrupted-lab "QEMU, its files or a partial recording are left"
	else
		pass interrupted-lab
	fi
}

# ---- scripts of their own ----

elsewhere()	# NAME
{
	run_program "$here/$1.sh" "${pgtrace%/*}"
	relay "$scratch/out"
	grep -qE '^(PASS|FAIL) ' "$scratch/out" || fail "$1" "status $status: $(last_words)"
}

# ---- all ----

finish()
{
	sum_up
	exit
}

for what in qemu 6.1 6.12 7.3; do
	run lab fetch $what && continue
	if [ $status -eq 1 ]; then
		skip all "$(last_words)"
	else
		fail "fetch $what" "status $status: $(last_words)"
	fi
	finish
done
for kernel in 6.1 6.12; do
	vmlinux $kernel
done
boot 6.1 a && counts a
if boot 6.12 b; then
	counts b
	wrong b
	tampered_comparison b
	boot 6.12 c && control b c
fi
boot 7.3 d
linear_map 6.12
booting 6.1 6.12
behave 6.12
interrupted_lab 6.12
elsewhere model
elsewhere modules
finish
