/* The search of a scheme's name in a table of any names: no octet outside the name is read, and what it finds is an entry of
 * that name's length. */
#include "proof.h"

#include "split/schemes.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    fu_scheme_table *table = (fu_scheme_table *)proof_buffer(sizeof(fu_scheme_table));
    __ESBMC_assume(table->count <= FU_SCHEMES_MAX);
    for (int i = 0; i < FU_SCHEMES_MAX; i++) __ESBMC_assume(table->entries[i].length <= FU_SCHEME_NAME_MAX);
    const uint32_t found = fu_find_scheme(table, p, n);
    assert(found == FU_NO_SCHEME || (found < table->count && table->entries[found].length == n));
    proof_end();
    return 0;
}
