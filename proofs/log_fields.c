/* Each field reader of an access log reads no byte outside the line. The field and the text behind it are inside the line.
 * The proof's text is the rest of a line. */
#include "proof.h"
#include "logs/line.h"

/* Check the field that was read at p, and the rest of the line. */
static void check(const uint8_t *next, const fu_slice *field, const uint8_t *p, size_t n) {
    if (next == NULL) return;
    assert(p != NULL && next > p && next <= p + n);
    assert(field->p >= p && field->n <= n && (size_t)(field->p - p) <= n - field->n);
}

static void check_number(const uint8_t *next, const uint8_t *p, size_t n) {
    assert(next == NULL || (p != NULL && next > p && next <= p + n));
}

static void prove(const uint8_t *text, size_t n) {
    const uint8_t *p = proof_any_choice() ? text : NULL;
    const uint8_t *end = text + n, *next;
    fu_slice field;
    uint64_t number;
    int has;
    switch (proof_any_below(6)) {
    case 0:
        next = fu_log_word(p, end, &field);
        check(next, &field, p, n);
        assert(next == NULL || (field.p == p && field.n >= 1 && (size_t)(next - p) == field.n + 1));
        break;
    case 1: check(fu_log_user(p, end, &field), &field, p, n); break;
    case 2:
        next = fu_log_time(p, end, &field);
        check(next, &field, p, n);
        assert(next == NULL || (field.n >= 1 && field.n <= FU_LOG_TIME_MAX));
        break;
    case 3:
        check_number(fu_log_number(p, end, 3, 3, &number, &has), p, n);
        assert(number <= 999);
        break;
    case 4: check_number(fu_log_number(p, end, 1, FU_LOG_SIZE_DIGITS_MAX, &number, &has), p, n); break;
    default: next = fu_log_more_word(text, end); assert(next == NULL || (next >= text && next <= end));
    }
}
