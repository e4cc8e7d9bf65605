/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/tcg_join.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/symbols.h"
#include "lab/tcg_lines.h"
#include "lab/tcg_result.h"
#include "lab/verify.h"
#include "recording/recording.h"

static const char *text_of(json_t *line, const char *name)
{
	const char *text = json_string_value(json_object_get(line, name));

	return text ? text : "";
}

static bool is_of_type(json_t *line, const char *type)
{
	return !strcmp(text_of(line, "type"), type);
}

/* ---- the recording as it is ---- */

/* Its lines without the last one, which must be the end. */
static int parse_lines(json_t *out, const char *path, const struct pgt_buf *text,
		       struct pgt_diag *diag)
{
	const char *line = text->at, *end = text->at + text->len;

	while (line < end) {
		size_t n = strcspn(line, "\n");

		/* NULL, for what is no JSON or no memory, is refused by the array. */
		if (json_array_append_new(out, json_loadb(line, n, 0, NULL)))
			return pgt_fail(diag, -EPROTO, "%s: line %zu cannot be read again", path,
					json_array_size(out) + 1);
		line += n + 1;
	}
	if (!is_of_type(json_array_get(out, json_array_size(out) - 1), "end"))
		return pgt_fail(diag, -ENODATA, "%s: the recording has no end line", path);
	json_array_remove(out, json_array_size(out) - 1);
	return 0;
}

static int check_host(const struct pgt_recording *recording, const struct pgt_tcg_join *join,
		      const struct pgt_tcg_result *result, struct pgt_diag *diag)
{
	const struct pgt_host *host = &recording->boots[0].host;
	const char *build_id = host->build_id ? host->build_id : "none";

	if (recording->n_boots != 1)
		return pgt_fail(diag, -EPROTO, "%s: %zu boots in the recording of one",
				recording->path, recording->n_boots);
	if (strcmp(build_id, join->symbols->build_id))
		return pgt_fail(diag, -EXDEV, "the guest's kernel has build id %s, but the symbols "
				"are of one with %s", build_id, join->symbols->build_id);
	if (strcmp(result->build_id, join->symbols->build_id))
		return pgt_fail(diag, -EXDEV, "the plugin counted a kernel with build id %s, but the "
				"guest's has %s", result->build_id, join->symbols->build_id);
	if (!pgt_cmdline_has(host->cmdline, "nokaslr"))
		return pgt_fail(diag, -EINVAL, "the guest was booted without nokaslr, so that the "
				"plugin looked for its functions where they were not");
	return 0;
}

/* The recording as its lines and as what they say. */
static int read_recording(json_t *lines, struct pgt_recording *out, const char *path,
			  const struct pgt_tcg_join *join, const struct pgt_tcg_result *result,
			  struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	struct pgt_recording recording = { .path = NULL };
	int err = pgt_file_read(path, &text, diag);

	if (!err)
		err = pgt_recording_parse(&recording, path, &text, diag);
	if (!err)
		err = check_host(&recording, join, result, diag);
	if (!err)
		err = parse_lines(lines, path, &text, diag);
	pgt_buf_release(&text);
	if (err)
		pgt_recording_release(&recording);
	else
		*out = recording;
	return err;
}

/* ---- what is added ---- */

static bool has_loss(json_t *recording, const char *workload)
{
	json_t *line;
	size_t i;

	json_array_foreach(recording, i, line)
		if (is_of_type(line, "loss") && !strcmp(text_of(line, "workload"), workload))
			return true;
	return false;
}

/* The plugin cannot lose anything, but a reader must be told. */
static int write_loss(const struct pgt_tcg_target *target)
{
	if (has_loss(target->recording, target->workload))
		return 0;
	return pgt_writer_line(target->writer, json_pack("{s:s, s:s, s:I, s:i, s:i, s:i, s:i}",
		"type", "loss", "workload", target->workload, "repeat", (json_int_t)target->repeat,
		"missed", 0, "recursion", 0, "overflow", 0, "unbalanced", 0), target->diag);
}

static int write_boot(struct pgt_tcg_target target)
{
	int err;

	target.workload = target.join->boot;
	target.repeat = 1;
	target.window = PGT_TCG_BOOT;
	err = pgt_tcg_lines_boot(&target);
	return err ? err : write_loss(&target);
}

