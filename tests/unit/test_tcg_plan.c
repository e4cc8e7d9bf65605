/* SPDX-License-Identifier: GPL-2.0-only */
/* The plugin's arguments and plan: what is taken, and what is refused with which words. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "base/diag.h"
#include "tcg/options.h"
#include "tcg/plan.h"

#define HEAD	"pgtrace-tcg 1\nbuild_id 12ab\nvcpus 2\ntext 0xffff800080010000 0xffff800080f40000\n"

static bool has(const char *text, const char *part)
{
	return strstr(text, part);
}

static int parse(struct pgt_tcg_plan *plan, const char *text, struct pgt_diag *diag)
{
	char *copy = strdup(text);
	int err = pgt_tcg_plan_parse(plan, copy, "plan", diag);

	free(copy);
	return err;
}

Test(tcg_plan, takes_what_the_format_says)
{
	struct pgt_tcg_plan plan;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, parse(&plan, HEAD "switch 0xffff800080015f30\n"
				  "scope vmap 0xffff800080030000 6 1 vmap_range\n"
				  "scope linear_map 0xffff800080020000 5 3 map_mem\n"
				  "scope vmap 0xffff800080010000 0 0 vmap_pages\n"
				  "end\n", &diag)), "%s", diag.text);
	cr_assert(eq(str, plan.build_id, (char *)"12ab"));
	cr_assert(eq(u32, plan.vcpus, 2));
	cr_assert(eq(u64, plan.text_start, 0xffff800080010000));
	cr_assert(eq(u64, plan.text_end, 0xffff800080f40000));
	cr_assert(eq(u64, plan.switch_to, 0xffff800080015f30));
	cr_assert(eq(u64, plan.image_start, 0xffff800080010000), "without image, it is the text");
	cr_assert(eq(u64, plan.image_end, 0xffff800080f40000));
	cr_assert(eq(sz, plan.n_scopes, 2));
	cr_assert(eq(str, plan.scopes[0], (char *)"vmap"));
	cr_assert(eq(str, plan.scopes[1], (char *)"linear_map"));
	cr_assert(eq(sz, plan.n_entries, 3));
	cr_assert(eq(str, plan.entries[0].function, (char *)"vmap_pages"));
	cr_assert(eq(str, plan.entries[1].function, (char *)"map_mem"));
	cr_assert(eq(sz, plan.entries[1].scope, 1));
	cr_assert(eq(int, (int)plan.entries[1].pages, PGT_PAGES_BYTES));
	cr_assert(eq(u32, plan.entries[1].arg, 3));
	cr_assert(eq(ptr, (void *)pgt_tcg_plan_entry(&plan, 0xffff800080020000),
		     &plan.entries[1]));
	cr_assert(zero(ptr, (void *)pgt_tcg_plan_entry(&plan, 0xffff800080020004)));
	pgt_tcg_plan_release(&plan);
}

Test(tcg_plan, one_address_may_enter_several_scopes)
{
	struct pgt_tcg_plan plan;
	struct pgt_diag diag = { "" };
	const struct pgt_tcg_entry *entry;

	cr_assert(zero(int, parse(&plan, HEAD "switch 0x10\nscope a 0x20 0 0 f\nscope b 0x20 0 0 f\n"
				  "scope c 0x30 0 0 g\nend\n", &diag)), "%s", diag.text);
	entry = pgt_tcg_plan_entry(&plan, 0x20);
	cr_assert(eq(ptr, (void *)entry, &plan.entries[0]));
	cr_assert(eq(sz, entry[0].scope, 0));
	cr_assert(eq(sz, entry[1].scope, 1));
	pgt_tcg_plan_release(&plan);
}

Test(tcg_plan, needs_no_scopes)
{
	struct pgt_tcg_plan plan;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, parse(&plan, HEAD "image 0xffff800080000000 0xffff800082510000\nend\n",
				  &diag)), "%s", diag.text);
	cr_assert(eq(u64, plan.image_start, 0xffff800080000000));
	cr_assert(eq(u64, plan.image_end, 0xffff800082510000));
	cr_assert(zero(ptr, (void *)pgt_tcg_plan_entry(&plan, 0)));
	pgt_tcg_plan_release(&plan);
}

static const struct {
	const char *text;
	int err;
	const char *words;
} refused[] = {
	{ "", -EPROTO, "plan:1: not a plan" },
	{ "pgtrace-tcg\n", -EPROTO, "not a plan" },
	{ "pgtrace-tcg 2\nend\n", -EPROTONOSUPPORT, "plan:1: a plan of another version" },
	{ HEAD, -EPROTO, "cut off" },
	{ HEAD "end", -EPROTO, NULL },		/* taken: see below */
	{ HEAD "end\nend\n", -EPROTO, "plan:6: text behind the end" },
	{ "pgtrace-tcg 1\nend\n", -EPROTO, "is missing" },
	{ HEAD "build_id 12\nend\n", -EPROTO, "plan:5: a second build_id" },
	{ HEAD "build_id xy\nend\n", -EPROTO, "build_id" },
	{ HEAD "vcpus 0\nend\n", -EPROTO, "vcpus" },
	{ HEAD "vcpus -1\nend\n", -EPROTO, "vcpus" },
	{ HEAD "vcpus 65\nend\n", -E2BIG, "more vcpus" },
	{ HEAD "text 0x20 0x10\nend\n", -EPROTO, "ascending" },
	{ HEAD "text 20 30\nend\n", -EPROTO, "ascending" },
	{ HEAD "image 0x20 0x10\nend\n", -EPROTO, "image is not two ascending" },
	{ HEAD "image 0x10\nend\n", -EPROTO, "fields" },
	{ HEAD "text 0x1\nend\n", -EPROTO, "fields" },
	{ HEAD "text 0x1 0x2 0x3\nend\n", -EPROTO, "fields" },
	{ HEAD "switch 0x0\nend\n", -EPROTO, "switch" },
	{ HEAD "switch 0x11112222333344445\nend\n", -EPROTO, "switch" },
	{ HEAD "colour red\nend\n", -EPROTO, "plan:5: unknown item" },
	{ HEAD "\nend\n", -EPROTO, "unknown item" },
	{ HEAD "scope a 0x20 0 0 f\nend\n", -EPROTO, "need switch" },
	{ HEAD "switch 0x10\nscope a 0x20 0 0 f\nscope a 0x20 0 0 g\nend\n", -EPROTO, "twice" },
	{ HEAD "switch 0x10\nscope a 0x20 9 0 f\nend\n", -EPROTO, "pages" },
	{ HEAD "switch 0x10\nscope a 0x20 0 7 f\nend\n", -EPROTO, "pages" },
	{ HEAD "switch 0x10\nscope a 0x20 0 0 f g\nend\n", -EPROTO, "fields" },
	{ HEAD "switch 0x10\nscope a\"b 0x20 0 0 f\nend\n", -EPROTO, "name" },
	{ HEAD "switch 0x10\nscope a 20 0 0 f\nend\n", -EPROTO, "address" },
};

