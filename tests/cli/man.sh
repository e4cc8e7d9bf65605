#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# man.sh - the manual page and --help name the same options, and it and list the same workloads.
#
# Usage: man.sh PGTRACE
# Exit status: 0 they do, 1 not
set -eu

page=$(dirname "$0")/../../user/cmd/pgtrace.1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for command in record list host compare steps linear-map 'lab ab' 'lab run' 'lab verify' 'lab build' 'lab fetch'; do
	# shellcheck disable=SC2086 # two words are two arguments
	"$1" $command --help
done | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$scratch/help"
sed 's/\\-/-/g' "$page" | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$scratch/page"
diff -u "$scratch/help" "$scratch/page"

"$1" list | sed '1,/^Workloads$/d; /^$/d; s/ .*//' | sort >"$scratch/list"
sed -n '/^\.SH WORKLOADS/,/^\.SH [^W]/s/^\.BR* \([a-z\\-]*\).*/\1/p' "$page" | sed 's/\\-/-/g' |
	sort >"$scratch/page"
[ -s "$scratch/list" ]
diff -u "$scratch/list" "$scratch/page"
