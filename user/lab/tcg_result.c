/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/tcg_result.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/tcg_line.h"

struct reader {
	struct pgt_tcg_result *result;
	struct pgt_place at;
	bool begun, ended;
	struct pgt_diag *diag;
};

/* ---- lines ---- */

static int take(struct reader *reader, const char *type, json_t *line)
{
	bool is_first = !strcmp(type, "tcg");

	if (reader->ended)
		return pgt_place_refuse(&reader->at, reader->diag, "a line after the end");
	if (is_first == reader->begun)
		return pgt_place_refuse(&reader->at, reader->diag, is_first ?
					"a second line of type \"tcg\"" :
					"the first line is not of type \"tcg\"");
	reader->begun = true;
	if (is_first)
		return pgt_tcg_line_first(reader->result, line, &reader->at, reader->diag);
	reader->ended = !strcmp(type, "end");
	if (reader->ended)
		return pgt_line_end(line, reader->at.line, &reader->at, reader->diag);
	return pgt_tcg_line_store(reader->result, type, line, &reader->at, reader->diag);
}

static int take_line(void *data, json_t *line)
{
	struct reader *reader = data;
	const char *type = json_string_value(json_object_get(line, "type"));

	return type ? take(reader, type, line) :
		      pgt_place_refuse(&reader->at, reader->diag, "not an object with a \"type\"");
}

static int read_lines(struct reader *reader, const struct pgt_buf *text)
{
	int err = pgt_json_lines_read(text, &reader->at, take_line, reader, reader->diag);

	if (err)
		return err;
	if (!reader->ended)
		return pgt_fail(reader->diag, -ENODATA, "%s: no \"end\" line: the plugin's counts "
				"are truncated", reader->at.path);
	return 0;
}

/* ---- what must hold between the lines ---- */

static int by_site(const void *a, const void *b)
{
	const struct pgt_tcg_site *x = a, *y = b;

	if (x->window != y->window)
		return x->window < y->window ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->word > y->word) - (x->word < y->word);
}

static int by_window(const void *a, const void *b)
{
	const struct pgt_tcg_window *x = a, *y = b;

	return (x->window > y->window) - (x->window < y->window);
}

static int by_scope(const void *a, const void *b)
{
	const struct pgt_tcg_scope *x = a, *y = b;

	if (x->window != y->window)
		return x->window < y->window ? -1 : 1;
	return strcmp(x->scope, y->scope);
}

static int check_sites(const struct pgt_tcg_result *result, const char *path,
		       struct pgt_diag *diag)
{
	for (size_t i = 1; i < result->n_sites; i++)
		if (!by_site(&result->sites[i - 1], &result->sites[i]))
			return pgt_fail(diag, -EPROTO, "%s: the site 0x%" PRIx64 " is there twice "
					"for one window", path, result->sites[i].address);
	for (size_t i = 0; i < result->n_sites; i++) {
		const struct pgt_tcg_site *site = &result->sites[i], *boot;
		struct pgt_tcg_site key = *site;

		key.window = PGT_TCG_BOOT;
		boot = bsearch(&key, result->sites, result->n_sites, sizeof(key), by_site);
		if (!boot || boot->hits < site->hits)
			return pgt_fail(diag, -EPROTO, "%s: the site 0x%" PRIx64 " has more hits in "
					"window %" PRId64 " than in the whole boot", path,
					site->address, site->window);
	}
	return 0;
}

/* Every window that was opened has a line, but for one that was never closed. */
static int check_windows(const struct pgt_tcg_result *result, const char *path,
			 struct pgt_diag *diag)
{
	size_t missing;

	for (size_t i = 1; i < result->n_windows; i++)
		if (!by_window(&result->windows[i - 1], &result->windows[i]))
			return pgt_fail(diag, -EPROTO, "%s: window %" PRId64 " is there twice", path,
					result->windows[i].window);
	missing = (size_t)result->n_opened - result->n_windows;
	if (missing > (size_t)result->open)
		return pgt_fail(diag, -EPROTO, "%s: %" PRId64 " windows were opened, but %zu have "
				"lines", path, result->n_opened, result->n_windows);
	return 0;
}

static bool has_scope(const struct pgt_tcg_result *result, int64_t window, const char *name)
{
	struct pgt_tcg_scope key = { .window = window, .scope = (char *)name };

	return bsearch(&key, result->scopes, result->n_scopes, sizeof(key), by_scope);
}

static int check_scopes(const struct pgt_tcg_result *result, const char *path,
			struct pgt_diag *diag)
{
	for (size_t i = 1; i < result->n_scopes; i++)
		if (!by_scope(&result->scopes[i - 1], &result->scopes[i]))
			return pgt_fail(diag, -EPROTO, "%s: the scope \"%s\" is there twice for one "
					"window", path, result->scopes[i].scope);
	for (size_t i = 0; i < result->n_scope_insns; i++)
		if (!has_scope(result, result->scope_insns[i].window, result->scope_insns[i].scope))
			return pgt_fail(diag, -EPROTO, "%s: instructions of a scope \"%s\" that has "
					"no line", path, result->scope_insns[i].scope);
	for (size_t i = 0; i < result->n_scope_pages; i++)
		if (!has_scope(result, result->scope_pages[i].window, result->scope_pages[i].scope))
			return pgt_fail(diag, -EPROTO, "%s: pages of a scope \"%s\" that has no line",
					path, result->scope_pages[i].scope);
	return 0;
}

#define SORT(array, n, order)	do { if (n) qsort(array, n, sizeof(*(array)), order); } while (0)

static int check_result(struct pgt_tcg_result *result, const char *path, struct pgt_diag *diag)
{
	int err;

	SORT(result->sites, result->n_sites, by_site);
	SORT(result->windows, result->n_windows, by_window);
	SORT(result->scopes, result->n_scopes, by_scope);
	err = check_sites(result, path, diag);
	if (!err)
		err = check_windows(result, path, diag);
	return err ? err : check_scopes(result, path, diag);
}

int pgt_tcg_result_read(struct pgt_tcg_result *out, const char *path, struct pgt_diag *diag)
{
	struct pgt_tcg_result result = { 0 };
	struct reader reader = { &result, { path, 0 }, false, false, diag };
	struct pgt_buf text = PGT_BUF_INIT;
	int err = pgt_file_read(path, &text, diag);

	if (!err)
		err = read_lines(&reader, &text);
	if (!err)
		err = check_result(&result, path, diag);
	pgt_buf_release(&text);
	if (err) {
		pgt_tcg_result_release(&result);
		return err;
	}
	*out = result;
	return 0;
}

void pgt_tcg_result_release(struct pgt_tcg_result *result)
{
	pgt_tcg_line_release(result);
	*result = (struct pgt_tcg_result){ 0 };
}

const struct pgt_tcg_site *pgt_tcg_result_site(const struct pgt_tcg_result *result, int64_t window,
					       uint64_t address)
{
	size_t low = 0, high = result->n_sites;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pgt_tcg_site *site = &result->sites[middle];

		if (site->window < window || (site->window == window && site->address < address))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == result->n_sites || result->sites[low].window != window ||
	    result->sites[low].address != address)
		return NULL;
	return &result->sites[low];
}

bool pgt_tcg_is_probed(const char *kind)
{
	return !strncmp(kind, "dsb", 3) || !strncmp(kind, "isb", 3) || !strncmp(kind, "tlbi", 4);
}
