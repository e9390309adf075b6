/* The means of validation that go through a part: no octet outside it is read, and where it breaks is inside it. The text ends
 * where the part does. */
#define GIVEN_fu_add
#include "proof.h"
#include "given.h"

#include "validate/validate.h"

static void check_break(size_t at, size_t start, size_t end) { assert(at == FU_ABSENT || (start <= at && at <= end)); }

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t end = proof_length, start = proof_any_size(0, end);
    const uint32_t set = (uint32_t)nondet_int();
    fu_diagnostics v;
    v.grow = NULL;
    switch (proof_any_below(6)) {
    case 0: fu_validate_segments(p, start, end, nondet_octet(), set, FU_TERM_FPATH, &v); break;
    case 1: assert(start <= fu_skip(p, start, end, set) && fu_skip(p, start, end, set) <= end); break;
    case 2: check_break(fu_host_breaks_at(p, start, end), start, end); break;
    case 3: assert(fu_port_number(p, start, end) >= -1 && fu_port_number(p, start, end) <= 65535); break;
    case 4: check_break(fu_group_breaks_at(p, start, end), start, end); break;
    default: fu_validate_no_scheme(p, end, &v);
    }
    proof_end();
    return 0;
}
