#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# selftests.sh - the kernel's own programs of the lists "selftests" and "selftests-slow", built
# statically for arm64.
#
# Usage: selftests.sh
# Exit status: 0 built, or found in the cache, and the directory printed; 1 not
#
# They are those of the source that kernel-patches/source names, in
# <cache>/linux/VERSION/pristine, where "pgtrace lab build" has unpacked it; it is only read.
# What is built lies in <cache>/selftests/DIGEST/, by the content of all that goes into it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^linux-source-[^ ]* //p' "$here/../../kernel-patches/source")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pgtrace
source=$cache/linux/$version/pristine
mm=$source/tools/testing/selftests/mm
compiler=aarch64-linux-gnu-gcc
unset MAKEFLAGS MFLAGS 2>/dev/null

die()
{
	printf 'selftests: %s\n' "$*" >&2
	exit 1
}

names()
{
	awk '!/^#/ && NF { print $4 }' "$here/selftests" "$here/selftests-slow" | sort -u
}

# 6.12.118 uses KSFT_SKIP in khugepaged.c without the header that defines it.
compile()	# NAME HEADERS OUT
{
	common=
	case $1 in
	uffd-*) common=$mm/uffd-common.c ;;
	esac
	# shellcheck disable=SC2086 # one word, or none
	$compiler -static -O2 -U_FORTIFY_SOURCE -D_GNU_SOURCE= -DKSFT_SKIP=4 -I"$source" -I"$2" \
		-isystem "$2/usr/include" "$mm/$1.c" $common "$mm/vm_util.c" "$mm/thp_settings.c" \
		-lrt -lpthread -lm -o "$3/$1" 2>"$2/errors" ||
		die "$1 does not build: $(grep -m 1 error "$2/errors" || tail -n 1 "$2/errors")"
}

command -v $compiler >/dev/null || die "no $compiler (package gcc-aarch64-linux-gnu)"
[ -d "$mm" ] || die "$mm is not there: 'pgtrace lab build TOPIC STEP --check' unpacks the source"
digest=$( (cd "$source/tools/testing/selftests" && cat mm/*.[ch] kselftest.h kselftest_harness.h
	   printf '%s\n' "$version"
	   cat "$here/selftests" "$here/selftests-slow" "$here/selftests.sh"
	   $compiler --version) | sha256sum | cut -c -16)
out=$cache/selftests/$digest
if [ ! -d "$out" ]; then
	mkdir -p "$cache/selftests"
	partial=$(mktemp -d "$cache/selftests/partial-XXXXXX")
	trap 'rm -rf "$partial"' EXIT
	trap 'exit 1' HUP INT TERM
	mkdir "$partial/headers" "$partial/programs"
	: >"$partial/headers/local_config.h"	# there are no libraries but C's
	make -s -C "$source" O="$partial/headers" ARCH=arm64 headers >"$partial/log" 2>&1 ||
		die "no headers from $source: $(tail -n 1 "$partial/log")"
	for name in $(names); do
		compile "$name" "$partial/headers" "$partial/programs"
	done
	# Whoever builds the same at the same time may have been faster.
	mv -T "$partial/programs" "$out" 2>/dev/null || [ -d "$out" ] || die "$out: cannot be made"
fi
printf '%s\n' "$out"
