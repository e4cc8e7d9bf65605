#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# model.sh - the TLB model of QEMU's plugin against misses known by construction.
#
# Usage: model.sh BUILD
#   BUILD  a build directory with pgtrace and pgtrace-tcg.so
# Exit status: 0 all passed, 1 a test failed or nothing could be run, 2 usage
#
# Prints PASS or FAIL with the name of each test.  Boots 6.12 twice with tlb_cases.c as its
# first process: to learn its addresses, and with the plugin.
set -u

if [ $# -ne 1 ] || [ ! -x "$1/pgtrace" ] || [ ! -f "$1/pgtrace-tcg.so" ]; then
	sed -n 's/^# \{0,1\}//; 6,7p' "$0" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
plugin=$(realpath "$1/pgtrace-tcg.so")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

die()		# WHY
{
	printf 'FAIL model: %s\n' "$1"
	exit 1
}

pad()		# BYTES: to a multiple of four
{
	head -c $(((4 - $1 % 4) % 4)) /dev/zero
}

# One entry of an archive as the kernel unpacks it (newc).
entry()		# NAME MODE NUMBER [FILE]
{
	size=0
	[ $# -lt 4 ] || size=$(wc -c <"$4")
	printf '070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X' \
		"$3" "$2" 0 0 1 0 "$size" 0 0 0 0 $((${#1} + 1)) 0
	printf '%s\0' "$1"
	pad $((110 + ${#1} + 1))
	[ $# -lt 4 ] || cat "$4"
	pad "$size"
}

boot()		# CONSOLE [ARGUMENT...]
{
	console=$1
	shift
	tree=${qemu%/usr/bin/*}
	lib=x86_64-linux-gnu
	LD_LIBRARY_PATH="$tree/usr/lib/$lib:$tree/lib/$lib" timeout 300 "$qemu" \
		-L "$tree/usr/share/qemu" -M virt -cpu max -smp 2 -m 1G -nodefaults -nographic \
		-no-reboot -serial stdio -kernel "$kernel" -initrd "$scratch/initramfs" \
		-append 'console=ttyAMA0 nokaslr panic=-1 quiet' "$@" \
		</dev/null >"$console" 2>"$scratch/err"
}

symbol()	# NAME
{
	tr -d '\r' <"$scratch/first" | sed -n "s/^symbol \\(0x[0-9a-f]*\\) $1\$/\\1/p"
}

qemu=$("$1/pgtrace" lab fetch qemu) || die 'QEMU cannot be had'
kernel=$("$1/pgtrace" lab fetch 6.12) || die 'the kernel cannot be had'
aarch64-linux-gnu-gcc -O2 -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -static \
	"$here/tlb_cases.c" -o "$scratch/init" || die 'tlb_cases.c does not build'
{
	entry proc 16877 1
	entry sys 16877 2
	entry init 33261 3 "$scratch/init"
	entry 'TRAILER!!!' 0 0
} >"$scratch/initramfs"

boot "$scratch/first" || die "the guest does not boot: $(tail -n 1 "$scratch/err")"
grep -q '^done' "$scratch/first" || die "the guest: $(tail -n 1 "$scratch/first")"
printf 'pgtrace-tcg 1\nbuild_id 00\nvcpus 2\ntext %s %s\nimage %s %s\nend\n' "$(symbol _stext)" \
	"$(symbol _etext)" "$(symbol _text)" "$(symbol _end)" >"$scratch/plan"

args="$plugin,plan=$scratch/plan,out=$scratch/out"
boot "$scratch/second" -plugin "$args,model=neoverse-n1" ||
	die "with the plugin: $(tail -n 1 "$scratch/err")"
[ -f "$scratch/out" ] || die "no result: $(tail -n 1 "$scratch/err")"
awk -f "$here/model.awk" "$scratch/second" "$scratch/out"
status=$?

if boot "$scratch/third" -plugin "$args,model=neoverse-n7"; then
	echo 'FAIL model-unknown-core: it runs'
	status=1
elif ! grep -q '^pgtrace-tcg: model=neoverse-n7: there is no such core' "$scratch/err"; then
	echo "FAIL model-unknown-core: $(tail -n 1 "$scratch/err")"
	status=1
else
	echo 'PASS model-unknown-core'
fi
exit "$status"
