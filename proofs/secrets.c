/* Proofs of escapes/secrets.h. */
#include "proof.h"
#include "escapes/secrets.h"

/* fu_run_end and fu_next_run return offsets inside the text, at or behind their start. A run that is found has its first byte. */
static void prove_runs(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    if (proof_any_choice()) {
        const size_t end = fu_run_end(p, n, at);
        assert(at <= end && end <= n && (at < end || at == n || !fu_is_run_byte(p[at])));
    } else {
        const size_t start = fu_next_run(p, n, at);
        assert(at <= start && (start == n || (start < n && n - start >= FU_RUN_MIN && fu_is_run_byte(p[start]))));
    }
}

/* fu_run_start reads no byte outside the text before the run's end, and returns an offset at or behind the run's start. */
static void prove_run_start(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    __ESBMC_assume(start < n);
    assert(start <= fu_run_start(p, start, n));
}

/* fu_is_kind, fu_is_small and fu_looks_random read no byte outside the run. */
static void prove_looks(const uint8_t *p, size_t n) {
    switch (proof_any_below(3)) {
    case 0: fu_is_kind(p, n, proof_any_below(FU_HEX_DIGITS + 1)); break;
    case 1: fu_is_small(p, n); break;
    default: fu_looks_random(p, n);
    }
}

/* fu_token_end and fu_is_behind_bot read no byte outside the text, and a token ends inside of it. */
static void prove_tokens(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    if (proof_any_choice()) {
        const size_t end = fu_token_end(p, n, at);
        assert(at <= end && end <= n);
    } else {
        fu_is_behind_bot(p, n);
    }
}

/* A slash ends where it is searched, and is one, three or five bytes long. */
static void prove_slash_before(const uint8_t *p, size_t n) {
    const size_t start = fu_slash_before(p, n);
    assert(start <= n && n - start <= 5);
}

/* The segment is inside the text, in front of the slash. */
/* Given: fu_slash_before */
static void prove_segment_before(const uint8_t *p, size_t n) {
    size_t start, end;
    if (fu_segment_before(p, n, &start, &end)) assert(start <= end && end < n);
}

/* fu_is_word reads no byte outside the letters, and none behind the NUL of the word. */
static void prove_is_word(const uint8_t *p, size_t n) {
    const size_t length = proof_any_size(0, PROOF_LENGTH);
    uint8_t *word = proof_buffer(length + 1);
    word[length] = 0;
    for (size_t i = 0; i < n; i++) __ESBMC_assume(fu_is(p[i], TERM_ALPHA));
    assert(!fu_is_word(p, n, (const char *)word) || n <= length);
}

/* fu_names_secret reads no byte outside the segment, and compares words of letters only. */
/* Given: fu_is_word */
static void prove_names_secret(const uint8_t *p, size_t n) { fu_names_secret(p, proof_any_size(0, n), n); }

/* fu_is_secret_place reads no byte outside the text before the segment. */
/* Given: fu_segment_before fu_names_secret */
static void prove_secret_place(const uint8_t *p, size_t n) { fu_is_secret_place(p, n); }

/* What is secret of a run is inside the text. It starts before the run's end and ends at or behind it. */
/* Given: fu_run_start fu_run_end fu_is_kind fu_is_small fu_looks_random fu_is_secret_place fu_is_behind_bot fu_token_end */
static void prove_secret_of_run(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n), end = proof_any_size(0, n);
    fu_range out;
    __ESBMC_assume(start < end);
    if (fu_secret_of_run(p, n, start, end, &out)) assert(out.start < end && end <= out.end && out.end <= n);
}
