#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# check-vmlinux.sh - every name in vmlinux.h is in the BTF of a kernel, in one shape at least.
#
# CO-RE would fail at load, or worse take a field for absent, where a kernel renames one.
#
# Usage: check-vmlinux.sh IMAGE
#   IMAGE  an uncompressed arm64 kernel image, which holds its BTF as it is
# Exit status: 0 all are there, 1 not, or IMAGE has no BTF
set -eu

header=$(cd "$(dirname "$0")/../.." && pwd)/vmlinux.h
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A little-endian word of the BTF header (include/uapi/linux/btf.h) at its byte offset.
word()
{
	od -An -tu4 -j $((start + $1)) -N 4 "$image" | tr -d ' '
}

image=$1
start=$(LC_ALL=C grep -abom1 -P '\x9f\xeb\x01\x00\x18\x00\x00\x00\x00\x00\x00\x00' "$image" | cut -d: -f1)
[ -n "$start" ] || {
	echo "check-vmlinux: $image: no BTF" >&2
	exit 1
}
len=$((24 + $(word 16) + $(word 20)))	# the strings come last: their offset and length
tail -c +$((start + 1)) "$image" | head -c $len >"$scratch/btf"
bpftool btf dump file "$scratch/btf" format raw >"$scratch/dump"

# vmlinux.h: "struct NAME[___SHAPE] {" and its members; "enum NAME {" and its values.
awk '
	/^struct [a-z_]+ \{/ { split($2, name, "___"); type = name[1]; shape = $2; next }
	/^enum [a-z_]+ \{/ { type = $2; shape = "enum"; next }
	/^\};/ { type = "" }
	type && shape == "enum" && /^\t[A-Z]/ { print "value", type, $1 }
	type && shape != "enum" && /^\t.*;/ {
		sub(/;.*/, ""); sub(/:.*/, ""); print "member", type, $NF, shape
	}' "$header" >"$scratch/wanted"

# The dump: "[N] STRUCT \047name\047 ...", members "\t\047name\047 ..." below it; an anonymous
# union or struct carries its members upwards, so its members count for all.
awk -v dump="$scratch/dump" '
	BEGIN {
		while ((getline line < dump) > 0) {
			split(line, quoted, "\047")
			if (line ~ /^\[/) {
				type = line ~ /(STRUCT|UNION|ENUM)/ ? quoted[2] : ""
				if (quoted[2] == "(anon)")
					type = "(anon)"
			} else if (type != "") {
				has[type, quoted[2]] = 1
			}
		}
	}
	$1 == "value" && !(($2, $3) in has) { print "enum " $2 ": no " $3; bad = 1 }
	# Shapes of a type share its members between them, so as many must be there as one has.
	$1 == "member" {
		wants[$2, $4]++
		if (wants[$2, $4] > most[$2])
			most[$2] = wants[$2, $4]
		if ((($2, $3) in has || ("(anon)", $3) in has) && !(($2, $3) in counted)) {
			counted[$2, $3] = 1
			found[$2]++
		}
		if ($4 !~ /___/)
			needed[$2] = 1
	}
	END {
		for (one in needed)
			if (found[one] < most[one]) {
				print "struct " one ": " found[one] + 0 " of " most[one] " members"
				bad = 1
			}
		exit bad
	}' "$scratch/wanted" >"$scratch/missing" || {
	sed "s|^|check-vmlinux: $image: |" "$scratch/missing" >&2
	exit 1
}
