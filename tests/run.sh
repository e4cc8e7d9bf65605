#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh - run the tests and add up what they say.
#
# Usage: run.sh [--guests] BUILD SANITIZED
#   --guests   also what boots guests, builds kernels or compiles patches
#   BUILD      a build directory with pgtrace, pgtrace-tcg.so and tests/plugin/test-plugin, and with
#              --guests arm64/pgtrace
#   SANITIZED  one built with SAN=address,undefined, for the unit and golden tests
# Prints what fails in full; the last line is "N passed, N failed, N skipped".
# Exit status: 0 all passed or skipped, 1 a test failed or none ran
set -u

guests=
if [ "${1-}" = --guests ]; then
	guests=1
	shift
fi
build=$(cd "$1" && pwd) || exit 1
sanitized=$(cd "$2" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0 skipped=0
digits='\([0-9]*\)'
log=$(mktemp)
trap 'rm -f "$log"' EXIT

count()		# passed failed skipped
{
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# A Criterion binary exits 0 also when it ran nothing, so its own count decides.
unit()
{
	ASAN_OPTIONS=abort_on_error=1 "$1" --color=never >"$log" 2>&1
	status=$?
	said="Tested: *$digits.*Passing: *$digits.*Failing: *$digits.*Crashing: *$digits"
	numbers=$(sed -n "s/.*$said.*/\\1 \\2 \\3 \\4/p" "$log" | tail -n 1)
	# shellcheck disable=SC2086 # four words, or five
	set -- "$1" ${numbers:-0 0 0 0}
	if [ $status -ne 0 ] || [ "$2" -eq 0 ] || [ "$2" -ne "$3" ]; then
		cat "$log"
		printf 'FAIL %s\n' "$1"
		count "$3" $(($2 > $3 ? $2 - $3 : 1)) 0
	else
		count "$3" 0 0
	fi
}

# A script that prints "N passed, N failed, N skipped" as its last line.
suite()
{
	name=$1
	shift
	printf '== %s\n' "$name"
	"$@" >"$log" 2>&1
	status=$?
	said="$digits passed, $digits failed, $digits skipped"
	numbers=$(sed -n "s/^$said\$/\\1 \\2 \\3/p" "$log" | tail -n 1)
	grep -E '^(FAIL|SKIP)' "$log"
	# shellcheck disable=SC2086 # three words
	set -- ${numbers:-0 1 0}
	count "$@"
	if [ $status -ne 0 ]; then
		tail -n 60 "$log"
		[ "$2" -gt 0 ] || count 0 1 0
	fi
}

# A script whose exit status is its only answer.
script()
{
	name=$1
	shift
	if "$@" >"$log" 2>&1; then
		count 1 0 0
	else
		cat "$log"
		printf 'FAIL %s\n' "$name"
		count 0 1 0
	fi
}

script rooms "$here/check-rooms.sh"
script rooms-self-test "$here/check-rooms.sh" --self-test
printf '== unit\n'
for source in "$here"/unit/*.c; do
	unit "$sanitized/tests/unit/$(basename "$source" .c)"
done
script golden env PGTRACE="$sanitized/pgtrace" "$here/golden/run.sh"
script reports env PGTRACE="$build/pgtrace" "$here/golden/reports.sh"
script readme "$here/golden/readme.sh"
script manual "$here/cli/man.sh" "$build/pgtrace"
suite plugin "$build/tests/plugin/test-plugin" "$build/pgtrace-tcg.so"
suite cli "$here/cli/run.sh" "$build/pgtrace"
if [ -n "$guests" ]; then
	suite patches "$here/patches/run.sh" "$build"
	suite tamper "$here/patches/tamper.sh" "$build"
	# Last, for some of its guests take a kernel that was built for those before.
	suite guest "$here/guest/run.sh" "$build"
fi

printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ] && [ $passed -gt 0 ]
