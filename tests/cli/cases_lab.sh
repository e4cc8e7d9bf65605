# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# lab: wrong usage, and a QEMU, kernel or guest program that will not do.  Nothing is fetched.

fails 'lab: no command' 2 'no command' lab
fails 'lab: unknown command' 2 'frobnicate' lab frobnicate
fails 'lab ab: no kernels' 2 'too few arguments' lab ab
fails 'lab ab: one kernel' 2 'too few arguments' lab ab 6.1
fails 'lab ab: three kernels' 2 '6\.18' lab ab 6.1 6.12 6.18
fails 'lab run: no kernel' 2 'too few arguments' lab run
fails 'lab verify: no kernel' 2 'too few arguments' lab verify
fails 'lab verify: two kernels' 2 '6\.12' lab verify 6.1 6.12
fails 'lab verify: unknown format' 2 '--format.*markdown' lab verify --format markdown 6.1
fails 'lab verify: without the plugin' 2 '--no-plugin' lab verify --no-plugin 6.1
fails 'lab verify: recording in the table' 2 '--output' lab verify -o - 6.1
fails 'lab verify: unknown workload' 2 'frobnicate' lab verify 6.1 -- frobnicate
fails 'lab fetch: nothing' 2 'too few arguments' lab fetch
fails 'lab fetch: workloads' 2 'workloads' lab fetch qemu -- vmalloc
fails 'lab ab: unknown option' 2 '--frobnicate' lab ab --frobnicate 6.1 6.12
fails 'lab ab: no workload after --' 2 'no workload' lab ab 6.1 6.12 --
fails 'lab run: no workload after --' 2 'no workload' lab run 6.1 --
fails 'lab fetch: nothing after --' 2 'workloads' lab fetch qemu --
fails 'lab ab: unknown workload' 2 'frobnicate' lab ab 6.1 6.12 -- frobnicate
fails 'lab ab: unknown parameter' 2 'colour' lab ab 6.1 6.12 -- vmalloc:colour=1
fails 'lab ab: unknown probe' 2 '--probes.*frobnicate' lab ab --probes frobnicate 6.1 6.12
fails 'lab ab: unknown sites' 2 '--sites.*some' lab ab --sites some 6.1 6.12
fails 'lab ab: unknown format' 2 '--format.*html' lab ab --format html 6.1 6.12
fails 'lab ab: unknown architecture' 2 '--arch.*vax' lab ab --arch vax 6.1 6.12
for value in 0 101 abc -1 '' 2x; do
	fails "lab ab: boots '$value'" 2 '--boots' lab ab "--boots=$value" 6.1 6.12
done
for value in 0 65 abc; do
	fails "lab ab: cpus '$value'" 2 '--cpus' lab ab "--cpus=$value" 6.1 6.12
	fails "lab ab: jobs '$value'" 2 '--jobs' lab ab "--jobs=$value" 6.1 6.12
done
for value in 0 4 3601 abc; do
	fails "lab ab: patience '$value'" 2 '--patience' lab ab "--patience=$value" 6.1 6.12
done
for value in "$(printf 'quiet\nnosmp')" 'caf\303\251' "$(printf '%01025d' 0)"; do
	fails 'lab ab: kernel parameters' 2 '--append' lab ab "--append=$(printf '%b' "$value")" 6.1 6.12
done
for value in 0 255M 65G 1 2T abc -1G '' 99999999999999999999G; do
	fails "lab ab: memory '$value'" 2 '--memory' lab ab "--memory=$value" 6.1 6.12
done
for value in 0 1001 abc; do
	fails "lab ab: runs '$value'" 2 '--runs' lab ab "--runs=$value" 6.1 6.12
done

for value in 0 255M 65G '' '1G,' 1G,1G 1G,2G,1G 1 2T; do
	fails "lab ab: boot memory '$value'" 2 '--boot-memory' lab ab --boot "--boot-memory=$value" 6.1 6.12
done
fails 'lab ab: nine sizes of boot memory' 2 '--boot-memory: more than 8' \
	lab ab --boot --boot-memory 1G,2G,3G,4G,5G,6G,7G,8G,9G 6.1 6.12
fails 'lab ab: boot memory without boot' 2 '--boot-memory' lab ab --boot-memory 1G 6.1 6.12
fails 'lab ab: boot without a plugin' 2 '--boot needs' lab ab --boot --no-plugin 6.1 6.12
fails 'lab ab: boot, and no workload after --' 2 'no workload' lab ab --boot 6.1 6.12 --
fails 'lab ab: a model without a plugin' 2 '--tlb-model needs' \
	lab ab --tlb-model neoverse-n1 --no-plugin 6.1 6.12
