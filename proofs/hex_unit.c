/* Four hex digits: a number of 16 bits or none, and no octet behind the end is read. */
#include "proof.h"
#include "given.h"

#include "logs/escapes.h"

int main(void) {
    const uint8_t *p = proof_long_text();
    const size_t n = proof_length;
    const int unit = fu_hex_unit(p, p + n);
    assert(unit >= -1 && unit <= 0xffff && (unit < 0 || n >= 4));
    proof_end();
    return 0;
}
