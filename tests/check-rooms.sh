#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# check-rooms.sh - the way an #include may point, and who may know which library.
#
# Usage: check-rooms.sh [--self-test]
#   --self-test  plant violations in a copy, one at a time, and see that each is found
# Exit status: 0 all in order, 1 not, 2 usage
#
# Rooms, in the direction of the data: base probe trace recording compare report.  A file may
# include its own room and those before it, but recording, compare and report, which are pure
# functions of files, not trace; lab and cmd, and main.c, may include all of them, and each
# other only as cmd -> lab.  tcg, QEMU's plugin, may include base and probe; of it the others
# know tcg/format.h only.
set -eu

usage()
{
	sed -n '6,8s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

# check ROOT: print every violation; fail if there is one
check()
{
	# The fields are those of awk, not of the shell.
	# shellcheck disable=SC2016
	(cd "$1" && find user tests/unit tests/fuzz -name '*.[ch]' 2>/dev/null | sort) |
	(cd "$1" && xargs awk '
	BEGIN {
		split("base probe tcg trace recording compare report lab cmd", names, " ")
		for (i in names)
			place[names[i]] = i
		pure["recording"] = pure["compare"] = pure["report"] = 1
	}
	FNR == 1 {
		split(FILENAME, part, "/")
		room = part[1] != "user" ? "tests" : part[3] == "" ? "main" : part[2]
		if (room != "tests" && room != "main" && !(room in place))
			bad("no such room: " room)
	}
	function bad(what) {
		printf "check-rooms: %s:%d: %s\n", FILENAME, FNR, what
		failed = 1
	}
	/^[ \t]*#[ \t]*include/ {
		header = $0
		sub(/^[^<"]*[<"]/, "", header)
		sub(/[>"].*/, "", header)
		check_library(header)
		if ($0 ~ /"/)
			check_room(header)
	}
	function check_room(header,   to, slash) {
		slash = index(header, "/")
		if (!slash) {
			if (room != "tests" && room != "trace")
				bad("name the room: \"" header "\"")
			return
		}
		to = substr(header, 1, slash - 1)
		if (!(to in place) || room == "tests" || room == "main")
			return
		if (to == "tcg" && room != "tcg") {
			if (header != "tcg/format.h" || (room != "lab" && room != "cmd"))
				bad("only lab and cmd may know of tcg, and only tcg/format.h")
		} else if (place[to] > place[room])
			bad(room " may not know " to)
		else if (room in pure && to == "trace")
			bad(room " is pure and may not know trace")
	}
	function check_library(header) {
		only(header, "^bpf/|[.]skel[.]h$",
		     "user/trace/tracer.c user/trace/fentry.c user/trace/breakpoints.c")
		only(header, "^perf/|^internal/", "user/trace/pmu.c")
		only(header, "^elfutils/|^libelf[.]h$|^gelf[.]h$|^dwarf[.]h$",
		     "user/probe/dwarf.c user/probe/sites.c")
	}
	function only(header, pattern, owners) {
		if (header ~ pattern && index(" " owners " ", " " FILENAME " ") == 0)
			bad(header " belongs to " owners)
	}
	# Code, not comments: a comment may say why there is no QEMU here.
	{
		code = $0
		gsub(/\/\*.*\*\//, "", code)
		sub(/\/\*.*/, "", code)
		if (room != "lab" && room != "tcg" && room != "tests" && !is_command_of_lab() &&
		    code !~ /^[ \t]*\*/ && tolower(code) ~ /qemu/)
			bad("only lab/ and tcg/ know QEMU")
	}
	# The options of "pgtrace lab" name what lab/ knows.
	function is_command_of_lab() {
		return FILENAME ~ /^user\/cmd\/lab/
	}
	END { exit failed }
	' /dev/null)
}

# plant FILE LINE: a violation that check must find
plant()
{
	rm -rf "$copy"
	mkdir -p "$copy/${1%/*}"
	printf '%s\n' "$2" >"$copy/$1"
	if check "$copy" >/dev/null; then
		printf 'check-rooms: not found in %s: %s\n' "$1" "$2" >&2
		exit 1
	fi
}

# allow FILE LINE: what check must let pass
allow()
{
	rm -rf "$copy"
	mkdir -p "$copy/${1%/*}"
	printf '%s\n' "$2" >"$copy/$1"
	check "$copy"
}

self_test()
{
	copy=$(mktemp -d)
	trap 'rm -rf "$copy"' EXIT
	plant user/base/a.c '#include "probe/plan.h"'
	plant user/probe/a.c '#include "trace/tracer.h"'
	plant user/recording/a.c '#include "trace/tracer.h"'
	plant user/recording/a.c '#include "compare/stats.h"'
	plant user/compare/a.h '#  include "report/report.h"'
	plant user/report/a.c '#include "lab/guest.h"'
	plant user/lab/a.c '#include "cmd/cmd.h"'
	plant user/report/a.c '#include "words.h"'
	plant user/attic/a.c '#include "base/diag.h"'
	plant user/trace/pmu.c '#include <bpf/libbpf.h>'
	plant user/cmd/a.c '#include "pgtrace.skel.h"'
	plant user/trace/tracer.c '#include <perf/evsel.h>'
	plant user/probe/plan.c '#include <elfutils/libdwfl.h>'
	plant user/cmd/record.c 'run("qemu-system-aarch64");'
	plant user/tcg/a.c '#include "trace/tracer.h"'
	plant user/tcg/a.c '#include "lab/guest.h"'
	plant user/trace/a.c '#include "tcg/format.h"'
	plant user/lab/a.c '#include "tcg/plan.h"'
	plant tests/unit/test_a.c '#include <bpf/libbpf.h>'
	allow user/trace/tracer.c '#include <bpf/libbpf.h>'
	allow user/probe/sites.c '#include <libelf.h>'
	allow user/report/a.c '#include "compare/compare.h"'
	allow user/cmd/a.c '#include "lab/lab.h"'
	allow user/lab/emulator.c 'run("qemu-system-aarch64");'
	allow user/lab/a.c '#include "tcg/format.h"'
	allow user/tcg/a.c '#include "probe/insn.h"'
	allow user/tcg/a.c 'qemu_plugin_outs(text);'
	allow user/base/a.c '/* not a word about QEMU in code */'
	echo 'check-rooms: finds what it must'
}

case $# in
0)	check "$(dirname "$0")/.." ;;
1)	[ "$1" = --self-test ] || usage
	self_test ;;
*)	usage ;;
esac
