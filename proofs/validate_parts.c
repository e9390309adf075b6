/* The validators of segments, hosts, ports and groups read no byte outside the part and return offsets inside it. The text
 * ends where the part ends. */
/* Given: fu_add */
#include "proof.h"
#include "validate/validate.h"

static void check_break(size_t at, size_t start, size_t end) { assert(at == FU_ABSENT || (start <= at && at <= end)); }

static void prove(const uint8_t *p, size_t end) {
    const size_t start = proof_any_size(0, end);
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
}
