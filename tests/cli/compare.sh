#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# compare.sh - pgtrace compare: its exit statuses, and one line for every failure.
#
# Usage: compare.sh
# Environment: PGTRACE (build/pgtrace): the program
# Exit status: 0 all as it should be, 1 not
set -eu

here=$(cd "$(dirname "$0")" && pwd)
pgtrace=$(realpath "${PGTRACE:-$here/../../build/pgtrace}")
cd "$here/../fixtures/recordings"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0 cases=0 hint=0

# expect STATUS TEXT ARGUMENT...: the exit status, and what stderr begins with ("" for nothing)
expect()
{
	status=$1 text=$2
	shift 2
	cases=$((cases + 1))
	got=0
	"$pgtrace" compare "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
	lines=$(wc -l <"$scratch/err")
	first=$(head -n 1 "$scratch/err")
	case $status in
	0|3) most=0 ;;
	*) most=$((1 + hint)) ;;
	esac
	if [ "$got" != "$status" ] || [ "$lines" -gt $most ] ||
	   case $first in "$text"*) false ;; *) true ;; esac; then
		printf 'compare.sh: compare %s\n  status %s, not %s; stderr:\n' "$*" "$got" "$status" >&2
		cat "$scratch/err" >&2
		printf '  not: %s\n' "$text" >&2
		failed=1
	fi
	# A report that failed must not look like one.
	if [ "$status" = 1 ] && [ -s "$scratch/out" ]; then
		printf 'compare.sh: compare %s: wrote to stdout and failed\n' "$*" >&2
		failed=1
	fi
}

p='pgtrace compare: '
s=$scratch

head -n -1 base.jsonl >"$s/no-end.jsonl"
head -c 5000 base.jsonl >"$s/cut.jsonl"
echo 'not JSON' >"$s/text.jsonl"
: >"$s/empty.jsonl"
sed 's/"schema":1/"schema":9/' base.jsonl >"$s/schema.jsonl"
sed 's/"arch":"arm64"/"arch":"ppc64le"/' base.jsonl >"$s/arch.jsonl"
sed '0,/"value":[0-9]*/s//"value":-4/' base.jsonl >"$s/negative.jsonl"
sed '0,/"value":[0-9]*/s//"value":99999999999999999999/' base.jsonl >"$s/huge.jsonl"
sed '0,/"lines":[0-9]*/s//"lines":3/' base.jsonl >"$s/count.jsonl"

expect 0 '' base.jsonl test.jsonl
expect 0 '' base.jsonl test.jsonl --control control.jsonl --format json -o "$s/report.json"
[ -s "$s/report.json" ] || { echo 'compare.sh: -o wrote nothing' >&2; failed=1; }
expect 0 '' --help
expect 0 '' base.jsonl control.jsonl --fail-on worse,lost
expect 3 '' base.jsonl test.jsonl --fail-on worse
[ -s "$s/out" ] || { echo 'compare.sh: no report beside status 3' >&2; failed=1; }
expect 3 '' base.jsonl test.jsonl --fail-on lost
expect 0 '' base.jsonl test.jsonl --control control.jsonl --fail-on control
expect 3 '' base.jsonl test.jsonl --control control-found.jsonl --fail-on control

expect 1 "${p}absent.jsonl: cannot open: No such file" absent.jsonl test.jsonl
expect 1 "${p}.: cannot read: Is a directory" . test.jsonl
expect 1 "${p}$s/no-end.jsonl: the recording that starts at line" "$s/no-end.jsonl" test.jsonl
expect 1 "${p}$s/cut.jsonl:" "$s/cut.jsonl" test.jsonl
expect 1 "${p}$s/text.jsonl:1: not a line of JSON" base.jsonl "$s/text.jsonl"
expect 1 "${p}$s/empty.jsonl: the file is empty" base.jsonl "$s/empty.jsonl"
expect 1 "${p}$s/schema.jsonl:1: the recording has schema 9" base.jsonl "$s/schema.jsonl"
expect 1 "${p}base.jsonl is of architecture arm64" base.jsonl "$s/arch.jsonl"
expect 1 "${p}$s/negative.jsonl:" base.jsonl "$s/negative.jsonl"
expect 1 "${p}$s/huge.jsonl:" base.jsonl "$s/huge.jsonl"
expect 1 "${p}$s/count.jsonl:" base.jsonl "$s/count.jsonl"
expect 1 "${p}test.jsonl: the control is of kernel" base.jsonl test.jsonl --control test.jsonl
expect 1 "${p}no/such/file: cannot create" base.jsonl test.jsonl -o no/such/file

expect 2 "${p}two recordings are needed: BASE and TEST"
expect 2 "${p}two recordings are needed: BASE and TEST" base.jsonl
expect 2 "${p}too many files: 'x' is one more" base.jsonl test.jsonl x
expect 2 "${p}--format: 'html' is none of text, markdown, json" base.jsonl test.jsonl --format html
expect 2 "${p}--alpha: '1' is not a number between 0 and 1" base.jsonl test.jsonl --alpha 1
expect 2 "${p}--alpha: '0.05x' is not" base.jsonl test.jsonl --alpha 0.05x
expect 2 "${p}--fail-on: 'best' is none of" base.jsonl test.jsonl --fail-on worse,best
expect 2 "${p}--fail-on control needs a --control" base.jsonl test.jsonl --fail-on control

# What getopt says itself comes with a hint of its own.
hint=2
expect 2 "${p}unrecognized option '--colour'" base.jsonl test.jsonl --colour

# A full disk is a failure, although the report was made.
if [ -w /dev/full ]; then
	cases=$((cases + 1)) got=0
	"$pgtrace" compare base.jsonl test.jsonl >/dev/full 2>"$s/err" || got=$?
	if [ $got != 1 ] || ! grep -q '^pgtrace compare: standard output: cannot write' "$s/err"; then
		printf 'compare.sh: a full disk: status %s\n' "$got" >&2
		failed=1
	fi
fi

[ $failed = 0 ] && printf 'compare: %d cases as they should be\n' "$cases"
exit $failed
