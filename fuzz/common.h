/* What every target has: the input cut into options and a text, memory with a page on both sides that may not be touched,
 * the kernels that run here, and a check that ends the process with the line that failed.
 *
 * Two octets of options come first, then the text. So one corpus serves all targets, and the mutator can leave them alone. */
#ifndef FASTURL_FUZZ_COMMON_H
#define FASTURL_FUZZ_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"
#include "validate/diagnostics.h"

#define FUZZ_OPTIONS 2
#define FUZZ_TEXT_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- checks ---------------------------------------------------------------------------------------------------------- */

#define FUZZ_CHECK(condition)                                                                    \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);       \
            abort();                                                                             \
        }                                                                                        \
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

/* The last n octets of the area, or its first: the octet behind them, or before them, may not be touched. */
static inline uint8_t *fuzz_at(fuzz_area *area, size_t n, int at_end) {
    if (area->start == NULL || area->size < n) fuzz_map(area, n < 65536 ? 65536 : n);
    return at_end ? area->start + area->size - n : area->start;
}

static inline uint8_t *fuzz_at_end(fuzz_area *area, size_t n) { return fuzz_at(area, n, 1); }

/* The first `used` octets at `from`, which may be in the area, moved to where n octets end with it: as memory of the package
 * that grows. What follows them is overwritten. */
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
    const uint8_t *p;  /* guarded behind, or before where the highest bit of `two` is set */
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

/* The runtime with the schemes that the package registers when it is imported, and one whose productions are its owner's. */
static inline fu_runtime *fuzz_runtime(void) {
    static fu_runtime *runtime;
    if (runtime == NULL) {
        fu_runtime *started = fu_start_runtime();
        fu_register_scheme(started->schemes, "https", 5, FU_SHAPE_HTTP, 443);
        fu_register_scheme(started->schemes, "own", 3, FU_SHAPE_CUSTOM, 7);
        fu_register_scheme(started->schemes, "2-d.x", 5, FU_SHAPE_FTP, FU_NO_PORT);
        runtime = started;
    }
    return runtime;
}

/* Room for the problems of a text: doubled, up to as many as a text of FUZZ_TEXT_MAX octets can have. */
static inline int fuzz_grow(fu_diagnostics *v) {
    if (v->capacity >= 65536) return 0;
    const size_t capacity = v->capacity ? 2 * v->capacity : 4;
    fu_problem *more = (fu_problem *)realloc(v->problems, capacity * sizeof *more);
    FUZZ_CHECK(more != NULL);
    v->problems = more;
    v->capacity = capacity;
    return 1;
}

/* For each kernel but the scalar one, which is the first. */
#define FUZZ_EACH_WIDER(kernel, runtime)                                                                       \
    const fu_kernel *kernel, *const *at_ = (runtime)->kernels + 1, *const *end_ = (runtime)->kernels + (runtime)->count; \
    at_ < end_ && (kernel = *at_, 1);                                                                          \
    at_++

#endif
