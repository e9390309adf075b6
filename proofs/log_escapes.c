/* Proofs of logs/escapes.h. */
#include "proof.h"
#include "logs/escapes.h"

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