Test(tcg_plan, refuses_what_the_format_does_not_say)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct pgt_tcg_plan plan;
		struct pgt_diag diag = { "" };
		int err = parse(&plan, refused[i].text, &diag);

		if (!refused[i].words) {	/* the last newline may be missing */
			cr_assert(zero(int, err), "%s", diag.text);
			pgt_tcg_plan_release(&plan);
			continue;
		}
		cr_assert(eq(int, err, refused[i].err), "%zu: %s", i, diag.text);
		cr_assert(has(diag.text, refused[i].words), "%zu: %s", i, diag.text);
	}
}

Test(tcg_plan, refuses_too_many_scopes)
{
	struct pgt_tcg_plan plan;
	struct pgt_diag diag = { "" };
	char text[8192];
	size_t n = (size_t)snprintf(text, sizeof(text), HEAD "switch 0x10\n");

	for (int i = 0; i <= PGT_TCG_SCOPES_MAX; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "scope s%d 0x%x 0 0 f\n", i,
				      0x1000 + i);
	snprintf(text + n, sizeof(text) - n, "end\n");
	cr_assert(eq(int, parse(&plan, text, &diag), -E2BIG));
	cr_assert(has(diag.text, "more scopes"), "%s", diag.text);
}

Test(tcg_plan, says_which_file_cannot_be_read)
{
	struct pgt_tcg_plan plan;
	struct pgt_diag diag = { "" };

	cr_assert(eq(int, pgt_tcg_plan_read(&plan, "/nowhere/plan", &diag), -ENOENT));
	cr_assert(has(diag.text, "/nowhere/plan"), "%s", diag.text);
}

#define OPTIONS(options, diag, ...)	pgt_tcg_options_parse(options,			\
	(int)(sizeof((char *[]){ __VA_ARGS__ }) / sizeof(char *)), (char *[]){ __VA_ARGS__ }, diag)

Test(tcg_options, takes_its_arguments)
{
	struct pgt_tcg_options options;
	struct pgt_diag diag = { "" };

	cr_assert(zero(int, OPTIONS(&options, &diag, "out=o", "plan=p")), "%s", diag.text);
	cr_assert(eq(str, (char *)options.plan, (char *)"p"));
	cr_assert(eq(str, (char *)options.out, (char *)"o"));
	cr_assert(not(options.instructions));
	cr_assert(zero(ptr, (void *)options.model));
	cr_assert(zero(int, OPTIONS(&options, &diag, "out=o", "plan=p", "instructions=on",
				    "model=m")));
	cr_assert(options.instructions);
	cr_assert(eq(str, (char *)options.model, (char *)"m"));
	cr_assert(zero(int, OPTIONS(&options, &diag, "out=o", "plan=p", "instructions=off")));
	cr_assert(not(options.instructions));
}

Test(tcg_options, refuses_others)
{
	struct pgt_tcg_options options;
	struct pgt_diag diag = { "" };

	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o"), -EINVAL));
	cr_assert(has(diag.text, "must be given"), "%s", diag.text);
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o", "plan=p", "colour=red"), -EINVAL));
	cr_assert(has(diag.text, "unknown argument \"colour=red\""), "%s", diag.text);
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o", "plan=p", "plans=p"), -EINVAL));
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o", "plan=p", "plan"), -EINVAL));
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o", "plan=p", "plan=q"), -EINVAL));
	cr_assert(has(diag.text, "twice"), "%s", diag.text);
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=", "plan=p"), -EINVAL));
	cr_assert(has(diag.text, "no value"), "%s", diag.text);
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o", "plan=p", "instructions=1"), -EINVAL));
	cr_assert(has(diag.text, "on or off"), "%s", diag.text);
	cr_assert(eq(int, OPTIONS(&options, &diag, "out=o", "plan=p", "models=m"), -EINVAL));
}
