# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# lab ab TOPIC: the steps of a make-believe topic, built as in cases_build.sh, in guests that play
# one boot of a recording of the fixtures.

PATH=$scratch/programs:$PATH
kernels=$here/../../kernel-patches
mkdir patches/sides
cp patches/topic/1.patch patches/topic/2.patch patches/topic/3.patch patches/sides/
printf 'step stock\nstep first\n\t1.patch\nstep second\n\t2.patch\n' >patches/sides/series
echo 'count first hotplug create_pgd_mapping.calls 4' >patches/sides/oracle
printf 'unit ms\nsource nobody\ncolumns A\nstep stock 1\n' >patches/sides/published
cat >patches/sides/ab <<'END'
# One kernel twice, and one that is no step.
side stock
side first
side forced second sides.mode=force
beside other ./Image
options --boots=2 --cpus=3
workloads munmap
END
played=$scratch/played	# which kernel each guest was, its parameters, and whether it skips workloads
cat >qemu-sides <<END
#!/bin/sh
previous=
for arg; do
	case \$previous in
	-kernel) kernel=\$arg ;;
	-smp) cpus=\$arg ;;
	-append) append=\$arg ;;
	-initrd) skip=\$(grep -ac '^--skip-unsupported\$' "\$arg") ;;
	esac
	case \$arg in
	*-version*) echo "QEMU emulator version 10.0.2"; exit ;;
	file,id=recording,path=*) recording=\${arg#*path=} ;;
	file,id=status,path=*) status=\${arg#*path=} ;;
	esac
	previous=\$arg
done
echo "\$kernel cpus=\$cpus skip=\$skip \$append" >>$played
sed "108q; s|\"cmdline\":\"[^\"]*\"|\"cmdline\":\"\$append\"|" $scratch/work/base >"\$recording"
echo '{"status":0}' >"\$status"
END
chmod 755 qemu-sides
guest='--guest-pgtrace ./guest-pgtrace --no-plugin --patches patches'
with_sides="$guest --qemu ./qemu-sides"

# has_boots FILE N WORDS: a recording of N boots, each of which had WORDS, and nothing more behind
has_boots()
{
	file=$scratch/ab/$1.jsonl
	[ "$(grep -c '^{"type":"recording"' "$file")" -eq "$2" ] || fault "not $2 boots in $1.jsonl"
	[ "$(grep -c "\"cmdline\":\"[^\"]*pgtrace.accelerator=tcg$3\"" "$file")" -eq "$2" ] ||
		fault "not all boots of $1.jsonl had these parameters"
}

# boots_were WORD...: the kernels that were booted, by what stands behind the topic's name
boots_were()
{
	sed -e 's,^.*/sides-\([a-z0-9-]*\)+[^ ]* .*sides.mode.*,\1!,' \
		-e 's,^.*/sides-\([a-z0-9-]*\)+.*,\1,' -e 's,^.*/Image .*,Image,' "$played" >"$scratch/boots"
	[ "$(tr '\n' ' ' <"$scratch/boots")" = "$* " ] || fault "booted $(tr '\n' ' ' <"$scratch/boots")"
}

# Two kernels: their own names, the control last, no list of sides.
cp Image Image-test
: >"$played"
# shellcheck disable=SC2086 # options and their values
run_pgtrace lab ab ./Image ./Image-test $with_sides -o "$scratch/ab" -- vmalloc
expect_status 0
! grep -q '^pgtrace' "$err" || fault 'complains'
[ "$(sed 's,.*/\(Image[^ ]*\) .*,\1,' "$played" | tr '\n' ' ')" = \
	'Image Image-test Image-test Image Image Image ' ] || fault 'booted in another order'
[ "$(grep -c ' skip=0 ' "$played")" -eq 6 ] || fault 'a workload may be skipped'
# shellcheck disable=SC2012 # the names are ours
[ "$(ls "$scratch/ab" | tr '\n' ' ')" = \
	'base.jsonl command control.jsonl report.json report.md report.txt test.jsonl ' ] ||
	fault 'other files'
for side in base test control; do
	has_boots $side 2 ''
done
cmp -s "$out" "$scratch/ab/report.txt" || fault 'prints another report'
rm -r "$scratch/ab"
pass_or_fail 'lab ab: two kernels'

: >"$played"
# shellcheck disable=SC2086 # options and their values
run_pgtrace lab run ./Image $with_sides --skip-unsupported -o "$scratch/ab.jsonl" -- vmalloc
expect_status 0
grep -q ' skip=1 ' "$played" || fault 'it may skip nothing'
rm -f "$scratch/ab.jsonl"
pass_or_fail 'lab run: --skip-unsupported'

# The order of the sides' boots, and every file of the directory.
: >"$played"
# shellcheck disable=SC2086 # options and their values
run_pgtrace lab ab sides $with_sides --append quiet -o "$scratch/ab"
expect_status 0
! grep -q '^pgtrace' "$err" || fault 'complains'
boots_were stock first second! stock Image Image stock second! first stock
[ "$(grep -c ' cpus=3 ' "$played")" -eq 10 ] || fault "not the options of the topic's file"
[ "$(grep -c '/Image .* skip=1 ' "$played")" -eq 2 ] || fault 'the kernel beside skips nothing'
[ "$(grep -c '/sides-.* skip=0 ' "$played")" -eq 8 ] || fault 'a step may skip a workload'
[ "$(sed -n '/^[^"]*\/Image: /=' "$err")" ] || fault 'does not say what the kernel beside is'
grep -q 'sides/second: 1\.0-sides-second-forced ' "$err" || fault 'does not name the side'
[ "$(cat "$scratch/ab/steps")" = "$(printf 'step stock\nstep first\nstep forced\nbeside other')" ] ||
	fault 'other sides in steps'
cmp -s patches/sides/oracle "$scratch/ab/oracle" || fault 'no oracle'
cmp -s patches/sides/published "$scratch/ab/published" || fault 'no published figures'
[ "$(cat "$scratch/ab/command")" = "pgtrace lab ab sides $with_sides --append quiet -o $scratch/ab" ] ||
	fault 'another command'
for side in stock first control; do
	has_boots $side 2 ' pgtrace.splat=fail quiet'
done
has_boots forced 2 ' pgtrace.splat=fail quiet sides.mode=force'
has_boots other 2 ' quiet'
pass_or_fail 'lab ab: a topic'

# What the command line says counts; what an earlier run left and this one has not is gone.
: >"$played"
rm patches/sides/oracle
# shellcheck disable=SC2086 # options and their values
run_pgtrace lab ab sides forced stock $with_sides --boots 1 --cpus 1 --no-beside -o "$scratch/ab" \
	-- vmalloc
expect_status 0
boots_were stock second! stock
[ "$(grep -c ' cpus=1 ' "$played")" -eq 3 ] || fault 'the options of the file'
[ "$(cat "$scratch/ab/steps")" = "$(printf 'step stock\nstep forced')" ] || fault 'other sides in steps'
[ ! -e "$scratch/ab/oracle" ] || fault 'the oracle of an earlier run'
[ -e "$scratch/ab/published" ] || fault 'no published figures'
has_boots forced 1 ' pgtrace.splat=fail sides.mode=force'
has_boots control 1 ' pgtrace.splat=fail'
pass_or_fail 'lab ab: some sides of a topic'

# No stock kernel is like one with other pages, or with the checks.
: >"$played"
# shellcheck disable=SC2086 # options and their values
run_pgtrace lab ab sides:16K stock first $with_sides --boots 1 -o "$scratch/ab-16K"
expect_status 0
grep -q '^no stock kernel beside sides:16K: none is like these$' "$err" ||
	fault 'does not say that a kernel is left out'
boots_were stock-16k first-16k stock-16k
pass_or_fail 'lab ab: a topic with other pages'

# Without a file of its own, one side a step.
: >"$played"
mkdir patches/plain
printf 'step one\nstep two\n\t1.patch\n' >patches/plain/series
cp patches/topic/1.patch patches/plain/
# shellcheck disable=SC2086 # options and their values
run_pgtrace lab ab plain $with_sides --boots 1 -o "$scratch/ab-plain" -- munmap
expect_status 0
[ "$(cat "$scratch/ab-plain/steps")" = "$(printf 'step one\nstep two')" ] ||
	fault 'other sides in steps'
pass_or_fail 'lab ab: a topic without a plan'

# Nothing is booted before all kernels are there, and nothing is left of a run that fails.
: >"$played"
printf 'step broken\n\t3.patch\n' >>patches/plain/series
cp patches/topic/3.patch patches/plain/
# shellcheck disable=SC2086 # $guest is options and their values
{
ends 'lab ab: the last step does not compile' 1 'mm/b\.c:2:1: error: wrong' \
	lab ab plain $with_sides -o ab -- munmap
faults=''
[ ! -s "$played" ] || fault 'a guest was booted'
pass_or_fail 'lab ab: kernels before guests'
ends 'lab ab: QEMU fails with a topic' 1 'sides-stock: QEMU failed.*no such device' \
	lab ab sides $guest --qemu ./qemu-fails -o ab

fails 'lab ab: neither two kernels nor a topic' 2 "a topic of patches, and 'side' is none" \
	lab ab side $guest
fails 'lab ab: no such side' 1 'topic sides: no side third: there are stock, first, forced' \
	lab ab sides third $guest
fails 'lab ab: one side alone' 1 'topic sides: one side, .*nothing to compare' \
	lab ab sides stock --no-beside $guest
fails 'lab ab: no kernels of such a kind' 1 "'fast' is none of measured, debug" \
	lab ab sides:fast $guest
fails 'lab ab: nothing beside two kernels' 2 '--no-beside' lab ab --no-beside 6.1 6.12
fails 'lab ab: more names than a topic can have' 2 "'r' is one argument too many" \
	lab ab sides a b c d e f g h i j k l m n o p r $guest

# planned NAME STATUS PATTERN LINE: a topic whose file "ab" has this line as its second
planned()
{
	printf '# the plan\n%s\n' "$4" >patches/plain/ab
	fails "lab ab: $1" "$2" "$3" lab ab plain $guest
}
planned 'a line of the plan is wrong' 1 'patches/plain/ab:2: it starts with none of' 'step one'
planned 'a side of no step' 1 'plain/ab:2: the series has no step' 'side three'
planned 'an unknown option of the plan' 2 "patches/plain/ab:2: .*'--frobnicate'" 'options --frobnicate'
planned 'an option of the plan is wrong' 2 \
	'plain/ab:2: --boots: .* \(see pgtrace lab ab --help\)$' 'options --boots=0'
planned 'another directory of patches' 2 'plain/ab:2: --patches' 'options --patches=elsewhere'
planned 'options that exclude each other' 2 'lab ab: --boot needs the plugin' 'options --boot'
planned 'an unknown workload of the plan' 1 "plain/ab:2: 'frobnicate' is no workload" \
	'workloads munmap frobnicate'
planned 'a workload of the plan is wrong' 1 'plain/ab:2: .*colour' 'workloads vmalloc:colour=1'

# The plans of the topics that there are: all is well but for the guest's program.
for topic in "$kernels"/*/series; do
	topic=${topic%/series}
	fails "lab ab: the plan of ${topic##*/}" 1 'absent: no pgtrace' \
		lab ab "${topic##*/}" --patches "$kernels" --guest-pgtrace ./absent -- munmap
done
fails 'lab ab: the workloads of a topic' 1 'absent: no pgtrace' \
	lab ab arm64-linear-map --patches "$kernels" --guest-pgtrace ./absent
}
PATH=$few
