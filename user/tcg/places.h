/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.h - where the counted instructions were met, and a number for each.
 *
 * The word at an address may change (alternatives, static keys, kprobes): each word there is a
 * place of its own.  What a kprobe's slot executed is a place of its own too: STEPPED where it
 * was the instruction of a known address, SLOT where nobody knows whose it was.
 */
#ifndef PGT_TCG_PLACES_H
#define PGT_TCG_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pgt_tcg_via {
	PGT_TCG_DIRECT,
	PGT_TCG_STEPPED,
	PGT_TCG_SLOT,		/* address is 0 */
};

struct pgt_tcg_place {
	uint64_t address;
	uint32_t word;
	enum pgt_tcg_via via;
	size_t number;		/* 0, 1, 2, ... in the order in which they were met */
	size_t kind;
};

struct pgt_tcg_places {
	size_t n;
	void *tree;
};

void pgt_tcg_places_release(struct pgt_tcg_places *places);

/* The place, made where it is new, with the kind given; NULL without memory.  It stays put. */
struct pgt_tcg_place *pgt_tcg_places_add(struct pgt_tcg_places *places, uint64_t address,
					 uint32_t word, enum pgt_tcg_via via, size_t kind);

struct pgt_tcg_place *pgt_tcg_places_find(const struct pgt_tcg_places *places, uint64_t address,
					  uint32_t word, enum pgt_tcg_via via);

/*
 * All places by way, address and word, so that a place and what was stepped of it are neighbours:
 * on the heap, places->n of them.  NULL without memory.
 */
const struct pgt_tcg_place **pgt_tcg_places_list(const struct pgt_tcg_places *places);

#endif /* PGT_TCG_PLACES_H */
