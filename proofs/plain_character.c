/* fu_is_plain_character reads no place outside its table, for any code point. */
#include "proof.h"
#include "validate/plain.h"

static void prove(const uint8_t *p, size_t n) {
    (void)p, (void)n;
    (void)fu_is_plain_character((uint32_t)nondet_int());
}
