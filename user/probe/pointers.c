/* SPDX-License-Identifier: GPL-2.0-only */
#include "probe/pointers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "probe/kcore.h"
#include "probe/sites.h"

#define CHUNK		(1u << 20)
#define REACH_WORDS	16	/* compilers put the ADD close behind its ADRP */

/* targets and whether each was found; targets stay sorted while looking */
struct search {
	const uint64_t *target;
	bool *taken;
	size_t n;
};

static void take(struct search *search, uint64_t value)
{
	size_t lo = 0, hi = search->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (search->target[mid] < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < search->n && search->target[lo] == value)
		search->taken[lo] = true;
}

static int64_t adr_immediate(uint32_t word)
{
	int32_t high = (int32_t)(word << 8) >> 13;	/* bits 23:5, signed */

	return (int64_t)high * 4 + (word >> 29 & 3);
}

static bool page_has_target(const struct search *search, uint64_t page)
{
	for (size_t i = 0; i < search->n; i++)
		if ((search->target[i] & ~UINT64_C(4095)) == page)
			return true;
	return false;
}

/* ADRP Xd, page; ... ADD Xm, Xd, #low: the address is page + low. */
static void follow_adrp(const struct pgt_text *text, struct search *search, size_t offset,
			uint64_t page)
{
	unsigned int rd = pgt_text_word(text, offset) & 31;

	for (size_t i = 1; i <= REACH_WORDS && offset + 4 * i + 4 <= text->len; i++) {
		uint32_t word = pgt_text_word(text, offset + 4 * i);

		if ((word & 0xffc00000) == 0x91000000 && (word >> 5 & 31) == rd)
			take(search, page + (word >> 10 & 0xfff));
	}
}

static void search_text(const struct pgt_text *text, struct search *search)
{
	for (size_t offset = 0; offset + 4 <= text->len; offset += 4) {
		uint32_t word = pgt_text_word(text, offset);
		uint64_t at = text->start + offset;

		if ((word & 0x9f000000) == 0x10000000) {		/* ADR */
			take(search, at + (uint64_t)adr_immediate(word));
		} else if ((word & 0x9f000000) == 0x90000000) {		/* ADRP */
			uint64_t page = (at & ~UINT64_C(4095)) + (uint64_t)(adr_immediate(word) * 4096);

			if (page - (text->start & ~UINT64_C(4095)) < text->len + 4096 &&
			    page_has_target(search, page))
				follow_adrp(text, search, offset, page);
		}
	}
}

static int search_data(const struct pgt_text *text, struct search *search, struct pgt_diag *diag)
{
	uint64_t at = text->start + text->len, end;
	uint64_t *words = malloc(CHUNK);
	int err = words ? pgt_kcore_segment_end(text->kcore, text->start, &end, diag) :
			  pgt_fail(diag, -ENOMEM, "kernel data: out of memory");

	while (!err && at + 8 <= end) {
		size_t len = end - at < CHUNK ? (size_t)(end - at) & ~(size_t)7 : CHUNK;

		err = pgt_kcore_read(text->kcore, at, words, len, diag);
		for (size_t i = 0; i < len / 8 && !err; i++)
			if (words[i] - text->start < text->len)
				take(search, words[i]);
		at += len;
	}
	free(words);
	return err;
}

int pgt_pointers_strike(const struct pgt_text *text, uint64_t *target, size_t n,
			struct pgt_diag *diag)
{
	struct search search = { target, calloc(n + 1, sizeof(bool)), n };
	int err;

	if (!search.taken)
		return pgt_fail(diag, -ENOMEM, "kernel data: out of memory");
	search_text(text, &search);
	err = search_data(text, &search, diag);
	for (size_t i = 0; i < n && !err; i++)
		if (search.taken[i])
			target[i] = 0;
	free(search.taken);
	return err;
}