static bool has_window(const struct pgt_tcg_result *result, int64_t window)
{
	for (size_t i = 0; i < result->n_windows; i++)
		if (result->windows[i].window == window)
			return true;
	return false;
}

static int write_window(const struct pgt_tcg_target *target)
{
	int err;

	if (!has_window(target->result, target->window))
		return pgt_fail(target->diag, -EPROTO, "the recording says that %s ran in window %"
				PRId64 ", but the plugin saw only %" PRId64 " opened and closed",
				target->workload, target->window,
				(int64_t)target->result->n_windows);
	err = pgt_tcg_lines_scopes(target);
	if (!err)
		err = pgt_tcg_lines_unseen(target);
	return err ? err : pgt_tcg_lines_model(target);
}

/* A repeat's first window, the one with the kprobes, counts its calls: the plugin's are of it. */
static int write_windows(struct pgt_tcg_target target)
{
	char workload[512] = "";
	json_t *line;
	int64_t repeat = 0;
	size_t i;
	int err = 0;

	json_array_foreach(target.recording, i, line) {
		json_t *window = json_object_get(line, "window");

		if (!is_of_type(line, "run") || strcmp(text_of(line, "mechanism"), "kprobe") ||
		    !json_is_integer(window))
			continue;
		target.workload = text_of(line, "workload");
		repeat = strncmp(workload, target.workload, sizeof(workload) - 1) ? 1 : repeat + 1;
		snprintf(workload, sizeof(workload), "%s", target.workload);
		target.repeat = repeat;
		target.window = json_integer_value(window);
		err = write_window(&target);
		if (err)
			break;
	}
	return err;
}

/* How each repeat of a workload compares with what the plugin saw of it. */
static int write_truth(const struct pgt_tcg_target *target, const struct pgt_boot *boot)
{
	struct pgt_verify verify;
	int err;

	if (!boot->n_runs)
		return 0;
	err = pgt_verify_make(&verify, boot, target->result, &target->join->symbols->ksyms,
			      target->diag);
	if (err)
		return err;
	for (size_t i = 0; i < verify.n_sums && !err; i++)
		err = pgt_writer_line(target->writer, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}",
			"type", "truth", "workload", verify.sums[i].workload,
			"repeat", (json_int_t)verify.sums[i].repeat,
			"sites", (json_int_t)verify.sums[i].sites,
			"hits", (json_int_t)verify.sums[i].hits,
			"differ", (json_int_t)verify.sums[i].differ), target->diag);
	pgt_verify_release(&verify);
	return err;
}

static bool is_kept(const struct pgt_tcg_target *target, json_t *line)
{
	return target->join->every_site || !is_of_type(line, "site") ||
	       json_integer_value(json_object_get(line, "hits")) > 0;
}

static int write_all(const char *path, struct pgt_tcg_target *target,
		     const struct pgt_boot *boot)
{
	json_t *line;
	size_t i;
	int err = pgt_writer_open(&target->writer, path, target->diag);

	if (err)
		return err;
	json_array_foreach(target->recording, i, line) {
		if (is_kept(target, line))
			err = pgt_writer_line(target->writer, json_incref(line), target->diag);
		if (err)
			break;
	}
	if (!err && target->join->boot)
		err = write_boot(*target);
	if (!err)
		err = write_windows(*target);
	if (!err)
		err = write_truth(target, boot);
	if (!err)
		err = pgt_writer_finish(target->writer, target->diag);
	pgt_writer_free(target->writer);
	return err;
}

int pgt_tcg_join(const char *recording, const char *counts, const struct pgt_tcg_join *join,
		 struct pgt_diag *diag)
{
	struct pgt_tcg_result result;
	struct pgt_recording whole;
	struct pgt_tcg_target target = { .join = join, .result = &result,
					 .recording = json_array(), .diag = diag };
	int err;

	if (!target.recording)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = pgt_tcg_result_read(&result, counts, diag);
	if (!err) {
		err = read_recording(target.recording, &whole, recording, join, &result, diag);
		if (!err) {
			err = write_all(recording, &target, &whole.boots[0]);
			pgt_recording_release(&whole);
		}
		pgt_tcg_result_release(&result);
	}
	json_decref(target.recording);
	return err;
}