fails 'lab ab: a model without workloads' 2 '--tlb-model' \
	lab ab --boot --tlb-model neoverse-n1 6.1 6.12
fails 'lab run: a plugin and none' 2 'exclude' lab run --plugin ./plugin.so --no-plugin 6.1
fails 'lab run: console log and recording in one file' 2 '--console' \
	lab run -o file --console file 6.1
fails 'lab ab: console log' 2 '--console' lab ab --console file 6.1 6.12
fails 'lab run: boot' 2 '--boot' lab run --boot 6.1
fails 'lab verify: without a plugin' 2 '--no-plugin' lab verify --no-plugin 6.1

guest='--guest-pgtrace ./guest-pgtrace'
# shellcheck disable=SC2086 # $guest is an option and its value
{
fails 'lab run: no QEMU at that path' 1 'absent' lab run ./Image $guest --qemu ./absent
fails 'lab run: that is not QEMU' 1 '/bin/true' lab run ./Image $guest --qemu /bin/true
fails 'lab run: QEMU too old' 1 '5\.2\.0' lab run ./Image $guest --qemu ./qemu-old
fails 'lab run: no such Image' 1 'absent' lab run ./absent $guest --qemu ./qemu-fails
fails 'lab run: not an Image' 1 'not-image' lab run ./not-image $guest --qemu ./qemu-fails
fails 'lab run: a directory as Image' 1 'directory' lab run ./directory $guest --qemu ./qemu-fails
fails 'lab run: no guest program' 1 'absent' \
	lab run ./Image --guest-pgtrace ./absent --qemu ./qemu-fails
fails 'lab run: guest program of another architecture' 1 'x86-pgtrace' \
	lab run ./Image --guest-pgtrace ./x86-pgtrace --qemu ./qemu-fails
fails 'lab run: no directory of modules' 1 'absent' \
	lab run ./Image $guest --qemu ./qemu-fails --modules ./absent
fails 'lab run: no program to put in' 2 'absent' \
	lab run ./Image $guest --qemu ./qemu-fails --program ./absent

ends 'lab run: QEMU fails' 1 'no such device' lab run ./Image $guest --qemu ./qemu-fails -- munmap
ends 'lab run: QEMU fails, to a file' 1 'no such device' \
	lab run ./Image $guest --qemu ./qemu-fails -o file -- munmap
ends 'lab run: QEMU ends at once' 1 '6\.99\.0-fake' \
	lab run ./Image $guest --qemu ./qemu-ends -- munmap
ends 'lab run: kernel parameters of the user' 1 'nokaslr .* kfence\.sample_interval=0 nosmp' \
	lab run ./Image $guest --qemu ./qemu-says-parameters \
	--append 'kfence.sample_interval=0 nosmp' -- munmap
ends 'lab run: QEMU is killed' 1 'signal 9|[Kk]illed' \
	lab run ./Image $guest --qemu ./qemu-dies -- munmap
ends 'lab run: the guest hangs' 1 'hangs.*console log' \
	lab run ./Image $guest --qemu ./qemu-hangs --patience 5 -- munmap
ends 'lab run: a guest that hangs keeps its console' 1 \
	"hangs.*console log: $scratch/cache/pgtrace/logs/6\.99\.0-fake-.*\.log" \
	lab run ./Image $guest --qemu ./qemu-mute --patience 5 -- munmap
ends 'lab run: a console log of the user'\''s own' 1 "hangs.*console log: $scratch/own.log$" \
	lab run ./Image $guest --qemu ./qemu-mute --patience 5 --no-plugin \
	--console "$scratch/own.log" -- munmap
faults=''
[ "$(cat "$scratch/own.log")" = 'Booting Linux' ] || fault 'another log'
pass_or_fail 'lab run: the console log is whole'
ends 'lab run: no directory for the console log' 1 \
	"hangs.*console log: $scratch/cache/pgtrace/logs/" \
	lab run ./Image $guest --qemu ./qemu-mute --patience 5 --no-plugin \
	--console absent/log -- munmap
ends 'lab ab: QEMU fails' 1 'no such device' \
	lab ab ./Image ./Image $guest --qemu ./qemu-fails -o ab -- munmap
}

