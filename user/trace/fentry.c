/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/fentry.h"

#include <stdbool.h>
#include <stdio.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "probe/ksyms.h"
#include "probe/plan.h"

/* Trampolines refuse a function that returns a struct, and one such fails the whole load. */
static bool takes_trampoline(const struct btf *btf, const char *function)
{
	int id = btf__find_by_name_kind(btf, function, BTF_KIND_FUNC);
	const struct btf_type *type = id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);

	type = type ? btf__type_by_id(btf, type->type) : NULL;		/* its prototype */
	if (!type)
		return false;
	id = btf__resolve_type(btf, type->type);			/* what it returns */
	type = id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);
	return type && !btf_is_composite(type);
}

static struct bpf_program *program_of(struct bpf_object *object, const char *kind, size_t slot)
{
	char name[32];

	snprintf(name, sizeof(name), "%s_%zu", kind, slot);
	return bpf_object__find_program_by_name(object, name);
}

void pgt_fentry_aim(struct pgt_fentry *fentry, struct bpf_object *object,
		    const struct pgt_plan *plan, const volatile uint32_t *slot_func)
{
	struct btf *btf = btf__load_vmlinux_btf();

	for (size_t i = 0; btf && i < plan->n && fentry->n < PGT_FENTRY_MAX; i++) {
		const struct pgt_plan_func *func = &plan->func[i];
		struct bpf_program *entry = program_of(object, "fentry", fentry->n);
		struct bpf_program *exit = program_of(object, "fexit", fentry->n);

		if (!func->unique || !takes_trampoline(btf, func->symbol->name) ||
		    bpf_program__set_attach_target(entry, 0, func->symbol->name) ||
		    bpf_program__set_attach_target(exit, 0, func->symbol->name))
			continue;
		bpf_program__set_autoload(entry, true);
		bpf_program__set_autoload(exit, true);
		/* const for the verifier only; nothing is loaded yet */
		((uint32_t *)(uintptr_t)slot_func)[fentry->n] = (uint32_t)i;
		fentry->func[fentry->n++] = (uint32_t)i;
	}
	btf__free(btf);
}

/* Returns whether both programs of the slot attached. */
static bool attach(struct pgt_fentry *fentry, struct bpf_object *object, size_t slot)
{
	fentry->exit[slot] = bpf_program__attach_trace(program_of(object, "fexit", slot));
	if (!fentry->exit[slot])
		return false;
	fentry->entry[slot] = bpf_program__attach_trace(program_of(object, "fentry", slot));
	if (fentry->entry[slot])
		return true;
	bpf_link__destroy(fentry->exit[slot]);
	fentry->exit[slot] = NULL;
	return false;
}

void pgt_fentry_attach(struct pgt_fentry *fentry, struct bpf_object *object, struct pgt_plan *plan)
{
	for (size_t slot = 0; slot < fentry->n; slot++)
		if (attach(fentry, object, slot))
			plan->func[fentry->func[slot]].mechanism = PGT_MECHANISM_FENTRY;
}

void pgt_fentry_release(struct pgt_fentry *fentry)
{
	for (size_t slot = 0; slot < PGT_FENTRY_MAX; slot++) {
		bpf_link__destroy(fentry->entry[slot]);
		bpf_link__destroy(fentry->exit[slot]);
	}
	*fentry = (struct pgt_fentry){ 0 };
}
