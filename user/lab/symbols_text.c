/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "lab/symbols.h"
#include "recording/recording.h"

/*
 * arm64: a kernel starts at a multiple of 128 MiB, behind the modules' range, with its text in the
 * first 2 MiB; KASLR moves it in steps of 2 MiB.
 */
#define UNSLID_ALIGN	(UINT64_C(128) << 20)
#define SLIDE_STEP	(UINT64_C(2) << 20)

bool pgt_cmdline_has(const char *cmdline, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = cmdline; (at = strstr(at, word)); at += n)
		if ((at == cmdline || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* The text of the line of that type; to be freed; NULL where there is none. */
static char *find_kallsyms(const struct pgt_buf *text)
{
	static const char lead[] = "{\"type\":\"kallsyms\"";
	const char *line = text->at, *end = text->at + text->len;
	char *found = NULL;

	while (line < end && !found) {
		size_t n = strcspn(line, "\n");
		json_t *object;

		if (!strncmp(line, lead, sizeof(lead) - 1)) {
			object = json_loadb(line, n, 0, NULL);
			if (json_is_string(json_object_get(object, "text")))
				found = strdup(json_string_value(json_object_get(object, "text")));
			json_decref(object);
		}
		line += n + 1;
	}
	return found;
}

static int check_unslid(const struct pgt_ksyms *ksyms, const struct pgt_host *host,
			const char *path, struct pgt_diag *diag)
{
	if (!pgt_cmdline_has(host->cmdline, "nokaslr"))
		return pgt_fail(diag, -EPROTO, "%s: the kernel was booted without nokaslr, so its "
				"addresses are those of one boot only", path);
	if (ksyms->start % UNSLID_ALIGN >= SLIDE_STEP)
		return pgt_fail(diag, -EPROTO, "%s: the kernel's text was moved to 0x%" PRIx64
				" although it was booted with nokaslr", path, ksyms->start);
	return 0;
}

static int take(struct pgt_symbols *made, const struct pgt_host *host, const char *path,
		const struct pgt_buf *text, struct pgt_diag *diag)
{
	char *list = find_kallsyms(text);
	int err;

	if (!list)
		return pgt_fail(diag, -EPROTO, "%s: it has no symbols", path);
	if (!host->build_id)
		err = pgt_fail(diag, -EPROTO, "%s: the kernel has no build id, so that nobody could "
			       "tell whose symbols these are", path);
	else
		err = pgt_ksyms_parse(&made->ksyms, list, true, diag);
	free(list);
	if (!err)
		err = check_unslid(&made->ksyms, host, path, diag);
	if (!err) {
		made->build_id = strdup(host->build_id);
		if (!made->build_id)
			err = pgt_fail(diag, -ENOMEM, "%s: out of memory", path);
	}
	return err;
}

int pgt_symbols_parse(struct pgt_symbols *out, const char *path, const struct pgt_buf *text,
		      struct pgt_diag *diag)
{
	struct pgt_symbols made = { .build_id = NULL };
	struct pgt_recording recording;
	int err = pgt_recording_parse(&recording, path, text, diag);

	if (err)
		return err;
	err = take(&made, &recording.boots[0].host, path, text, diag);
	pgt_recording_release(&recording);
	if (err)
		pgt_symbols_release(&made);
	else
		*out = made;
	return err;
}

void pgt_symbols_release(struct pgt_symbols *symbols)
{
	pgt_ksyms_release(&symbols->ksyms);
	free(symbols->build_id);
	*symbols = (struct pgt_symbols){ .build_id = NULL };
}
