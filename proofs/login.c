/* fu_split_login, which calls fu_split_netloc, returns parts that are inside the login and in order. */
/* Given: fu_find fu_find_last */
#define PROOF_ANY_LENGTH
#include "proof.h"
#include "split/readings.h"

static void check_place(size_t start, size_t end, size_t from, size_t to) {
    assert((start == FU_ABSENT) == (end == FU_ABSENT) || start != FU_ABSENT);
    if (start != FU_ABSENT) assert(from <= start && start <= end && end <= to);
}

static void prove(const uint8_t *p, size_t n) {
    const size_t start = nondet_size(), end = nondet_size();
    __ESBMC_assume(start <= end && end <= n);
    fu_login login;
    const fu_netloc *at = &login.parts;

    fu_split_login(p, start, end, &login);
    assert(login.start == start && login.end == end);
    check_place(at->user_start, at->user_end, start, end);
    check_place(at->password_start, at->password_end, start, end);
    check_place(at->host_start, at->host_end, start, end);
    check_place(at->port_start, at->port_end, start, end);
    check_place(at->host_text_start, at->host_text_end, start, end);
    assert(at->host_start != FU_ABSENT && at->host_text_start != FU_ABSENT);
    assert(at->user_start == FU_ABSENT || at->user_start == start);
    assert(at->password_start == FU_ABSENT || (at->user_start == start && at->user_end + 1 == at->password_start));
    assert(at->user_start == FU_ABSENT ? at->host_text_start == start : at->user_end < at->host_text_start);
    assert(at->password_start == FU_ABSENT || at->password_end + 1 == at->host_text_start);
    assert(at->port_start == FU_ABSENT || at->port_end == end);
}
