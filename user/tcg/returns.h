/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * returns.h - where calls of scopes return to.
 *
 * To ask at every place behind a call whether a scope returns there costs a tenth of a boot.
 * Few places are: those behind a direct call of a scope, and those that a scope finds in the link
 * register when it is entered.  Where such a one has been translated before anybody knew, it must
 * be translated again before the call returns.
 */
#ifndef PGT_TCG_RETURNS_H
#define PGT_TCG_RETURNS_H

#include <stdbool.h>
#include <stdint.h>

struct pgt_tcg_returns {
	void *places;		/* address -> what is known of it; NULL: nothing yet */
};

/* A block is translated: whether scopes return to its address. */
bool pgt_tcg_returns_translate(struct pgt_tcg_returns *returns, uint64_t address);

/* A scope may return to an address; of no effect where a block has been translated. */
void pgt_tcg_returns_expect(struct pgt_tcg_returns *returns, uint64_t address);

/* A scope that is entered will return to an address: whether a block there must be translated again. */
bool pgt_tcg_returns_want(struct pgt_tcg_returns *returns, uint64_t address);

/* All translated blocks are gone. */
void pgt_tcg_returns_reset(struct pgt_tcg_returns *returns);
void pgt_tcg_returns_release(struct pgt_tcg_returns *returns);

#endif /* PGT_TCG_RETURNS_H */
