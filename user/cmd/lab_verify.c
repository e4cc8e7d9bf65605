/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_verify.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/ab.h"
#include "lab/boots.h"
#include "lab/rig.h"
#include "lab/symbols.h"
#include "lab/tcg_join.h"
#include "lab/tcg_result.h"
#include "lab/verify.h"
#include "recording/recording.h"
#include "report/words.h"

#define COUNT_SIZE	32	/* of a number with its commas */

static const char *count(char text[COUNT_SIZE], int64_t n)
{
	struct pgt_buf buf = PGT_BUF_INIT;

	snprintf(text, COUNT_SIZE, "%s", pgt_format_count(&buf, n) ? "?" : buf.at);
	pgt_buf_release(&buf);
	return text;
}

static const char *place_of(const struct pgt_verify_row *row, char *text, size_t size)
{
	if (row->function)
		snprintf(text, size, "%s+%#" PRIx64, row->function, row->offset);
	else if (row->address)
		snprintf(text, size, "%#" PRIx64, row->address);
	else
		snprintf(text, size, "nowhere");
	return text;
}

static bool is_of(const struct pgt_verify_row *row, const struct pgt_verify_sum *sum)
{
	return row->repeat == sum->repeat && !strcmp(row->workload, sum->workload);
}

/* What was executed, or should have been. */
static bool is_shown(const struct pgt_verify_row *row)
{
	return row->counted > 0 || row->executed > 0;
}

static struct pgt_verify_sum total_of(const struct pgt_verify *verify)
{
	struct pgt_verify_sum total = { .workload = NULL };

	for (size_t i = 0; i < verify->n_sums; i++) {
		total.sites += verify->sums[i].sites;
		total.hits += verify->sums[i].hits;
		total.differ += verify->sums[i].differ;
		total.unseen += verify->sums[i].unseen;
		total.windows += verify->sums[i].windows;
	}
	return total;
}

/* That all counts are equal, or how many are not, or what was lost. */
static void summarize(const struct pgt_verify *verify, char *out, size_t size)
{
	struct pgt_verify_sum total = total_of(verify);
	char sites[COUNT_SIZE], hits[COUNT_SIZE], windows[COUNT_SIZE], number[COUNT_SIZE];
	char result[96];

	if (total.differ)
		snprintf(result, sizeof(result), "%s DIFFER", count(number, total.differ));
	else
		snprintf(result, sizeof(result), "all equal");
	if (verify->lost)
		snprintf(result + strlen(result), sizeof(result) - strlen(result),
			 ", but %s events were lost", count(number, verify->lost));
	snprintf(out, size, "%s counts of sites, %s hits in %s window%s: %s",
		 count(sites, total.sites), count(hits, total.hits), count(windows, total.windows),
		 total.windows == 1 ? "" : "s", result);
}

/* ---- text ---- */

static void put_counted(const struct pgt_verify *verify, const struct pgt_verify_sum *sum)
{
	printf("  %-52s %-14s %-10s %6s %12s %12s %10s\n", "place", "kind", "counted by", "window",
	       "pgtrace", "emulator", "difference");
	for (size_t i = 0; i < verify->n_rows; i++) {
		const struct pgt_verify_row *row = &verify->rows[i];
		char place[160], counted[COUNT_SIZE], executed[COUNT_SIZE], difference[COUNT_SIZE];

		if (!is_of(row, sum) || row->verdict == PGT_VERIFY_UNSEEN || !is_shown(row))
			continue;
		printf("  %-52s %-14s %-10s %6" PRId64 " %12s %12s %10s\n",
		       place_of(row, place, sizeof(place)), row->kind,
		       row->mechanism ? row->mechanism : "-", row->window,
		       row->counted < 0 ? "-" : count(counted, row->counted),
		       count(executed, row->executed),
		       row->counted < 0 ? "-" : count(difference, row->counted - row->executed));
		if (row->reason)
			printf("      %s\n", row->reason);
	}
}

static void put_unseen(const struct pgt_verify *verify, const struct pgt_verify_sum *sum)
{
	if (!sum->unseen)
		return;
	printf("  executed where a live machine cannot see it, or was not asked to count:\n");
	for (size_t i = 0; i < verify->n_rows; i++) {
		const struct pgt_verify_row *row = &verify->rows[i];
		char place[160], executed[COUNT_SIZE];

		if (!is_of(row, sum) || row->verdict != PGT_VERIFY_UNSEEN || !is_shown(row))
			continue;
		printf("  %-52s %-14s %-10s %6" PRId64 " %12s %12s   %s\n",
		       place_of(row, place, sizeof(place)), row->kind, "-", row->window, "-",
		       count(executed, row->executed), row->reason ? row->reason : "");
	}
}

static void put_repeat(const struct pgt_verify *verify, const struct pgt_verify_sum *sum)
{
	char sites[COUNT_SIZE], hits[COUNT_SIZE], differ[COUNT_SIZE];

	printf("\n%s, repeat %" PRId64 ": %s sites, %s hits in %" PRId64 " window%s: %s%s\n",
	       sum->workload, sum->repeat, count(sites, sum->sites), count(hits, sum->hits),
	       sum->windows, sum->windows == 1 ? "" : "s",
	       sum->differ ? count(differ, sum->differ) : "all equal",
	       sum->differ ? " DIFFER" : "");
	put_counted(verify, sum);
	put_unseen(verify, sum);
}

