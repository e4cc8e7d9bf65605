#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# setup.sh - install what building and testing pgtrace needs, from the system's own Debian.
#
# Usage: setup.sh [--dry-run]
#   --dry-run  print the packages that are missing, one a line, and change nothing
# Exit status: 0 all there, 1 a step failed, 2 usage
#
# Only packages of the system's own release are named here.  QEMU and the guest's
# libraries are fetched by "pgtrace lab", which never installs them: a newer QEMU would
# pull parts of a newer Debian in.
set -eu

# Build: compilers, BPF, libraries.  Cross build of the guest's static binary.  Tests.
# Kernels.  Lab: what fetches and unpacks packages, and modules.
packages='
gcc make libc6-dev pkg-config
clang llvm bpftool libbpf-dev libelf-dev libdw-dev zlib1g-dev libjansson-dev libgsl-dev
libglib2.0-dev
gcc-aarch64-linux-gnu libc6-dev-arm64-cross
libcriterion-dev
flex bison bc dwarves ccache patch perl
apt dpkg-dev xz-utils debian-archive-keyring ca-certificates
'

die()
{
	printf 'setup: %s\n' "$*" >&2
	exit 1
}

# A package counts as there only when dpkg has configured it, for whichever architecture.
missing()
{
	for package in $packages; do
		# shellcheck disable=SC2016 # the braces are dpkg-query's
		dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null |
			grep -qx installed || printf '%s\n' "$package"
	done
}

# Lines as words of one line.
join()
{
	printf '%s' "$1" | tr '\n' ' '
}

# Run apt-get; on failure print its first error, or its last line where it names none.
apt()
{
	if log=$(DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 \
			-o DPkg::Lock::Timeout=300 "$@" 2>&1 </dev/null); then
		return 0
	fi
	error=$(printf '%s\n' "$log" | sed -n 's/^E: //p' | head -n 1)
	printf '%s\n' "${error:-$(printf '%s\n' "$log" | tail -n 1)}"
	return 1
}

case ${1-} in
'') ;;
--dry-run)
	[ $# -eq 1 ] || { echo 'usage: setup.sh [--dry-run]' >&2; exit 2; }
	missing
	exit 0
	;;
*)
	echo 'usage: setup.sh [--dry-run]' >&2
	exit 2
	;;
esac

command -v dpkg-query >/dev/null || die 'not a Debian system: install the packages named in this script by hand'
wanted=$(missing)
[ -n "$wanted" ] || exit 0
[ "$(id -u)" -eq 0 ] || die "not root, and these packages are missing: $(join "$wanted")"

printf 'setup: installing %s\n' "$(join "$wanted")" >&2
# One source of many that is down need not matter: the installation itself will tell.
stale=$(apt update) || printf 'setup: apt-get update: %s\n' "$stale" >&2
# shellcheck disable=SC2086 # one argument a package
error=$(apt install -y --no-install-recommends $wanted) ||
	die "cannot install $(join "$wanted"): $error"
left=$(missing)
[ -z "$left" ] || die "still missing after the installation: $(join "$left")"
