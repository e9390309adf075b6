/* Pairs of a query, values by name, and redaction, compared with loops that decode first. All kernels share this code; the
 * target looks for a load outside, a wrong pair, and a secret that stays. */
#include "common.h"

#include "escapes/redaction.h"

static const fu_name names[] = {{.data = (const uint8_t *)"key", .length = 3, .last = 'y'},
                                {.data = (const uint8_t *)"a", .length = 1, .last = 'a'},
                                {.data = (const uint8_t *)"", .length = 0},
                                {.data = (const uint8_t *)"a b%", .length = 4, .last = '%'}};
#define NAMES (sizeof names / sizeof names[0])

/* A pair with its decoded name and the offsets of its value. */
typedef struct {
    uint8_t name[FUZZ_TEXT_MAX];
    size_t length, value, end;
    int has_value;
} slow_pair;

static void read_pair(const uint8_t *p, size_t n, size_t at, slow_pair *pair) {
    size_t end = at, name_end;
    uint8_t seen = 0;
    while (end < n && p[end] != '&') end++;
    for (name_end = at; name_end < end && p[name_end] != '='; name_end++) {}
    pair->length = fu_unquote_write_scalar(p + at, name_end - at, 1, pair->name, &seen);
    pair->has_value = name_end < end;
    pair->value = name_end + (size_t)pair->has_value;
    pair->end = end;
}

static int is_named(const slow_pair *pair, const fu_name *name) {
    return pair->length == name->length && (name->length == 0 || memcmp(pair->name, name->data, name->length) == 0);
}

/* Find the query: from the first ? in front of the first #. Return 0 if there is none. */
static int slow_span(const uint8_t *p, size_t n, size_t *start, size_t *end) {
    size_t at = 0;
    for (*end = 0; *end < n && p[*end] != '#'; (*end)++) {}
    while (at < *end && p[at] != '?') at++;
    *start = at + 1;
    return at < *end;
}

static void check_value(const uint8_t *p, size_t n, const fu_name *name, int with_firsts) {
    static slow_pair pair;
    fu_first_bytes firsts;
    fu_pair found;
    size_t at = 0;
    int has = 0;
    for (; at < n && !has; at = pair.end + 1) {
        read_pair(p, n, at, &pair);
        has = pair.end > at && is_named(&pair, name);
    }
    fu_set_first_bytes(&firsts, name);
    FUZZ_CHECK(fu_find_pair(p, n, name, with_firsts ? &firsts : NULL, &found) == has);
    if (!has) return;
    FUZZ_CHECK(found.end == pair.end && found.has_value == pair.has_value && found.value == pair.value);
    int marks = 0;
    for (size_t i = found.value; i < found.end; i++) marks |= p[i] == '%' || p[i] == '+';
    FUZZ_CHECK(found.value_marks == marks);
}

static int is_hidden(const fu_range *places, size_t count, size_t start, size_t end) {
    for (size_t i = 0; i < count; i++)
        if (places[i].start <= start && end <= places[i].end) return 1;
    return 0;
}

static void check_redaction(const fu_runtime *runtime, const uint8_t *p, size_t n, size_t wanted, int with_lasts) {
    static fu_range places[FUZZ_TEXT_MAX + FU_READINGS];
    static slow_pair pair;
    fu_redaction redaction;
    fu_first_bytes lasts;
    fu_spans s;
    size_t count = 0, start, end;
    fu_set_last_bytes(&lasts, names, wanted);
    fu_start_redaction(&redaction, runtime->schemes, p, n, 0, names, wanted, with_lasts ? &lasts : NULL, 0);
    while (fu_next_hidden(&redaction, &places[count].start, &places[count].end)) {
        const fu_range *one = &places[count];
        FUZZ_CHECK(one->start <= one->end && one->end <= n);
        FUZZ_CHECK(count == 0 || places[count - 1].end < one->start);
        FUZZ_CHECK(++count < sizeof places / sizeof places[0]);
    }
    /* urllib's password and the values of all names must be hidden. */
    runtime->kernel->split(runtime->schemes, p, n, FU_FORM_URL, 0, &s);
    if (s.flags & FU_HAS_NETLOC) {
        fu_netloc netloc;
        fu_split_netloc(p, s.netloc_start, s.path_start, &netloc);
        if (netloc.password_start != FU_ABSENT) FUZZ_CHECK(is_hidden(places, count, netloc.password_start, netloc.password_end));
    }
    if (wanted == 0 || !slow_span(p, n, &start, &end)) return;
    for (size_t at = start; at < end; at = pair.end + 1) {
        read_pair(p, end, at, &pair);
        for (size_t i = 0; i < wanted; i++)
            if (pair.has_value && is_named(&pair, &names[i])) FUZZ_CHECK(is_hidden(places, count, pair.value, pair.end));
    }
}

FUZZ_TARGET {
    size_t start = 0, end = 0, slow_start = 0, slow_end = 0;
    const int has = slow_span(in.p, in.n, &slow_start, &slow_end);
    FUZZ_CHECK(fu_query_span(in.p, in.n, &start, &end) == has && end == slow_end);
    if (has) FUZZ_CHECK(start == slow_start);
    /* Use the query, or the whole text, so that more inputs have pairs. */
    const size_t from = has && in.one & 1 ? start : 0, to = has && in.one & 1 ? end : in.n;
    check_value(in.p + from, to - from, &names[in.two % NAMES], in.one >> 3 & 1);
    check_redaction(runtime, in.p, in.n, in.one >> 1 & 3, in.one >> 3 & 1);
}
