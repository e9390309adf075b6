/* The hazards of any logins that a text may have: what is found is inside the text. Of a text of any length. */
#define GIVEN_fu_add
#define GIVEN_fu_split_netloc
#define GIVEN_fu_find
#define GIVEN_fu_port_number
#include "proof.h"
#include "given.h"

#include "validate/validate.h"

#include "any_logins.h"

int main(void) {
    const uint8_t *p = proof_long_text();
    fu_logins read;
    fu_diagnostics v;
    read.count = proof_any_size(0, FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) proof_any_login(p, proof_length, &read.logins[i]);
    read.urllib = read.count && proof_any_choice() ? &read.logins[0] : NULL;
    fu_find_login_hazards(p, &read, proof_any_choice(), nondet_int(), &v);
    proof_end();
    return 0;
}
