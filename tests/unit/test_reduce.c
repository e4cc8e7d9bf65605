/* SPDX-License-Identifier: GPL-2.0-only */
/* reduce.c: one value a boot; reasons, losses and what has no line. */
#include "compare/reduce.h"
#include "lines.h"

static struct pgt_reduction reduce(const struct pgt_recording *recording)
{
	struct pgt_reduction reduction;
	struct pgt_diag diag = { "" };
	int err = pgt_reduce(&reduction, recording, &diag);

	cr_assert(zero(int, err), "%s", diag.text);
	return reduction;
}

static const struct pgt_series *find(const struct pgt_reduction *reduction, const char *metric)
{
	const struct pgt_series *series = pgt_reduction_find(reduction, "w", metric);

	cr_assert(not(zero(ptr, (void *)series)), "%s", metric);
	return series;
}

Test(reduce, takes_the_median_of_the_repeats_of_a_boot)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;
	const struct pgt_series *series;

	for (int boot = 0; boot < 2; boot++) {
		lines_begin(&lines, LINES_HOST(.arch = NULL));
		for (int repeat = 1; repeat <= 3; repeat++) {
			lines_loss(&lines, "w", repeat, 0, 0);
			lines_value(&lines, "p.calls", "calls", repeat, 100 * boot + repeat * repeat);
		}
		lines_end(&lines);
	}
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	series = find(&reduction, "p.calls");
	cr_assert(eq(sz, series->n_boots, 2));
	cr_expect(eq(dbl, series->boots[0].value, 4));
	cr_expect(eq(dbl, series->boots[0].lo, 1));
	cr_expect(eq(dbl, series->boots[0].hi, 9));
	cr_expect(eq(dbl, series->boots[1].value, 104));
	cr_expect(eq(sz, series->boots[1].n_repeats, 3));
	cr_expect(not(series->lost));
	cr_expect(zero(ptr, (void *)pgt_reduction_find(&reduction, "v", "p.calls")));
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}

Test(reduce, a_repeat_that_was_not_counted_takes_the_boot)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;
	const struct pgt_series *series;

	lines_begin(&lines, LINES_HOST(.arch = NULL));
	lines_loss(&lines, "w", 1, 0, 0);
	lines_value(&lines, "p.calls", "calls", 1, 5);
	lines_absent(&lines, "p.calls", "calls", 2, "gone");
	lines_end(&lines);
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	series = find(&reduction, "p.calls");
	cr_expect(eq(str, (char *)series->boots[0].reason, "gone"));
	cr_expect(zero(ptr, (void *)series->boots[0].source));
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}

Test(reduce, loss_and_lower_bounds_stick)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;

	for (int boot = 0; boot < 2; boot++) {
		lines_begin(&lines, LINES_HOST(.arch = NULL));
		lines_loss(&lines, "w", 1, boot, 0);
		lines_loss(&lines, "v", 1, 0, 0);
		lines_value(&lines, "p.calls", "calls", 1, 5);
		lines_value_of(&lines, "v", "p.calls", "calls", 1, 5, "k", boot == 0);
		lines_value_of(&lines, "v", "p.pages", "pages", 1, 5, "k", false);
		lines_end(&lines);
	}
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	cr_expect(find(&reduction, "p.calls")->lost);
	cr_expect(not(find(&reduction, "p.calls")->lower_bound));
	cr_expect(not(pgt_reduction_find(&reduction, "v", "p.calls")->lost));
	cr_expect(pgt_reduction_find(&reduction, "v", "p.calls")->lower_bound);
	cr_expect(not(pgt_reduction_find(&reduction, "v", "p.pages")->lower_bound));
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}

