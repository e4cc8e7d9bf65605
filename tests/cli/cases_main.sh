# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# The program itself, and its help.

fails 'no command' 2 'no command'
fails 'unknown command' 2 "unknown command 'measure'" measure
fails 'option instead of a command' 2 'unknown command' --output
fails 'empty command' 2 'unknown command' ''
works 'help' 'Usage: pgtrace COMMAND' --help
works 'version' '^pgtrace [0-9]' --version
for command in record list host compare steps linear-map 'lab ab' 'lab run' 'lab fetch' lab; do
	# shellcheck disable=SC2086 # a command may be two words
	works "help of $command" "[Uu]sage: pgtrace $command" $command --help
done

fails 'list: argument' 2 'vmalloc' list vmalloc
fails 'list: unknown option' 2 '--all' list --all
works 'list shows the probes' 'vmap_pte_range' list
works 'list shows the workloads' 'pageout-anon' list
works 'list shows what removes memory' '^hotremove +remove a memory block' list
works 'list shows the states' '^linear-map +no work' list
fails_when_full 'list: disk full' list
fails_when_full 'help: disk full' --help
fails_when_full 'version: disk full' --version
for command in record list host compare steps linear-map 'lab ab' 'lab run' 'lab fetch' lab; do
	# shellcheck disable=SC2086 # a command may be two words
	fails_when_full "help of $command: disk full" $command --help
done
works 'usage of compare' 'Usage: pgtrace compare' compare --usage

# Standard output and standard error that are not there at all.
faults=''
"$pgtrace" list >&- 2>"$err"
status=$?
expect_status 1
: >"$out"
expect_last_line 'standard output: cannot write: Bad file descriptor$'
pass_or_fail 'list: standard output is closed'
faults=''
"$pgtrace" compare -o ../report base test >&- 2>&-
status=$?
expect_status 0
"$pgtrace" compare base test | cmp -s - ../report || fault 'the report is not what it should be'
pass_or_fail 'compare: all output is closed'
rm -f ../report

# A limit on the size of files, in place of a full disk that is not standard output.
wrap="$scratch/limited"
printf '#!/bin/sh\nulimit -f 1\nexec "$@"\n' >"$wrap"
chmod 755 "$wrap"
fails 'compare: the file grows too large' 1 '^pgtrace compare: file: cannot write: File too large' \
	compare -o file base test
wrap=''

works 'host' '"type":"host"' host
fails 'host: an argument' 2 'unexpected' host here
fails 'host: unknown option' 2 '--frobnicate' host --frobnicate
fails 'host: output in no directory' 1 'absent/file' host -o absent/file
fails_when_full 'host: standard output is full' host
