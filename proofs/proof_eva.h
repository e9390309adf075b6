/* proof.h as Frama-C reads it. */
#ifndef FASTURL_PROOF_EVA_H
#define FASTURL_PROOF_EVA_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef PROOF_LENGTH
#define PROOF_LENGTH 6
#endif
#ifndef PROOF_FROM
#define PROOF_FROM PROOF_LENGTH
#endif


#undef NDEBUG

/*@ requires holds: \false; assigns \nothing; */
void proof_fail(void);
/*@ assigns \nothing; ensures \false; */
void proof_stop(void);
#define assert(condition) ((condition) ? (void)0 : proof_fail())
#define assert_octets(condition) ((void)0)
#define __ESBMC_assume(condition) ((condition) ? (void)0 : proof_stop())
#define __ESBMC_same_object(a, b) 1

extern volatile size_t proof_sizes;
extern volatile int proof_ints;
extern volatile uint8_t proof_octets;
static size_t nondet_size(void) { return proof_sizes; }
static int nondet_int(void) { return proof_ints; }
static uint8_t nondet_octet(void) { return proof_octets; }
/*@ assigns ((char *)p)[0 .. l - 1] \from \nothing; */
extern void Frama_C_make_unknown(char *p, size_t l);
/*@ assigns \result \from a, b; ensures \result == a || \result == b; */
extern int Frama_C_nondet(int a, int b);
/*@ assigns \result \from a, b; ensures a <= \result <= b; */
extern int Frama_C_interval_split(int a, int b);

static size_t proof_any_length(void) { return (size_t)Frama_C_interval_split(PROOF_FROM, PROOF_LENGTH); }
static void proof_end(void) {
#ifdef PROOF_REACH
    assert(0);
#endif
}
static volatile uint8_t *proof_buffer(size_t n) {
    volatile uint8_t *p = calloc(n, 1);
    if (n) Frama_C_make_unknown((char *)p, n);
    return p;
}
static volatile uint8_t *proof_output(size_t n) { return malloc(n); }
#define assert_written(p, n) ((n) ? proof_read((const uint8_t *)(p), n) : (void)0)
static int proof_any_choice(void) { return Frama_C_interval_split(0, 1); }
static size_t proof_any_size(size_t least, size_t most) { return (size_t)Frama_C_interval_split((int)least, (int)most); }
static size_t proof_some_size(size_t least, size_t most) {
    const size_t size = proof_sizes;
    __ESBMC_assume(least <= size && size <= most);
    return size;
}
static uint8_t proof_any_of(uint8_t a, uint8_t b) { return (uint8_t)Frama_C_nondet(a, b); }
/* A value that is one of two. */
static int proof_told_apart(int value, int a, int b) {
    if (value == a) return a;
    assert(value == b);
    return b;
}
static int proof_any_below(int count) { return Frama_C_interval_split(0, count - 1); }

#include <string.h>
/*@ requires inside: \valid_read(p + (0 .. n - 1));
    requires written: \initialized(p + (0 .. n - 1));
    assigns \nothing; */
void proof_read(const uint8_t *p, size_t n);
/*@ requires inside: \valid(p + (0 .. n - 1));
    assigns p[0 .. n - 1] \from \nothing;
    ensures \initialized(p + (0 .. n - 1)); */
void proof_written(uint8_t *p, size_t n);
/*@ requires apart: n == 0 || \separated(p + (0 .. n - 1), q + (0 .. n - 1));
    assigns \nothing; */
void proof_apart(const uint8_t *p, const uint8_t *q, size_t n);

static inline const void *proof_memchr(const volatile void *s, int c, size_t n) {
    (void)c;
    if (n == 0) return NULL;
    proof_read((const uint8_t *)s, n);
    const size_t found = (size_t)Frama_C_interval_split(0, (int)n);
    return found < n ? (const uint8_t *)s + found : NULL;
}
static inline int proof_memcmp(const volatile void *a, const volatile void *b, size_t n) {
    proof_read((const uint8_t *)a, n);
    proof_read((const uint8_t *)b, n);
    return Frama_C_interval_split(-1, 1);
}
static inline const char *proof_strchr(const char *text, int c) {
    (void)c;
    return Frama_C_interval_split(0, 1) ? text : NULL;
}
static inline void *proof_memset(void *to, int c, size_t n) {
    (void)c;
    proof_written((uint8_t *)to, n);
    return to;
}
static inline void *proof_memcpy(volatile void *to, const volatile void *from, size_t n) {
    if (n == 0) return (void *)to;
    proof_read((const uint8_t *)from, n);
    proof_apart((const uint8_t *)from, (const uint8_t *)to, n);
    proof_written((uint8_t *)to, n);
    return (void *)to;
}
#define memchr proof_memchr
#define memcmp proof_memcmp
#define memcpy proof_memcpy
#define memset proof_memset
#define strchr proof_strchr
static inline int proof_ctzll(uint64_t x) {
    assert(x != 0);
    return Frama_C_interval_split(0, 63);
}
static inline int proof_clzll(uint64_t x) {
    assert(x != 0);
    return Frama_C_interval_split(0, 63);
}
#include "octets.h"
static inline int proof_hex(uint8_t octet) { return HEX_VALUE[octet]; }
#define __builtin_ctzll proof_ctzll
#define __builtin_clzll proof_clzll
#define __builtin_prefetch(p) ((void)0)
#endif
