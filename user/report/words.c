/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* As the table of metric.c has it. */
#define NEITHER	"linear_map.bytes and .entries other than .pte"

const struct pgt_verdict_words pgt_verdict_words[PGT_ONE_SIDE_ONLY + 1] = {
	[PGT_UNDECIDED] = { "undecided", "too few boots, lost events that matter, or no values" },
	[PGT_NO_DIFFERENCE] = { "no difference detected",
				"exact metrics: the same number; others: p >= alpha" },
	[PGT_BETTER] = { "better", "test is lower: fewer is better, but not of " NEITHER },
	[PGT_WORSE] = { "worse", "test is higher" },
	[PGT_DIFFERENT] = { "different", "neither lower nor higher is better: " NEITHER },
	[PGT_ONE_SIDE_ONLY] = { "one side only", "the other recording has no value, which is not 0" },
};

const struct pgt_note_words pgt_note_words[] = {
	{ PGT_NOTE_EXACT, 'x', "exact",
	  "exact: every repeat and boot of a side gave the same number, compared exactly" },
	{ PGT_NOTE_VARIES, 'v', "varies",
	  "varies: should be the same every time and is not; judged by Mann-Whitney" },
	{ PGT_NOTE_KIN_VARIES, 'k', "kin varies",
	  "kin varies: the same every time, but its total or another kind of it is not; judged by "
	  "Mann-Whitney" },
	{ PGT_NOTE_DISJOINT, 'd', "ranges disjoint",
	  "ranges disjoint: it varies, but the ranges of base and test do not overlap" },
	{ PGT_NOTE_LOST, 'l', "lost",
	  "lost: events were lost while this workload ran (see the loss line)" },
	{ PGT_NOTE_LOWER_BOUND, 'b', "lower bound",
	  "lower bound: a value marked >= may be too low; a verdict stands only if that cannot "
	  "overturn it" },
	{ PGT_NOTE_MECHANISM_DIFFERS, 'm', "mechanism differs",
	  "mechanism differs: the values were not all counted in the same way" },
	{ PGT_NOTE_EMULATED, 'e', "emulated",
	  "emulated: a time taken under TCG says nothing about hardware" },
	{ PGT_NOTE_ONE_SIDED, 's', "one side only", "one side only: see the reason in brackets" },
	{ PGT_NOTE_NOT_COUNTED, 'n', "not counted",
	  "not counted: neither side has a value; see the reasons in brackets" },
	{ PGT_NOTE_PARTIAL, 'p', "partial", "partial: some boots of a side have no value" },
	{ PGT_NOTE_TOO_FEW_BOOTS, 'f', "too few boots",
	  "too few boots: no outcome of the test could reach alpha" },
};

const size_t pgt_n_note_words = sizeof(pgt_note_words) / sizeof(pgt_note_words[0]);

int pgt_format_count(struct pgt_buf *out, int64_t count)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRId64, count);

	for (int i = 0; i < n; i++) {
		int left = n - i;

		if (i > 0 && left % 3 == 0 && digits[i - 1] != '-' && pgt_buf_add(out, ",", 1))
			return -ENOMEM;
		if (pgt_buf_add(out, &digits[i], 1))
			return -ENOMEM;
	}
	return 0;
}

int pgt_format_value(struct pgt_buf *out, double value)
{
	double whole = floor(value);
	char part[16];
	int err = pgt_format_count(out, (int64_t)whole);

	if (err || value <= whole)
		return err;
	/* Medians of medians of integers: nothing but quarters. */
	snprintf(part, sizeof(part), "%.2f", value - whole);
	if (part[3] == '0')
		part[3] = '\0';
	return pgt_buf_addf(out, "%s", part + 1);
}

/* "%.1f", or more decimals while the text would read 0 or, of a decrease, 100. */
static void format_percent(char *text, size_t size, double percent)
{
	for (int decimals = 1; decimals <= 9; decimals++) {
		double shown;

		snprintf(text, size, "%+.*f", decimals, percent);
		sscanf(text, "%lf", &shown);
		if (fabs(shown) > 0 && (shown > -100 || percent <= -100))
			return;
	}
}

