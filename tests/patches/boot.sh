#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# boot.sh - the kernels of kernel-patches, with all checks of debug.config, under load.
#
# Usage: boot.sh BUILD [--slow] [--pages 16K|64K] [TOPIC[/STEP]...]
#   BUILD    a build directory with pgtrace, arm64/pgtrace and arm64/checks
#   --slow   also the kernel's own tests that take minutes each (selftests-slow)
#   --pages  with pages of this size; without steps: the first and the last of each topic
#   TOPIC    all steps of all topics, where none is named
# Exit status: 0 all passed or skipped, 1 one failed, 2 usage
#
# Each kernel (TOPIC/STEP:debug) is built where it is not in the cache, and booted once for each
# line of kernel parameters that TOPIC/boots has for the step, or once.  In it run the workloads
# of pgtrace, all of test_vmalloc, module loading and unloading, secret memory and the kernel's
# own tests (see selftests), and a kernel that complains of itself fails, whatever it was doing.
# Before all others a kernel is made to warn, and must fail.  Prints PASS, FAIL or SKIP for each
# boot, then "N passed, N failed, N skipped".  Console logs stay in BUILD/boots/.
set -u

usage()
{
	sed -n 's/^# \{0,1\}//; 6,10p' "$0" >&2
	exit 2
}

if [ $# -lt 1 ] || [ ! -x "$1/pgtrace" ] || [ ! -x "$1/arm64/checks" ]; then
	usage
fi
build=$(cd "$1" && pwd)
shift
slow=
if [ "${1-}" = --slow ]; then
	slow=selftests=/lab/bin/selftests-slow
	shift
fi
pages=
if [ "${1-}" = --pages ]; then
	case ${2-} in
	16K | 64K) pages=:$2 ;;
	*) usage ;;
	esac
	shift 2
fi
here=$(cd "$(dirname "$0")" && pwd)
patches=$(cd "$here/../../kernel-patches" && pwd)
logs=$build/boots
mkdir -p "$logs"
pgtrace=$build/pgtrace
# shellcheck source=tests/guest/lib.sh
. "$here/../guest/lib.sh"
unset MAKEFLAGS MFLAGS 2>/dev/null

# ---- what to boot ----

steps()		# TOPIC
{
	sed -n 's/^step[[:blank:]]*\([^[:blank:]]*\).*/\1/p' "$patches/$1/series" |
		if [ -n "$pages" ]; then sed -n '1p; $p'; else cat; fi
}

# The names of steps as they were given, or of all.
kernels()	# [TOPIC[/STEP]...]
{
	# shellcheck disable=SC2046 # names of directories without blanks
	[ $# -gt 0 ] || set -- $(cd "$patches" && for series in */series; do echo "${series%/series}"; done)
	for name; do
		case $name in
		*/*) echo "$name" ;;
		*) for step in $(steps "$name"); do echo "$name/$step"; done ;;
		esac
	done
}

# One word a boot: kernel parameters, or "-" for none.
parameters()	# TOPIC/STEP
{
	awk -v step="${1#*/}" '$1 == step { for (i = 2; i <= NF; i++) print $i; n++ }
		END { if (!n) print "-" }' "$patches/${1%/*}/boots" 2>/dev/null || echo -
}

# ---- one boot ----

guest()		# SPEC PARAMETER LOG ARGUMENT...
{
	spec=$1 parameter=$2 log=$3
	shift 3
	set -- --console "$log" --program "$build/arm64/checks" "$@"
	[ "$parameter" = - ] || set -- --append "$parameter" "$@"
	# A single probe: what is planted is removed again, which takes the longer the more there is.
	run lab run "$spec" -o "$scratch/recording" --patches "$patches" --memory 4G --patience 900 \
		--no-plugin --sites self --probes try_to_unmap_one "$@"
}

# Files of the kernel's own that the checks load, as options.
modules()	# DIRECTORY NAME...
{
	directory=$1
	shift
	for name; do
		find "$directory" -name "$name.ko" -printf '--program %p\n'
	done
}

# By the driver, not by workloads: one of test_vmalloc's tests is meant to make the kernel complain,
# and the driver alone tells that complaint from others.
module_checks()
{
	echo 'test-vmalloc=20 module-loop=20'
}

