/* Mutations that know the parts of URLs, queries and log lines. Parts between delimiters are repeated, dropped, swapped,
 * escaped, or moved to the edge of a block of 64 bytes, where kernels can differ. Every other input gets libFuzzer's own
 * mutations, which use the words of urls.dict. The option bytes change by a bit. */
#include "common.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t max_size, unsigned seed);

static uint32_t state;

static uint32_t random_below(uint32_t n) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return n ? state % n : 0;
}

static int is_delimiter(uint8_t byte) { return byte && strchr(":/?#@[]&=;,.% \"\n\\<>+-", byte) != NULL; }

typedef struct {
    size_t start, end;
} part;

/* Return a random part between two delimiters. It may hold up to two delimiters. */
static part random_part(const uint8_t *p, size_t n) {
    part found = {random_below((uint32_t)n + 1), 0};
    unsigned delimiters = random_below(3);
    while (found.start > 0 && !is_delimiter(p[found.start - 1])) found.start--;
    for (found.end = found.start; found.end < n; found.end++)
        if (is_delimiter(p[found.end]) && delimiters-- == 0) break;
    return found;
}

/* Replace [start, end) by `length` bytes of `what`, which may overlap the text. Return the new length. */
static size_t put(uint8_t *p, size_t n, size_t most, part at, const uint8_t *what, size_t length) {
    static uint8_t copy[FUZZ_TEXT_MAX];
    if (length > sizeof copy) return n;
    memcpy(copy, what, length);
    if (n - (at.end - at.start) + length > most) return n;
    memmove(p + at.start + length, p + at.end, n - at.end);
    memcpy(p + at.start, copy, length);
    return n - (at.end - at.start) + length;
}

static size_t escape_one(uint8_t *p, size_t n, size_t most, size_t at) {
    static const char digits[] = "0123456789ABCDEFabcdef";
    uint8_t made[3] = {'%', (uint8_t)digits[random_below(22)], (uint8_t)digits[random_below(22)]};
    if (random_below(2)) {
        made[1] = (uint8_t)digits[p[at] >> 4];
        made[2] = (uint8_t)digits[p[at] & 15];
    }
    part one = {at, at + 1};
    return put(p, n, most, one, made, sizeof made);
}

/* Insert padding at `at`, so that the text there moves to an edge of 16 or 64 bytes, or one byte beside it. */
static size_t to_an_edge(uint8_t *p, size_t n, size_t most, size_t at) {
    uint8_t padding[FU_BLOCK + 1];
    const size_t edge = random_below(2) ? 16 : 64;
    const size_t length = (edge - at % edge + random_below(3)) % edge;
    memset(padding, "aA0/.%-=\xe9"[random_below(9)], length);
    part here = {at, at};
    return put(p, n, most, here, padding, length);
}

static size_t mutated(uint8_t *p, size_t n, size_t most) {
    static const char *const words[] = {"http://",
                                        "https://",
                                        "ftp://",
                                        "//",
                                        "@",
                                        ":80",
                                        "[::1]",
                                        "%2F",
                                        "%00",
                                        "?a=b",
                                        "&",
                                        "#",
                                        "<URL:",
                                        ">",
                                        "\n",
                                        "\" 200 5 \"",
                                        " - - [17/May/2015:10:05:03 +0000] \"GET ",
                                        " HTTP/1.1\""};
    const part one = random_part(p, n), two = random_part(p, n);
    const part here = {one.start, one.start};
    switch (random_below(8)) {
    case 0: return put(p, n, most, one, p, 0);
    case 1: return put(p, n, most, here, p + two.start, two.end - two.start);
    case 2: return put(p, n, most, one, p + two.start, two.end - two.start);
    case 3: return n ? escape_one(p, n, most, random_below((uint32_t)n)) : n;
    case 4: return to_an_edge(p, n, most, one.start);
    case 5:
        for (size_t i = one.start; i < one.end; i++) p[i] ^= (p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'z' ? 0x20 : 0;
        return n;
    case 6:
        if (n) p[random_below((uint32_t)n)] = (uint8_t)(":/?#@[]&=;,.% \"\n\\<>+-\0\x7f\x80\xc2\xff"[random_below(26)]);
        return n;
    default: {
        const char *word = words[random_below(sizeof words / sizeof words[0])];
        return put(p, n, most, random_below(2) ? here : one, (const uint8_t *)word, strlen(word));
    }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    state = seed * 2654435761u | 1;
    if (size < FUZZ_OPTIONS || max_size < FUZZ_OPTIONS || random_below(2)) return LLVMFuzzerMutate(data, size, max_size);
    if (random_below(8) == 0) data[random_below(FUZZ_OPTIONS)] ^= (uint8_t)(1u << random_below(8));
    size_t n = size - FUZZ_OPTIONS;
    for (uint32_t times = 1 + random_below(3); times; times--) n = mutated(data + FUZZ_OPTIONS, n, max_size - FUZZ_OPTIONS);
    return n + FUZZ_OPTIONS;
}

/* Join the head of one text and the tail of the other, at delimiters. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t max_size, unsigned seed) {
    state = seed * 2654435761u | 1;
    if (one_size < FUZZ_OPTIONS || two_size < FUZZ_OPTIONS || max_size < one_size) return 0;
    memcpy(out, one, one_size);
    const part to = random_part(one + FUZZ_OPTIONS, one_size - FUZZ_OPTIONS);
    const part from = random_part(two + FUZZ_OPTIONS, two_size - FUZZ_OPTIONS);
    const part tail = {to.start, one_size - FUZZ_OPTIONS};
    return FUZZ_OPTIONS + put(out + FUZZ_OPTIONS, one_size - FUZZ_OPTIONS, max_size - FUZZ_OPTIONS, tail,
                              two + FUZZ_OPTIONS + from.start, two_size - FUZZ_OPTIONS - from.start);
}
