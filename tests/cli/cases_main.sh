# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# The program itself, and its help.

fails 'no command' 2 'no command'
fails 'unknown command' 2 "unknown command 'measure'" measure
fails 'option instead of a command' 2 'unknown command' --output
fails 'empty command' 2 'unknown command' ''
works 'help' 'Usage: pgtrace COMMAND' --help
works 'version' '^pgtrace [0-9]' --version
for command in record list compare 'lab ab' 'lab run' 'lab fetch' lab; do
	# shellcheck disable=SC2086 # a command may be two words
	works "help of $command" "[Uu]sage: pgtrace $command" $command --help
done

fails 'list: argument' 2 'vmalloc' list vmalloc
fails 'list: unknown option' 2 '--all' list --all
works 'list shows the probes' 'vmap_pte_range' list
works 'list shows the workloads' 'pageout-anon' list
fails_when_full 'list: disk full' list
fails_when_full 'help: disk full' --help
