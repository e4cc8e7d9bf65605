# SPDX-License-Identifier: GPL-2.0-only
#
# check.awk - hold one recording against the table of what must be in it.
#
# Usage: awk -f check.awk TABLE RECORDING
# Prints "PASS SERIES WORKLOAD NAME" or "FAIL SERIES WORKLOAD NAME: why" for each expectation,
# and the same for "loss".
# Exit status: 0 all passed, 1 not, or the table has nothing to say about this kernel

# The recording is compact JSON, and these members come before any that holds free text.
function text(name)
{
	if (!match($0, "\"" name "\":\"[^\"]*\""))
		return ""
	return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
}

# A number, true, false or null.
function word(name)
{
	if (!match($0, "\"" name "\":[-0-9a-z]+"))
		return ""
	return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
}

function fault(what, why)
{
	printf "FAIL %s %s: %s\n", series, what, why
	failed = 1
}

# What is not in the recording is 0 where the schema says so, which is as sure as its total.
function judge(what, low, high,   got, from)
{
	from = what
	if (what in value)
		got = value[what]
	else if (what ~ / (runs|functions)\./)
		got = 0
	else if (what in total && total[what] in value) {
		from = total[what]
		got = value[from] == "null" ? "null" : 0
	} else
		return fault(what, "is not in the recording")
	if (got == "null")
		return fault(what, "was not counted: " reason[from])
	if (bound[from] == "true")
		return fault(what, "is only a lower bound, " got)
	if (got + 0 < low + 0 || (high != "-" && got + 0 > high + 0))
		return fault(what, "is " got ", not " low (high == low ? "" : " to " high))
	printf "PASS %s %s\n", series, what
}

FILENAME == ARGV[1] {
	if ($0 ~ /^#/ || NF == 0)
		next
	n++
	of[n] = $1
	wanted[n] = $2 " " $3
	low[n] = $4
	high[n] = NF > 4 ? $5 : $4
	named[$1 " " wanted[n]] = 1
	# scope.view.insn of scope.view.insn.kind, scope.calls of scope.pages_per_call.N
	split($3, part, ".")
	if (part[2] == "pages_per_call")
		total[wanted[n]] = $2 " " part[1] ".calls"
	else if (part[4] != "")
		total[wanted[n]] = $2 " " part[1] "." part[2] "." part[3]
	next
}

/^[{]"type":"host"/ {
	split(text("kernel_release"), part, /[^0-9]/)
	series = part[1] "." part[2]
}

/^[{]"type":"function"/ { value["- functions." text("mechanism")]++ }

/^[{]"type":"run"/ { value[text("workload") " runs." text("mechanism")]++ }

/^[{]"type":"work"/ {
	what = text("workload") " work"
	value[what] = word("done")
	if (word("done") != word("asked"))
		fault(what, word("done") " of " word("asked") " done")
}

/^[{]"type":"metric"/ {
	what = text("workload") " " text("metric")
	value[what] = word("value")
	bound[what] = word("lower_bound")
	reason[what] = text("reason")
}

/^[{]"type":"loss"/ {
	losses++
	if (word("missed") + word("recursion") + word("overflow") + word("unbalanced") != 0) {
		fault(text("workload") " loss", "missed " word("missed") ", recursion " \
		      word("recursion") ", overflow " word("overflow") ", unbalanced " \
		      word("unbalanced"))
		lost = 1
	}
}

END {
	for (i = 1; i <= n; i++) {
		if (of[i] == "*" ? (series " " wanted[i]) in named : of[i] != series)
			continue
		judge(wanted[i], low[i], high[i])
		judged += of[i] != "*"
	}
	if (!judged)
		fault("table", "no line of the table names this series")
	if (!losses)
		fault("loss", "no loss line")
	else if (!lost)
		printf "PASS %s loss\n", series
	exit failed
}
