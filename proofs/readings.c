/* Each reading finds its login inside the part that it reads, and reads no byte outside it. */
/* Given: fu_split_netloc */
#include "proof.h"
#include "split/readings.h"

static void check_rfc(const uint8_t *p, size_t start, size_t n) {
    const size_t stop = fu_login_end(p, start, n, (fu_shape)proof_any_below(FU_SHAPES));
    assert(start <= stop && stop <= n);
}

static void check_browser(const uint8_t *p, size_t start, size_t n) {
    fu_login login;
    const fu_netloc *at = &login.parts;
    if (fu_browser_login(p, start, n, (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE + 1), &login)) {
        assert(start <= login.start && login.start <= login.end && login.end <= n);
        assert(at->password_start == FU_ABSENT || (login.start <= at->password_start && at->password_end <= login.end));
        assert(at->password_start == FU_ABSENT || at->password_start <= at->password_end);
    }
}

/* One function per run keeps the number of cases small. */
static void prove(const uint8_t *p, size_t n) {
    switch (proof_any_below(3)) {
    case 0: check_rfc(p, proof_any_size(0, n), n); break;
    case 1: check_browser(p, proof_any_size(0, n), n); break;
    default: assert(fu_browser_kind_of(p, n) < FU_BROWSER_RELATIVE);
    }
}
