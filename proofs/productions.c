/* Proofs of validate/productions.h. */
#include "proof.h"
#include "validate/productions.h"

enum { STATES = 3, WIDTH = 2 };

/* fu_productions_stop reads no byte outside the part and no entry outside the table, and stops inside the part or at its end. */
static void prove_productions(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    static uint32_t rows[STATES * WIDTH];
    static uint8_t accepting[STATES];
    static fu_productions table;
    table.width = WIDTH;
    table.states = STATES;
    table.rows = rows;
    table.accepting = accepting;
    table.columns['a'] = table.columns['%'] = 1;
    for (size_t i = 0; i < STATES * WIDTH; i++) rows[i] = WIDTH * (uint32_t)proof_any_below(STATES);
    for (size_t i = 0; i < STATES; i++) accepting[i] = (uint8_t)proof_any_choice();
    const size_t stop = fu_productions_stop(&table, p, start, n);
    assert(stop == FU_ABSENT || (start <= stop && stop <= n));
}
