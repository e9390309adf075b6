/* A login and every reading of one: its parts are inside it and in order, and no octet outside it is read. */
#include "proof.h"

#include "split/readings.h"

static void check_place(size_t start, size_t end, size_t from, size_t to) {
    assert((start == FU_ABSENT) == (end == FU_ABSENT) || start != FU_ABSENT);
    if (start != FU_ABSENT) assert(from <= start && start <= end && end <= to);
}

static void check_login(const fu_login *login, size_t from, size_t to) {
    const fu_netloc *at = &login->parts;
    assert(from <= login->start && login->start <= login->end && login->end <= to);
    check_place(at->user_start, at->user_end, login->start, login->end);
    check_place(at->password_start, at->password_end, login->start, login->end);
    check_place(at->host_start, at->host_end, login->start, login->end);
    check_place(at->port_start, at->port_end, login->start, login->end);
    check_place(at->host_text_start, at->host_text_end, login->start, login->end);
    assert(at->password_start == FU_ABSENT || at->user_start != FU_ABSENT);
}

int main(void) {
    const size_t n = proof_any_length(), start = nondet_size(), end = nondet_size();
    const uint8_t *p = proof_buffer(n);
    __ESBMC_assume(start <= end && end <= n);
    fu_login login;

    fu_split_login(p, start, end, &login);
    check_login(&login, start, end);

    const size_t stop = fu_login_end(p, start, end, (fu_shape)proof_any_below(FU_SHAPES));
    assert(start <= stop && stop <= end);

    if (fu_browser_login(p, start, end, (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE + 1), &login))
        check_login(&login, start, end);
    proof_end();
    return 0;
}
