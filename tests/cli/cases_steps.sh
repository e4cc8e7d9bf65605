# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# steps: wrong usage, files that are not what they should be, and oracles that do not hold.

topic=$here/../golden/steps

# topic NAME: a directory of its own with the files of the golden report
topic()
{
	rm -rf "$1"
	mkdir "$1"
	cp "$topic"/steps "$topic"/oracle "$topic"/published "$topic"/*.jsonl "$1"
}

# with NAME FILE LINE...: a topic of that name, in which FILE has these lines and no others
with()
{
	topic "$1"
	changed=$1/$2
	shift 2
	printf '%s\n' "$@" >"$changed"
}

# violates NAME PATTERN ARGUMENT...: status 3, one line on stderr, and the report all the same
violates()
{
	name=$1 pattern=$2
	shift 2
	run_pgtrace "$@"
	expect_status 3
	grep -Eq -e "$pattern" "$err" || fault "stderr does not match \"$pattern\""
	[ "$(wc -l <"$err")" -eq 1 ] || fault 'not one line on stderr'
	grep -q 'DOES NOT HOLD' "$out" || fault 'the report does not say so'
	pass_or_fail "$name"
}

fails 'steps: no directory' 2 'which directory' steps
fails 'steps: two directories' 2 'one directory.*other' steps one other
fails 'steps: unknown option' 2 '--frobnicate' steps --frobnicate one
fails 'steps: unknown format' 2 '--format.*html.*text, markdown, json' steps --format html one
fails 'steps: no such directory' 1 'absent/steps: cannot open' steps absent
for format in text markdown json; do
	works "steps: $format" 'holds' steps --format $format "$topic"
	fails_when_full "steps: disk full for $format" steps --format $format "$topic"
done

with bad steps 'step unbatched' 'steps noop'
fails 'steps: neither step nor beside' 1 "bad/steps:2: neither 'step NAME'" steps bad
with bad steps 'step unbatched' 'beside stock' 'step noop'
fails 'steps: a step behind what stands beside' 1 'bad/steps:3: a step after' steps bad
with bad steps 'step unbatched'
fails 'steps: one side only' 1 'bad/steps: only one side' steps bad
with bad steps 'step unbatched' 'step control'
fails 'steps: the control as a step' 1 "bad/steps:2: .*'control'" steps bad
with bad steps 'step unbatched' 'step ../noop'
fails 'steps: a path as a name' 1 'bad/steps:2: a side has a name' steps bad
with bad steps 'step unbatched' 'step absent'
fails 'steps: no recording' 1 'bad/absent.jsonl: cannot open' steps bad
topic bad
printf 'step a\0' >bad/steps
fails 'steps: no text' 1 'bad/steps: .*no text' steps bad
topic bad
head -n 5 "$topic/noop.jsonl" >bad/noop.jsonl
fails 'steps: a recording is cut off' 1 'noop.jsonl.*"end"' steps bad
topic bad
cp "$topic/batched.jsonl" bad/control.jsonl
fails 'steps: a control of another kernel' 1 'the control is of kernel 6.12' steps bad
topic bad
cp other-arch bad/stock.jsonl
fails 'steps: another architecture' 1 'arm64.*riscv64' steps bad

with bad oracle 'linear_map unbatched dsb 1 3 4 3 4'
fails 'steps: an oracle without its page size' 1 "bad/oracle:1: 'page 4096' comes before" steps bad
with bad oracle 'page 16384'
fails 'steps: an oracle of other pages' 1 'bad/oracle:1: only pages of 4096 bytes' steps bad
with bad oracle '# nothing'
fails 'steps: an oracle that expects nothing' 1 'bad/oracle: nothing is expected' steps bad
with bad oracle 'page 4096' 'linear_map unbatched dsb 1 3 4 3'
fails 'steps: a number too few' 1 "bad/oracle:2: not 'linear_map STEP" steps bad
with bad oracle 'count noop pageout-file try_to_unmap.dsb 1'
fails 'steps: an unknown metric' 1 "bad/oracle:1: metric 'try_to_unmap.dsb' is not known" steps bad
with bad published 'unit ms' 'step unbatched 1'
fails 'steps: a published step too early' 1 'bad/published:2: unit, source and columns' steps bad
with bad published 'unit ms' 'source x' 'columns a|b' 'step unbatched 1'
fails 'steps: a published value too few' 1 'bad/published:4: .*2 values' steps bad
with bad published 'unit ms' 'source x' 'columns a' 'step unbatched 1,5'
fails 'steps: a published value is no number' 1 "bad/published:4: '1,5' is neither" steps bad

with bad oracle 'count stock ioremap vmap_pte_range.insn.dsb 0'
works 'steps: a side that cannot do a workload is not checked' \
	'"not checked","reason":"not supported here: this kernel has no module phram' \
	steps --format json bad

with bad oracle 'page 4096' 'linear_map unbatched dsb 1 3 4 3 5'
violates 'steps: one DSB a GiB too few' 'bad/oracle:2: 1 of 1 oracles.*expected 313,445.*313,444' \
	steps bad
with bad oracle 'page 4096' 'linear_map batched dsb 0 0 5 0 5'
violates 'steps: not the same in all boots' 'boot-1g: not the same in all boots, 2540 to 2541' steps bad
with bad oracle 'count noop pageout-file try_to_unmap_one.insn.dsb.ish 4095'
violates 'steps: another value' 'expected 4,095, measured 4,096: DOES NOT HOLD' steps bad
topic bad
sed -i 's/\("linear_map.insn.dsb","unit":"instructions","value":\)623347/\1623346/' bad/unbatched.jsonl
violates 'steps: one DSB of a boot is missing' 'oracle:3: 1 of 10 .*313,443 from 1 GiB to 2 GiB' steps bad
with bad oracle 'page 4096' 'linear_map unbatched dsb 1 3 4 3 4'
sed -i 's/boot-2g/boot-1536m/; s/boot-4g/boot-2560m/' bad/*.jsonl
violates 'steps: sizes that are a GiB apart and differ by more' '1536 MiB to 2560 MiB' steps bad
sed -i 's/boot-2560m/boot-3g/' bad/*.jsonl
works 'steps: no sizes that are whole GiB apart are not checked' \
	'"not checked","reason":"no two neighbouring sizes' steps --format json bad
with bad steps 'step unbatched' 'step noop' 'step batched'
sed -i '/boot-[24]g/d; s/"lines":[0-9]*/"lines":0/' bad/unbatched.jsonl
awk '/"recording"/ { n = 0 } { n++ } /"end"/ { sub(/"lines":0/, "\"lines\":" n) } 1' \
	bad/unbatched.jsonl >bad/again
mv bad/again bad/unbatched.jsonl
works 'steps: one size of memory is not checked' \
	'"not checked","reason":"measured at one size' steps --format json bad
rm -f bad/oracle bad/published bad/control.jsonl
works 'steps: without what is optional' 'no control was given' steps bad
works 'steps: no oracle' 'none were given' steps bad

# Files are written beside the recordings where that is asked for, whether oracles hold or not.
topic bad
echo 'count noop pageout-file try_to_unmap_one.insn.dsb 1' >>bad/oracle
faults=''
"$pgtrace" steps --write bad >"$out" 2>"$err"
status=$?
expect_status 3
cmp -s "$out" bad/report.txt || fault 'report.txt is not what was printed'
[ -s bad/report.md ] || fault 'report.md is missing'
[ -s bad/report.json ] || fault 'report.json is missing'
pass_or_fail 'steps: --write'
rm -rf bad
