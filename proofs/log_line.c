/* fu_read_log_line reads no byte outside the line, and every field is inside the line. */
/* Given: fu_log_word fu_log_user fu_log_time fu_log_quoted fu_log_number fu_log_more_is_fields */
#define PROOF_BY_PLACE
#include "proof.h"
#include "logs/line.h"

static void check_field(const fu_log_field *field, const uint8_t *p, size_t n) {
    if (field->start == NULL) return;
    assert(field->start >= p && field->length <= n && (size_t)(field->start - p) <= n - field->length);
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
        assert(line.time.length >= 1 && line.time.length <= FU_LOG_TIME_MAX);
    }
}
