#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# readme.sh - every line of a report that the README shows is in one of the reports.
#
# Exit status: 0 all are, 1 not
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# Four spaces and then a title, a row (with a number in it), or the lines on loss and control.
sed -n 's/^    //p' "$root/README.md" | grep -E '^( |[a-z-]+: [0-9,]+ pages|Loss:|A/A:)' >"$scratch/shown"
[ "$(wc -l <"$scratch/shown")" -ge 20 ] || {
	echo 'readme: the excerpts are gone' >&2
	exit 1
}
while IFS= read -r line; do
	cat "$root"/reports/*/report.txt | grep -qxF -- "$line" || {
		printf 'readme: in no report: %s\n' "$line" >&2
		status=1
	}
done <"$scratch/shown"
exit $status
