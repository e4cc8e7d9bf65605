#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh - every topic of kernel-patches: its patches apply, compile and are clean.
#
# Usage: run.sh BUILD [TOPIC...]
#   BUILD  a build directory with pgtrace
# Exit status: 0 all passed or skipped, 1 a test failed, 2 usage
#
# For each step of each topic the patches are applied without fuzz and what they change is
# compiled, without a warning, the last one with pages of 16K and 64K, too; checkpatch.pl of that
# source must find nothing but what the file TOPIC/checkpatch lets pass, as options, and the
# topic's README justifies; a message must name the series that it follows.  A step named in
# TOPIC/same-as-source must leave the source as it is.  Prints PASS, FAIL or SKIP for each, and
# "N passed, N failed, N skipped".
set -u

if [ $# -lt 1 ] || [ ! -x "$1/pgtrace" ]; then
	sed -n 's/^# \{0,1\}//; 6,7p' "$0" >&2
	exit 2
fi
pgtrace=$(realpath "$1/pgtrace")
shift
patches=$(cd "$(dirname "$0")/../../kernel-patches" && pwd)
# shellcheck source=tests/lib.sh
. "$patches/../tests/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

steps()		# TOPIC
{
	sed -n 's/^step[[:blank:]]*\([^[:blank:]]*\).*/\1/p' "$patches/$1/series"
}

compile()	# TOPIC STEP PAGES
{
	name="$1/$2 applies and compiles with pages of $3"
	if "$pgtrace" lab build "$1" "$2" --check --pages "$3" --patches "$patches" \
			>/dev/null 2>"$scratch/err"; then
		pass "$name"
	elif grep -q 'no Debian mirror\|cannot resolve\|Could not connect\|Failed to fetch' "$scratch/err"; then
		skip "$name" "$(tail -n 1 "$scratch/err")"
	else
		fail "$name" "$(tail -n 1 "$scratch/err")"
	fi
}

# The same to the letter, or in neither: a file that another step adds is taken away again.
is_pristine()	# FILE
{
	if [ -e "$source/pristine/$1" ]; then
		cmp -s "$source/pristine/$1" "$source/tree/$1"
	else
		[ ! -e "$source/tree/$1" ]
	fi
}

# The tree is as the step compiled last has left it.
compare()	# TOPIC STEP
{
	patched=$source/patched-files
	[ -e "$patched" ] || patched=/dev/null	# no step has changed a file yet
	while read -r file; do
		is_pristine "$file" || {
			fail "$1/$2 is the source, to the letter" "$file differs"
			return
		}
	done <"$patched"
	pass "$1/$2 is the source, to the letter"
}

# Each series, and there is one at least, by the same three lines.
names_series()	# FILE
{
	awk '/^---$/ { exit }
	     /^Series-author: ./ { author++ }
	     /^Series-subject: ./ { subject++ }
	     /^Series-message-id: <[^ ]+@[^ ]+>$/ { id++ }
	     END { exit !author || author != subject || author != id }' "$1"
}

check_patch()	# TOPIC FILE
{
	options=$(cat "$patches/$1/checkpatch" 2>/dev/null)
	# shellcheck disable=SC2086 # options are words
	if ! (cd "$source/tree" && perl scripts/checkpatch.pl --strict --no-signoff --no-tree -q \
			$options "$patches/$1/$2") >"$scratch/out" 2>&1; then
		fail "$1/$2 is clean" "$(grep -m 1 -E '^(ERROR|WARNING|CHECK)' "$scratch/out")"
	elif ! names_series "$patches/$1/$2"; then
		fail "$1/$2 is clean" 'it does not name a series by author, subject and Message-ID'
	else
		pass "$1/$2 is clean"
	fi
}

# shellcheck disable=SC2046 # names of directories without blanks
[ $# -gt 0 ] || set -- $(cd "$patches" && for series in */series; do echo "${series%/series}"; done)
version=$(sed -n 's/^linux-source-[^ ]* //p' "$patches/source")
source=${XDG_CACHE_HOME:-$HOME/.cache}/pgtrace/linux/$version

for topic; do
	for step in $(steps "$topic"); do
		compile "$topic" "$step" 4K
		if grep -qx "$step" "$patches/$topic/same-as-source" 2>/dev/null; then
			compare "$topic" "$step"
		fi
	done
	for pages in 16K 64K; do
		compile "$topic" "$step" $pages
	done
	for file in "$patches/$topic"/*.patch; do
		if [ ! -e "$source/tree" ]; then
			skip "$topic/${file##*/} is clean" "there is no source"
		else
			check_patch "$topic" "${file##*/}"
		fi
	done
	for file in "$patches/$topic"/*.patch; do
		grep -q "^[[:blank:]]\{1,\}${file##*/}\$" "$patches/$topic/series" ||
			fail "$topic/${file##*/}" 'in no step'
	done
done

sum_up