# What the map is made of decides the mode that the kernel is in.
mode_holds()	# TOPIC/STEP PARAMETER
{
	case $1,$2 in
	arm64-bbml2/block-map,arm64.bbml2=*) ;;
	*) return 0 ;;
	esac
	awk -v mode="${2#*=}" '
	/"metric":"linear_map\.bytes\./ {
		match($0, /linear_map\.bytes\.[a-z_]+/)
		kind = substr($0, RSTART + 17, RLENGTH - 17)
		match($0, /"value":[0-9]+/)
		bytes[kind] = substr($0, RSTART + 8, RLENGTH - 8)
	}
	END {
		for (kind in bytes)
			sum += bytes[kind]
		large = sum - bytes["pte"]
		# beside pages there is the alias of the text, of blocks in any mode
		held = mode == "force" ? large > sum / 2 : large <= 64 * 1024 * 1024
		if (!sum || !held)
			printf "%s: %.0f of %.0f bytes of the linear map are in blocks\n", mode, large, sum
		exit !sum || !held
	}' "$scratch/recording" >"$scratch/mode"
}

# Of the checks in the guest: how many passed, and why others were skipped.
summary()	# LOG
{
	tr -d '\r' <"$1" | awk '
	/checks: PASS / { n++ }
	/checks: SKIP / { sub(/.*checks: SKIP /, ""); skipped = skipped "; skipped " $0 }
	END { printf "%d checks%s\n", n, skipped }'
}

# The first check that failed says more than that the program did.
reason()	# LOG
{
	tr -d '\r' <"$1" 2>/dev/null | sed -n 's/.*checks: FAIL /check /p' | head -n 1 | grep . ||
		last_words
}

boot()		# TOPIC/STEP SPEC PARAMETER MODULES
{
	name=$2
	[ "$3" = - ] || name="$name $3"
	log=$logs/$(printf %s "$name" | tr '/: ' '---').log
	rm -f "$log"
	programs=$(find "$selftests" -type f -printf '--program %p\n')
	# With 64K pages virtio-mem plugs memory blocks whole, and removes none.
	remove=hotremove
	[ "$pages" != :64K ] || remove=
	# The checks come before pageout-anon, which leaves a module loaded that they load and unload.
	# shellcheck disable=SC2046,SC2086 # options, paths without blanks, one word or none
	if ! guest "$2" "$3" "$log" $programs --program "$here/selftests" \
			--program "$here/selftests-slow" \
			$(modules "$4" zsmalloc test_vmalloc) -- linear-map \
			"command:/lab/bin/checks $(module_checks) secret-memory selftests $slow" \
			hotplug $remove vmalloc pageout-anon munmap
	then
		fail "$name" "$(reason "$log") (console log: $log)"
	elif ! mode_holds "$1" "$3"; then
		fail "$name" "$(cat "$scratch/mode")"
	else
		pass "$name: $(summary "$log")"
	fi
}

# A kernel that warns must fail, and say of what.
gate()		# SPEC MODULES
{
	# shellcheck disable=SC2046 # options, and paths without blanks
	if guest "$1" - "$logs/gate.log" $(modules "$2" mtd phram) -- \
			'command:/lab/bin/checks plant-splat'; then
		fail "gate $1" 'a warning was planted, and nobody noticed'
	elif last_words | grep -q 'the kernel complained: .*WARNING: .*ioremap_prot'; then
		pass "gate $1: a planted warning fails the guest"
	else
		fail "gate $1" "$(last_words)"
	fi
	gated=1
}

# ---- all ----

if ! selftests=$("$here/selftests.sh" 2>"$scratch/err"); then
	fail selftests "$(last_words)"
	sum_up
	exit
fi
gated=
for kernel in $(kernels "$@"); do
	spec=$kernel:debug$pages
	if ! run lab fetch "$spec" --patches "$patches"; then
		if grep -q 'no Debian mirror\|cannot resolve\|Could not connect\|Failed to fetch' \
				"$scratch/err"; then
			skip "$spec" "$(last_words)"
		else
			fail "$spec" "$(last_words)"
		fi
		continue
	fi
	directory=$(dirname "$(tail -n 1 "$scratch/out")")/lib/modules
	[ -n "$gated" ] || gate "$spec" "$directory"
	for parameter in $(parameters "$kernel"); do
		boot "$kernel" "$spec" "$parameter" "$directory"
	done
done

sum_up
