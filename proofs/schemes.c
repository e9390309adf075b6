/* Proofs of split/schemes.h. */
#include "proof.h"
#include "split/schemes.h"

/* fu_find_scheme reads no byte outside the name, for any table. An entry that it returns has the length of the name. */
static void prove_scheme(const uint8_t *p, size_t n) {
    fu_scheme_table *table = (fu_scheme_table *)proof_buffer(sizeof(fu_scheme_table));
    __ESBMC_assume(table->count <= FU_SCHEMES_MAX);
    for (int i = 0; i < FU_SCHEMES_MAX; i++) __ESBMC_assume(table->entries[i].length <= FU_SCHEME_NAME_MAX);
    const uint32_t found = fu_find_scheme(table, p, n);
    assert(found == FU_NO_SCHEME || (found < table->count && table->entries[found].length == n));
}

/* fu_registered_port reads no byte outside the scheme and returns a port, or FU_NO_PORT. */
static void prove_registered_port(const uint8_t *p, size_t n) {
    const int32_t port = fu_registered_port(p, n);
    assert(port == FU_NO_PORT || (port >= 0 && port <= 65535));
}
