/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sides of a topic's report are, and what may make them incomparable. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "recording/recording.h"
#include "report/sentences.h"
#include "report/steps_parts.h"
#include "report/words.h"

static int out_of_memory(struct pgt_diag *diag)
{
	return pgt_fail(diag, -ENOMEM, "out of memory");
}

/* ---- attributes ---- */

static int say_text(struct pgt_buf *out, const char *text)
{
	return pgt_format_ascii(out, !text ? "not known" : *text ? text : "none");
}

static int say_cpu(struct pgt_buf *out, const struct pgt_report_side *side)
{
	return say_text(out, side->host->cpu);
}

static int say_cpus(struct pgt_buf *out, const struct pgt_report_side *side)
{
	return pgt_format_count(out, side->host->n_cpus);
}

static int say_page_size(struct pgt_buf *out, const struct pgt_report_side *side)
{
	return pgt_format_count(out, side->host->page_size);
}

static int say_accelerator(struct pgt_buf *out, const struct pgt_report_side *side)
{
	return say_text(out, side->host->accelerator);
}

static int say_parameters(struct pgt_buf *out, const struct pgt_report_side *side)
{
	return say_text(out, side->host->cmdline);
}

static int say_tool(struct pgt_buf *out, const struct pgt_report_side *side)
{
	return say_text(out, side->tool);
}

static bool is_rough(int64_t a, int64_t b)
{
	int64_t more = a > b ? a : b;

	return llabs(a - b) <= more / 16;
}

/* A kernel reports its memory without what it keeps for itself: a sixteenth is no difference. */
static bool same_memory(const struct pgt_report_side *a, const struct pgt_report_side *b)
{
	return is_rough(a->least_memory, b->least_memory) &&
	       is_rough(a->most_memory, b->most_memory);
}

static const struct {
	const char *name;
	int (*say)(struct pgt_buf *out, const struct pgt_report_side *side);
	bool (*same)(const struct pgt_report_side *a, const struct pgt_report_side *b);
} attributes[] = {
	{ "cpu", say_cpu, NULL },
	{ "cpus", say_cpus, NULL },
	{ "page size", say_page_size, NULL },
	{ "memory", pgt_sentence_memory, same_memory },
	{ "accelerator", say_accelerator, NULL },
	{ "parameters", say_parameters, NULL },
	{ "recorded by", say_tool, NULL },
};

#define N_ATTRIBUTES	(sizeof(attributes) / sizeof(attributes[0]))

static int fill_attribute(struct pgt_steps *steps, size_t number, struct pgt_diag *diag)
{
	struct pgt_steps_attribute *attribute = &steps->attributes[number];

	attribute->name = attributes[number].name;
	attribute->texts = calloc(steps->n_sides, sizeof(*attribute->texts));
	if (!attribute->texts)
		return out_of_memory(diag);
	for (size_t i = 0; i < steps->n_sides; i++) {
		struct pgt_buf text = PGT_BUF_INIT;

		if (attributes[number].say(&text, &steps->sides[i].side)) {
			pgt_buf_release(&text);
			return out_of_memory(diag);
		}
		attribute->texts[i] = text.at;
		attribute->differs |= attributes[number].same ?
			!attributes[number].same(&steps->sides[0].side, &steps->sides[i].side) :
			strcmp(attribute->texts[0], text.at) != 0;
	}
	return 0;
}

int pgt_steps_add_attributes(struct pgt_steps *steps, struct pgt_diag *diag)
{
	int err = 0;

	steps->attributes = calloc(N_ATTRIBUTES, sizeof(*steps->attributes));
	if (!steps->attributes)
		return out_of_memory(diag);
	for (; !err && steps->n_attributes < N_ATTRIBUTES; steps->n_attributes++)
		err = fill_attribute(steps, steps->n_attributes, diag);
	return err;
}

/* ---- warnings ---- */

/* One warning for all sides that it is true of. */
static int add_warning(struct pgt_steps *steps, const char *text, size_t side,
		       struct pgt_diag *diag)
{
	struct pgt_steps_warning *grown;
	size_t i = 0;

	while (i < steps->n_warnings && strcmp(steps->warnings[i].text, text))
		i++;
	if (i == steps->n_warnings) {
		grown = reallocarray(steps->warnings, i + 1, sizeof(*grown));
		if (!grown)
			return out_of_memory(diag);
		steps->warnings = grown;
		grown[i] = (struct pgt_steps_warning){ text, calloc(steps->n_sides, sizeof(bool)) };
		if (!grown[i].is_about)
			return out_of_memory(diag);
		steps->n_warnings++;
	}
	steps->warnings[i].is_about[side] = true;
	return 0;
}

int pgt_steps_add_warnings(struct pgt_steps *steps, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 1; i < steps->n_sides; i++) {
		const struct pgt_comparison *comparison = &steps->comparisons[i];

		/* Other parameters make another machine of it, and are shown. */
		if (comparison->same_kernel && !strcmp(steps->sides[0].side.host->cmdline,
						       steps->sides[i].side.host->cmdline))
			err = add_warning(steps, pgt_sentence_same_kernel, i, diag);
		for (size_t j = 0; !err && j < comparison->n_warnings; j++)
			err = add_warning(steps, comparison->warnings[j], i, diag);
	}
	return err;
}