static void put_text(const struct pgt_verify *verify, const struct pgt_boot *boot)
{
	char sentence[256];

	printf("%s (%s): counts of a live guest against its emulator's\n",
	       boot->host.kernel_release, boot->host.build_id);
	for (size_t i = 0; i < verify->n_sums; i++)
		put_repeat(verify, &verify->sums[i]);
	summarize(verify, sentence, sizeof(sentence));
	printf("\n%s\n", sentence);
}

/* ---- JSON ---- */

static const char *verdict_name(enum pgt_verify_verdict verdict)
{
	return verdict == PGT_VERIFY_EQUAL ? "equal" :
	       verdict == PGT_VERIFY_DIFFERS ? "differs" : "unseen";
}

static json_t *pack_sum(const struct pgt_verify_sum *sum)
{
	return json_pack("{s:s?, s:I, s:I, s:I, s:I, s:I, s:I}", "workload", sum->workload,
		"repeat", (json_int_t)sum->repeat, "windows", (json_int_t)sum->windows,
		"sites", (json_int_t)sum->sites, "hits", (json_int_t)sum->hits,
		"differ", (json_int_t)sum->differ, "unseen_hits", (json_int_t)sum->unseen);
}

static json_t *pack_row(const struct pgt_verify_row *row)
{
	char address[24];

	snprintf(address, sizeof(address), "0x%016" PRIx64, row->address);
	return json_pack("{s:s, s:I, s:I, s:s?, s:o, s:o, s:s, s:s?, s:o, s:I, s:s, s:s?}",
		"workload", row->workload, "repeat", (json_int_t)row->repeat,
		"window", (json_int_t)row->window, "function", row->function,
		"offset", row->function ? json_integer((json_int_t)row->offset) : json_null(),
		"address", row->address ? json_string(address) : json_null(),
		"kind", row->kind, "mechanism", row->mechanism,
		"pgtrace", row->counted < 0 ? json_null() : json_integer(row->counted),
		"emulator", (json_int_t)row->executed, "verdict", verdict_name(row->verdict),
		"reason", row->reason);
}

static int put_json(const struct pgt_verify *verify, const struct pgt_boot *boot,
		    struct pgt_diag *diag)
{
	json_t *sums = json_array(), *rows = json_array(), *document;
	struct pgt_verify_sum total = total_of(verify);
	int err = 0;

	for (size_t i = 0; i < verify->n_sums; i++)
		err |= json_array_append_new(sums, pack_sum(&verify->sums[i]));
	for (size_t i = 0; i < verify->n_rows; i++)
		if (is_shown(&verify->rows[i]))
			err |= json_array_append_new(rows, pack_row(&verify->rows[i]));
	document = json_pack("{s:i, s:s, s:s?, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}",
		"schema", 1, "kernel_release", boot->host.kernel_release,
		"build_id", boot->host.build_id, "windows", (json_int_t)total.windows,
		"sites", (json_int_t)total.sites, "hits", (json_int_t)total.hits,
		"differ", (json_int_t)total.differ, "unseen_hits", (json_int_t)total.unseen,
		"lost", (json_int_t)verify->lost, "repeats", sums, "rows", rows);
	if (err || !document || json_dumpf(document, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER))
		err = pgt_fail(diag, -ENOMEM, "out of memory");
	else
		putchar('\n');
	json_decref(document);
	return err;
}

/* ---- the boot ---- */

static int print(const struct pgt_verify *verify, const struct pgt_boot *boot, const char *format,
		 struct pgt_diag *diag)
{
	char sentence[256];
	int err = 0;

	if (!strcmp(format, "json"))
		err = put_json(verify, boot, diag);
	else
		put_text(verify, boot);
	if (!err)
		err = pgt_stdout_flush(diag);
	if (err || pgt_verify_holds(verify))
		return err;
	summarize(verify, sentence, sizeof(sentence));
	return pgt_fail(diag, -EBADE, "%s: %s", boot->host.kernel_release, sentence);
}

static int verify_boot(const struct pgt_boot_job *job, const char *format, struct pgt_diag *diag)
{
	struct pgt_recording recording = { .path = NULL };
	struct pgt_tcg_result result = { .build_id = NULL };
	struct pgt_verify verify;
	int err = pgt_recording_read(&recording, job->recording, diag);

	if (!err)
		err = pgt_tcg_result_read(&result, job->counts, diag);
	if (!err)
		err = pgt_verify_make(&verify, &recording.boots[0], &result,
				      &job->plan->join->symbols->ksyms, diag);
	if (!err) {
		err = print(&verify, &recording.boots[0], format, diag);
		pgt_verify_release(&verify);
	}
	pgt_tcg_result_release(&result);
	pgt_recording_release(&recording);
	return err;
}

int pgt_lab_verify(const struct pgt_lab *lab, const struct pgt_rig *rig, const char *format,
		   FILE *recording, struct pgt_diag *diag)
{
	struct pgt_boot_job *job;
	int err = pgt_ab_boot_one(&job, lab, rig, diag);

	if (err)
		return err;
	if (recording)
		err = pgt_ab_append(recording, job->recording, diag);
	if (!err)
		err = verify_boot(job, format, diag);
	pgt_boots_release(job, 1);
	return err;
}
