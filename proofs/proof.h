/* What every proof uses: a text of any octets in a buffer of exactly its length, and the few functions of standard C that the
 * kernel calls, as plain loops. Only the checker reads these files; they are no part of a build. */
#ifndef FASTURL_PROOF_H
#define FASTURL_PROOF_H
/* Of a loop without end: all turns of it, or those that a harness asks for. */
#ifndef PROOF_TURNS
#define PROOF_TURNS ;;
#endif
#ifdef __FRAMAC__
#include "proof_eva.h"
#else

/* What holds only as long as an octet is the same each time that it is read. */
#define assert_octets(condition) assert(condition)

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The text has PROOF_FROM to PROOF_LENGTH octets: all lengths in one run, or one length a run, which is quicker where loops
 * stand in loops. */
#ifndef PROOF_LENGTH
#define PROOF_LENGTH 6
#endif
#ifndef PROOF_FROM
#define PROOF_FROM 0
#endif

/* Without a body each gives any value at all. */
size_t nondet_size(void);
int nondet_int(void);
uint8_t nondet_octet(void);
void __ESBMC_assume(_Bool holds);

static size_t proof_any_length(void) {
#if PROOF_FROM == PROOF_LENGTH
    return PROOF_LENGTH;
#else
    size_t n = nondet_size();
    __ESBMC_assume(n >= PROOF_FROM && n <= PROOF_LENGTH);
    return n;
#endif
}

/* The end of a proof. With PROOF_REACH the checker must say that it can be got to: or else the proof would be of nothing. */
static void proof_end(void) {
#ifdef PROOF_REACH
    assert(0);
#endif
}

/* A buffer of exactly so many octets, of any content. */
static uint8_t *proof_buffer(size_t n) {
    uint8_t *p = malloc(n);
    __ESBMC_assume(p != NULL);
    return p;
}

/* One in which nothing was written yet; and that the octets that count have been. Only Eva knows. */
#define proof_output proof_buffer
#define assert_written(p, n) ((void)0)

/* Whether an int is one of two. */
static int proof_any_choice(void) { return nondet_int() & 1; }

static size_t proof_any_size(size_t least, size_t most) {
    size_t size = nondet_size();
    __ESBMC_assume(least <= size && size <= most);
    return size;
}

/* The same; tools/prove_eva.py does not tell its values apart. */
#define proof_some_size proof_any_size

static int proof_any_below(int count) {
    int value = nondet_int();
    __ESBMC_assume(value >= 0 && value < count);
    return value;
}

/* --- standard C, each as its definition has it, with every octet of its range looked at or written --------------------- */

#ifdef PROOF_BY_PLACE /* any place of the range, whatever stands there; the range is inside its buffer */
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
#else
static inline const void *proof_memchr(const void *s, int c, size_t n) {
    const uint8_t *p = s;
    size_t found = n;
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] == (uint8_t)c) found = i - 1;
    return found < n ? p + found : NULL;
}
#endif

static inline int proof_memcmp(const void *a, const void *b, size_t n) {
    const uint8_t *p = a, *q = b;
    int order = 0;
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] != q[i - 1]) order = p[i - 1] < q[i - 1] ? -1 : 1;
    return order;
}

/* Whether it is there, whatever the text: so what is proved holds for any set of octets. */
static inline const char *proof_strchr(const char *text, int c) {
    (void)c;
    return proof_any_choice() ? text : NULL;
}

static inline void *proof_memset(void *to, int c, size_t n) {
    uint8_t *p = to;
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)c;
    return to;
}

#ifdef PROOF_BY_PLACE /* what is copied stays any octets: nobody asks */
static inline void *proof_memcpy(void *to, const void *from, size_t n) {
    proof_range(to, n);
    proof_range(from, n);
    return to;
}
#else
static inline void *proof_memcpy(void *to, const void *from, size_t n) {
    uint8_t *p = to;
    const uint8_t *q = from;
    for (size_t i = 0; i < n; i++) p[i] = q[i];
    return to;
}
#endif

#include <string.h>
#define memchr proof_memchr
#define memcmp proof_memcmp
#define memcpy proof_memcpy
#define memset proof_memset
#define strchr proof_strchr

/* --- what the compilers have built in ------------------------------------------------------------------------------- */

/* The place of the lowest bit, and of the highest, by what they are: quicker for the checker than to search for them. */
static inline int proof_ctzll(uint64_t x) {
    const uint64_t place = nondet_size();
    assert(x != 0); /* it is not defined for 0 */
    __ESBMC_assume(place < 64 && (x >> place & 1) && !(x & (((uint64_t)1 << place) - 1)));
    return (int)place;
}

static inline int proof_clzll(uint64_t x) {
    const uint64_t place = nondet_size();
    assert(x != 0);
    __ESBMC_assume(place < 64 && x >> place == 1);
    return 63 - (int)place;
}

#include "octets.h"

/* HEX_VALUE[octet]: tools/prove.py writes it so. */
static inline int proof_hex(uint8_t octet) { return HEX_VALUE[octet]; }

#define __builtin_ctzll proof_ctzll
#define __builtin_clzll proof_clzll
#define __builtin_prefetch(p) ((void)0)

#endif
#endif
