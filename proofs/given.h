/* A harness with a line `#define GIVEN_name` has given/name.h in place of that function of the kernel. What is given asks of its
 * caller what the real one needs, and then returns anything that the real one may: what that is, the harness that given/name.h
 * tells of proves. */
#ifndef FASTURL_GIVEN_H
#define FASTURL_GIVEN_H

/* The text of the proof. */
static const uint8_t *proof_text;
static size_t proof_length;

/* The text of a proof in which no loop is left: of any length. */
static const uint8_t *proof_long_text(void) {
    const size_t n = nondet_size();
    __ESBMC_assume(n <= SIZE_MAX / 4);
    proof_length = n;
    proof_text = proof_buffer(n);
    return proof_text;
}

/* ... or of the proof's lengths. */
static const uint8_t *proof_some_text(void) {
    proof_length = proof_any_length();
    proof_text = proof_buffer(proof_length);
    return proof_text;
}

/* A part of p: it has to be inside the text. */
static inline void given_part(const uint8_t *p, size_t start, size_t end) {
    assert(__ESBMC_same_object(p, proof_text) && p >= proof_text && (size_t)(p - proof_text) <= proof_length);
    assert(start <= end && end <= proof_length - (size_t)(p - proof_text));
}

/* How many octets of "http" or "https" stand before the first ":", in either case; 0 for another scheme or none. */
static inline size_t proof_web_scheme(const uint8_t *p, size_t n) {
    const char *name = "https";
    size_t same = 0;
    while (same < 5 && same < n && (p[same] | 0x20) == name[same]) same++;
    return same >= 4 && same < n && p[same] == ':' ? same : 0;
}

#endif
