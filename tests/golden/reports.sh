#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# reports.sh - render every report in reports/ again: it must come out byte for byte.
#
# A report is a directory with recordings, and report.txt, report.md and report.json made from them
# by "pgtrace steps", where it has the file steps, or else by "pgtrace compare" from base.jsonl,
# test.jsonl and perhaps control.jsonl.
#
# Usage: reports.sh [DIRECTORY]
#   DIRECTORY  where the reports are; reports/ of the project where not given
# Environment: PGTRACE (build/pgtrace): the program; UPDATE=1: rewrite the reports
# Exit status: 0 all as they were (or there are none), 1 not, or the program failed
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
pgtrace=${PGTRACE:-$root/build/pgtrace}
reports=${1:-$root/reports}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0 n=0

# check DIRECTORY FORMAT SUFFIX
check()
{
	if [ -f "$1/steps" ]; then
		set -- "$1" "$2" "$3" steps "$1"
	else
		set -- "$1" "$2" "$3" compare "$1/base.jsonl" "$1/test.jsonl"
		[ -f "$1/control.jsonl" ] && set -- "$@" --control "$1/control.jsonl"
	fi
	old=$1/report.$3 format=$2
	shift 3
	n=$((n + 1))
	if ! "$pgtrace" "$@" --format "$format" >"$scratch/new" 2>"$scratch/stderr"; then
		printf 'reports: %s: ' "$old" >&2
		cat "$scratch/stderr" >&2
		failed=1
	elif [ "${UPDATE:-0}" = 1 ]; then
		cp "$scratch/new" "$old"
	elif ! cmp -s "$old" "$scratch/new"; then
		printf 'reports: %s is not what its recordings give:\n' "$old" >&2
		diff -u "$old" "$scratch/new" | head -n 20 >&2
		failed=1
	fi
}

for directory in "$reports"/*; do
	[ -f "$directory/steps" ] || [ -f "$directory/base.jsonl" ] || continue
	check "$directory" text txt
	check "$directory" markdown md
	check "$directory" json json
done

[ $failed = 0 ] && printf 'reports: %d files as they should be\n' "$n"
exit $failed
