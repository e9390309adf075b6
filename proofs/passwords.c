/* fu_find_passwords returns at most one place per reading. The places are sorted, disjoint and inside the text. */
/* Given: fu_split_netloc fu_login_end fu_browser_login fu_browser_kind_of fu_find_scheme fu_add_place */
#include "proof.h"
#include "split/readings.h"

static void prove(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    fu_range passwords[FU_READINGS];
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    const size_t count = fu_find_passwords(&table, p, n, passwords);
    assert(count <= FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= count) break;
        assert(passwords[i].start <= passwords[i].end && passwords[i].end <= n);
        assert(i == 0 || passwords[i - 1].end < passwords[i].start);
    }
}
