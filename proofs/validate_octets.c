/* The octets that no production derives, in a text whose split has marked any octets: none outside the text is read. */
#define GIVEN_fu_add
#define GIVEN_fu_validate_escape
#define GIVEN_fu_validate_octet
#include "proof.h"
#include "given.h"

#include "validate/parts.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    fu_spans s;
    fu_diagnostics v;
    s.length = proof_length;
    v.only_whether = proof_any_choice();
    v.first_finding = UINT32_MAX;
    fu_validate_octets(p, &s, &v);
    proof_end();
    return 0;
}
