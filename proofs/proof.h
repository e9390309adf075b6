/* The frame of every proof: a text of any bytes in a buffer of exactly its length, and the functions of standard C that the
 * kernel calls, as plain loops. Only the checker reads this file; it is part of no build. */
#ifndef FASTURL_PROOF_H
#define FASTURL_PROOF_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Each of these has no body, so it returns any value. */
size_t nondet_size(void);
int nondet_int(void);
uint8_t nondet_byte(void);
void __ESBMC_assume(_Bool holds);

/* Any length from PROOF_FROM to PROOF_LENGTH. Where loops are nested, tools/prove.py makes one run per length. */
static size_t proof_any_length(void) {
#if PROOF_FROM == PROOF_LENGTH
    return PROOF_LENGTH;
#else
    size_t n = nondet_size();
    __ESBMC_assume(n >= PROOF_FROM && n <= PROOF_LENGTH);
    return n;
#endif
}

/* A buffer of exactly n bytes, with any content. */
static uint8_t *proof_buffer(size_t n) {
    uint8_t *p = malloc(n);
    __ESBMC_assume(p != NULL);
    return p;
}

static int proof_any_choice(void) { return nondet_int() & 1; }

static size_t proof_any_size(size_t least, size_t most) {
    size_t size = nondet_size();
    __ESBMC_assume(least <= size && size <= most);
    return size;
}

static int proof_any_below(int count) {
    int value = nondet_int();
    __ESBMC_assume(value >= 0 && value < count);
    return value;
}

/* --- the harness ------------------------------------------------------------------------------------------------------ */

/* PROOF is the harness, a function. Its text has from PROOF_FROM to PROOF_LENGTH bytes; with PROOF_ANY_LENGTH, where no loop over
 * the text is left, it has any length. */
#ifdef PROOF_WITHOUT_TEXT
static void PROOF(void);
#else
static void PROOF(const uint8_t *p, size_t n);
#endif

static const uint8_t *proof_text;
static size_t proof_length;

int main(void) {
#ifdef PROOF_WITHOUT_TEXT
    PROOF();
#else
#ifdef PROOF_ANY_LENGTH
    proof_length = proof_any_size(0, SIZE_MAX / 4);
#else
    proof_length = proof_any_length();
#endif
    proof_text = proof_buffer(proof_length);
    PROOF(proof_text, proof_length);
#endif
#ifdef PROOF_REACH /* This assertion must fail: if no text reaches the end, the proof proves nothing. */
    assert(0);
#endif
    return 0;
}

/* --- stubs ------------------------------------------------------------------------------------------------------------ */

/* A stub from proofs/given asserts that its caller passes a part of the text. */
static inline void given_part(const uint8_t *p, size_t start, size_t end) {
    assert(__ESBMC_same_object(p, proof_text) && p >= proof_text && (size_t)(p - proof_text) <= proof_length);
    assert(start <= end && end <= proof_length - (size_t)(p - proof_text));
}

/* The answer of a stub that only reads a part of the text: yes or no. */
static inline int given_answer(const uint8_t *p, size_t start, size_t end) {
    given_part(p, start, end);
    return proof_any_choice();
}

/* Return the length of the scheme if it is "http" or "https" in either case, else 0. */
static inline size_t proof_web_scheme(const uint8_t *p, size_t n) {
    const char *name = "https";
    size_t same = 0;
    while (same < 5 && same < n && (p[same] | 0x20) == name[same]) same++;
    return same >= 4 && same < n && p[same] == ':' ? same : 0;
}

/* --- standard C: each function reads or writes every byte of its range ------------------------------------------------ */

#ifdef PROOF_BY_PLACE /* memchr finds any offset and memcpy copies any bytes: for proofs about offsets alone */
static inline void proof_range(const uint8_t *p, size_t n) {
    const uint8_t first = n ? p[0] : 0, last = n ? p[n - 1] : 0;
    (void)first, (void)last;
}

static inline const void *proof_memchr(const void *s, int c, size_t n) {
    const size_t found = proof_any_size(0, n);
    (void)c;
    proof_range(s, n);
    return found < n ? (const uint8_t *)s + found : NULL;
}

static inline void *proof_memcpy(void *to, const void *from, size_t n) {
    proof_range(to, n);
    proof_range(from, n);
    return to;
}
#else
static inline const void *proof_memchr(const void *s, int c, size_t n) {
    const uint8_t *p = s;
    size_t found = n;
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] == (uint8_t)c) found = i - 1;
    return found < n ? p + found : NULL;
}

static inline void *proof_memcpy(void *to, const void *from, size_t n) {
    uint8_t *p = to;
    const uint8_t *q = from;
    for (size_t i = 0; i < n; i++) p[i] = q[i];
    return to;
}
#endif

/* The kernel calls it for parts that may overlap only if `to` is in front. */
static inline void *proof_memmove(void *to, const void *from, size_t n) {
    uint8_t *p = to;
    const uint8_t *q = from;
    for (size_t i = 0; i < n; i++) p[i] = q[i];
    return to;
}

static inline size_t proof_strlen(const char *text) {
    size_t length = 0;
    while (text[length] != 0) length++;
    return length;
}

static inline int proof_memcmp(const void *a, const void *b, size_t n) {
    const uint8_t *p = a, *q = b;
    int order = 0;
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] != q[i - 1]) order = p[i - 1] < q[i - 1] ? -1 : 1;
    return order;
}

/* Either answer for any text, so that a proof holds for any set of bytes. */
static inline const char *proof_strchr(const char *text, int c) {
    (void)c;
    return proof_any_choice() ? text : NULL;
}

static inline void *proof_memset(void *to, int c, size_t n) {
    uint8_t *p = to;
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)c;
    return to;
}

#include <string.h>
#define memchr proof_memchr
#define memcmp proof_memcmp
#define memcpy proof_memcpy
#define memmove proof_memmove
#define memset proof_memset
#define strchr proof_strchr
#define strlen proof_strlen

/* --- compiler built-ins: stated as properties, which is quicker to check than a search for the bit -------------------- */

static inline int proof_ctzll(uint64_t x) {
    const uint64_t place = nondet_size();
    assert(x != 0); /* undefined for 0 */
    __ESBMC_assume(place < 64 && (x >> place & 1) && !(x & (((uint64_t)1 << place) - 1)));
    return (int)place;
}

static inline int proof_clzll(uint64_t x) {
    const uint64_t place = nondet_size();
    assert(x != 0);
    __ESBMC_assume(place < 64 && x >> place == 1);
    return 63 - (int)place;
}

#include "chars.h"

/* tools/prove.py writes HEX_VALUE[byte] as this call. */
static inline int proof_hex(uint8_t byte) { return HEX_VALUE[byte]; }

/* tools/prove.py writes signs[*p] as this call. */
static inline uint8_t proof_entry(const uint8_t *table, const uint8_t *p) { return table[*p]; }

#define __builtin_ctzll proof_ctzll
#define __builtin_clzll proof_clzll
#define __builtin_prefetch(p) ((void)0)

#endif
