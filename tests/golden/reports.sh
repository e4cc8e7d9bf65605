#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# reports.sh - render every report in reports/ again: it must come out byte for byte.
#
# A report is a directory with base.jsonl, test.jsonl, perhaps control.jsonl, and report.txt,
# report.md and report.json made from them.
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
	set -- "$1" "$2" "$3" "$1/base.jsonl" "$1/test.jsonl"
	[ -f "$1/control.jsonl" ] && set -- "$@" --control "$1/control.jsonl"
	old=$1/report.$3 format=$2
	shift 3
	n=$((n + 1))
	if ! "$pgtrace" compare --format "$format" "$@" >"$scratch/new" 2>"$scratch/stderr"; then
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

for base in "$reports"/*/base.jsonl; do
	[ -f "$base" ] || continue
	directory=${base%/base.jsonl}
	check "$directory" text txt
	check "$directory" markdown md
	check "$directory" json json
done

[ $failed = 0 ] && printf 'reports: %d files as they should be\n' "$n"
exit $failed
