# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# lib.sh - what the suites say of their tests, and count; to be sourced.
#
# tests/run.sh adds up the last lines of all suites, and shows those that begin with FAIL or SKIP.

passed=0 failed=0 skipped=0

pass()		# NAME
{
	passed=$((passed + 1))
	printf 'PASS %s\n' "$1"
}

fail()		# NAME WHY
{
	failed=$((failed + 1))
	printf 'FAIL %s: %s\n' "$1" "$2"
}

skip()		# NAME WHY
{
	skipped=$((skipped + 1))
	printf 'SKIP %s: %s\n' "$1" "$2"
}

# The last line.  Fails where a test did, or where there was none.
sum_up()
{
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
}
