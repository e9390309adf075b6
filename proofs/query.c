/* A query, its pairs and the search for a name: every place is inside the text, and pairs go on to its end. */
#include "proof.h"

#include "percent/query.h"

static void check_span(const uint8_t *p, size_t n) {
    size_t start, end;
    if (fu_query_span(p, n, &start, &end)) {
        assert(start >= 1 && start <= end && end <= n);
        assert_octets(p[start - 1] == '?');
        assert_octets(end == n || p[end] == '#');
    }
}

static void check_pair(const uint8_t *p, size_t n, size_t at) {
    fu_pair pair;
    fu_next_pair(p, n, at, nondet_octet(), &pair);
    assert(pair.start == at && at <= pair.name_end && pair.name_end <= pair.value);
    assert(pair.value <= pair.end && pair.end <= n);
    assert(pair.has_value ? pair.value == pair.name_end + 1 : pair.value == pair.end);
}

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    check_span(p, n);
    check_pair(p, n, proof_any_size(0, n));
    proof_end();
    return 0;
}
