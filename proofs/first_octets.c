/* fu_add_first_octets reads no byte outside the name. Afterwards the table admits every query that starts with the name. */
#define PROOF_WITHOUT_TEXT
#include "proof.h"
#include "escapes/query.h"

static void prove(void) {
    static fu_first_octets firsts;
    const size_t length = nondet_size();
    __ESBMC_assume(length <= SIZE_MAX / 4);
    const fu_name name = {proof_buffer(length), length};
    const uint8_t at = length ? name.octets[0] : '=', next = length < 2 ? nondet_octet() : name.octets[1];
    const int other = proof_any_below(256);
    const uint16_t before = firsts.seconds[other] = (uint16_t)nondet_int();
    fu_add_first_octets(&firsts, &name);
    assert(((uint32_t)firsts.seconds[at] >> ((uint32_t)next & 15) & 1) == 1);
    assert((firsts.seconds[other] & before) == before);
}