# What the kernel says of itself, and what the plugin says.
# shellcheck disable=SC2086 # $guest is an option and its value
{
fails 'lab run: no plugin at that path' 1 "absent.so: no plugin.*'make'.*--no-plugin" \
	lab run ./Image $guest --qemu ./qemu-fails --plugin ./absent.so
plugin='--plugin ./plugin.so'
ends 'lab run: symbols of a kernel with KASLR' 1 'its symbols: .*without nokaslr' \
	lab run ./Image $guest --qemu ./qemu-kaslr $plugin -- munmap
ends 'lab run: a kernel that moved all the same' 1 'moved to 0xffff800080210000' \
	lab run ./Image $guest --qemu ./qemu-moved $plugin -- munmap
ends 'lab run: without a plugin, no symbols are asked for' 1 'ended without|no such device' \
	lab run ./Image $guest --qemu ./qemu-fails --no-plugin -- munmap
ends 'lab run: a plugin that does not fit QEMU' 1 'status 1: pgtrace-tcg: needs API 4' \
	lab run ./Image $guest --qemu ./qemu-api $plugin -- munmap
ends 'lab ab: a boot that the plugin does not count' 1 'no counts: pgtrace-tcg: out: the disk is full' \
	lab ab ./Image ./Image $guest --qemu ./qemu-full $plugin --boot -o ab
ends 'lab ab: counts that are none' 1 'not a line of JSON' \
	lab ab ./Image ./Image $guest --qemu ./qemu-nonsense $plugin --boot -o ab
ends 'lab ab: counts of another kernel' 1 'build id ffff.*abcd' \
	lab ab ./Image ./Image $guest --qemu ./qemu-other-kernel $plugin --boot -o ab
# Symbols that are kept are those that were got; what is left of a file is not believed.
for kept in "$scratch"/cache/pgtrace/symbols/*.jsonl; do
	head -c 200 "$kept" >"$kept.part"
	mv "$kept.part" "$kept"
done
ends 'lab run: kept symbols that are truncated are asked for again' 1 'cpu_switch_to' \
	lab run ./Image $guest --qemu ./qemu-no-switch $plugin -- munmap
rm -r "$scratch/cache/pgtrace/symbols"
}

# A guest's counts against its emulator's.
verified()	# NAME PLAY STATUS STDOUT STDERR ARGUMENT...
{
	name=$1 want=$3 on_stdout=$4 on_stderr=$5
	PLAY=$scratch/work/play-$2
	export PLAY
	shift 5
	run_pgtrace lab verify ./Image --guest-pgtrace ./guest-pgtrace --qemu ./qemu-plays \
		--plugin ./play-equal/counts "$@" -- munmap
	expect_status "$want"
	tail -n 1 "$err" | grep -Eq -e "$on_stderr" || fault "stderr does not match \"$on_stderr\""
	[ -z "$on_stdout" ] || grep -Eq -e "$on_stdout" "$out" || fault "stdout has no \"$on_stdout\""
	pass_or_fail "lab verify: $name"
}
verified 'all equal' equal 0 '^2 counts of sites, 7 hits in 1 window: all equal$' .
verified 'what only the emulator saw' equal 0 'entry\+0x8 .* 9   exception entry$' .
verified 'JSON' equal 0 '"differ":0,"unseen_hits":9,"lost":0' . --format json
verified 'a count differs' differs 1 'flush\+0 .* 7 +8 +-1$' '1 DIFFER'
verified 'a count differs, JSON' differs 1 '"pgtrace":7,"emulator":8,"verdict":"differs"' '1 DIFFER' \
	--format json
verified 'hits were lost' loss 1 'all equal, but 3 events were lost$' '3 events were lost'
verified 'a window that not all CPUs opened' window 1 '' '1 of 2 CPUs opened window 1'
verified 'the plugin wrote nothing' nothing 1 '' 'plugin wrote no counts'

# Stopped while its guest runs, it leaves neither the guest nor an unfinished file.
before=$(inventory)
# shellcheck disable=SC2086 # $guest is an option and its value
told_to_stop '^booting' lab run ./Image $guest --no-plugin --qemu ./qemu-hangs -o file -- munmap
expect_last_line 'interrupted'
[ "$(inventory)" = "$before" ] || fault 'leaves a file behind or changes one'
pass_or_fail 'lab run: told to stop'

# What the user gave is looked at before anything is fetched or booted.
# shellcheck disable=SC2086 # $guest is an option and its value
{
fails 'lab run: no such Image, before QEMU' 1 'absent' lab run ./absent $guest
fails 'lab ab: no such second Image, before QEMU' 1 'absent' lab ab ./Image ./absent $guest
fails 'lab run: guest program of another architecture, before QEMU' 1 'x86-pgtrace' \
	lab run 6.1 --guest-pgtrace ./x86-pgtrace
fails 'lab run: output in no directory' 1 'absent/file' lab run 6.1 $guest -o absent/file
fails 'lab run: output is a directory' 1 'directory' lab run 6.1 $guest -o directory
fails 'lab ab: output below a file' 1 'base/ab' lab ab 6.1 6.12 $guest -o base/ab
fails 'lab ab: output is a file' 1 'base.*directory' lab ab 6.1 6.12 $guest -o base
fails 'lab ab: output without a name' 1 'directory' lab ab 6.1 6.12 $guest -o ''
}
