#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh - every message that pgtrace can be made to give without booting a guest.
#
# Usage: run.sh PGTRACE
#   PGTRACE  the program under test
# Exit status: 0 all passed, 1 some failed, 2 usage
#
# Each case prints PASS, FAIL or SKIP with its name and, failing, what was wrong.  A case is one
# line of the tables in cases_*.sh:
#
#	fails  NAME STATUS PATTERN ARGUMENT...   one line on stderr, matching PATTERN, none on stdout
#	ends   NAME STATUS PATTERN ARGUMENT...   the same, after any lines of progress
#	works  NAME PATTERN ARGUMENT...          status 0, nothing on stderr, PATTERN on stdout
#	finds  NAME PATTERN ARGUMENT...          the same, but status 3
#	fails_when_full NAME ARGUMENT...         status 1 and one line, standard output being full
#
# STATUS is a shell pattern, PATTERN a grep -E expression.  None may leave a file or a process
# behind.  $wrap, where set, is a command to run pgtrace with.
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
	sed -n 's/^# \{0,1\}//; 6,8p' "$0" >&2
	exit 2
fi
pgtrace=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/lib.sh
. "$here/../lib.sh"
recordings=$here/../fixtures/recordings
LC_ALL=C
unset MAKEFLAGS MFLAGS 2>/dev/null

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$scratch"
mkdir "$scratch/work" "$scratch/tmp" "$scratch/cache"
chmod 777 "$scratch/work" "$scratch/tmp" "$scratch/cache"
out=$scratch/out err=$scratch/err
TMPDIR=$scratch/tmp XDG_CACHE_HOME=$scratch/cache HOME=$scratch/tmp
PGTRACE_CLI_TEST=$scratch		# by which our processes are known
http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9	# nothing may be fetched
export LC_ALL TMPDIR XDG_CACHE_HOME HOME PGTRACE_CLI_TEST http_proxy https_proxy
cd "$scratch/work" || exit 1
cp "$recordings/base.jsonl" base
cp "$recordings/test.jsonl" test
cp "$recordings/control.jsonl" control
cp "$recordings/control-found.jsonl" control-found
# shellcheck source=tests/cli/inputs.sh
. "$here/inputs.sh"

wrap='' faults='' status=0

pass_or_fail()
{
	if [ -z "$faults" ]; then
		pass "$1"
		return
	fi
	fail "$1" "${faults# }"
	sed 's/^/  stderr: /' "$err" | head -5
}

fault()
{
	faults="$faults $1;"
}

# What is there, with enough to notice a change: names, types, sizes.
inventory()
{
	find "$scratch/work" "$scratch/tmp" -printf '%p %y %s\n' | sort
}

# Our children are known by their environment; the greps that look for it are gone by then.
is_anything_left()
{
	for attempt in now later; do
		found=no
		# shellcheck disable=SC2013 # the paths have no spaces
		for environ in $(grep -ls "PGTRACE_CLI_TEST=$scratch" /proc/[0-9]*/environ); do
			[ -d "${environ%/environ}" ] && found=yes
		done
		[ $found = yes ] || return 1
		[ $attempt = later ] || sleep 1		# it may be about to end
	done
	return 0
}

run_pgtrace()
{
	faults=''
	before=$(inventory)
	# shellcheck disable=SC2086 # $wrap is words
	$wrap "$pgtrace" "$@" </dev/null >"$out" 2>"$err"
	status=$?
	[ "$(inventory)" = "$before" ] || fault 'leaves a file behind or changes one'
	! is_anything_left || fault 'leaves a process behind'
	[ "$status" -lt 128 ] || fault "ends by signal $((status - 128))"
	! grep -q 'Sanitizer\|runtime error' "$err" || fault 'a sanitizer complains'
}

expect_status()
{
	# shellcheck disable=SC2254 # $1 is a pattern
	case $status in
	$1) ;;
	*) fault "status is $status, not $1" ;;
	esac
}

expect_last_line()
{
	tail -n 1 "$err" | grep -Eq -e "$1" || fault "stderr does not match \"$1\""
	[ "$(grep -c '^pgtrace' "$err")" -eq 1 ] || fault 'not one line of its own on stderr'
	[ ! -s "$out" ] || fault 'prints something on stdout'
}

fails()
{
	name=$1 want=$2 pattern=$3
	shift 3
	run_pgtrace "$@"
	expect_status "$want"
	expect_last_line "$pattern"
	lines=$(wc -l <"$err")
	[ "$lines" -eq 1 ] || fault "$lines lines on stderr, not 1"
	pass_or_fail "$name"
}

ends()
{
	name=$1 want=$2 pattern=$3
	shift 3
	run_pgtrace "$@"
	expect_status "$want"
	expect_last_line "$pattern"
	pass_or_fail "$name"
}

prints()
{
	name=$1 want=$2 pattern=$3
	shift 3
	run_pgtrace "$@"
	expect_status "$want"
	[ ! -s "$err" ] || fault 'prints something on stderr'
	grep -Eq -e "$pattern" "$out" || fault "stdout does not match \"$pattern\""
	pass_or_fail "$name"
}

works()
{
	name=$1 pattern=$2
	shift 2
	prints "$name" 0 "$pattern" "$@"
}

finds()
{
	name=$1 pattern=$2
	shift 2
	prints "$name" 3 "$pattern" "$@"
}

# A full disk as standard output is a failure, although everything else went well.
# Told to stop once its stderr matches PATTERN, pgtrace must fail, and leave no process behind.
told_to_stop()	# PATTERN ARGUMENT...
{
	when=$1
	shift
	faults=''
	: >"$err"	# what the case before has left there could match, too
	"$pgtrace" "$@" </dev/null >"$out" 2>"$err" &
	pid=$!
	until grep -q "$when" "$err" || ! kill -0 $pid 2>/dev/null; do
		sleep 0.1
	done
	kill -TERM $pid
	wait $pid
	status=$?
	expect_status 1
	! is_anything_left || fault 'leaves a process behind'
}

fails_when_full()
{
	name=$1
	shift
	if [ ! -w /dev/full ]; then
		skip "$name" 'there is no /dev/full'
		return
	fi
	faults=''
	: >"$out"
	"$pgtrace" "$@" </dev/null >/dev/full 2>"$err"
	status=$?
	expect_status 1
	expect_last_line 'standard output: cannot write: No space left on device$'
	lines=$(wc -l <"$err")
	[ "$lines" -eq 1 ] || fault "$lines lines on stderr, not 1"
	pass_or_fail "$name"
}

for table in "$here"/cases_*.sh; do
	# shellcheck disable=SC1090 # each is a table of cases
	. "$table"
done

sum_up && [ "$passed" -gt 0 ]
