/* fu_split: cut one text into spans, with the widest kernel that this processor runs. */
#ifndef FASTURL_SPLIT_H
#define FASTURL_SPLIT_H

#include "blocks.h"
#include "schemes.h"
#include "spans.h"

/* A request target in authority-form, `host:digits`, what CONNECT asks for: one netloc and nothing else. */
static inline int fu_split_authority(const uint8_t *p, size_t n, fu_spans *out) {
    size_t colon = n;
    while (colon > 0 && fu_is(p[colon - 1], TERM_DIGIT)) colon--;
    if (colon == n || colon < 2 || p[colon - 1] != ':') return 0;
    size_t host_end = colon - 1;
    int brackets = p[0] == '[' && p[host_end - 1] == ']';
    for (size_t i = 0; i < host_end; i++) {
        if (p[i] == '/' || p[i] == '?' || p[i] == '#' || p[i] == '@') return 0;
        if (p[i] == ':' && !brackets) return 0;
    }
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = out->netloc_start = 0;
    out->path_start = out->path_end = out->query_end = out->length = n;
    for (int i = 0; i < FU_ODD_BLOCKS; i++) out->odd[i] = ~(uint64_t)0; /* not looked at: the judge does */
    out->flags = FU_HAS_NETLOC | FU_ODD | FU_ODD_BEYOND;
    return 1;
}

/* Eight octets as memcpy brings them into a word. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FU_OCTET(c, i) ((uint64_t)(c) << (56 - 8 * (i)))
#else
#define FU_OCTET(c, i) ((uint64_t)(c) << (8 * (i)))
#endif
#define FU_HEAD_IS(head, a, b, c, d, e, f, g, h)                                                        \
    ((head) == (FU_OCTET(a, 0) | FU_OCTET(b, 1) | FU_OCTET(c, 2) | FU_OCTET(d, 3) | FU_OCTET(e, 4) | \
                FU_OCTET(f, 5) | FU_OCTET(g, 6) | FU_OCTET(h, 7)))
#define FU_SEVEN_OCTETS (~FU_OCTET(0xff, 7))

#define FU_GLUE_(a, b) a##_##b
#define FU_GLUE(a, b) FU_GLUE_(a, b)
#define FU_NAME(name) FU_GLUE(name, FU_KERNEL)

#define FU_LOW_BITS(n) fu_low_bits(n) /* of n <= 64 */
#define FU_KERNEL scalar
#define FU_TARGET
#include "split_body.h"
#undef FU_KERNEL
#undef FU_TARGET

#ifdef FU_HAVE_NEON
#define FU_KERNEL neon
#define FU_TARGET
#include "split_body.h"
#undef FU_KERNEL
#undef FU_TARGET
#endif

#undef FU_LOW_BITS
#ifdef FU_HAVE_X86
#define FU_LOW_BITS(n) _bzhi_u64(~(uint64_t)0, (unsigned)(n))
#define FU_KERNEL avx2
#define FU_TARGET FU_TARGET_AVX2
#include "split_body.h"
#undef FU_KERNEL
#undef FU_TARGET
#define FU_KERNEL avx512
#define FU_TARGET FU_TARGET_AVX512
#include "split_body.h"
#undef FU_KERNEL
#undef FU_TARGET
#endif

/* any_first: a scheme may start with a digit, "+", "-" or "." too, as RFC 1738 has it (urllib asks for a letter). */
typedef void (*fu_split_function)(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first,
                                  fu_spans *out);

typedef struct {
    const char *name;
    fu_split_function split;
    int runs_here;
} fu_kernel;

/* Widest last. */
static fu_kernel fu_kernels[] = {
    {"scalar", fu_split_scalar, 1},
#ifdef FU_HAVE_NEON
    {"neon", fu_split_neon, 1},
#endif
#ifdef FU_HAVE_X86
    {"avx2", fu_split_avx2, 0},
    {"avx512", fu_split_avx512, 0},
#endif
};
#define FU_KERNELS ((int)(sizeof fu_kernels / sizeof fu_kernels[0]))

static fu_split_function fu_split = fu_split_scalar;

/* Fill the tables and take the widest kernel that runs here. Called once, before anything else of this header. */
static inline void fu_start_kernels(void) {
    fu_fill_block_tables();
#ifdef FU_HAVE_X86
    __builtin_cpu_init();
    int bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    int avx2 = bits && __builtin_cpu_supports("avx2");
    fu_kernels[FU_KERNELS - 2].runs_here = avx2;
    fu_kernels[FU_KERNELS - 1].runs_here = avx2 && __builtin_cpu_supports("avx512bw") &&
                                           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi");
#endif
    for (int i = 0; i < FU_KERNELS; i++)
        if (fu_kernels[i].runs_here) fu_split = fu_kernels[i].split;
}

/* Use the kernel of that name; 0 when there is none or it does not run here. */
static inline int fu_use_kernel(const char *name) {
    for (int i = 0; i < FU_KERNELS; i++)
        if (fu_kernels[i].runs_here && strcmp(fu_kernels[i].name, name) == 0) {
            fu_split = fu_kernels[i].split;
            return 1;
        }
    return 0;
}

#endif
