/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/lab_topic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/progress.h"
#include "lab/build_name.h"
#include "lab/lab.h"

_Static_assert(PGT_AB_PLAN_MAX_SIDES <= PGT_RIG_MAX_KERNELS, "a plan's sides are a rig's kernels");

/* ---- the topic's files ---- */

/* A file that need not be there; out stays empty then. */
static int read_file(struct pgt_buf *out, const char *path, struct pgt_diag *diag)
{
	return access(path, F_OK) ? 0 : pgt_file_read(path, out, diag);
}

static int read_plan(struct pgt_lab_topic *topic, struct pgt_diag *diag)
{
	struct pgt_buf text = PGT_BUF_INIT;
	int err;

	topic->plan_path = pgt_format("%s/ab", topic->topic.dir);
	if (!topic->plan_path)
		return pgt_fail(diag, -ENOMEM, "out of memory");
	err = read_file(&text, topic->plan_path, diag);
	if (!err)
		err = pgt_ab_plan_parse(&topic->plan, text.at ? text.at : "", topic->plan_path,
					&topic->topic.series, diag);
	pgt_buf_release(&text);
	return err;
}

static int read_beside(struct pgt_buf *out, const struct pgt_lab_topic *topic, const char *name,
		       struct pgt_diag *diag)
{
	char *path = pgt_format("%s/%s", topic->topic.dir, name);
	int err = path ? read_file(out, path, diag) : pgt_fail(diag, -ENOMEM, "out of memory");

	free(path);
	return err;
}

int pgt_lab_topic_open(struct pgt_lab_topic **out, const char *patches, const char *spec,
		       struct pgt_diag *diag)
{
	size_t len = strcspn(spec, ":");
	struct pgt_lab_topic *made;
	char *name;
	int err;

	*out = NULL;
	if (!pgt_topic_is_name(patches, spec))
		return 0;
	made = calloc(1, sizeof(*made));
	name = strndup(spec, len);
	err = made && name ? pgt_topic_open(&made->topic, patches, name, diag)
			   : pgt_fail(diag, -ENOMEM, "out of memory");
	free(name);
	if (!err) {
		made->suffix = spec + len;
		err = read_plan(made, diag);
	}
	if (!err)
		err = read_beside(&made->oracle, made, "oracle", diag);
	if (!err)
		err = read_beside(&made->published, made, "published", diag);
	if (err)
		pgt_lab_topic_free(made);
	else
		*out = made;
	return err;
}

void pgt_lab_topic_free(struct pgt_lab_topic *topic)
{
	if (!topic)
		return;
	pgt_topic_release(&topic->topic);
	pgt_ab_plan_release(&topic->plan);
	for (size_t i = 0; i < topic->n_kernels; i++)
		free(topic->specs[i]);
	free(topic->plan_path);
	pgt_buf_release(&topic->steps);
	pgt_buf_release(&topic->oracle);
	pgt_buf_release(&topic->published);
	free(topic);
}

/* ---- what is booted ---- */

/*
 * spec is the topic's, and NULL where memory ran out.  Our own kernels have all that a workload
 * needs, so that a lack is a failure; a kernel that stands beside them may lack something.
 */
static int add_kernel(struct pgt_lab_topic *topic, const struct pgt_ab_plan_side *side,
		      char *spec, bool is_beside, struct pgt_diag *diag)
{
	const char *kind = is_beside ? "beside" : "step";
	size_t i = topic->n_kernels++;

	topic->specs[i] = spec;
	topic->kernels[i] = (struct pgt_rig_kernel){
		.spec = spec, .name = side->name, .parameters = side->parameters,
		.skip_unsupported = is_beside,
	};
	if (!spec || pgt_buf_addf(&topic->steps, "%s %s\n", kind, side->name))
		return pgt_fail(diag, -ENOMEM, "out of memory");
	return 0;
}

static int add_kernels(struct pgt_lab_topic *topic, struct pgt_diag *diag)
{
	const struct pgt_ab_plan_sides *sides = &topic->plan.sides, *beside = &topic->plan.beside;
	int err = 0;

	for (size_t i = 0; !err && i < sides->n; i++)
		err = add_kernel(topic, &sides->at[i],
				 pgt_format("%s/%s%s", topic->topic.name, sides->at[i].kernel,
					    topic->suffix), false, diag);
	for (size_t i = 0; !err && i < beside->n; i++)
		err = add_kernel(topic, &beside->at[i], strdup(beside->at[i].kernel), true, diag);
	return err;
}

/* The sides, the first of them again as the control, and those beside. */
static void add_sides(struct pgt_lab_topic *topic)
{
	size_t n = topic->plan.sides.n;

	for (size_t i = 0; i < topic->n_kernels; i++)
		topic->sides[i < n ? i : i + 1] = (struct pgt_ab_side){ topic->kernels[i].name, i };
	topic->sides[n] = pgt_ab_pair[PGT_SIDE_CONTROL];
}

/* A stock kernel has pages of 4K, and none of the checks. */
static int are_measured(bool *out, const struct pgt_lab_topic *topic, struct pgt_diag *diag)
{
	char *spec = pgt_format("%s/%s%s", topic->topic.name, topic->plan.sides.at[0].kernel,
				topic->suffix);
	struct pgt_build_name name;
	int err = spec ? pgt_build_name_parse(&name, spec, diag)
		       : pgt_fail(diag, -ENOMEM, "out of memory");

	free(spec);
	if (!err)
		*out = name.config == PGT_BUILD_MEASURED && name.pages == PGT_BUILD_4K;
	return err;
}

int pgt_lab_topic_choose(struct pgt_lab_topic *topic, const char *const *names, size_t n,
			 bool no_beside, struct pgt_progress *progress, struct pgt_diag *diag)
{
	bool measured;
	int err = n ? pgt_ab_plan_choose(&topic->plan, names, n, diag) : 0;

	if (err)
		return pgt_wrap(diag, err, "topic %s", topic->topic.name);
	err = are_measured(&measured, topic, diag);
	if (err)
		return err;
	if (!no_beside && !measured && topic->plan.beside.n)
		pgt_progress_note(progress, "no stock kernel beside %s%s: none is like these",
				  topic->topic.name, topic->suffix);
	if (no_beside || !measured)
		pgt_ab_plan_drop_beside(&topic->plan);
	if (topic->plan.sides.n + topic->plan.beside.n < 2)
		return pgt_fail(diag, -EINVAL,
				"topic %s: one side, and nothing beside it: there is nothing to compare",
				topic->topic.name);
	err = add_kernels(topic, diag);
	if (!err)
		add_sides(topic);
	return err;
}

void pgt_lab_topic_texts(const struct pgt_lab_topic *topic,
			 struct pgt_ab_text out[PGT_LAB_TOPIC_TEXTS])
{
	out[0] = (struct pgt_ab_text){ "steps", topic->steps.at };
	out[1] = (struct pgt_ab_text){ "oracle", topic->oracle.at };
	out[2] = (struct pgt_ab_text){ "published", topic->published.at };
}
