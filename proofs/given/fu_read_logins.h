/* Proved by read_logins.c. */
#include "any_logins.h"

/* urllib's and the RFC's alone are asked for their parts; the hazards of all are login_hazards.c's. */
static inline void fu_read_logins(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, int browser,
                                  fu_logins *out) {
    (void)table, (void)form, (void)browser;
    given_part(p, 0, s->length);
    out->count = proof_any_size(0, FU_READINGS);
    out->urllib = out->rfc = NULL;
    proof_any_login(p, s->query_end, &out->logins[0]);
    proof_any_login(p, s->query_end, &out->logins[1]);
    if (out->count > 0 && proof_any_choice()) out->urllib = &out->logins[0];
    if (out->count > 0 && proof_any_choice()) out->rfc = &out->logins[out->count > 1 && proof_any_choice()];
}
