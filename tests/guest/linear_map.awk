# SPDX-License-Identifier: GPL-2.0-only
#
# linear_map.awk - is a recording of the workload linear-map consistent in itself?
#
# Usage: awk -f linear_map.awk RECORDING
# The guest has 2 GiB, and a stock kernel with pages of 4 KiB that maps all of it by pages and,
# its own text, by blocks.
# Prints "PASS linear-map WHAT" or "FAIL linear-map WHAT: why" for each check.
# Exit status: 0 all passed, 1 not

function number(name)
{
	if (!match($0, "\"" name "\":[0-9]+"))
		return "missing"
	return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
}

/^[{]"type":"host"/ {
	page = number("page_size")
	total = number("memory_bytes")
}
/^[{]"type":"metric"/ {
	n_metrics++
	match($0, /"linear_map\.[a-z_.]+"/)
	value[substr($0, RSTART + 12, RLENGTH - 13)] = number("value")
}
/^[{]"type":"loss"/ { losses += /"missed":0,"recursion":0,"overflow":0,"unbalanced":0[}]/ }

function check(what, got, want)
{
	if (got == want)
		print "PASS linear-map " what
	else {
		printf "FAIL linear-map %s: is %s, not %s\n", what, got, want
		failed = 1
	}
}

END {
	size["pte"] = size["cont_pte"] = page
	size["pmd"] = size["cont_pmd"] = 512 * page
	size["pud"] = 512 * 512 * page
	for (kind in size) {
		check("bytes." kind, value["bytes." kind], value["entries." kind] * size[kind])
		bytes += value["bytes." kind]
	}
	check("metrics", n_metrics, 12)
	check("losses", losses, 1)
	# all of the memory, of which the kernel keeps a part for itself
	check("memory", bytes, 2 * 1024 ^ 3)
	check("memory that is free to use is mapped", (bytes >= total), 1)
	entries = value["entries.pte"] + value["entries.cont_pte"] / 16 + value["entries.pmd"]
	entries += value["entries.cont_pmd"] / 16 + value["entries.pud"]
	check("translations", value["translations"], entries)
	# one table for 512 PTEs, one for 512 PMDs, and above them, with five levels, a PUD table, a
	# P4D table, one more for the kernel's other addresses, and the root
	ptes = value["entries.pte"] + value["entries.cont_pte"]
	pmds = value["entries.pmd"] + value["entries.cont_pmd"]
	check("tables", value["tables"], ptes / 512 + (ptes / 512 + pmds) / 512 + 4)
	check("more than PTEs", (value["entries.pmd"] > 0), 1)
	exit failed
}
