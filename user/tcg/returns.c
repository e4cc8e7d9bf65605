/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcg/returns.h"

#include <glib.h>

enum { TRANSLATED = 1, WANTED = 2 };	/* a value of 0 would be none */

static GHashTable *places_of(struct pgt_tcg_returns *returns)
{
	if (!returns->places)
		returns->places = g_hash_table_new(NULL, NULL);
	return returns->places;
}

static int state_of(GHashTable *places, uint64_t address)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(places, (void *)(uintptr_t)address));
}

static void set_state(GHashTable *places, uint64_t address, int state)
{
	g_hash_table_insert(places, (void *)(uintptr_t)address, GINT_TO_POINTER(state));
}

bool pgt_tcg_returns_translate(struct pgt_tcg_returns *returns, uint64_t address)
{
	GHashTable *places = places_of(returns);
	int state = state_of(places, address);

	if (!state)
		set_state(places, address, TRANSLATED);
	return state == WANTED;
}

void pgt_tcg_returns_expect(struct pgt_tcg_returns *returns, uint64_t address)
{
	GHashTable *places = places_of(returns);

	if (!state_of(places, address))
		set_state(places, address, WANTED);
}

bool pgt_tcg_returns_want(struct pgt_tcg_returns *returns, uint64_t address)
{
	GHashTable *places = places_of(returns);
	int state = state_of(places, address);

	if (state != WANTED)
		set_state(places, address, WANTED);
	return state == TRANSLATED;
}

static gboolean is_only_translated(gpointer address, gpointer state, gpointer unused)
{
	(void)address;
	(void)unused;
	return GPOINTER_TO_INT(state) == TRANSLATED;
}

void pgt_tcg_returns_reset(struct pgt_tcg_returns *returns)
{
	g_hash_table_foreach_remove(places_of(returns), is_only_translated, NULL);
}

void pgt_tcg_returns_release(struct pgt_tcg_returns *returns)
{
	if (returns->places)
		g_hash_table_destroy(returns->places);
	returns->places = NULL;
}
