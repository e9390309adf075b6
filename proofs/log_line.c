/* fu_read_log_line reads no byte outside the line, and every field is inside the line. */
/* Given: fu_log_word fu_log_user fu_log_time fu_log_quoted fu_log_number fu_log_more_is_fields */
#define PROOF_BY_PLACE
#include "proof.h"
#include "logs/line.h"

static void check_field(const fu_slice *field, const uint8_t *p, size_t n) {
    if (field->p == NULL) return;
    assert(field->p >= p && field->n <= n && (size_t)(field->p - p) <= n - field->n);
}

static void prove(const uint8_t *p, size_t n) {
    static fu_log_line line;
    if (fu_read_log_line(p, n, proof_any_choice(), proof_any_below(FU_LOG_MIXED + 1), &line)) {
        check_field(&line.vhost, p, n);
        check_field(&line.client, p, n);
        check_field(&line.user, p, n);
        check_field(&line.time, p, n);
        check_field(&line.request, p, n);
        check_field(&line.referer, p, n);
        check_field(&line.agent, p, n);
        check_field(&line.forwarded, p, n);
        assert(line.status >= -1 && line.status <= 999);
        assert(line.time.n >= 1 && line.time.n <= FU_LOG_TIME_MAX);
    }
}
