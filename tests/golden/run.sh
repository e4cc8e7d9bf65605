#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh - render the fixture recordings in every format and compare with the golden files.
#
# Usage: run.sh
# Environment: PGTRACE (build/pgtrace): the program; UPDATE=1: rewrite the golden files
# Exit status: 0 all as they were, 1 not, or the program failed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
pgtrace=${PGTRACE:-$here/../../build/pgtrace}
recordings=$here/../fixtures/recordings
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0 cases=0 command=compare

# check NAME FORMAT ARGUMENT...: one golden file, of what $command prints
check()
{
	name=$1.$2
	format=$2
	shift 2
	cases=$((cases + 1))
	if ! (cd "$recordings" && "$pgtrace" $command --format "$format" "$@") \
	     >"$scratch/$name" 2>"$scratch/stderr"; then
		printf 'golden: %s: ' "$name" >&2
		cat "$scratch/stderr" >&2
		failed=1
	elif [ "${UPDATE:-0}" = 1 ]; then
		cp "$scratch/$name" "$here/$name"
	elif ! diff -u "$here/$name" "$scratch/$name" >&2; then
		failed=1
	fi
}

for format in text markdown json; do
	check stock "$format" base.jsonl test.jsonl --control control.jsonl
	check found "$format" base.jsonl test.jsonl --control control-found.jsonl
	check noise "$format" noise-base.jsonl noise-test.jsonl
	check strict "$format" noise-base.jsonl noise-test.jsonl --alpha 0.001
	check same "$format" base.jsonl control.jsonl
	check boot "$format" boot-base.jsonl boot-test.jsonl --control boot-control.jsonl
	check boot-odd "$format" boot-odd-base.jsonl boot-odd-test.jsonl
	check truth "$format" truth-base.jsonl truth-test.jsonl --control truth-base.jsonl
	command=steps
	check steps "$format" "$here/steps"
	command=compare
done

[ $failed = 0 ] && printf 'golden: %d files as they should be\n' "$cases"
exit $failed
