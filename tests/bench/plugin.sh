#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# plugin.sh - what counting from outside costs: a guest with the plugin against the same without.
#
# Usage: plugin.sh BUILD [KERNEL [ROUNDS]]
#   BUILD   a build directory with pgtrace, arm64/pgtrace and pgtrace-tcg.so
#   KERNEL  as pgtrace lab takes it (6.12)
#   ROUNDS  boots of each kind, in turn (5); of those with windows a third as many, rounded up
# Exit status: 0 within the limits, 1 beyond one of them or a boot failed, 2 usage
#
# Prints a table of ratios.  A boot's cost is the processor time of QEMU, user and system, for a
# boot that opens no window; a window's cost is how long the guest held it open.  All kinds take
# turns, and each ratio is the median of those within a round: a machine's speed drifts by a
# tenth within minutes, and by less within a round.  Run it on a quiet machine: ratios are what
# it says, times are not.
set -u

if [ $# -lt 1 ] || [ ! -x "$1/pgtrace" ] || [ ! -f "$1/pgtrace-tcg.so" ]; then
	sed -n 's/^# \{0,1\}//; 6,9p' "$0" >&2
	exit 2
fi
pgtrace=$(realpath "$1/pgtrace")
kernel=${2:-6.12} rounds=${3:-5}
model=neoverse-n1
# What runs in the windows.  Large, because a window of the model has a fixed cost, about 0.1 s:
# all code is translated again.
windows='vmalloc:maps=100 munmap:loops=8'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

die()
{
	printf 'bench: %s\n' "$1" >&2
	exit 1
}

# A QEMU that gives the plugin more options, and leaves its processor time in a file.
write_wrapper()
{
	qemu=$("$pgtrace" lab fetch qemu) || exit 1
	tree=${qemu%/usr/bin/*}
	lib=$(gcc -print-multiarch)
	cat >"$scratch/qemu" <<END
#!/bin/sh
n=\$#
while [ \$n -gt 0 ]; do
	case \$1 in
	*/pgtrace-tcg.so,*) set -- "\$@" "\$1\$PGTRACE_BENCH_OPTIONS" ;;
	*) set -- "\$@" "\$1" ;;
	esac
	shift
	n=\$((n - 1))
done
LD_LIBRARY_PATH="$tree/usr/lib/$lib:$tree/lib/$lib" "$qemu" -L "$tree/usr/share/qemu" "\$@" &
trap 'kill \$!' HUP INT TERM
wait \$!
status=\$?
times >"$scratch/times"		# in a pipe they would be those of another shell
exit \$status
END
	chmod +x "$scratch/qemu"
}

# Processor seconds of the boot that has just ended, from "0m1.23s 0m0.45s".
seconds()
{
	tail -n 1 "$scratch/times" | sed 's/s//g; s/m/ /g' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'
}

boot()		# KIND OPTIONS-OF-THE-PLUGIN WORKLOADS [ARGUMENT...]
{
	kind=$1
	PGTRACE_BENCH_OPTIONS=$2
	export PGTRACE_BENCH_OPTIONS
	work=$3
	shift 3
	rm -f "$scratch/times"
	# shellcheck disable=SC2086 # one argument a workload
	"$pgtrace" lab run "$kernel" --qemu "$scratch/qemu" -o "$scratch/recording" "$@" \
		-- $work 2>"$scratch/err" || die "$kind: $(tail -n 1 "$scratch/err")"
	case $kind in
	window-*)
		grep '"type":"run"' "$scratch/recording" | sed 's/.*"window_ns"://; s/[^0-9].*//' |
			awk '{ sum += $1 } END { print sum / 1e9 }' >>"$scratch/$kind"
		;;
	*)
		seconds >>"$scratch/$kind"
		;;
	esac
}

# The median of the ratios of two kinds, each taken of boots that follow each other.
ratio()		# KIND BASE
{
	paste "$scratch/$1" "$scratch/$2" | awk '$1 > 0 && $2 > 0 { print $1 / $2 }' | sort -n | awk '
		{ v[NR] = $1 }
		END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

row()		# WHAT KIND BASE LIMIT
{
	awk -v what="$1" -v ratio="$(ratio "$2" "$3")" -v limit="$4" 'BEGIN {
		if (!(ratio > 0)) {
			printf "%-44s not measured\n", what
			exit 1
		}
		printf "%-44s %8.2f %8.2f   %s\n", what, ratio, limit, (ratio > limit) ? "beyond" : "within"
		exit (ratio > limit)
	}' || beyond=1
}

write_wrapper
for round in $(seq "$rounds"); do
	printf '\rround %d of %d' "$round" "$rounds" >&2
	boot boot-none '' linear-map --no-plugin
	boot boot-barriers '' linear-map
	boot boot-instructions ,instructions=on linear-map
	boot boot-model ",model=$model" linear-map
	[ $((round % 3)) -eq 1 ] || continue	# windows take long, and their ratios are far apart
	boot window-none '' "$windows" --no-plugin
	boot window-barriers '' "$windows"
	boot window-model ",model=$model" "$windows"
done
printf '\n' >&2
beyond=0
printf '%s, %s boots of each kind, against the same without the plugin\n' \
	"$(sed -n 's/.*"kernel_release":"\([^"]*\)".*/\1/p' "$scratch/recording" | head -n 1)" "$rounds"
printf '%-44s %8s %8s\n' '' ratio limit
row 'a boot: barriers and invalidations' boot-barriers boot-none 1.10
row 'a boot: instructions too' boot-instructions boot-none 1.20
row 'a boot: a TLB model, no window open' boot-model boot-none 1.10
row 'a window: barriers and invalidations' window-barriers window-none 1.10
row 'a window: a TLB model' window-model window-none 2.50
exit $beyond
