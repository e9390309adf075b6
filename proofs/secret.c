/* fu_next_secret returns the offset of a value, which is behind its start and inside the text. */
/* Given: fu_read_character */
#define PROOF_NAME 1
#include "proof.h"
#include "escapes/redaction.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_name name = {NULL, PROOF_NAME, NULL, 0, 0};
    fu_redaction r;
    size_t value;
    name.octets = proof_buffer(name.length);
    r.p = p;
    r.n = n;
    r.names = &name;
    r.count = 1;
    r.firsts = NULL;
    r.is_text = proof_any_choice();
    r.brackets_until = 0;
    r.behind_brackets = FU_ABSENT;
    const fu_name *found = fu_next_secret(&r, at, &value);
    assert(found == NULL || (found == &name && at < value && value <= n));
}