/* " (/255.5)"; from 1,000 on without a decimal. */
static int format_factor(struct pgt_buf *out, const char *sign, double factor)
{
	int err = pgt_buf_addf(out, " (%s", sign);

	if (!err)
		err = factor < 1000 ? pgt_buf_addf(out, "%.1f", factor) :
				      pgt_format_count(out, (int64_t)round(factor));
	return err ? err : pgt_buf_add(out, ")", 1);
}

int pgt_format_change(struct pgt_buf *out, double ratio)
{
	char percent[64];
	int err;

	if (isnan(ratio))
		return pgt_buf_add(out, "?", 1);
	if (ratio == 1)
		return pgt_buf_addf(out, "0 %%");
	format_percent(percent, sizeof(percent), (ratio - 1) * 100);
	err = pgt_buf_addf(out, "%s %%", percent);
	if (!err && ratio >= 2)
		err = format_factor(out, "x", ratio);
	else if (!err && ratio > 0 && ratio <= 0.5)
		err = format_factor(out, "/", 1 / ratio);
	return err;
}

int pgt_format_p(struct pgt_buf *out, double p)
{
	return pgt_buf_addf(out, "%.3g", p);
}

int pgt_format_bin(struct pgt_buf *out, int64_t pages)
{
	int err = pgt_format_count(out, pages);

	if (err || pages < 2)
		return err;
	err = pgt_buf_add(out, "-", 1);
	return err ? err : pgt_format_count(out, pages + (pages - 1));
}

int pgt_format_marks(struct pgt_buf *out, uint32_t notes)
{
	int err = 0;

	for (size_t i = 0; !err && i < pgt_n_note_words; i++)
		if (notes & pgt_note_words[i].note)
			err = pgt_buf_add(out, &pgt_note_words[i].mark, 1);
	return err;
}

int pgt_format_memory(struct pgt_buf *out, int64_t bytes)
{
	static const struct {
		int64_t size;
		const char *name;
	} units[] = { { 1024 * 1024, " MiB" }, { 1024, " KiB" }, { 1, " bytes" } };
	size_t i = 0;
	int err;

	while (bytes % units[i].size)
		i++;
	err = pgt_format_count(out, bytes / units[i].size);
	return err ? err : pgt_buf_addf(out, "%s", units[i].name);
}

int pgt_format_in_unit(struct pgt_buf *out, double value, const char *unit)
{
	int err;

	if (strcmp(unit, "bytes"))
		return pgt_format_value(out, value);
	if (fmod(value, 1024) > 0) {
		err = pgt_format_value(out, value);
		return err ? err : pgt_buf_addf(out, "B");
	}
	err = pgt_format_value(out, value / 1024);
	return err ? err : pgt_buf_addf(out, "K");
}

int pgt_format_size(struct pgt_buf *out, int64_t bytes)
{
	bool whole = bytes % (INT64_C(1) << 30) == 0;

	return pgt_buf_addf(out, "%" PRId64 " %s", bytes >> (whole ? 30 : 20),
			    whole ? "GiB" : "MiB");
}

int pgt_format_quotient(struct pgt_buf *out, double value)
{
	char text[64];
	int decimals;

	if (value == 0 || value >= 1000)
		return pgt_format_count(out, (int64_t)round(value));
	decimals = 3 - (int)floor(log10(value));
	snprintf(text, sizeof(text), "%.*f", decimals < 12 ? decimals : 12, value);
	return pgt_buf_addf(out, "%s", text);
}

int pgt_format_ascii(struct pgt_buf *out, const char *text)
{
	int err = pgt_buf_add(out, "", 0);

	for (; !err && *text; text++)
		err = pgt_buf_add(out, *text >= 0x20 && *text <= 0x7e ? text : "?", 1);
	return err;
}
