#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# tamper.sh - a patch that forgets barriers is caught, and one that changes nothing is not.
#
# Usage: tamper.sh BUILD
#   BUILD  a build directory with pgtrace, pgtrace-tcg.so and arm64/pgtrace
# Exit status: 0 all passed or skipped, 1 one failed, 2 usage
#
# A copy of kernel-patches gets three steps more, behind batched-barriers of arm64-linear-map, from
# the patches in tamper/:
#   no-op                a variable renamed: no comparison may find a difference
#   no-closing-barriers  nothing orders a filled table: its kernel boots and works, and the oracle
#                        of batched-barriers, which is held against it, must be the one that fails
#   splat                a WARN_ON(1) that every boot comes by: its guest must fail and name it
# Builds four kernels where they are not in the cache.  Prints PASS, FAIL or SKIP for each check,
# then "N passed, N failed, N skipped".
set -u

if [ $# -ne 1 ] || [ ! -x "$1/pgtrace" ] || [ ! -x "$1/arm64/pgtrace" ]; then
	sed -n 's/^# \{0,1\}//; 6,7p' "$0" >&2
	exit 2
fi
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
pgtrace=$build/pgtrace
# shellcheck source=tests/guest/lib.sh
. "$here/../guest/lib.sh"
unset MAKEFLAGS MFLAGS 2>/dev/null
patches=$scratch/kernel-patches
topic=$patches/arm64-linear-map
ab=$scratch/ab

finish()
{
	sum_up
	exit
}

# ---- the topic, tampered with ----

# What comes behind batched-barriers is left out: our steps would be in it.
tamper()
{
	cp -r "$here/../../kernel-patches" "$patches"
	chmod -R u+w "$patches"
	cp "$here"/tamper/*.patch "$topic"
	awk '/^step/ && last { exit } $2 == "batched-barriers" { last = 1 } { print }' \
		"$topic/series" >"$scratch/series"
	for step in no-op no-closing-barriers splat; do
		printf 'step %s\n\t%s.patch\n' $step $step
	done >>"$scratch/series"
	mv "$scratch/series" "$topic/series"
	rm -f "$topic/ab" "$topic/published"
	awk '$1 == "page"
	$1 == "linear_map" && $2 == "batched-barriers" {
		print
		$2 = "no-op"
		print
		$2 = "no-closing-barriers"
		print
	}' \
		"$topic/oracle" >"$scratch/oracle"
	mv "$scratch/oracle" "$topic/oracle"
	[ "$(grep -c '^linear_map *no-closing-barriers ' "$topic/oracle")" -ge 3 ]
}

build()		# STEP
{
	run lab build arm64-linear-map "$1" --patches "$patches" && return
	if grep -q 'no Debian mirror\|cannot resolve\|Could not connect\|Failed to fetch' \
			"$scratch/err"; then
		skip all "$(last_words)"
	else
		fail "build $1" "$(last_words)"
	fi
	finish
}

# ---- what must come out ----

# Every oracle that does not hold is of that step; those that hold are of the others, too.
judge_oracles()
{
	run steps --format json "$ab"
	grep '^{"step":.*"verdict":"DOES NOT HOLD"' "$scratch/out" >"$scratch/violated"
	if [ $status -ne 3 ]; then
		fail no-closing-barriers "the oracle does not notice (status $status: $(last_words))"
	elif grep -qv '^{"step":"no-closing-barriers"' "$scratch/violated"; then
		fail no-closing-barriers "the oracle of another step does not hold: $(last_words)"
	elif ! grep -q '"metric":"linear_map\.insn\.dsb"' "$scratch/violated" ||
	     ! grep -q '"metric":"linear_map\.insn\.isb"' "$scratch/violated"; then
		fail no-closing-barriers "not for want of DSB and ISB: $(last_words)"
	else
		pass 'no-closing-barriers: the oracle does not hold'
	fi
	for step in batched-barriers no-op; do
		if [ "$(grep -c "^{\"step\":\"$step\",.*\"verdict\":\"holds\"" "$scratch/out")" -ge 3 ]; then
			pass "$step: the oracle holds"
		else
			fail "$step: the oracle holds" 'fewer than three that do'
		fi
	done
}

# The way from a kernel to a recording, and from two of them to a sentence, finds nothing.
judge_no_op()
{
	if ! run compare --format json --control "$ab/control.jsonl" "$ab/batched-barriers.jsonl" \
			"$ab/no-op.jsonl"; then
		fail no-op "status $status: $(last_words)"
		return
	fi
	rows=$(grep -c '"verdict":"no difference detected"' "$scratch/out")
	differ=$(grep '^{"workload":.*"verdict":"\(better\|worse\|different\|one side only\)"' "$scratch/out" |
		head -n 1 | cut -c -160)
	if [ -n "$differ" ]; then
		fail no-op "a difference: $differ"
	elif [ "$rows" -lt 10 ]; then
		fail no-op "$rows rows without a difference"
	else
		pass 'no-op: no difference'
	fi
}

# Nothing in the work of the kernel without barriers tells: its guest succeeds like the others.
judge_boots()
{
	for side in batched-barriers no-op no-closing-barriers control; do
		if [ "$(grep -c '"type":"end"' "$ab/$side.jsonl" 2>/dev/null || echo 0)" -ge 2 ]; then
			pass "$side: boots and works"
		else
			fail "$side: boots and works" 'fewer than two recordings'
		fi
	done
}

judge_splat()
{
	if run lab run arm64-linear-map/splat --patches "$patches" -o "$scratch/splat" --no-plugin \
			--patience 900 --sites self --probes try_to_unmap_one -- munmap; then
		fail splat 'nobody notices'
	elif last_words | grep -q 'the kernel complained: .*WARNING: .*mark_rodata_ro'; then
		pass 'splat: the guest fails and says which'
	else
		fail splat "$(last_words)"
	fi
	drop_log
}

# ---- all ----

if ! tamper; then
	fail tamper 'the oracle of arm64-linear-map has no lines of batched-barriers'
	finish
fi
for step in batched-barriers no-op no-closing-barriers splat; do
	build $step
done
# Status 1 is that of the oracle that must not hold: what is wrong is judged by what is written.
run lab ab arm64-linear-map batched-barriers no-op no-closing-barriers --patches "$patches" \
	--no-beside --boot --boot-memory 1G,2G --boots 2 --patience 900 -o "$ab" -- munmap vmalloc
if [ ! -e "$ab/steps" ]; then
	fail 'lab ab' "status $status: $(last_words)"
else
	judge_oracles
	judge_no_op
	judge_boots
fi
judge_splat
finish
