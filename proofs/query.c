/* fu_query_span and fu_next_pair return offsets inside the text, in order. */
#include "proof.h"
#include "escapes/query.h"

static void check_span(const uint8_t *p, size_t n) {
    size_t start, end;
    if (fu_query_span(p, n, &start, &end)) {
        assert(start >= 1 && start <= end && end <= n);
        assert(p[start - 1] == '?');
        assert(end == n || p[end] == '#');
    }
}

static void check_pair(const uint8_t *p, size_t n, size_t at) {
    fu_pair pair;
    fu_next_pair(p, n, at, nondet_octet(), &pair);
    assert(pair.start == at && at <= pair.name_end && pair.name_end <= pair.value);
    assert(pair.value <= pair.end && pair.end <= n);
    assert(pair.has_value ? pair.value == pair.name_end + 1 : pair.value == pair.end);
}

static void prove(const uint8_t *p, size_t n) {
    check_span(p, n);
    check_pair(p, n, proof_any_size(0, n));
}