/* Boot 1 has the kind in one repeat of two, boot 2 in none, boot 3 has no total either. */
Test(reduce, a_kind_without_a_line_under_a_counted_total_is_0)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;
	const struct pgt_series *series;

	for (int boot = 1; boot <= 3; boot++) {
		lines_begin(&lines, LINES_HOST(.arch = NULL));
		for (int repeat = 1; repeat <= 2; repeat++) {
			lines_loss(&lines, "w", repeat, 0, 0);
			if (boot < 3)
				lines_value(&lines, "p.self.dsb", "instructions", repeat, 10);
			else
				lines_absent(&lines, "p.self.dsb", "instructions", repeat, "why");
		}
		if (boot == 1)
			lines_value(&lines, "p.self.dsb.ish", "instructions", 2, 4);
		lines_end(&lines);
	}
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	series = find(&reduction, "p.self.dsb.ish");
	cr_expect(eq(dbl, series->boots[0].value, 2));
	cr_expect(eq(dbl, series->boots[0].lo, 0));
	cr_expect(eq(dbl, series->boots[0].hi, 4));
	cr_expect(zero(ptr, (void *)series->boots[1].reason));
	cr_expect(eq(dbl, series->boots[1].value, 0));
	cr_expect(eq(sz, series->boots[1].n_repeats, 2));
	cr_expect(eq(str, (char *)series->boots[2].reason, "why"));
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}

Test(reduce, what_a_recording_implies)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;
	struct pgt_series series;
	struct pgt_diag diag = { "" };

	lines_begin(&lines, LINES_HOST(.arch = NULL));
	lines_loss(&lines, "w", 1, 0, 0);
	lines_value(&lines, "p.calls", "calls", 1, 0);
	lines_absent(&lines, "q.calls", "calls", 1, "not supported");
	lines_end(&lines);
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	cr_assert(zero(int, pgt_series_imply(&series, &reduction, "w", "p.pages_per_call.4", &diag)));
	cr_expect(eq(sz, series.boots[0].n_repeats, 1));
	cr_expect(eq(dbl, series.boots[0].value, 0));
	pgt_series_release(&series);
	/* .calls says why, even where the total between is not there. */
	cr_assert(zero(int, pgt_series_imply(&series, &reduction, "w", "q.self.dsb.ish", &diag)));
	cr_expect(eq(str, (char *)series.boots[0].reason, "not supported"));
	pgt_series_release(&series);
	/* That p was called says nothing about barriers. */
	cr_assert(zero(int, pgt_series_imply(&series, &reduction, "w", "p.self.dsb", &diag)));
	cr_expect(zero(sz, series.boots[0].n_repeats));
	pgt_series_release(&series);
	cr_expect(lt(int, pgt_series_imply(&series, &reduction, "v", "p.pages", &diag), 0));
	cr_expect(lt(int, pgt_series_imply(&series, &reduction, "w", "window.ns", &diag), 0));
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}

/* Boots of one recording may do different workloads: one that does not do a workload lacks no value. */
Test(reduce, boots_of_different_workloads)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;
	const struct pgt_series *series;

	for (int boot = 0; boot < 3; boot++) {
		const char *workload = boot ? "w" : "boot-1g";

		lines_begin(&lines, LINES_HOST(.arch = NULL));
		lines_loss(&lines, workload, 1, 0, 0);
		lines_value_of(&lines, workload, "p.calls", "calls", 1, 5, "kprobe", false);
		lines_end(&lines);
	}
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	series = find(&reduction, "p.calls");
	cr_expect(eq(sz, series->n_boots, 3));
	cr_expect(eq(sz, series->n_with_workload, 2));
	cr_expect(eq(sz, pgt_reduction_find(&reduction, "boot-1g", "p.calls")->n_with_workload, 1));
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}

Test(reduce, what_a_boot_as_a_whole_does_is_not_exact)
{
	struct lines lines = { PGT_BUF_INIT, 0 };
	struct pgt_recording recording;
	struct pgt_reduction reduction;

	lines_begin(&lines, LINES_HOST(.arch = NULL));
	lines_loss(&lines, "w", 1, 0, 0);
	lines_value_of(&lines, "w", "p.calls", "calls", 1, 5, "tcg:boot", false);
	lines_value_of(&lines, "w", "p.pages", "pages", 1, 5, "tcg:scope", false);
	lines_end(&lines);
	recording = lines_recording(&lines, "f");
	reduction = reduce(&recording);
	cr_expect(not(find(&reduction, "p.calls")->properties.exact));
	cr_expect(find(&reduction, "p.pages")->properties.exact);
	pgt_reduction_release(&reduction);
	pgt_recording_release(&recording);
}
