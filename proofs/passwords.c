/* The passwords that are hidden: at most one a reading, in order, apart, and inside the text. */
#define GIVEN_fu_split_netloc
#define GIVEN_fu_login_end
#define GIVEN_fu_browser_login
#define GIVEN_fu_browser_kind_of
#define GIVEN_fu_find_scheme
#define GIVEN_fu_add_place
#include "proof.h"
#include "given.h"

#include "split/readings.h"

int main(void) {
    static fu_scheme_table table;
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length;
    fu_place passwords[FU_READINGS];
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    const size_t count = fu_find_passwords(&table, p, n, passwords);
    assert(count <= FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= count) break;
        assert(passwords[i].start <= passwords[i].end && passwords[i].end <= n);
        assert(i == 0 || passwords[i - 1].end < passwords[i].start);
    }
    proof_end();
    return 0;
}
