/* Proofs of logs/line.h, escapes.h and time.h. */
#include "proof.h"
#include "logs/escapes.h"
#include "logs/line.h"
#include "logs/time.h"

/* Check the field that was read at p, and the rest of the line. */
static void check(const uint8_t *next, const fu_slice *field, const uint8_t *p, size_t n) {
    if (next == NULL) return;
    assert(p != NULL && next > p && next <= p + n);
    assert(field->p >= p && field->n <= n && (size_t)(field->p - p) <= n - field->n);
}

static void check_number(const uint8_t *next, const uint8_t *p, size_t n) {
    assert(next == NULL || (p != NULL && next > p && next <= p + n));
}

/* Each field reader of an access log reads no byte outside the line. The field and the text behind it are inside the line.
 * The proof's text is the rest of a line. */
static void prove_log_fields(const uint8_t *text, size_t n) {
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
        check_number(fu_log_number(p, end, 1, 3, &number, &has), p, n);
        assert(number <= 999);
        break;
    case 4: check_number(fu_log_number(p, end, 1, FU_LOG_SIZE_DIGITS_MAX, &number, &has), p, n); break;
    default: next = fu_log_more_word(text, end); assert(next == NULL || (next >= text && next <= end));
    }
}

/* fu_log_quoted reads no byte outside the line. The field and its quotes are inside the line. `backslash` is any offset. */
/* With: PROOF_BY_PLACE */
static void prove_log_quoted(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const uint8_t *end = p + n;
    fu_slice field;
    const uint8_t *next = fu_log_quoted(p + at, end, p + proof_any_size(0, n), &field);
    if (next != NULL) {
        assert(next >= p + at + 2 && next <= end);
        assert(field.p > p + at && field.p < end && field.n < (size_t)(end - field.p));
    }
}

/* fu_split_request returns a method, a target and a protocol that are inside the request line, in order, with one space
 * between. */
static void prove_log_request(const uint8_t *p, size_t n) {
    const fu_request_line line = fu_split_request(p, n);
    size_t length = line.target.n;
    if (line.method.p != NULL) {
        assert(line.method.p == p && line.method.n >= 1 && line.target.p == p + line.method.n + 1);
        length += line.method.n + 1;
    } else {
        assert(line.target.p == p);
    }
    if (line.protocol.p != NULL) {
        assert((line.protocol.n >= 5 || line.protocol.n == 0) && line.protocol.p == line.target.p + line.target.n + 1);
        length += line.protocol.n + 1;
    }
    assert(length == n);
}

/* fu_log_more_is_fields reads no byte outside the line. The proof's text begins with the byte in front of the part. */
/* Given: fu_log_more_word fu_log_quoted fu_split_request */
static void prove_log_more(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    fu_log_more_is_fields(p + 1, p + n);
}

static void check_field(const fu_slice *field, const uint8_t *p, size_t n) {
    if (field->p == NULL) return;
    assert(field->p >= p && field->n <= n && (size_t)(field->p - p) <= n - field->n);
}

/* fu_read_log_line reads no byte outside the line, and every field is inside the line. */
/* Given: fu_log_word fu_log_user fu_log_time fu_log_quoted fu_log_number fu_log_more_is_fields */
/* With: PROOF_BY_PLACE */
static void prove_log_line(const uint8_t *p, size_t n) {
    static fu_log_line line;
    if (fu_read_log_line(p, n, proof_any_choice(), proof_any_choice(), &line)) {
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

/* fu_hex_unit returns a 16-bit number or -1, and reads no byte behind the end. */
static void prove_hex_unit(const uint8_t *p, size_t n) {
    const int unit = fu_hex_unit(p, p + n);
    assert(unit >= -1 && unit <= 0xffff && (unit < 0 || n >= 4));
}

/* fu_json_character reads no byte behind the end. It writes at most four bytes, and at most as many as the text has. */
/* Given: fu_hex_unit */
static void prove_json_character(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    uint8_t *start = proof_buffer(n < 4 ? n : 4), *out = start;
    const size_t taken = fu_json_character(p, p + n, &out);
    const size_t written = (size_t)(out - start);
    assert(taken == 0 || taken == 6 || taken == 12);
    assert(taken <= n && (taken == 12 ? written == 4 : taken == 6 ? written >= 1 && written <= 3 : written == 0));
}

static void unescape(int escaped, const uint8_t *p, size_t n) {
    const size_t read = proof_any_size(0, n), written = proof_any_size(0, read);
    uint8_t *out = proof_buffer(n), *to = out + written;
    __ESBMC_assume(read < n);
    const uint8_t *rest = fu_unescape_next(escaped, p + read, p + n, &to);
    const size_t read_then = (size_t)(rest - p), written_then = (size_t)(to - out);
    assert(read < read_then && read_then <= n && written <= written_then && written_then <= read_then);
}

/* fu_unescape_next reads no byte outside the text, and writes at most as many bytes as it reads. The proof is by induction
 * over the runs and escapes of the text. */
/* Given: fu_json_character */
/* With: PROOF_BY_PLACE */
static void prove_log_escapes(const uint8_t *p, size_t n) { unescape(FU_ESCAPED_BY_SERVER, p, n); }

/* The same for the escapes of JSON. */
/* Given: fu_json_character */
/* With: PROOF_BY_PLACE */
static void prove_log_json(const uint8_t *p, size_t n) { unescape(1, p, n); }

/* fu_iso_time and fu_checked_iso_time write at most as many bytes as they read. */
static void prove_log_time(const uint8_t *p, size_t n) {
    const size_t iso = fu_iso_time(p, n, proof_buffer(n)), checked = fu_checked_iso_time(p, n, proof_buffer(n));
    assert(iso == FU_TIME_IMPOSSIBLE || iso <= n);
    assert(checked == FU_TIME_IMPOSSIBLE || checked <= n);
}
