/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "tcg/plugin.h"

struct pgt_tcg_place *pgt_tcg_place_get(uint64_t address, uint32_t word, enum pgt_tcg_via via,
					size_t kind)
{
	struct pgt_tcg_place *place = pgt_tcg_places_add(&pgt_tcg.places, address, word, via, kind);
	size_t chunk = place ? place->number / PGT_TCG_CHUNK : 0;

	if (!place) {
		pgt_tcg.lost = "out of memory";
		return NULL;
	}
	if (chunk >= PGT_TCG_CHUNKS_MAX) {
		pgt_tcg.lost = "the guest executes more different barriers than can be counted";
		return NULL;
	}
	if (!pgt_tcg.chunk[chunk])
		pgt_tcg.chunk[chunk] = qemu_plugin_scoreboard_new(PGT_TCG_CHUNK *
								  sizeof(uint64_t));
	return place;
}

qemu_plugin_u64 pgt_tcg_place_counter(const struct pgt_tcg_place *place)
{
	return (qemu_plugin_u64){ pgt_tcg.chunk[place->number / PGT_TCG_CHUNK],
				  place->number % PGT_TCG_CHUNK * sizeof(uint64_t) };
}

struct pgt_tcg_cell *pgt_tcg_cell_of(unsigned int vcpu)
{
	return qemu_plugin_scoreboard_find(pgt_tcg.cells, vcpu);
}

void pgt_tcg_count(unsigned int vcpu, qemu_plugin_u64 counter, uint64_t n)
{
	char *cell = qemu_plugin_scoreboard_find(counter.score, vcpu);
	uint64_t value;

	memcpy(&value, cell + counter.offset, sizeof(value));
	value += n;
	memcpy(cell + counter.offset, &value, sizeof(value));
}

void pgt_tcg_hits_copy(uint64_t *to, unsigned int vcpu, size_t n)
{
	size_t done = 0;

	while (done < n) {
		size_t part = n - done < PGT_TCG_CHUNK ? n - done : PGT_TCG_CHUNK;

		memcpy(to + done, qemu_plugin_scoreboard_find(pgt_tcg.chunk[done / PGT_TCG_CHUNK],
							      vcpu), part * sizeof(*to));
		done += part;
	}
}
