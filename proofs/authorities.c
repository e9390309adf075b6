/* The next authority starts behind the offset that the search starts from. The authority and its password are inside the text. */
/* Given: fu_read_character fu_is_browser_colon */
#include "proof.h"
#include "escapes/redaction.h"

/* One function per run keeps the number of cases small. */
static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    uint8_t depth = (uint8_t)proof_any_below(FU_DEPTH_MAX + 1);
    if (proof_any_choice()) {
        const size_t start = fu_next_authority(p, n, at, proof_any_choice(), &depth);
        assert(at <= start && start <= n && (at < start || at == n) && depth <= FU_DEPTH_MAX);
    } else {
        fu_range place;
        fu_redaction r;
        r.p = p;
        r.n = n;
        r.is_text = proof_any_choice();
        r.sign_until = proof_any_size(0, n + 1);
        r.sign = proof_any_choice() ? FU_ABSENT : proof_any_size(0, n);
        __ESBMC_assume(r.sign == FU_ABSENT || r.sign < n);
        const size_t end = fu_read_authority(&r, at, depth, &place);
        assert(at <= end && end <= n && r.sign_until <= n + 1 && (r.sign == FU_ABSENT || r.sign < n));
        assert(place.start == FU_ABSENT || (at < place.start && place.start <= place.end && place.end < n));
    }
}
