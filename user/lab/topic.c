/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/topic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "lab/lab.h"

static bool has_series(const char *patches, const char *name, size_t len)
{
	char *path = NULL;
	bool has;

	if (patches && pgt_patch_series_is_name(name, len))
		path = pgt_format("%s/%.*s/series", patches, (int)len, name);
	has = path && !access(path, F_OK);
	free(path);
	return has;
}

bool pgt_topic_is_spec(const char *patches, const char *spec)
{
	size_t len = strcspn(spec, "/");

	return spec[len] && has_series(patches, spec, len);
}

bool pgt_topic_is_name(const char *patches, const char *spec)
{
	return has_series(patches, spec, strcspn(spec, ":"));
}

static int read_series(struct pgt_topic *topic, struct pgt_diag *diag)
{
	char *path = pgt_format("%s/series", topic->dir);
	struct pgt_buf text = PGT_BUF_INIT;
	int err = path ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err && access(path, F_OK))
		err = pgt_fail(diag, -ENOENT, "no topic %s: there is no %s", topic->name, path);
	if (!err)
		err = pgt_file_read(path, &text, diag);
	if (!err)
		err = pgt_patch_series_parse(&topic->series, text.at ? text.at : "", path, diag);
	pgt_buf_release(&text);
	free(path);
	return err;
}

int pgt_topic_open(struct pgt_topic *out, const char *patches, const char *name,
		   struct pgt_diag *diag)
{
	struct pgt_topic made = { .name = NULL };
	int err;

	if (!patches)
		return pgt_fail(diag, -ENOENT,
				"no directory kernel-patches here or beside the program: name it "
				"with --patches");
	if (!pgt_patch_series_is_name(name, strlen(name)))
		return pgt_fail(diag, -EINVAL, "%s: not the name of a topic", name);
	made.name = strdup(name);
	made.dir = pgt_format("%s/%s", patches, name);
	err = made.name && made.dir ? read_series(&made, diag)
				    : pgt_fail(diag, -ENOMEM, "out of memory");
	if (err)
		pgt_topic_release(&made);
	else
		*out = made;
	return err;
}

void pgt_topic_release(struct pgt_topic *topic)
{
	free(topic->name);
	free(topic->dir);
	pgt_patch_series_release(&topic->series);
	*topic = (struct pgt_topic){ .name = NULL };
}

int pgt_topic_step(const struct pgt_topic *topic, const char *name,
		   const struct pgt_patch_series_step **out, struct pgt_diag *diag)
{
	const struct pgt_patch_series_step *step = pgt_patch_series_find(&topic->series, name);
	struct pgt_buf names = PGT_BUF_INIT;
	int err = 0;

	if (step) {
		*out = step;
		return 0;
	}
	for (size_t i = 0; !err && i < topic->series.n_steps; i++)
		err = pgt_buf_addf(&names, "%s%s", i ? ", " : "", topic->series.steps[i].name);
	err = pgt_fail(diag, -ENOENT, "topic %s has no step %s: it has %s", topic->name, name,
		       err ? "others" : names.at);
	pgt_buf_release(&names);
	return err;
}

static int add_file(const char *dir, const char *name, bool optional, struct pgt_buf *out,
		    struct pgt_diag *diag)
{
	char *path = pgt_format("%s/%s", dir, name);
	int err = path ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err && !(optional && access(path, F_OK)))
		err = pgt_file_read(path, out, diag);
	free(path);
	return err;
}

int pgt_topic_config(const struct pgt_topic *topic, const struct pgt_build_name *name,
		     struct pgt_buf *out, struct pgt_diag *diag)
{
	char *pages = pgt_format("pages-%s.config", pgt_build_page_sizes[name->pages]);
	char *all = pgt_format("%s/..", topic->dir);
	int err = pages && all ? 0 : pgt_fail(diag, -ENOMEM, "out of memory");

	if (!err)
		err = add_file(all, "measured.config", false, out, diag);
	if (!err && name->config == PGT_BUILD_DEBUG)
		err = add_file(all, "debug.config", false, out, diag);
	if (!err)
		err = add_file(all, pages, false, out, diag);
	if (!err)
		err = add_file(topic->dir, "config", true, out, diag);
	free(pages);
	free(all);
	return err;
}

int pgt_topic_patches(const struct pgt_topic *topic, const struct pgt_patch_series_step *step,
		      struct pgt_buf *out, struct pgt_diag *diag)
{
	int err = 0;

	for (size_t i = 0; !err && i < step->n_patches; i++) {
		const char *name = topic->series.patches[i];

		if (pgt_buf_addf(out, "patch %s\n", name))
			err = pgt_fail(diag, -ENOMEM, "out of memory");
		if (!err)
			err = add_file(topic->dir, name, false, out, diag);
	}
	return err;
}
