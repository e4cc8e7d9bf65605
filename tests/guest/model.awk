# SPDX-License-Identifier: GPL-2.0-only
#
# model.awk - hold the TLB model's counts of tlb_cases.c against what they must be.
#
# Usage: awk -f model.awk CONSOLE RESULT
# Prints PASS or FAIL for each case.  Exit status: 1 where one failed.
#
# A user read misses a level whenever the reads go round more translations than the level
# holds, because LRU drops each before it comes again; else each translation misses it once.
# The loop's own instructions are one translation more in the second level.
#
# An interrupt within the window puts the kernel's translations among those of the reads: they
# may miss more often then, and never less.  What is larger than the TLB misses always anyway.
BEGIN {
	FS = "[ \r]+"
	l1 = 48			# neoverse-n1
	l2 = 1280
}
FNR == 1 {
	file++
}
file == 1 && $1 == "case" {
	name[++n] = $2
	pages[n] = $3
	reads[n] = $3 * $4
	next
}
file == 2 && /"type":"model"/ {
	key = text("structure") " " text("where")
	accesses[number("window"), key] = number("accesses")
	misses[number("window"), key] = number("misses")
}
file == 2 && /"type":"model_left_out"/ && number("n") {
	left_out[number("window")] = text("what")
}
file == 2 && /"type":"tcg"/ {
	windows = number("windows")
}
function text(member,   s) {
	s = $0
	sub(".*\"" member "\":\"", "", s)
	sub("\".*", "", s)
	return s
}
function number(member,   s) {
	s = $0
	sub(".*\"" member "\":", "", s)
	return s + 0
}
# Misses of so many translations, read in turn, in a level of that size.
function expected(w, held,   entries) {
	entries = name[w] ~ /contiguous/ ? pages[w] / 16 : pages[w]
	return entries > held ? reads[w] / (pages[w] / entries) : entries
}
function complain(w, what, got, want) {
	why[name[w]] = sprintf("window %d: %s %s, not %s", w, what, got, want)
}
function check(w,   disturbed, want1, want2, got1, got2) {
	disturbed = accesses[w, "itlb.l1 image"] > 0
	want1 = expected(w, l1)
	want2 = expected(w, l2) + 1
	got1 = misses[w, "dtlb.l1 user"]
	got2 = misses[w, "tlb.l2 user"]
	if (w in left_out)
		complain(w, "left out:", left_out[w], "nothing")
	if (accesses[w, "dtlb.l1 user"] != reads[w])
		complain(w, "reads", accesses[w, "dtlb.l1 user"], reads[w])
	if (disturbed && want1 < reads[w] ? got1 < want1 : got1 != want1)
		complain(w, "misses of the first level", got1, want1)
	if (disturbed && want2 <= reads[w] ? got2 < want2 : got2 != want2)
		complain(w, "misses of the second level", got2, want2)
	if (!disturbed || want1 == reads[w])
		exact[name[w]]++
}
END {
	if (!n || windows != n) {
		printf "FAIL model: %d windows of %d cases\n", windows, n
		exit 1
	}
	for (w = 1; w <= n; w++)
		check(w)
	for (w = 1; w <= n; w++) {
		if (name[w] in shown)
			continue
		shown[name[w]] = 1
		if (!(name[w] in why) && !exact[name[w]])
			why[name[w]] = "an interrupt disturbed every repeat"
		if (name[w] in why) {
			printf "FAIL model-%s: %s\n", name[w], why[name[w]]
			failed = 1
		} else {
			printf "PASS model-%s\n", name[w]
		}
	}
	exit failed
}
