# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with run.sh
# linear-map: wrong usage, and machines of which it cannot be read.

fails 'linear-map: argument' 2 "unexpected argument 'vmalloc'" linear-map vmalloc
fails 'linear-map: unknown option' 2 '--frobnicate' linear-map --frobnicate
fails 'linear-map: unknown format' 2 '--format.*html' linear-map --format html
fails 'linear-map: empty format' 2 '--format' linear-map --format ''
fails 'linear-map: a recording has one format' 2 'one format' linear-map --format json -o file
fails 'linear-map: label of nothing' 2 '--label.*no --output' linear-map --label boot
fails 'linear-map: empty label' 2 '--label' linear-map -o file --label ''
fails 'linear-map: option without its value' 2 '(--output|-- .o.|o.)' linear-map -o
fails 'linear-map: output in no directory' 1 'absent/file' linear-map -o absent/file
fails 'linear-map: output is a directory' 1 'directory' linear-map -o directory

# Here nothing but a refusal can be had: on an arm64 machine tests/guest has the rest.
if [ "$(uname -m)" = aarch64 ]; then
	skip 'linear-map: not arm64' 'this machine is'
else
	for form in '' '-o file' '-o -' '--format json'; do
		# shellcheck disable=SC2086 # a form may be two words
		fails "linear-map: not arm64 $form" 1 '(arm64|kcore: not there|run as root)' linear-map $form
	done
fi
