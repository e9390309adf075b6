/* A line of an access log: no octet outside it is read, and every field is inside it. */
#include "proof.h"

#include "logs/line.h"

static void check_field(const fu_log_field *field, const uint8_t *p, size_t n) {
    if (field->start == NULL) return;
    assert(__ESBMC_same_object(field->start, p));
    assert(field->start >= p && field->length <= n && (size_t)(field->start - p) <= n - field->length);
}

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    static fu_log_line line;
    if (fu_read_log_line(p, n, proof_any_choice(), proof_any_below(FU_LOG_MIXED + 1), &line)) {
        check_field(&line.vhost, p, n);
        check_field(&line.client, p, n);
        check_field(&line.user, p, n);
        check_field(&line.time, p, n);
        check_field(&line.request, p, n);
        check_field(&line.referer, p, n);
        check_field(&line.agent, p, n);
        assert(line.status >= -1 && line.status <= 999);
        assert(line.time.length >= 1 && line.time.length <= FU_LOG_TIME_MAX);
    }
    proof_end();
    return 0;
}
