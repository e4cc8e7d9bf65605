# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# compare: wrong usage, recordings that are not what they should be, and what --fail-on finds.

fails 'compare: no files' 2 'two recordings' compare
fails 'compare: one file' 2 'two recordings' compare base
fails 'compare: three files' 2 'too many files.*third' compare base test third
fails 'compare: unknown option' 2 '--frobnicate' compare --frobnicate base test
fails 'compare: unknown format' 2 '--format.*html.*text, markdown, json' \
	compare --format html base test
fails 'compare: empty format' 2 '--format' compare --format '' base test
for alpha in 0 1 2 -0.1 abc '' 0.05x nan inf; do
	fails "compare: alpha '$alpha'" 2 '--alpha' compare "--alpha=$alpha" base test
done
fails 'compare: unknown thing to fail on' 2 '--fail-on.*better' compare --fail-on better base test
fails 'compare: unknown thing to fail on, the second' 2 '--fail-on.*better' \
	compare --fail-on worse,better base test
fails 'compare: control to fail on, and none given' 2 '--control' \
	compare --fail-on control base test

# Each is named, whichever side it is on.
for side in base test; do
	for input in \
		'absent:cannot open' \
		'directory:directory' \
		'empty:empty' \
		'blank:blank:1' \
		'nulls:nulls:1' \
		'not-json:not-json:1:.*JSON' \
		'not-object:not-object:2' \
		'headless:headless:1' \
		'truncated:"end"' \
		'cut-off:cut off|truncated' \
		'miscounted:counts 7 lines' \
		'line-lost:lines were lost' \
		'schema:schema 99' \
		'wrong-type:"value" is not an integer' \
		'negative:negative:[0-9]+: ' \
		'huge:huge:[0-9]+: ' \
		'mixed-arch:architecture'
	do
		file=${input%%:*} pattern=${input#*:}
		if [ $side = base ]; then
			fails "compare: $file as base" 1 "$pattern" compare "$file" test
		else
			fails "compare: $file as test" 1 "$pattern" compare base "$file"
		fi
	done
done
fails 'compare: another architecture' 1 'arm64.*riscv64' compare base other-arch
fails 'compare: another architecture, the other way' 1 'riscv64.*arm64' compare other-arch base
fails 'compare: a bad control' 1 'truncated' compare --control truncated base test
fails 'compare: a control of another architecture' 1 'riscv64' \
	compare --control other-arch base test
fails 'compare: a control of another kernel' 1 'the control is of kernel' \
	compare --control test base test
fails 'compare: standard input is no recording' 1 'cannot open|empty|-' compare - test

fails 'compare: output in no directory' 1 'absent/file' compare -o absent/file base test
fails 'compare: output is a directory' 1 'directory' compare -o directory base test
fails_when_full 'compare: disk full' compare base test
for format in text markdown json; do
	works "compare: $format" 'vmalloc' compare --format $format base test
	fails_when_full "compare: disk full for $format" compare --format $format base test
done

works 'compare: with a control' 'control' compare --control control base test
works 'compare: nothing worse, nothing lost' 'vmalloc' \
	compare --fail-on worse,lost base control
works 'compare: a control that finds nothing' 'vmalloc' \
	compare --control control --fail-on control base test
finds 'compare: a row is worse' 'vmalloc' compare --fail-on worse base test
finds 'compare: something was lost' 'vmalloc' compare --fail-on lost base test
finds 'compare: a control that finds a difference' 'vmalloc' \
	compare --control control-found --fail-on control base test
finds 'compare: the second of two is found' 'vmalloc' compare --fail-on worse,lost base test

# writes NAME TARGET: a report to TARGET, nothing else printed, and TARGET keeps its type
writes()
{
	target=$2
	type=$(stat -c %F "$target")
	run_pgtrace compare -o "$target" base test
	expect_status 0
	! grep -q . "$out" "$err" || fault 'prints something'
	[ "$(stat -c %F "$target")" = "$type" ] || fault "it was a $type and is none now"
	pass_or_fail "$1"
}

"$pgtrace" compare base test >report
writes 'compare: output to a device' /dev/null
ln -s report link
writes 'compare: output to a link' link
rm -f link report
works 'compare: output to /dev/stdout' 'vmalloc' compare -o /dev/stdout base test
if [ "$(id -u)" -eq 0 ] && mknod null c 1 3 2>/dev/null && : 2>/dev/null >null; then
	writes 'compare: output to a device of our own' null
else
	skip 'compare: output to a device of our own' 'cannot make one'
fi
rm -f null
mkfifo fifo
cat fifo >../from-fifo &
writes 'compare: output to a fifo' fifo
wait $!
"$pgtrace" compare base test | cmp -s - ../from-fifo
status=$?
expect_status 0
pass_or_fail 'compare: the fifo carries the report'
rm -f fifo ../from-fifo
