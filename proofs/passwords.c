/* The passwords that are hidden: at most one a reading, in order, apart, and inside the text. fu_split_netloc is any that has
 * what login.c proves of it. */
#include "proof.h"

#define fu_split_netloc fu_split_netloc_itself
#include "split/spans.h"
#undef fu_split_netloc

/* Only where it says that a password is counts here. */
static void fu_split_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out) {
    const size_t from = nondet_size(), to = nondet_size();
    (void)p;
    __ESBMC_assume(from == FU_ABSENT || (start <= from && from <= to && to <= end));
    out->password_start = from;
    out->password_end = from == FU_ABSENT ? FU_ABSENT : to;
}

#include "split/readings.h"

int main(void) {
    static fu_scheme_table table;
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    fu_place *passwords = (fu_place *)proof_buffer(FU_READINGS * sizeof(fu_place));
    table.count = 0;
    const size_t count = fu_find_passwords(&table, p, n, passwords);
    assert(count <= FU_READINGS);
    for (size_t i = 0; i < count; i++) {
        assert(passwords[i].start <= passwords[i].end && passwords[i].end <= n);
        assert(i == 0 || passwords[i - 1].end < passwords[i].start);
    }
    proof_end();
    return 0;
}
