/* The searches for secret names and for values return offsets inside the text and behind their start. They read no byte
 * outside the text and the name. */
/* Given: fu_read_character */
#define PROOF_NAME 3
#include "proof.h"
#include "escapes/redaction.h"

/* One function per run keeps the number of cases small. */
static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_redaction r;
    size_t found;
    r.p = p;
    r.n = n;
    r.firsts = NULL;
    r.is_text = proof_any_choice();
    switch (proof_any_below(4)) {
    case 0:
        found = fu_next_name(&r, at);
        assert(at <= found && found <= n && (at < found || at == n));
        break;
    case 1: {
        fu_name name;
        name.length = proof_any_size(0, PROOF_NAME);
        name.octets = proof_buffer(name.length);
        found = fu_match_name(p, n, at, &name);
        assert(found == FU_ABSENT || (at + name.length <= found && found <= n));
        break;
    }
    case 2:
        r.brackets_until = proof_any_size(0, n);
        r.behind_brackets = proof_any_choice() ? FU_ABSENT : proof_any_size(0, n);
        __ESBMC_assume(r.behind_brackets == FU_ABSENT || r.brackets_until < r.behind_brackets);
        found = fu_value_start(&r, at);
        assert(found == FU_ABSENT || (at < found && found <= n));
        assert(r.brackets_until <= n && (r.behind_brackets == FU_ABSENT || r.brackets_until < r.behind_brackets));
        assert(r.behind_brackets == FU_ABSENT || r.behind_brackets <= n);
        break;
    default:
        r.path = proof_any_size(0, n);
        r.query = proof_any_size(0, n);
        r.fragment = proof_any_size(0, n);
        if (at > 0) {
            found = fu_value_end(&r, at);
            assert(at <= found && found <= n);
        }
    }
}
