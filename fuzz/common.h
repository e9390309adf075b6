/* The frame of every target: an input as option bytes and a text, memory between guard pages, the kernels that run here, and a
 * check that aborts with the line that failed.
 *
 * An input is two option bytes, then the text. So one corpus serves all targets, and the mutator can leave the options alone. */
#ifndef FASTURL_FUZZ_COMMON_H
#define FASTURL_FUZZ_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"
#include "validate/productions.h"

#define FUZZ_OPTIONS 2
#define FUZZ_TEXT_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- checks ---------------------------------------------------------------------------------------------------------- */

#define FUZZ_CHECK(condition)                                                              \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* --- guarded memory -------------------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t *start;
    size_t size;
} fuzz_area;

static inline void fuzz_map(fuzz_area *area, size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size = (size + page - 1) / page * page;
    uint8_t *all = (uint8_t *)mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FUZZ_CHECK(all != (uint8_t *)MAP_FAILED);
    FUZZ_CHECK(mprotect(all + page, size, PROT_READ | PROT_WRITE) == 0);
    area->start = all + page;
    area->size = size;
}

/* Return the last n bytes of the area, in front of a guard page, or the first n, behind one. */
static inline uint8_t *fuzz_at(fuzz_area *area, size_t n, int at_end) {
    if (area->start == NULL || area->size < n) fuzz_map(area, n < 65536 ? 65536 : n);
    return at_end ? area->start + area->size - n : area->start;
}

static inline uint8_t *fuzz_at_end(fuzz_area *area, size_t n) { return fuzz_at(area, n, 1); }

/* Grow memory as the package does: move the first `used` bytes at `from`, which may be in the area, to its last n bytes, and
 * overwrite the rest. */
static inline void *fuzz_moved(fuzz_area *area, const void *from, size_t used, size_t n) {
    static fuzz_area spare;
    uint8_t *kept = fuzz_at_end(&spare, used);
    if (used) memcpy(kept, from, used);
    uint8_t *to = fuzz_at_end(area, n);
    if (used) memcpy(to, kept, used);
    memset(to + used, 0x5c, n - used);
    return to;
}

/* --- the input ------------------------------------------------------------------------------------------------------- */

typedef struct {
    unsigned one, two; /* options */
    const uint8_t *p;  /* the guard page is behind it, or in front of it if the highest bit of `two` is set */
    size_t n;
} fuzz_input;

static fuzz_area fuzz_text_area;

static inline int fuzz_open(const uint8_t *data, size_t size, fuzz_input *in) {
    if (size < FUZZ_OPTIONS || size > FUZZ_TEXT_MAX) return 0;
    in->one = data[0];
    in->two = data[1];
    in->n = size - FUZZ_OPTIONS;
    uint8_t *text = fuzz_at(&fuzz_text_area, in->n, in->two < 0x80);
    memcpy(text, data + FUZZ_OPTIONS, in->n);
    in->p = text;
    return 1;
}

/* --- what is tested -------------------------------------------------------------------------------------------------- */

/* Return the runtime with the schemes that the package registers at import, and one scheme with its own productions. */
static inline fu_runtime *fuzz_runtime(void) {
    static fu_runtime *runtime;
    if (runtime == NULL) {
        /* Columns: bytes that are not printable US-ASCII, other bytes, and "/", which may not be doubled or last. */
        static const uint32_t rows[9] = {0, 0, 0, 3, 3, 6, 0, 3, 0};
        static const uint8_t accepting[3] = {0, 1, 0};
        static fu_productions own = {{0}, 3, 3, rows, accepting};
        fu_runtime *started = fu_start_runtime();
        for (size_t byte = '!'; byte <= '~'; byte++) own.columns[byte] = byte == '/' ? 2 : 1;
        if (!fu_are_productions(&own)) abort();
        fu_register_scheme(started->schemes, "https", 5, FU_SHAPE_HTTP, 443, NULL);
        fu_register_scheme(started->schemes, "own", 3, FU_SHAPE_CUSTOM, 7, &own);
        fu_register_scheme(started->schemes, "2-d.x", 5, FU_SHAPE_FTP, FU_NO_PORT, NULL);
        runtime = started;
    }
    return runtime;
}

/* What a target does with one input `in`: FUZZ_TARGET { ... }. */
#define FUZZ_TARGET                                                   \
    static void fuzz_one(const fu_runtime *runtime, fuzz_input in);   \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {    \
        fuzz_input in;                                                \
        if (fuzz_open(data, size, &in)) fuzz_one(fuzz_runtime(), in); \
        return 0;                                                     \
    }                                                                 \
    static void fuzz_one(const fu_runtime *runtime, fuzz_input in)

/* Double the room for problems, up to the most that a text of FUZZ_TEXT_MAX bytes can have. */
static inline int fuzz_grow(fu_diagnostics *v) {
    if (v->capacity >= 65536) return 0;
    const size_t capacity = v->capacity ? 2 * v->capacity : 4;
    fu_problem *more = (fu_problem *)realloc(v->problems, capacity * sizeof *more);
    FUZZ_CHECK(more != NULL);
    v->problems = more;
    v->capacity = capacity;
    return 1;
}

/* For each kernel but the scalar kernel, which is the first. */
#define FUZZ_EACH_WIDER(kernel, runtime)                                                                                 \
    const fu_kernel *kernel, *const *at_ = (runtime)->kernels + 1, *const *end_ = (runtime)->kernels + (runtime)->count; \
    at_ < end_ && (kernel = *at_, 1);                                                                                    \
    at_++

/* Escapes decoded byte by byte, to compare the kernels with. */
static inline int fuzz_hex_of(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* seen: the union of all decoded bytes. out: room for n bytes. */
static inline size_t fuzz_unquote(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '%' && n - i > 2 && fuzz_hex_of(p[i + 1]) >= 0 && fuzz_hex_of(p[i + 2]) >= 0) {
            out[k] = (uint8_t)(fuzz_hex_of(p[i + 1]) << 4 | fuzz_hex_of(p[i + 2]));
            *seen |= out[k++];
            i += 2;
        } else {
            out[k++] = plus && p[i] == '+' ? ' ' : p[i];
        }
    }
    return k;
}

#endif
