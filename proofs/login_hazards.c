/* fu_find_login_hazards records findings inside the text, for any logins. */
/* Given: fu_add fu_split_netloc fu_find fu_port_number */
#define PROOF_ANY_LENGTH
#include "proof.h"
#include "any.h"

static void prove(const uint8_t *p, size_t n) {
    fu_logins read;
    fu_diagnostics v;
    read.count = proof_any_size(0, FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) proof_any_login(p, n, &read.logins[i]);
    read.urllib = read.count && proof_any_choice() ? &read.logins[0] : NULL;
    fu_range part;
    part.end = proof_any_size(0, n);
    part.start = proof_any_size(0, part.end);
    fu_find_login_hazards(p, &read, proof_any_choice(), nondet_int(), proof_any_choice(), part, &v);
}
