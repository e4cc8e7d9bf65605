/* SPDX-License-Identifier: GPL-2.0-only */
#include "recording/metric.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"

/*
 * '@' stands for one name and '#' for the lower bound of a histogram bin.  The first
 * pattern that fits decides.
 */
static const struct pattern {
	const char *text;
	struct pgt_metric metric;
} patterns[] = {
#define PATTERN(text, unit, exact, view, of_kind)				\
	{ text, { unit, PGT_BETTER_LOWER, exact, view, of_kind, 0, 0 } }
#define PATTERN_NEITHER(text, unit, exact, view, of_kind)			\
	{ text, { unit, PGT_BETTER_NEITHER, exact, view, of_kind, 0, 0 } }
	PATTERN("window.ns", "ns", false, PGT_VIEW_TIME, false),
	PATTERN("outside.insn.@", "instructions", false, PGT_VIEW_OUTSIDE, false),
	PATTERN("outside.insn.@.@", "instructions", false, PGT_VIEW_OUTSIDE, true),
	PATTERN("interrupt.insn.@", "instructions", false, PGT_VIEW_INTERRUPT, false),
	PATTERN("interrupt.insn.@.@", "instructions", false, PGT_VIEW_INTERRUPT, true),
	PATTERN("unseen.insn.@", "instructions", false, PGT_VIEW_UNSEEN, false),
	PATTERN("unseen.insn.@.@", "instructions", false, PGT_VIEW_UNSEEN, true),
	PATTERN_NEITHER("model.left_out.vector", "instructions", false, PGT_VIEW_MODEL, false),
	PATTERN_NEITHER("model.left_out.@", "accesses", false, PGT_VIEW_MODEL, false),
	PATTERN("model.@.@.access", "accesses", false, PGT_VIEW_MODEL, false),
	PATTERN("model.@.@.access.@", "accesses", false, PGT_VIEW_MODEL, true),
	PATTERN("model.@.@.miss", "misses", false, PGT_VIEW_MODEL, false),
	PATTERN("model.@.@.miss.@", "misses", false, PGT_VIEW_MODEL, true),
	PATTERN("linear_map.bytes.pte", "bytes", false, PGT_VIEW_TABLES, false),
	PATTERN_NEITHER("linear_map.bytes.@", "bytes", false, PGT_VIEW_TABLES, false),
	PATTERN("linear_map.entries.pte", "entries", false, PGT_VIEW_TABLES, false),
	PATTERN_NEITHER("linear_map.entries.@", "entries", false, PGT_VIEW_TABLES, false),
	PATTERN("linear_map.tables", "pages", false, PGT_VIEW_TABLES, false),
	PATTERN("linear_map.translations", "entries", false, PGT_VIEW_TABLES, false),
	PATTERN("@.calls", "calls", true, PGT_VIEW_CALLS, false),
	PATTERN("@.full", "calls", true, PGT_VIEW_CALLS, false),
	PATTERN("@.unsized", "calls", true, PGT_VIEW_CALLS, false),
	PATTERN("@.interrupt_calls", "calls", false, PGT_VIEW_CALLS, false),
	PATTERN("@.instructions", "instructions", true, PGT_VIEW_INSTRUCTIONS, false),
	PATTERN("@.pages", "pages", true, PGT_VIEW_PAGES, false),
	PATTERN("@.pages_per_call.#", "calls", true, PGT_VIEW_PAGES_PER_CALL, false),
	PATTERN("@.self.@", "instructions", true, PGT_VIEW_SELF, false),
	PATTERN("@.self.@.@", "instructions", true, PGT_VIEW_SELF, true),
	PATTERN("@.insn.@", "instructions", true, PGT_VIEW_INSN, false),
	PATTERN("@.insn.@.@", "instructions", true, PGT_VIEW_INSN, true),
	PATTERN("@.innermost.@", "instructions", true, PGT_VIEW_INNERMOST, false),
	PATTERN("@.innermost.@.@", "instructions", true, PGT_VIEW_INNERMOST, true),
#undef PATTERN
#undef PATTERN_NEITHER
};

static const char *const reserved[] = { "outside", "interrupt", "unseen", "model", "window" };

static size_t name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

static bool is_reserved(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strlen(reserved[i]) == n && !strncmp(reserved[i], name, n))
			return true;
	return false;
}

/* The length of a bin's lower bound: 0 or a power of two without leading zeros; or 0. */
static size_t bin_length(const char *text, int64_t *pages)
{
	size_t n = strspn(text, "0123456789");
	uint64_t value = 0;

	if (n == 0 || n > 18 || (n > 1 && text[0] == '0'))
		return 0;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	if (value & (value - 1))
		return 0;
	*pages = (int64_t)value;
	return n;
}

static bool fits(const char *pattern, const char *name, int64_t *pages)
{
	const char *start = name;

	for (; *pattern; pattern++) {
		size_t n = 1;

		if (*pattern == '@') {
			n = name_length(name);
			if (name == start && is_reserved(name, n))
				return false;
		} else if (*pattern == '#') {
			n = bin_length(name, pages);
		} else if (*pattern != *name) {
			return false;
		}
		if (n == 0)
			return false;
		name += n;
	}
	return *name == '\0';
}

int pgt_metric_lookup(const char *name, struct pgt_metric *out)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		int64_t pages = 0;

		if (!fits(patterns[i].text, name, &pages))
			continue;
		*out = patterns[i].metric;
		out->scope_len = strcspn(name, ".");
		out->pages = pages;
		return 0;
	}
	return -ENOENT;
}

int pgt_metric_parent(const char *name, const struct pgt_metric *metric, struct pgt_buf *out)
{
	if (metric->of_kind)
		return pgt_buf_add(out, name, (size_t)(strrchr(name, '.') - name));
	if (metric->view >= PGT_VIEW_OUTSIDE || !strcmp(name + metric->scope_len, ".calls"))
		return -ENOENT;
	return pgt_buf_addf(out, "%.*s.calls", (int)metric->scope_len, name);
}

bool pgt_metric_is_implied(const struct pgt_metric *metric)
{
	return metric->of_kind || metric->view == PGT_VIEW_PAGES_PER_CALL;
}
