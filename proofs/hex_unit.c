/* fu_hex_unit returns a 16-bit number or -1, and reads no byte behind the end. */
#define PROOF_ANY_LENGTH
#include "proof.h"
#include "logs/escapes.h"

static void prove(const uint8_t *p, size_t n) {
    const int unit = fu_hex_unit(p, p + n);
    assert(unit >= -1 && unit <= 0xffff && (unit < 0 || n >= 4));
}
