/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.h - the words and the number formats that all renderers share.
 */
#ifndef PGT_REPORT_WORDS_H
#define PGT_REPORT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "compare/compare.h"

struct pgt_buf;

struct pgt_verdict_words {
	const char *word;	/* "better", "no difference detected", ... */
	const char *meaning;	/* for the legend, one line */
};

/* Indexed by enum pgt_verdict. */
extern const struct pgt_verdict_words pgt_verdict_words[PGT_ONE_SIDE_ONLY + 1];

/* What a legend has to explain. */
struct pgt_shown {
	uint32_t notes;		/* enum pgt_note, or-ed */
	uint32_t verdicts;	/* 1 << enum pgt_verdict, or-ed */
	uint32_t views;		/* 1 << enum pgt_view, or-ed */
};

struct pgt_note_words {
	uint32_t note;		/* enum pgt_note */
	char mark;		/* in text and markdown */
	const char *name;	/* in JSON */
	const char *meaning;	/* for the legend */
};

extern const struct pgt_note_words pgt_note_words[];
extern const size_t pgt_n_note_words;

/* All of these append to out and return 0 or -ENOMEM. */

/* "131,329"; a median between two integers keeps its part: "80.5", "80.25". */
int pgt_format_value(struct pgt_buf *out, double value);
int pgt_format_count(struct pgt_buf *out, int64_t count);

/*
 * How test stands to base: "-99.6 % (/255.5)", the factor from 2 up; "0 %" for the same number
 * and "?" for NAN.  As many decimals as it takes not to call a change none or all.
 */
int pgt_format_change(struct pgt_buf *out, double ratio);

/* "0.029"; three digits that count. */
int pgt_format_p(struct pgt_buf *out, double p);

/* A bin of pages per call: "0", "1", "2-3", "256-511". */
int pgt_format_bin(struct pgt_buf *out, int64_t pages);

/* The marks of the notes, in the order of the table: "xm". */
int pgt_format_marks(struct pgt_buf *out, uint32_t notes);

/* Bytes of memory as "2,048 MiB", or "2,029,440 KiB" or "12,345 bytes" where that is not whole. */
int pgt_format_memory(struct pgt_buf *out, int64_t bytes);

/*
 * A value of a metric in its unit: whole KiB of bytes as ptdump has them, "2,097,152K", and
 * else as pgt_format_value() does.
 */
int pgt_format_in_unit(struct pgt_buf *out, double value, const char *unit);

/* A guest's memory: "2 GiB", "512 MiB". */
int pgt_format_size(struct pgt_buf *out, int64_t bytes);

/* A quotient, four digits that count: "0.009738", "1.150", "588.7", "40,123". */
int pgt_format_quotient(struct pgt_buf *out, double value);

/* Text of a recording as printable ASCII: every other byte becomes '?'. */
int pgt_format_ascii(struct pgt_buf *out, const char *text);

#endif /* PGT_REPORT_WORDS_H */
