/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/places.h"

#include <search.h>
#include <stdlib.h>

/* What nobody knows the address of comes first, then by address, word and way. */
static int compare(const void *a, const void *b)
{
	const struct pgt_tcg_place *x = a, *y = b;

	if ((x->via == PGT_TCG_SLOT) != (y->via == PGT_TCG_SLOT))
		return x->via == PGT_TCG_SLOT ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->word != y->word)
		return x->word < y->word ? -1 : 1;
	return x->via < y->via ? -1 : x->via > y->via;
}

void pgt_tcg_places_release(struct pgt_tcg_places *places)
{
	tdestroy(places->tree, free);
	*places = (struct pgt_tcg_places){ .tree = NULL };
}

struct pgt_tcg_place *pgt_tcg_places_find(const struct pgt_tcg_places *places, uint64_t address,
					  uint32_t word, enum pgt_tcg_via via)
{
	const struct pgt_tcg_place key = { .address = address, .word = word, .via = via };
	struct pgt_tcg_place **found = tfind(&key, &places->tree, compare);

	return found ? *found : NULL;
}

struct pgt_tcg_place *pgt_tcg_places_add(struct pgt_tcg_places *places, uint64_t address,
					 uint32_t word, enum pgt_tcg_via via, size_t kind)
{
	struct pgt_tcg_place *place = pgt_tcg_places_find(places, address, word, via);

	if (place)
		return place;
	place = malloc(sizeof(*place));
	if (!place)
		return NULL;
	*place = (struct pgt_tcg_place){ address, word, via, places->n, kind };
	if (!tsearch(place, &places->tree, compare)) {
		free(place);
		return NULL;
	}
	places->n++;
	return place;
}

struct list {
	const struct pgt_tcg_place **at;
	size_t n;
};

static void take(const void *node, VISIT visit, void *opaque)
{
	struct list *list = opaque;

	if (visit == postorder || visit == leaf)
		list->at[list->n++] = *(const struct pgt_tcg_place *const *)node;
}

const struct pgt_tcg_place **pgt_tcg_places_list(const struct pgt_tcg_places *places)
{
	struct list list = { calloc(places->n + 1, sizeof(struct pgt_tcg_place *)), 0 };

	if (list.at)
		twalk_r(places->tree, take, &list);
	return list.at;
}
