# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# lib.sh - how the suites of this directory run pgtrace and its guests; to be sourced.
#
# The caller has set $pgtrace.  What it runs leaves $status, and its output in $scratch/out and
# $scratch/err; $scratch is removed at the end.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

scratch=$(mktemp -d)
child=
# The shell would end before its guest does: it has to ask, and to wait.
# shellcheck disable=SC2317 # called by the trap
clean_up()
{
	if [ -n "$child" ]; then
		kill -TERM "$child" 2>/dev/null
		wait "$child"
	fi
	rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# Run in the background, so that a signal to this shell is served at once.
run_program()	# PROGRAM ARGUMENT...
{
	"$@" </dev/null >"$scratch/out" 2>"$scratch/err" &
	child=$!
	wait "$child"
	status=$?
	child=
	return $status
}

run()		# ARGUMENT...
{
	# shellcheck disable=SC2154 # the caller has set pgtrace
	run_program "$pgtrace" "$@"
}

last_words()
{
	tail -n 1 "$scratch/err"
}

# The log that pgtrace keeps of a guest that failed is evidence only until it has been read.
drop_log()
{
	log=$(sed -n 's/.*console log: //p' "$scratch/err" | tail -n 1)
	[ -n "$log" ] && [ -f "$log" ] || return 1
	mv "$log" "$scratch/log"
}
